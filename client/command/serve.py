"""`conquest serve` and `conquest relay`: programs for others to come to, which read their own arguments."""

from client.local.hosting import run_dedicated


def serve(command: str, *arguments: str) -> int:
    """Run the dedicated server, or the relay, until it is stopped; return the exit code."""
    return run_dedicated(command, arguments)
