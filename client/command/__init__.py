"""The `conquest` command: one file for each subcommand, and what they share."""
