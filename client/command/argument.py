"""Reading the command line: the commands, help with examples, and sentences for what is misspelled."""

import argparse
from collections.abc import Sequence

from client.command.example import EXAMPLES
from client.command.shape import add_shape, common_flags
from client.core.catalogue import TITLES
from client.core.nearest import did_you_mean
from protocol.process.usage import Misused, Parser
from protocol.version import VERSION

COMMANDS: dict[str, str] = {
    "play": "play against the computer, or with two at one keyboard",
    "host": "start a server here, open a match and wait for a friend",
    "join": "join a friend's match",
    "watch": "watch a match",
    "matches": "see the matches that go on, and whose turn it is",
    "rules": "read the rules",
    "history": "look back on the matches that were played here",
    "replay": "step through the record of a finished match",
    "review": "look at a finished match with the computer's eyes",
    "arena": "let bots play each other, and count",
    "bot": "let a bot play over the network",
    "doctor": "find out what is wrong with this terminal or network",
    "serve": "run a dedicated server",
    "relay": "lead guests to hosts who cannot open a port",
    "journal": "move a server's journal, between a file and a database too",
    "completion": "print a completion script for a shell",
}
UNCOMMON = ("serve", "relay", "journal", "completion", "arena")
"""Commands that have no use for the common flags."""
ABSENT: dict[str, object] = {"name": None, "plain": False, "tui": False, "ascii": False}
"""What the common flags are when nobody gives them."""

WORDS = ("code", "resume")
"""What may be given in several words."""
AGREED = ("first", "option", "private", "clock", "hints", "watchable")
LISTENING = ("bind", "port", "db", "no_tls", "ssh")
IDLE = {
    "resume": (
        "goes back to a match as it was",
        ("where", "code", "game", "at", "name", *AGREED, *LISTENING),
    ),
    "two": (
        "is for two people at this keyboard, and shows no secret number",
        ("bot", "no_delay", "hide_picks"),
    ),
    "at": ("opens the match on a server that runs already", ("relay", *LISTENING)),
    "relay": ("leads only to a server that encrypts", ("no_tls",)),
}
"""What has no effect beside a flag, and why."""
PLACES = {"where": "the address", "code": "the code", "game": "the game", "watchable": "--no-spectators"}
"""What is not given by a flag of its name."""

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
    common = common_flags()
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
            add_shape(name, commands[name])
    return parser, commands
