"""`conquest journal copy FROM TO`: moves a server's journal, between a file and a database too."""

from client.local.hosting import copy_journal


def copy(source: str, target: str) -> int:
    """Copy a journal; return the exit code."""
    return copy_journal(source, target)
