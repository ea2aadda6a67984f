"""`conquest serve`, also `conquest-server` and `python -m server`: the dedicated server's command line."""

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import signal
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from protocol.limit import DEFAULT_PORT, Limits, RelayLimits, SshLimits
from protocol.link import BadLink, address_text, parse_code
from protocol.process import stream, usage
from protocol.process.home import home
from protocol.process.supervision import Failed, alongside, sorry
from server import config
from server.core.match import Damaged
from server.core.transcript import to_lines, transcribe
from server.io import log, service, shell
from server.io.journal import CannotOpen
from server.io.opening import back_up, read_history
from server.io.status import Status
from server.io.tls import CannotSecure

GARBAGE_THRESHOLD = 20_000
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)

Beside = Callable[[shell.Server, config.Config], contextlib.AbstractAsyncContextManager[Sequence[str]]]
"""Runs beside a server, and says how one finds it."""

DESCRIPTION = """\
Run a Conquest server for others to join. Matches are kept in a file and survive a restart.

examples:
  conquest serve                          all addresses, encrypted, the usual port
  conquest serve --bind 127.0.0.1         this machine only, plain
  conquest serve --config conquest.toml   settings from a file; its keys are the flags' names
  conquest serve --status 7718            counts at http://127.0.0.1:7718/
  conquest serve --journal postgresql://db.example.org/conquest
                                          keep matches in a database
  conquest serve --ssh 2222               whoever has only ssh plays, too: ssh -p 2222 this.host
  conquest serve --export 7K3M9QXZ        print a finished match as JSON lines and stop
  conquest serve --backup copy.db         copy the journal, also of a server that runs, and stop
"""


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = usage.Parser(
        prog="conquest serve", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--bind", metavar="ADDRESS", help="listen on this address only (default: all)")
    made.add_argument("--port", type=int, help=f"listen on this port; 0 = any (default: {DEFAULT_PORT})")
    made.add_argument(
        *("--journal", "--db"),
        dest="db",
        metavar="PATH|URL",
        help="the journal: a file, postgresql://HOST/DATABASE, or :memory: to keep nothing",
    )
    made.add_argument(
        "--tls", action=argparse.BooleanOptionalAction, help="encrypt (default: unless bound to loopback)"
    )
    made.add_argument("--status", metavar="PORT|PATH", help="give counts on a local port or in a file")
    made.add_argument("--metrics", metavar="PORT", type=int, help="give counts to Prometheus on a local port")
    made.add_argument(
        "--ssh", metavar="PORT", type=int, help="let visitors in who have only ssh; 0 = any port"
    )
    made.add_argument("--log-json", action="store_true", default=None, help="log as JSON lines")
    made.add_argument("--config", metavar="FILE", type=Path, help="read settings from a TOML file")
    made.add_argument(
        "--export", metavar="CODE", nargs="+", help="print a finished match from the journal and stop"
    )
    made.add_argument(
        "--backup", metavar="PATH", type=Path, help="copy the journal, for your eyes alone, and stop"
    )
    add_limits(made, Limits(), "Each can also stand under [limits] in the TOML file.")
    names = ", ".join(f"{each.name} ({each.default})" for each in fields(SshLimits))
    about = f"for visitors by ssh; under [ssh_limits] in the TOML file: {names}"
    made.add_argument("--ssh-limit", metavar="NAME=N", type=_limit, action="append", default=[], help=about)
    return made


def add_limits(made: usage.Parser, limits: Limits | RelayLimits, about: str) -> None:
    """Describe the flags that set limits."""
    group = made.add_argument_group("limits", about)
    for each in fields(limits):
        flag = "--" + each.name.replace("_", "-")
        kind = int if each.type in ("int", int) else float
        group.add_argument(flag, type=kind, metavar="N", help=f"(default: {each.default})")


def _limit(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        return name, int(number) if number.isdecimal() else float(number)
    except ValueError as no:
        raise argparse.ArgumentTypeError(f"NAME=N, such as visitors=4, not {text!r}") from no


def limits_from(given: argparse.Namespace, limits: config.Some) -> config.Some:
    """Take over what flags say about limits."""
    set_here = {each.name: getattr(given, each.name) for each in fields(limits)}
    settings = {name: value for name, value in set_here.items() if value is not None}
    return config.with_limits(limits, settings, config.FLAG)


def main(arguments: Sequence[str] | None = None, beside: Beside | None = None) -> int:
    """Run the server until it is told to stop; return the exit code.

    What runs beside it lets visitors in by ssh, of which the server knows nothing but that it does.
    """
    return explained(lambda: _main(arguments, beside))


def _main(arguments: Sequence[str] | None, beside: Beside | None) -> int:
    given = parser().parse_args(arguments)
    settings = settings_from(given)
    if given.export:
        return export(settings, parse_code(" ".join(given.export)))
    if given.backup:
        back_up(settings.db, given.backup)
        return 0
    log.set_up(settings.log_json)
    if settings.ssh is not None and beside is None:
        raise config.BadConfig("Visitors by ssh are let in by `conquest serve --ssh` only.")
    return run(serve(settings, beside))


def explained(work: Callable[[], int], what: str = "server") -> int:
    """Do what a command is for, and say in a sentence why it cannot be done; return the exit code."""
    stream.secure()
    log.set_up(is_json=False)
    try:
        return work()
    except (config.BadConfig, BadLink, CannotOpen, CannotSecure, stream.CannotWrite, Failed) as error:
        return stream.complain(str(error), 1)
    except usage.Misused as error:
        return stream.complain(str(error), 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return stream.complain(f"The {what} cannot start: {where}{error.strerror or error}.", 1)
    except Exception as fault:
        logging.getLogger("conquest.server").error("A fault of ours.", exc_info=fault)
        return stream.complain(sorry(what), 1)


def settings_from(given: argparse.Namespace) -> config.Config:
    """Combine the defaults, the file and the flags; the flags have the last word."""
    settings = config.Config(db=str(home() / "conquest.db"))
    if given.config is not None:
        settings = config.with_file(settings, given.config)
    flags = {
        name: value
        for name in ("bind", "port", "db", "tls", "status", "metrics", "log_json", "ssh")
        if (value := getattr(given, name)) is not None
    }
    limits = limits_from(given, settings.limits)
    ssh = config.with_limits(settings.ssh_limits, dict(given.ssh_limit), "--ssh-limit ")
    return config.checked(replace(settings, **flags, limits=limits, ssh_limits=ssh))


def run(main_task: Coroutine[Any, Any, int]) -> int:
    """Run to the end, on the faster event loop where there is one."""
    factory = None
    if os.environ.get("CONQUEST_LOOP") != "asyncio":
        with contextlib.suppress(ImportError):
            import uvloop

            factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main_task)


async def serve(settings: config.Config, beside: Beside | None = None) -> int:
    """Serve until a signal comes. Raises `Failed` when a part of the server dies."""
    stop = signalled()
    _make_home(settings)
    server = await shell.start(settings)
    # What is there now stays for good, and moves leave next to no cycles behind: look for them rarely.
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 20)
    status = Status(server.kernel, server.journal)
    lines: Sequence[str] = ()
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(ignore_signals)
        try:
            if settings.status is not None:
                await status.start(settings.status)
            if settings.metrics is not None:
                await status.start_metrics(settings.metrics)
            if settings.ssh is not None and beside is not None:
                # Visitors hear from the server why it stops before they are shown out.
                lines = await stack.enter_async_context(beside(server, settings))
            _announce(server, lines)
            service.tell(service.READY)
            async with alongside(server.failed(), "supervision"):
                await stop.wait()
        finally:
            service.tell(service.STOPPING)
            status.stop()
            await server.stop()
    if server.has_failed():
        await server.failed()
    return 0


def _make_home(settings: config.Config) -> None:
    """Make the folder that is ours to choose; one that somebody has named must be there."""
    if Path(settings.db).parent != home():
        return
    try:
        home().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotOpen(f"The journal {settings.db} cannot be opened: {error.strerror}.") from error


def signalled() -> asyncio.Event:
    """Return an event that a signal to stop sets; more of them change nothing, the end is near anyway."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    return stop


def ignore_signals() -> None:
    """Let no late signal kill a process that has stopped in order and only has to return its exit code."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


def _announce(server: shell.Server, more: Sequence[str] = ()) -> None:
    lines = []
    for host in server.addresses:
        lines.append(f"Listening on {address_text(host, server.port)}")
    if server.fingerprint is not None:
        lines.append(f"Fingerprint: {server.fingerprint}")
    if server.restored:
        lines.append(f"Matches brought back from the journal: {server.restored}")
    if getattr(os, "geteuid", lambda: -1)() == 0:
        lines.append("This server runs as root, and need not: a user of its own is safer.")
    lines += more
    # In one piece, so that a script which has read the first line has the others too.
    stream.write("\n".join(lines) + "\n")


def export(settings: config.Config, code: str) -> int:
    """Print a finished match from the journal as JSON lines; a server may be running meanwhile."""
    try:
        record = transcribe(read_history(settings.db, code))
    except Damaged as error:
        return stream.complain(f"The match {code} in the journal is damaged: {error}.", 1)
    if record is None:
        return stream.complain(f"The journal holds no finished match {code}.", 1)
    stream.write("".join(f"{line}\n" for line in to_lines(record)))
    return 0
