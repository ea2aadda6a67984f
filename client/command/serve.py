"""`conquest serve`: a dedicated server, which reads its own arguments."""

from collections.abc import Sequence

from client.local.hosting import run_dedicated


def serve(arguments: Sequence[str]) -> int:
    """Run the dedicated server until it is stopped; return the exit code."""
    return run_dedicated(arguments)
