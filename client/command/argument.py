"""The command line's shape: commands, flags, help with examples, and sentences for what is misspelled."""

import argparse
from collections.abc import Sequence

from client.command.example import EXAMPLES
from client.core.catalogue import LEVELS, TITLES
from client.core.nearest import did_you_mean
from protocol.process.usage import Misused, Parser
from protocol.version import VERSION

COMMANDS: dict[str, str] = {
    "play": "play against the computer",
    "host": "start a server here, open a match and wait for a friend",
    "join": "join a friend's match",
    "watch": "watch a match",
    "rules": "read the rules",
    "replay": "step through the record of a finished match",
    "review": "look at a finished match with the computer's eyes",
    "arena": "let bots play each other, and count",
    "bot": "let a bot play over the network",
    "doctor": "find out what is wrong with this terminal or network",
    "serve": "run a dedicated server",
    "completion": "print a completion script for a shell",
}
SHELLS = ("bash", "zsh", "fish")
UNCOMMON = ("serve", "completion", "arena")
"""Commands that have no use for the common flags."""
ABSENT: dict[str, object] = {"name": None, "plain": False, "tui": False, "ascii": False}
"""What the common flags are when nobody gives them."""

WORDS = ("code", "resume")
"""What may be given in several words."""
LISTENING = ("bind", "port", "db", "no_tls")
IDLE = {
    "resume": (
        "goes back to a match as it was",
        ("where", "code", "game", "at", "name", "first", "option", "private", "clock", "hints", *LISTENING),
    ),
    "at": ("opens the match on a server that runs already", LISTENING),
}
"""What has no effect beside a flag, and why."""
PLACES = {"where": "the address", "code": "the code", "game": "the game"}
"""What is not given by a flag."""

_BOT = f"{', '.join(LEVELS)}, or a Python file with a bot of your own"
_GAMES = "games: " + ", ".join(f"{game} ({title})" for game, title in TITLES.items())


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; raise `Misused`. Help and version end the program."""
    word = arguments[0] if arguments else "-"
    if not word.startswith("-") and word not in COMMANDS:
        meant, known = did_you_mean(word, COMMANDS), ", ".join(COMMANDS)
        raise Misused(f"There is no command {word!r}.{meant} The commands are {known}.")
    parser, commands = build(word if word in COMMANDS or word in ("-h", "--help") else None)
    if word.startswith("--") and word.partition("=")[0] not in parser.flags():
        raise Misused(_strange(word, parser))
    given, unknown = parser.parse_known_args(arguments, argparse.Namespace(**ABSENT))
    if unknown:
        raise Misused(_strange(unknown[0], commands.get(given.command, parser)))
    for words in WORDS:
        if getattr(given, words, None) is not None:
            setattr(given, words, " ".join(getattr(given, words)))
    _refuse_idle(given, commands.get(given.command, parser))
    if getattr(given, "game", None) is not None:
        check_game(given.game)
    return given


def _refuse_idle(given: argparse.Namespace, parser: Parser) -> None:
    """Refuse what would have no effect beside another flag."""
    for flag, (does, idle) in IDLE.items():
        is_given = getattr(given, flag, None) is not None
        for name in idle if is_given else ():
            if getattr(given, name, None) not in (None, "", parser.get_default(name)):
                what = PLACES.get(name, f"--{name.replace('_', '-')}")
                raise Misused(f"--{flag} {does}; leave out {what}.")


def _strange(word: str, parser: Parser) -> str:
    flags = parser.flags()
    return f"{word!r} makes no sense here.{did_you_mean(word, flags)} The flags are {', '.join(flags)}."


def check_game(game: str) -> None:
    """Raise `Misused` for a game that does not exist."""
    if game not in TITLES:
        meant, known = did_you_mean(game, TITLES), ", ".join(TITLES)
        raise Misused(f"There is no game {game!r}.{meant} The games are {known}.")


def build(wanted: str | None = None) -> tuple[Parser, dict[str, Parser]]:
    """Describe the command line: the whole of it, and each command's part.

    With a wanted command the others are only named, which is all that a help text needs of them.
    """
    common = _common()
    parser = Parser(
        prog="conquest",
        description="Five two-player strategy games, played against a friend over the network.",
        epilog=f"{EXAMPLES[None]}\n\n{_GAMES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        parents=[common],
    )
    version = f"conquest {VERSION}"
    parser.add_argument("--version", action="version", version=version, help="show the version and stop")
    parts = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    commands: dict[str, Parser] = {}
    for name, about in COMMANDS.items():
        commands[name] = parts.add_parser(
            name,
            help=about,
            description=f"{about[:1].upper()}{about[1:]}.",
            epilog=EXAMPLES.get(name, ""),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            parents=[common] if name not in UNCOMMON and wanted in (name, None) else [],
        )
        if wanted in (name, None):
            _SHAPES.get(name, _add_nothing)(commands[name])
    return parser, commands


def _common() -> Parser:
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


def _add_nothing(parser: Parser) -> None:
    pass


def _shape_play(play: Parser) -> None:
    _add_game(play, is_needed=True)
    play.add_argument(
        "--bot",
        metavar="LEVEL|FILE",
        default="normal",
        help=_BOT,
    )
    play.add_argument("--no-delay", action="store_true", help="let the computer move at once")
    play.add_argument("--no-hints", dest="hints", action="store_false", help="play without /hint")
    _add_match(play)
    _add_listening(play)
    _add_hiding(play)


def _shape_host(host: Parser) -> None:
    _add_game(host, is_needed=False)
    host.add_argument("--at", metavar="HOST[:PORT]", help="open the match on a server that runs elsewhere")
    host.add_argument("--public", metavar="HOST[:PORT]", help="the address in the link, for friends outside")
    host.add_argument("--qr", action="store_true", help="show the link as a QR code too")
    _add_resume(host)
    host.add_argument("--hints", action="store_true", help="let both players ask for hints; both see that")
    _add_match(host)
    _add_listening(host)
    _add_hiding(host)


def _shape_join(join: Parser) -> None:
    join.add_argument("where", metavar="LINK|HOST[:PORT]", nargs="?", help="the host's link, or address")
    _add_code(join)
    _add_resume(join)
    _add_hiding(join)


def _shape_watch(watch: Parser) -> None:
    watch.add_argument("where", metavar="LINK|HOST[:PORT]", help="the match's link, or the server's address")
    _add_code(watch)


def _shape_rules(rules: Parser) -> None:
    _add_game(rules, is_needed=False)


def _shape_replay(replay: Parser) -> None:
    replay.add_argument("file", metavar="FILE", help="a record, as /save writes it")
    replay.add_argument("--to", type=str.lower, choices=("text",), help="print it whole instead")


def _shape_review(review: Parser) -> None:
    review.add_argument("file", metavar="FILE", help="a record, as /save writes it")


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
    bot.add_argument("--no-delay", action="store_true", help="let it move at once")
    bot.add_argument("--hints", action="store_true", help="with --host: let both players ask for hints")
    _add_match(bot)
    _add_listening(bot)


def _shape_completion(completion: Parser) -> None:
    completion.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")


_SHAPES = {
    "play": _shape_play,
    "host": _shape_host,
    "join": _shape_join,
    "watch": _shape_watch,
    "rules": _shape_rules,
    "replay": _shape_replay,
    "review": _shape_review,
    "arena": _shape_arena,
    "bot": _shape_bot,
    "completion": _shape_completion,
}


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


def _add_hiding(parser: Parser) -> None:
    parser.add_argument("--hide-picks", action="store_true", help="do not show secret numbers while typed")


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise argparse.ArgumentTypeError(f"KEY=VALUE, such as size=4, not {text!r}")
    return key, value
