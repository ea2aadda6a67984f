"""`conquest relay`: the command line of a relay, for whoever has a machine that others can reach."""

import argparse
import asyncio
import os
from collections.abc import Sequence

from protocol.limit import DEFAULT_PORT, RelayLimits
from protocol.link import BadLink, address_text, parse_address
from protocol.process import stream, usage
from protocol.process.supervision import alongside
from server.command import add_limits, explained, ignore_signals, limits_from, run, signalled
from server.config import checked_port
from server.core.relay import Rules
from server.io import log
from server.io.relay import RelayServer

WORD = "CONQUEST_RELAY_WORD"

DESCRIPTION = """\
Lead guests to hosts that they could not reach: both connect to this relay, which passes on what they say to
each other. That is encrypted from end to end, so a relay can neither read nor change it.

examples:
  conquest relay                                  all addresses, the usual port
  conquest relay --word "blue heron"              only for hosts who know the word
  conquest host galaxy --relay example.org        how a host uses the relay on example.org
"""


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = usage.Parser(
        prog="conquest relay", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--bind", metavar="ADDRESS", help="listen on this address only (default: all)")
    made.add_argument(
        "--port",
        type=int,
        default=DEFAULT_PORT,
        help=f"listen on this port; 0 = any (default: {DEFAULT_PORT})",
    )
    made.add_argument(
        "--word", help=f"only hosts who know this word may use the relay; it can also be in {WORD}"
    )
    made.add_argument(
        "--public",
        metavar="HOST[:PORT]",
        help="serve only hosts who know the relay by this address, so that no other relay can pass for them",
    )
    made.add_argument("--log-json", action="store_true", help="log as JSON lines")
    made.add_argument("--log-addresses", action="store_true", help="log where connections come from")
    add_limits(made, RelayLimits(), "What a relay allows.")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the relay until it is told to stop; return the exit code."""
    return explained(lambda: _main(arguments), "relay")


def _main(arguments: Sequence[str] | None) -> int:
    given = parser().parse_args(arguments)
    rules = rules_from(given)
    log.set_up(given.log_json, given.log_addresses)
    return run(relay(rules, given.bind, checked_port(given.port)))


def rules_from(given: argparse.Namespace) -> Rules:
    """Say what the relay is to ask of hosts; raise `BadConfig` or `Misused`."""
    word = given.word if given.word is not None else os.environ.get(WORD, "")
    try:
        name = address_text(*parse_address(given.public)) if given.public else ""
    except BadLink as no:
        raise usage.Misused(str(no)) from no
    return Rules(limits_from(given, RelayLimits()), word, name)


async def relay(rules: Rules, bind: str | None, port: int) -> int:
    """Relay until a signal comes. Raises `Failed` when a part of the relay dies, and OSError."""
    stop = signalled()
    server = RelayServer(rules, asyncio.get_running_loop())
    server.listen(bind, port)
    try:
        stream.write(
            "".join(f"Listening on {address_text(host, server.port)}\n" for host in server.addresses)
        )
        async with alongside(server.fate.failed(), "supervision"):
            await stop.wait()
    finally:
        await server.stop()
        ignore_signals()
    if server.fate.fault is not None:
        await server.fate.failed()
    return 0
