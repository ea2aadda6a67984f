"""The desk: append-only lines, prompts that news can break into, and answers that came early."""

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
    Desk,
    InputEnded,
    InputOver,
    Interrupted,
    Item,
    Left,
    Typed,
    open_desk,
)
from client.net.session import Heard
from tests.client.scripted import Paper, settle

NEWS = Heard(Notice("news"), ClientState())


async def put(desk: Desk, *items: Item) -> None:
    for item in items:
        desk.inbox.put_nowait(item)
    await settle()


async def test_a_piped_answer_is_written_behind_its_prompt() -> None:
    paper = Paper()
    asking = asyncio.create_task(paper.desk.ask("Name: "))
    await paper.type("  Ann ")
    assert await asking == "Ann"
    assert paper.take() == "Name:   Ann \n"


async def test_a_terminal_has_written_a_live_answer_itself() -> None:
    paper = Paper(is_terminal=True)
    asking = asyncio.create_task(paper.desk.ask("Name: "))
    await settle()
    assert paper.take() == "Name: "
    await paper.type("Ann")
    assert await asking == "Ann"
    assert paper.take() == ""


async def test_at_a_terminal_a_line_typed_before_its_question_does_not_answer_it() -> None:
    paper = Paper(is_terminal=True)
    await paper.type("Bob", "")
    asking = asyncio.create_task(paper.desk.ask("Name: "))
    await settle()
    assert paper.take() == f"{TOO_EARLY}\nName: "
    await paper.type("Ann", "Zoë")
    assert await asking == "Ann"
    asking = asyncio.create_task(paper.desk.ask("Number: "))
    await settle()
    assert paper.take() == f"{TOO_EARLY}\nNumber: "
    asking.cancel()


async def test_news_do_not_make_an_answer_early() -> None:
    paper = Paper(is_terminal=True)
    asking = asyncio.create_task(paper.desk.ask("Name: "))
    await settle()
    paper.desk.say("Bob is back.")
    await paper.type("Ann")
    assert await asking == "Ann"


@pytest.mark.parametrize("is_terminal", [True, False])
async def test_at_every_question_one_can_quit(is_terminal: bool) -> None:
    paper = Paper(is_terminal)
    await paper.type("/help", "/q")
    with pytest.raises(Left):
        await paper.desk.choose(["one", "two"])
    assert NO_MATCH_YET in paper.take()


async def test_an_interruption_leaves_the_question() -> None:
    paper = Paper()
    await put(paper.desk, Interrupted())
    with pytest.raises(Left):
        await paper.desk.ask("? ")


async def test_a_pause_shows_what_is_typed_and_going_on_hides_it_and_asks_again() -> None:
    paper = Paper(is_terminal=True)
    paper.desk.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(paper.desk.next())
    await settle()
    paper.desk.pause()
    assert paper.hidden == [True, False]
    paper.desk.go_on()
    assert paper.hidden == [True, False, True]
    assert paper.take() == "Number: Number: "
    await paper.type("4")
    assert isinstance(await waiting, Typed)


async def test_a_secret_is_hidden_before_its_prompt_invites_an_answer() -> None:
    done: list[str] = []

    def hide() -> Callable[[], None]:
        done.append("hidden")
        return lambda: None

    desk = Desk(done.append, is_terminal=True, hide=hide)
    desk.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(desk.next())
    await settle()
    assert done == ["hidden", "Number: "]
    waiting.cancel()


async def test_lines_answer_in_the_order_in_which_they_came() -> None:
    paper = Paper()
    await paper.type("one", "two")
    assert [await paper.desk.ask("? "), await paper.desk.ask("? ")] == ["one", "two"]


async def test_news_break_into_a_prompt_which_is_then_written_again() -> None:
    paper = Paper(is_terminal=True)
    paper.desk.want("Move: ")
    waiting = asyncio.create_task(paper.desk.next())
    await settle()
    await put(paper.desk, NEWS)
    assert await waiting == NEWS
    paper.desk.say("Bob is back.")
    waiting = asyncio.create_task(paper.desk.next())
    await settle()
    assert paper.take() == "Move: \nBob is back.\nMove: "
    waiting.cancel()


async def test_a_prompt_waits_until_all_news_are_out() -> None:
    paper = Paper()
    paper.desk.want("Move: ")
    await put(paper.desk, NEWS, NEWS)
    await paper.desk.next()
    await paper.desk.next()
    assert paper.take() == ""


async def test_news_that_come_during_a_question_of_the_menus_are_kept() -> None:
    paper = Paper()
    await put(paper.desk, NEWS, Typed("1"))
    assert await paper.desk.ask("? ") == "1"
    assert await paper.desk.next() == NEWS


async def test_a_question_that_nobody_can_answer_is_an_error() -> None:
    paper = Paper()
    await put(paper.desk, InputOver())
    with pytest.raises(InputEnded):
        await paper.desk.ask("? ")


async def test_choosing_goes_on_until_a_number_fits() -> None:
    paper = Paper()
    await paper.type("0", "x", "3", "9" * 5000, "2")
    assert await paper.desk.choose(["one", "two"]) == 2
    text = paper.take()
    assert text.startswith(
        "1. one\n2. two\nEnter a number from 1 to 2: 0\n'0' is not a number from 1 to 2.\n"
    )


@pytest.mark.parametrize(
    ("answer", "number"),
    [("Command Line Conquer", 2), ("command", 2), ("DUEL", 2), ("conquer", 1), ("con", 1), ("go back", 0)],
)
async def test_a_choice_is_known_by_its_words_and_its_name_too(answer: str, number: int) -> None:
    paper = Paper()
    await paper.type(answer)
    names = ["conquer", "duel"]
    assert await paper.desk.choose(["Conquer", "Command Line Conquer"], "Go back", names) == number


async def test_words_that_fit_several_choices_choose_none() -> None:
    paper = Paper()
    await paper.type("g", "", "grid")
    assert await paper.desk.choose(["Galaxy Conquest", "Grid Conquest"]) == 2
    text = paper.take()
    assert "'g' could be Galaxy Conquest or Grid Conquest.\n" in text
    assert "'' is not a number from 1 to 2.\n" in text


async def test_what_is_written_cannot_steer_the_terminal() -> None:
    paper = Paper()
    paper.desk.say("a\x1b[2Jb\rc\nd‮e\x9bf")
    assert paper.take() == "a�[2Jb�c�d�e�f\n"
    paper.desk.want("\x1b]0;title\x07? ")
    await paper.type("\x1b[A")
    await paper.desk.next()
    paper.desk.accept("\x1b[A")
    assert "\x1b" not in paper.take()


async def test_ascii_is_ascii() -> None:
    paper = Paper(is_ascii=True)
    paper.desk.say("Connection lost, trying again (2 s)…", "Zoë – “征服”")
    assert paper.take() == 'Connection lost, trying again (2 s)...\nZo? - "??"\n'


async def test_a_secret_is_hidden_while_it_is_asked_for_and_only_then() -> None:
    paper = Paper(is_terminal=True)
    paper.desk.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(paper.desk.next())
    await settle()
    assert paper.hidden == [True]
    await paper.type("4")
    await waiting
    paper.desk.accept("4")
    assert paper.hidden == [True, False]
    assert "4" not in paper.take()


async def test_a_secret_from_a_pipe_is_not_written() -> None:
    paper = Paper()
    paper.desk.want("Number: ", is_hidden=True)
    paper.desk.accept("4")
    assert paper.take() == "Number: \n"


async def test_closing_shows_what_was_hidden() -> None:
    paper = Paper(is_terminal=True)
    paper.desk.want("Number: ", is_hidden=True)
    waiting = asyncio.create_task(paper.desk.next())
    await settle()
    paper.desk.close()
    assert paper.hidden == [True, False]
    waiting.cancel()


def unexpected(fault: BaseException) -> None:
    raise AssertionError from fault


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_bytes(b"one\r\ntwo\n\xff\nlast")
    with source.open() as stdin, (tmp_path / "out").open("w") as out:
        desk = open_desk(unexpected, stdin=stdin, stdout=out)
        items = [await desk.next() for _ in range(5)]
    assert items == [Typed("one"), Typed("two"), Typed("�"), Typed("last"), InputOver()]
    assert not desk.is_terminal


async def test_a_line_longer_than_any_answer_is_cut(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_text("x" * 1_000_000 + "\nshort\n")
    with source.open() as stdin, (tmp_path / "out").open("w") as out:
        desk = open_desk(unexpected, stdin=stdin, stdout=out)
        long, short, end = [await desk.next() for _ in range(3)]
    assert isinstance(long, Typed)
    assert len(long.text) <= 2000
    assert (short, end) == (Typed("short"), InputOver())


async def test_an_endless_pipe_waits_until_its_lines_are_used(tmp_path: Path) -> None:
    source = tmp_path / "lines"
    source.write_text("y\n" * 5000)
    with source.open() as stdin, (tmp_path / "out").open("w") as out:
        desk = open_desk(unexpected, stdin=stdin, stdout=out)
        for _ in range(1000):
            assert await desk.next() == Typed("y")
        await settle()
        assert desk.inbox.empty()
        desk.noted("y")
        assert await desk.next() == Typed("y")
        for _ in range(5000):
            desk.on_taken()
        for _ in range(3999):
            assert await desk.next() == Typed("y")
        assert await desk.next() == InputOver()


async def test_a_terminal_is_known_and_its_echo_can_be_switched_off() -> None:
    import termios

    controller, terminal = pty.openpty()
    with os.fdopen(terminal, "r+b", buffering=0) as raw, TextIOWrapper(raw) as stream:
        desk = open_desk(unexpected, stdin=stream, stdout=stream)
        assert desk.is_terminal

        def is_echoing() -> bool:
            return bool(termios.tcgetattr(controller)[3] & termios.ECHO)

        desk.want("Number: ", is_hidden=True)
        waiting = asyncio.create_task(desk.next())
        await settle()
        assert not is_echoing()
        os.write(controller, b"4\n")
        assert await waiting == Typed("4", desk.question)
        desk.accept("4")
        assert is_echoing()
        os.write(controller, b"\x04")
        assert await desk.next() == InputOver()
    os.close(controller)
