"""The version of the program: the package, `--version`, the server's banner and the logs read it here."""

VERSION = "0.1.0"
