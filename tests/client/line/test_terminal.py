"""The terminal: append-only lines, prompts that news can break into, and answers that came early."""

import asyncio
import os
import pty
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path

import pytest

from client.core.news import Notice
from client.core.state import ClientState
from client.line.terminal import (
    NO_MATCH_YET,
    TOO_EARLY,
    InputEnded,
    InputOver,
    Interrupted,
    Item,
    Terminal,
    Typed,
    WantsToLeave,
    open_terminal,
)
from client.net.session import Heard
from tests.client.scripted import ScriptedTerminal, settle

NEWS = Heard(Notice("news"), ClientState())


async def put(terminal: Terminal, *items: Item) -> None:
    for item in items:
        terminal.inbox.put_nowait(item)
    await settle()


async def test_a_piped_answer_is_written_behind_its_prompt() -> None:
    tty = ScriptedTerminal()
    asking = asyncio.create_task(tty.terminal.ask("Name: "))
    await tty.type("  Ann ")
    assert await asking == "Ann"
    assert tty.take() == "Name:   Ann \n"


async def test_a_terminal_has_written_a_live_answer_itself() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    asking = asyncio.create_task(tty.terminal.ask("Name: "))
    await settle()
    assert tty.take() == "Name: "
    await tty.type("Ann")
    assert await asking == "Ann"
    assert tty.take() == ""


async def test_at_a_terminal_a_line_typed_before_its_question_does_not_answer_it() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    await tty.type("Bob", "")
    asking = asyncio.create_task(tty.terminal.ask("Name: "))
    await settle()
    assert tty.take() == f"{TOO_EARLY}\nName: "
    await tty.type("Ann", "Zoë")
    assert await asking == "Ann"
    asking = asyncio.create_task(tty.terminal.ask("Number: "))
    await settle()
    assert tty.take() == f"{TOO_EARLY}\nNumber: "
    asking.cancel()


async def test_news_do_not_make_an_answer_early() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    asking = asyncio.create_task(tty.terminal.ask("Name: "))
    await settle()
    tty.terminal.say("Bob is back.")
    await tty.type("Ann")
    assert await asking == "Ann"


@pytest.mark.parametrize("is_terminal", [True, False])
async def test_a_question_stands_again_below_what_is_said_beside_it(is_terminal: bool) -> None:
    tty = ScriptedTerminal(is_terminal)
    asking = asyncio.create_task(tty.terminal.ask("Name: "))
    await settle()
    tty.terminal.say("The relay leads here again.")
    assert tty.take() == "Name: \nThe relay leads here again.\nName: "
    await tty.type("Ann")
    assert await asking == "Ann"


@pytest.mark.parametrize("is_terminal", [True, False])
async def test_at_every_question_one_can_quit(is_terminal: bool) -> None:
    tty = ScriptedTerminal(is_terminal)
    await tty.type("/help", "/q")
    with pytest.raises(WantsToLeave):
        await tty.terminal.choose(["one", "two"])
    assert NO_MATCH_YET in tty.take()


async def test_an_interruption_leaves_the_question() -> None:
    tty = ScriptedTerminal()
    await put(tty.terminal, Interrupted())
    with pytest.raises(WantsToLeave):
        await tty.terminal.ask("? ")


async def test_a_pause_shows_what_is_typed_and_going_on_hides_it_and_asks_again() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    tty.terminal.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(tty.terminal.next())
    await settle()
    tty.terminal.pause()
    assert tty.hidden == [True, False]
    tty.terminal.go_on()
    assert tty.hidden == [True, False, True]
    assert tty.take() == "Number: Number: "
    await tty.type("4")
    assert isinstance(await waiting, Typed)


async def test_a_secret_is_hidden_before_its_prompt_invites_an_answer() -> None:
    done: list[str] = []

    def hide() -> Callable[[], None]:
        done.append("hidden")
        return lambda: None

    terminal = Terminal(done.append, is_terminal=True, hide=hide)
    terminal.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(terminal.next())
    await settle()
    assert done == ["hidden", "Number: "]
    waiting.cancel()


async def test_lines_answer_in_the_order_in_which_they_came() -> None:
    tty = ScriptedTerminal()
    await tty.type("one", "two")
    assert [await tty.terminal.ask("? "), await tty.terminal.ask("? ")] == ["one", "two"]


async def test_news_break_into_a_prompt_which_is_then_written_again() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    tty.terminal.want("Move: ")
    waiting = asyncio.create_task(tty.terminal.next())
    await settle()
    await put(tty.terminal, NEWS)
    assert await waiting == NEWS
    tty.terminal.say("Bob is back.")
    waiting = asyncio.create_task(tty.terminal.next())
    await settle()
    assert tty.take() == "Move: \nBob is back.\nMove: "
    waiting.cancel()


async def test_a_prompt_waits_until_all_news_are_out() -> None:
    tty = ScriptedTerminal()
    tty.terminal.want("Move: ")
    await put(tty.terminal, NEWS, NEWS)
    await tty.terminal.next()
    await tty.terminal.next()
    assert tty.take() == ""


async def test_news_that_come_during_a_question_of_the_menus_are_kept() -> None:
    tty = ScriptedTerminal()
    await put(tty.terminal, NEWS, Typed("1"))
    assert await tty.terminal.ask("? ") == "1"
    assert await tty.terminal.next() == NEWS


async def test_a_question_that_nobody_can_answer_is_an_error() -> None:
    tty = ScriptedTerminal()
    await put(tty.terminal, InputOver())
    with pytest.raises(InputEnded):
        await tty.terminal.ask("? ")


async def test_choosing_goes_on_until_a_number_fits() -> None:
    tty = ScriptedTerminal()
    await tty.type("0", "x", "3", "9" * 5000, "2")
    assert await tty.terminal.choose(["one", "two"]) == 2
    text = tty.take()
    assert text.startswith(
        "1. one\n2. two\nEnter a number from 1 to 2: 0\n'0' is not a number from 1 to 2.\n"
    )


@pytest.mark.parametrize(
    ("answer", "number"),
    [("Command Line Conquer", 2), ("command", 2), ("DUEL", 2), ("conquer", 1), ("con", 1), ("go back", 0)],
)
async def test_a_choice_is_known_by_its_words_and_its_name_too(answer: str, number: int) -> None:
    tty = ScriptedTerminal()
    await tty.type(answer)
    names = ["conquer", "duel"]
    assert await tty.terminal.choose(["Conquer", "Command Line Conquer"], "Go back", names) == number


async def test_words_that_fit_several_choices_choose_none() -> None:
    tty = ScriptedTerminal()
    await tty.type("g", "", "grid")
    assert await tty.terminal.choose(["Galaxy Conquest", "Grid Conquest"]) == 2
    text = tty.take()
    assert "'g' could be Galaxy Conquest or Grid Conquest.\n" in text
    assert "'' is not a number from 1 to 2.\n" in text


async def test_what_is_written_cannot_steer_the_terminal() -> None:
    tty = ScriptedTerminal()
    tty.terminal.say("a\x1b[2Jb\rc\nd‮e\x9bf")
    assert tty.take() == "a�[2Jb�c�d�e�f\n"
    tty.terminal.want("\x1b]0;title\x07? ")
    await tty.type("\x1b[A")
    await tty.terminal.next()
    tty.terminal.accept("\x1b[A")
    assert "\x1b" not in tty.take()


async def test_ascii_is_ascii() -> None:
    tty = ScriptedTerminal(is_ascii=True)
    tty.terminal.say("Connection lost, trying again (2 s)…", "Zoë – “征服”")
    assert tty.take() == 'Connection lost, trying again (2 s)...\nZo? - "??"\n'


async def test_a_secret_is_hidden_while_it_is_asked_for_and_only_then() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    tty.terminal.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(tty.terminal.next())
    await settle()
    assert tty.hidden == [True]
    await tty.type("4")
    await waiting
    tty.terminal.accept("4")
    assert tty.hidden == [True, False]
    assert "4" not in tty.take()


async def test_a_secret_from_a_pipe_is_not_written() -> None:
    tty = ScriptedTerminal()
    tty.terminal.want("Number: ", is_hidden=True)
    tty.terminal.accept("4")
    assert tty.take() == "Number: \n"


async def test_closing_shows_what_was_hidden() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    tty.terminal.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(tty.terminal.next())
    await settle()
    tty.terminal.close()
    assert tty.hidden == [True, False]
    waiting.cancel()


def unexpected(fault: BaseException) -> None:
    raise AssertionError from fault


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_bytes(b"one\r\ntwo\n\xff\nlast")
    with source.open() as stdin, (tmp_path / "out").open("w") as out:
        terminal = open_terminal(unexpected, stdin=stdin, stdout=out)
        items = [await terminal.next() for _ in range(5)]
    assert items == [Typed("one"), Typed("two"), Typed("�"), Typed("last"), InputOver()]
    assert not terminal.is_terminal


async def test_a_line_longer_than_any_answer_is_cut(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_text("x" * 1_000_000 + "\nshort\n")
    with source.open() as stdin, (tmp_path / "out").open("w") as out:
        terminal = open_terminal(unexpected, stdin=stdin, stdout=out)
        long, short, end = [await terminal.next() for _ in range(3)]
    assert isinstance(long, Typed)
    assert len(long.text) <= 2000
    assert (short, end) == (Typed("short"), InputOver())


async def test_an_endless_pipe_waits_until_its_lines_are_used(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_text("y\n" * 5000)
    with source.open() as stdin, (tmp_path / "out").open("w") as out:
        terminal = open_terminal(unexpected, stdin=stdin, stdout=out)
        for _ in range(1000):
            assert await terminal.next() == Typed("y")
        await settle()
        assert terminal.inbox.empty()
        terminal.noted("y")
        assert await terminal.next() == Typed("y")
        for _ in range(5000):
            terminal.on_taken()
        for _ in range(3999):
            assert await terminal.next() == Typed("y")
        assert await terminal.next() == InputOver()


async def test_a_terminal_is_known_and_its_echo_can_be_switched_off() -> None:
    import termios

    controller, descriptor = pty.openpty()
    with os.fdopen(descriptor, "r+b", buffering=0) as raw, TextIOWrapper(raw) as stream:
        terminal = open_terminal(unexpected, stdin=stream, stdout=stream)
        assert terminal.is_terminal

        def is_echoing() -> bool:
            return bool(termios.tcgetattr(controller)[3] & termios.ECHO)

        terminal.want("Number: ", is_hidden=True)
        waiting = asyncio.create_task(terminal.next())
        await settle()
        assert not is_echoing()
        os.write(controller, b"4\n")
        assert await waiting == Typed("4", terminal.question)
        terminal.accept("4")
        assert is_echoing()
        os.write(controller, b"\x04")
        assert await terminal.next() == InputOver()
    os.close(controller)
