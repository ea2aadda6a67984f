"""Slash commands as people type them."""

import pytest

from client.core.slash import COMMANDS, Command, UnknownCommand, help_lines, is_command, parse_command


@pytest.mark.parametrize("text", ["/help", "  /chat hi", "/"])
def test_a_slash_makes_a_command(text: str) -> None:
    assert is_command(text)


@pytest.mark.parametrize("text", ["7", "", "claim 5", "1/2"])
def test_anything_else_is_an_answer(text: str) -> None:
    assert not is_command(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/quit", Command("quit", "")),
        ("/QUIT", Command("quit", "")),
        ("/q", Command("quit", "")),
        ("/chat  hello there ", Command("chat", "hello there")),
        ("/cha hi", Command("chat", "hi")),
        (" /save my file.jsonl", Command("save", "my file.jsonl")),
    ],
)
def test_commands_may_be_cut_short(text: str, command: Command) -> None:
    assert parse_command(text) == command


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("/re", "/re could be /resign or /rematch or /review."),
        ("/resgin", "There is no command /resgin. Did you mean 'resign'? /help lists all."),
        ("/xyzzy", "There is no command /xyzzy. /help lists all."),
        ("/", "There is no command /. /help lists all."),
    ],
)
def test_what_is_no_command_is_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UnknownCommand) as raised:
        parse_command(text)
    assert str(raised.value) == sentence


def test_help_names_every_command() -> None:
    *commands, way_back = help_lines()
    assert [line.split()[0] for line in commands] == [f"/{name}" for name in COMMANDS]
    assert way_back.startswith("Enter alone, or back,")
    assert help_lines("How to type.")[-1] == "How to type."
