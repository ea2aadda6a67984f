"""The command line: what it takes, and its sentences for what it does not."""

import pytest

from client.command.argument import COMMANDS, build, parse
from client.core.catalogue import LEVELS, TITLES
from protocol.process.usage import Misused
from protocol.version import VERSION


def test_the_light_lists_are_the_true_ones() -> None:
    import protocol.games
    from client import bots

    assert TITLES == protocol.games.TITLES
    assert LEVELS == bots.LEVELS


def test_no_command_is_the_menu() -> None:
    given = parse([])
    assert (given.command, given.name, given.ascii, given.tui) == (None, None, False, False)


@pytest.mark.parametrize("arguments", [["--name", "Ann", "play", "grid"], ["play", "grid", "--name", "Ann"]])
def test_common_flags_may_stand_before_and_behind_the_command(arguments: list[str]) -> None:
    given = parse(arguments)
    assert (given.command, given.game, given.name) == ("play", "grid", "Ann")


def test_match_flags_are_read() -> None:
    given = parse(
        [
            "host",
            "grid",
            "--first",
            "guest",
            "--option",
            "size=4",
            "--private",
            "--clock",
            "60",
            "--port",
            "0",
        ]
    )
    assert (given.first, given.option, given.private, given.clock) == ("guest", [("size", "4")], True, 60)
    assert given.port == 0


def test_hints_are_on_against_the_computer_and_off_against_people() -> None:
    assert parse(["play", "grid"]).hints
    assert not parse(["play", "grid", "--no-hints"]).hints
    assert not parse(["host", "grid"]).hints
    assert parse(["host", "grid", "--hints"]).hints


@pytest.mark.parametrize("command", ["join", "host"])
def test_resuming_may_name_the_match(command: str) -> None:
    assert parse([command, "--resume"]).resume == ""
    assert parse([command, "--resume", "7K3M-9QXZ"]).resume == "7K3M-9QXZ"
    assert parse([command, "--resume", "7k3m", "9qxz"]).resume == "7k3m 9qxz"
    assert parse([command]).resume is None


@pytest.mark.parametrize("command", ["join", "watch"])
def test_a_code_may_be_given_in_two_words(command: str) -> None:
    assert parse([command, "192.0.2.7", "7k3m", "9qxz"]).code == "7k3m 9qxz"
    assert parse([command, "192.0.2.7", "7K3M-9QXZ", "--plain"]).code == "7K3M-9QXZ"
    assert parse([command, "192.0.2.7"]).code == ""


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("host grid --at 192.0.2.7 --bind 127.0.0.1", "--bind"),
        ("host grid --at 192.0.2.7 --port 0", "--port"),
        ("host grid --at 192.0.2.7 --db x", "--db"),
        ("host grid --at 192.0.2.7 --no-tls", "--no-tls"),
        ("host grid --resume", "the game"),
        ("host --resume --at 192.0.2.7", "--at"),
        ("host --resume --first guest", "--first"),
        ("host --resume --option size=4", "--option"),
        ("host --resume --private", "--private"),
        ("host --resume --clock 60", "--clock"),
        ("host --resume --hints", "--hints"),
        ("host --resume --bind 127.0.0.1", "--bind"),
        ("host --resume --port 0", "--port"),
        ("host --resume --db x", "--db"),
        ("host --resume --no-tls", "--no-tls"),
        ("host --name Ann --resume", "--name"),
        ("join 192.0.2.7 --resume", "the address"),
        ("--name Ann join --resume", "--name"),
    ],
)
def test_what_would_have_no_effect_is_refused(arguments: str, named: str) -> None:
    with pytest.raises(Misused) as raised:
        parse(arguments.split())
    assert str(raised.value).endswith(f"; leave out {named}.")


def test_what_has_an_effect_beside_other_flags_is_taken() -> None:
    words = "host grid --at 192.0.2.7 --public example.org --qr --first guest --clock 60 --private --hints"
    assert parse(words.split()).at == "192.0.2.7"
    assert parse(["host", "--resume", "--public", "example.org", "--qr", "--hide-picks"]).resume == ""


@pytest.mark.parametrize("word", ["TEXT", "text"])
def test_a_replay_can_be_printed(word: str) -> None:
    assert parse(["replay", "file", "--to", word]).to == "text"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hots"], "There is no command 'hots'. Did you mean 'host'? The commands are play, host, join"),
        (["xyzzy"], "There is no command 'xyzzy'. The commands are play"),
        (
            ["play", "galxy"],
            "There is no game 'galxy'. Did you mean 'galaxy'? The games are galaxy, conquer, grid",
        ),
        (["rules", "chess"], "There is no game 'chess'. The games are galaxy"),
        (
            ["play", "grid", "--bott"],
            "'--bott' makes no sense here. Did you mean '--bot'? The flags are --help",
        ),
        (["arena", "easy", "galaxy"], "Still needed: GAME. See conquest arena --help."),
        (["arena", "easy", "hard", "gird"], "There is no game 'gird'. Did you mean 'grid'?"),
        (["bot", "easy"], "Still needed: --join or --host."),
        (["bot", "easy", "--host", "grdi"], "There is no game 'grdi'. Did you mean 'grid'?"),
        (["play"], "Still needed: GAME. See conquest play --help."),
        (["arena"], "Still needed: BOT, GAME."),
        (["replay"], "Still needed: FILE."),
        (["completion"], "Still needed: SHELL."),
        (["host", "grid", "--option", "size"], "--option takes KEY=VALUE, such as size=4, not 'size'."),
        (["host", "grid", "--port", "seven"], "--port takes a whole number, not 'seven'."),
        (["host", "grid", "--clock="], "--clock takes a whole number, not ''."),
        (["arena", "easy", "hard", "grid", "-n", "x"], "--matches takes a whole number, not 'x'."),
        (["arena", "easy", "hard", "grid", "--seed", "x"], "--seed takes a whole number, not 'x'."),
        (["host", "grid", "--at"], "--at needs a value. See conquest host --help."),
        (["--name"], "--name needs a value. See conquest --help."),
        (["bot", "easy", "--join"], "--join needs a value."),
        (["bot", "easy", "--join", "a", "--host", "b"], "--host does not go together with --join."),
        (["host", "grid", "--qr=yes"], "--qr takes no value."),
        (["host", "grid", "--first", "me"], "--first cannot be 'me'; it can be toss, creator, guest."),
        (["completion", "tcsh"], "SHELL cannot be 'tcsh'; it can be bash, zsh, fish."),
        (["--name", "Ann", "hots"], "COMMAND cannot be 'hots'; it can be play, host, join"),
        (["--nmae", "x"], "'--nmae' makes no sense here. Did you mean '--name'?"),
        (["play", "grid", "--plain", "--tui"], "--tui does not go together with --plain."),
    ],
)
def test_what_is_misspelled_is_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(Misused) as raised:
        parse(arguments)
    assert str(raised.value).startswith(sentence)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_ends_well(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        parse([*filter(None, [command]), "--help"])
    assert raised.value.code == 0
    assert "conquest" in capsys.readouterr().out


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("serve", "relay", "doctor")])
def test_help_has_examples(command: str) -> None:
    _, commands = build()
    assert f"conquest {command}" in (commands[command].epilog or "")


def test_the_version_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--version"])
    assert capsys.readouterr().out == f"conquest {VERSION}\n"
