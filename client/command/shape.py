"""What each command takes: its arguments and flags, and what they mean."""

import argparse

from client.core.catalogue import LEVELS, TITLES
from protocol.process.usage import Parser

SHELLS = ("bash", "zsh", "fish")
_BOT = f"{', '.join(LEVELS)}, or a Python file with a bot of your own"
_RECORD = "a record, or a number of `conquest history`"


def common_flags() -> Parser:
    """Describe the flags that most commands have."""
    # Suppressed defaults let a flag stand before the command as well as behind it.
    absent = argparse.SUPPRESS
    common = Parser(add_help=False, allow_abbrev=False)
    common.add_argument("--name", default=absent, help="the name that others see")
    screen = common.add_mutually_exclusive_group()
    screen.add_argument(
        "--plain", action="store_true", default=absent, help="lines of text, for screen readers and scripts"
    )
    screen.add_argument("--tui", action="store_true", default=absent, help="full screen")
    common.add_argument("--ascii", action="store_true", default=absent, help="plain ASCII characters only")
    return common


def _shape_play(play: Parser) -> None:
    _add_game(play, is_needed=True)
    play.add_argument(
        "--bot",
        metavar="LEVEL|FILE",
        default="normal",
        help=_BOT,
    )
    play.add_argument(
        "--two", action="store_const", const=True, help="two people at this keyboard, without the computer"
    )
    play.add_argument("--no-delay", action="store_true", help="let the computer move at once")
    play.add_argument("--no-hints", dest="hints", action="store_false", help="play without /hint")
    _add_match(play)
    _add_listening(play)
    _add_hiding(play)


def _shape_host(host: Parser) -> None:
    _add_game(host, is_needed=False)
    host.add_argument("--at", metavar="HOST[:PORT]", help="open the match on a server that runs elsewhere")
    outside = host.add_mutually_exclusive_group()
    outside.add_argument(
        "--public", metavar="HOST[:PORT]", help="the address in the link, for friends outside"
    )
    _add_relay(outside)
    host.add_argument("--qr", action="store_true", help="show the link as a QR code too")
    host.add_argument(
        "--ssh", metavar="PORT", type=int, help="let in friends who have only ssh; 0 = any port"
    )
    _add_resume(host)
    host.add_argument("--hints", action="store_true", help="let both players ask for hints; both see that")
    _add_match(host)
    _add_listening(host)
    _add_hiding(host)


def _shape_join(join: Parser) -> None:
    join.add_argument(
        "where", metavar="LINK|CODE|HOST[:PORT]", nargs="?", help="the host's link, code, or address"
    )
    _add_code(join)
    _add_resume(join)
    _add_hiding(join)


def _shape_watch(watch: Parser) -> None:
    about = "the match's link or code, or the server's address"
    watch.add_argument("where", metavar="LINK|CODE|HOST[:PORT]", nargs="?", help=about)
    _add_code(watch)


def _shape_rules(rules: Parser) -> None:
    _add_game(rules, is_needed=False)


def _shape_history(history: Parser) -> None:
    _add_game(history, is_needed=False)
    history.add_argument("--with", dest="opponent", metavar="NAME", default="", help="against this opponent")


def _shape_replay(replay: Parser) -> None:
    replay.add_argument("file", metavar="FILE", help=_RECORD)
    replay.add_argument("--to", type=str.lower, choices=("text",), help="print it whole instead")


def _shape_review(review: Parser) -> None:
    review.add_argument("file", metavar="FILE", help=_RECORD)


def _shape_journal(journal: Parser) -> None:
    about = "a file, or postgresql://HOST/DATABASE"
    journal.add_argument("what", metavar="copy", choices=("copy",), help="copy it, and check the copy")
    journal.add_argument("source", metavar="FROM", help=f"{about}; no server may be using it")
    journal.add_argument("target", metavar="TO", help=f"{about}; there must be nothing in it yet")


def _shape_arena(arena: Parser) -> None:
    arena.add_argument("bots", metavar="BOT", nargs=2, help=_BOT)
    _add_game(arena, is_needed=True)
    arena.add_argument(
        "-n", "--matches", metavar="N", type=int, default=100, help="how many; 100 unless told"
    )
    _add_option(arena)
    arena.add_argument(
        "--seed", metavar="S", type=int, help="where luck begins: the same seed, the same matches"
    )


def _shape_bot(bot: Parser) -> None:
    bot.add_argument("bot", metavar="BOT", help=_BOT)
    where = bot.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--join",
        metavar=("LINK|HOST[:PORT]", "CODE"),
        nargs="+",
        help="join the match at this link, or address",
    )
    where.add_argument("--host", metavar="GAME", dest="game", help="start a server here and open a match")
    _add_relay(bot)
    bot.add_argument("--no-delay", action="store_true", help="let it move at once")
    bot.add_argument("--hints", action="store_true", help="with --host: let both players ask for hints")
    _add_match(bot)
    _add_listening(bot)


def _shape_doctor(doctor: Parser) -> None:
    doctor.add_argument("--relay", metavar="[WORD@]HOST[:PORT]", help="look at whether this relay leads here")


def _shape_completion(completion: Parser) -> None:
    completion.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")


_SHAPES = {
    "play": _shape_play,
    "host": _shape_host,
    "join": _shape_join,
    "watch": _shape_watch,
    "rules": _shape_rules,
    "history": _shape_history,
    "replay": _shape_replay,
    "review": _shape_review,
    "arena": _shape_arena,
    "bot": _shape_bot,
    "journal": _shape_journal,
    "doctor": _shape_doctor,
    "completion": _shape_completion,
}


def add_shape(command: str, parser: Parser) -> None:
    """Add what a command takes, if it takes anything."""
    if command in _SHAPES:
        _SHAPES[command](parser)


def _add_game(parser: Parser, is_needed: bool) -> None:
    about = f"one of {', '.join(TITLES)}"
    parser.add_argument("game", metavar="GAME", nargs=None if is_needed else "?", help=about)


def _add_code(parser: Parser) -> None:
    # People write a code in two words; it is put together again when all is read.
    parser.add_argument(
        "code", metavar="CODE", nargs="*", default=[], help="the match's code, with an address"
    )


def _add_resume(parser: Parser) -> None:
    parser.add_argument(
        "--resume", metavar="CODE", nargs="*", help="go back to the match that was left last, or to this one"
    )


def _add_match(parser: Parser) -> None:
    parser.add_argument(
        "--first",
        choices=("toss", "creator", "guest"),
        default="toss",
        help="who is Player 1",
    )
    _add_option(parser)
    parser.add_argument("--private", action="store_true", help="do not list the match; its code is needed")
    parser.add_argument(
        "--no-spectators", dest="watchable", action="store_false", help="let nobody watch the match"
    )
    parser.add_argument("--clock", metavar="SECONDS", type=int, help="the time for each move; usually none")


def _add_option(parser: Parser) -> None:
    parser.add_argument(
        "--option",
        metavar="KEY=VALUE",
        type=_pair,
        action="append",
        default=[],
        help="an option of the game, such as size=4 for grid",
    )


def _add_listening(parser: Parser) -> None:
    parser.add_argument("--bind", metavar="ADDRESS", help="listen on this address only")
    parser.add_argument("--port", type=int, help="listen on this port; 0 = any")
    parser.add_argument("--db", metavar="PATH", help="keep the match in this file, or :memory: for nowhere")
    parser.add_argument("--no-tls", action="store_true", help="do not encrypt")


def _add_relay(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--relay", metavar="[WORD@]HOST[:PORT]", help="let friends outside come through this relay"
    )


def _add_hiding(parser: Parser) -> None:
    parser.add_argument("--hide-picks", action="store_true", help="do not show secret numbers while typed")


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise argparse.ArgumentTypeError(f"KEY=VALUE, such as size=4, not {text!r}")
    return key, value
