"""The `conquest` command: reads its arguments and hands over to what does the work.

Everything heavier than argparse is imported when it is known to be needed, so that help is instant.
"""

import os
import sys
from collections.abc import Callable, Sequence

from client.command import argument
from client.core.failure import CouldNot
from protocol.process import stream
from protocol.process.usage import Misused

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Type checkers know the name; importing `typing` for it would cost help a tenth of its time.
    from argparse import Namespace

    from client.flow.wanted import Wanted
    from client.line.run import Work


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: _run(given))


def guarded(work: "Callable[[], int]") -> int:
    """Do what a command does; say in one sentence why where it cannot be done, and return the exit code."""
    stream.secure()
    try:
        code = work()
        stream.write("")
    except (CouldNot, stream.CannotWrite) as problem:
        return stream.complain(str(problem), 1)
    except Misused as problem:
        return stream.complain(str(problem), 2)
    except KeyboardInterrupt:
        return 1
    except BrokenPipeError:
        stream.let_go_of(sys.stdout)
        return 1
    except Exception as fault:  # noqa: BLE001 (the supervisor's: what nobody foresaw ends up here)
        from client.local.fault import explain

        return stream.complain(explain(fault), 1)
    return code


def _run(given: list[str]) -> int:
    if given[:1] in (["serve"], ["relay"]):
        from client.command.serve import serve

        return serve(*given)
    parsed = argument.parse(given)
    parsed.ascii |= sys.stdout.isatty() and stream.is_ascii_only(os.environ, sys.stdout.encoding)
    match parsed.command:
        case "rules":
            from client.command.rules import print_rules

            print_rules(parsed.game)
            return 0
        case "completion":
            from client.command.completion import print_script

            print_script(parsed.shell)
            return 0
        case "journal":
            from client.command.journal import copy

            return copy(parsed.source, parsed.target)
        case "arena":
            from client.command.arena import hold

            return hold(parsed)
        case "bot":
            from client.command.bot import send_out

            return _seated(lambda terminal: send_out(terminal, parsed), parsed)
        case "doctor":
            from client.command.doctor import examine
            from client.command.read import relay_of

            relay = relay_of(parsed)
            return _seated(lambda terminal: examine(terminal, relay), parsed)
        case _ if is_full_screen(parsed):
            from client.tui.run import run

            return run(parsed, _wanted(parsed))
        case "matches":
            from client.command.matches import go_on

            return _seated(go_on, parsed)
        case "history":
            from client.command.history import look_back

            return _seated(lambda terminal: look_back(terminal, parsed.game or "", parsed.opponent), parsed)
        case "replay":
            from client.command.replay import replay

            return _seated(lambda terminal: replay(terminal, parsed.file, parsed.to), parsed)
        case "review":
            from client.command.review import review

            return _seated(lambda terminal: review(terminal, parsed.file), parsed)
        case _:
            from client.command.menu import follow

            return _seated(lambda terminal: follow(terminal, parsed), parsed)


def _wanted(parsed: "Namespace") -> "Wanted | None":
    if parsed.command is None:
        # The menu is there at once; what is needed to play is imported behind it.
        return None
    from client.command.read import read

    return read(parsed)


def is_full_screen(parsed: "Namespace") -> bool:
    """Tell whether to play in full screen: as asked for, else where a person uses a capable terminal."""
    if parsed.plain or parsed.tui:
        return bool(parsed.tui)
    if getattr(parsed, "to", None) is not None:
        return False
    # Without a TERM nobody knows what the terminal can do.
    is_plain = os.environ.get("TERM", "") in ("", "dumb") or bool(os.environ.get("NO_COLOR"))
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return not is_plain and all(stream is not None and stream.isatty() for stream in streams)


def _seated(work: "Work", parsed: "Namespace") -> int:
    from client.line.run import run

    return run(work, is_ascii=parsed.ascii)


if __name__ == "__main__":
    sys.exit(main())
