"""`conquest serve` and `conquest relay`: programs for others to come to, which read their own arguments."""

import contextlib
from collections.abc import AsyncIterator, Sequence

from client.local.hosting import Hosted, Settings, run_dedicated
from client.ssh.service import Wanted, letting_in
from protocol.process.home import home


def serve(command: str, *arguments: str) -> int:
    """Run the dedicated server, or the relay, until it is stopped; return the exit code."""
    return run_dedicated(command, arguments, _ssh)


@contextlib.asynccontextmanager
async def _ssh(server: Hosted, settings: Settings) -> AsyncIterator[Sequence[str]]:
    """Let visitors in by ssh beside a server; say how they come."""
    kind = "json" if settings.log_json else "text"
    wanted = Wanted(settings.ssh or 0, home(), settings.bind, log=kind, limits=settings.ssh_limits)
    async with letting_in(server, wanted) as service:
        yield service.lines
