"""The `conquest` command: its arguments, its menu, and the subcommands that do not lead to a match."""
