"""Line mode: lines that come early, through a pipe, or not at all."""

from pathlib import Path

import pytest

from client.line.terminal import TOO_EARLY, InputEnded, InputOver, Interrupted
from client.net.store import Store
from protocol.client_frame import Chat, Leave, Play, Resign
from protocol.server_frame import Chatted, Sighted
from tests.client.frames import CODE, ended, seated, shown, view, welcome
from tests.client.line.line_mode import PROMPT, line_mode, over, playing
from tests.client.scripted import settle


async def test_lines_that_come_before_the_match_answer_its_questions_in_order() -> None:
    async with line_mode() as made:
        await made.type("4", "3")
        text = await made.hear(welcome(), seated(re=made.request), shown())
        assert text.endswith(f"{PROMPT}4\n")
        text = await made.hear(shown((4,), re=made.played().id))
        assert "3" not in text
        text = await made.hear(shown((4, 7)))
        assert text.endswith(f"Available territories: 1, 2, 3, 5, 6\n{PROMPT}3\n")
        assert made.played().move == {"kind": "claim", "territory": 3}


async def test_at_a_terminal_an_early_line_plays_nothing_and_that_is_said() -> None:
    async with playing(is_terminal=True) as made:
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id))
        assert await made.type("5") == f"{TOO_EARLY}\n"
        assert await made.type("") == ""
        text = await made.hear(shown((4, 7)))
        assert text.endswith(PROMPT)
        assert made.line.wire.count(Play) == 1


async def test_at_a_terminal_a_command_between_question_and_answer_does_not_make_it_early() -> None:
    async with playing(is_terminal=True) as made:
        text = await made.type("/board", "4")
        assert "[4] --" in text
        assert TOO_EARLY not in text
        assert made.played().move == {"kind": "claim", "territory": 4}


async def test_at_a_terminal_nothing_typed_with_a_command_confirms_it() -> None:
    async with playing(is_terminal=True) as made:
        text = await made.type("/resign", "y")
        assert text.endswith(f"{TOO_EARLY}\nResign the match? (y/n) ")
        assert made.line.wire.count(Resign) == 0


async def test_news_do_not_take_the_question_away() -> None:
    async with playing(is_terminal=True) as made:
        text = await made.hear(Chatted(re=None, match=CODE, seat=2, text="hurry up"))
        assert text == f"\nBob: hurry up\n{PROMPT}"
        await made.type("4")
        assert made.played().move == {"kind": "claim", "territory": 4}


async def test_a_command_of_a_pipe_waits_for_the_answer_to_the_move_before_it() -> None:
    async with playing() as made:
        await made.type("4", "/board")
        text = await made.hear(shown((4,), re=made.played().id))
        assert "[4] P1" in text


async def test_commands_of_a_pipe_wait_for_each_others_answers() -> None:
    async with playing() as made:
        await made.type("/resign", "/quit")
        assert not made.is_left
        text = await made.hear(ended(2, "resigned", re=made.line.wire.last(Resign).id))
        assert "Bob wins!" in text
        await made.ended()


async def test_who_quits_behind_the_last_move_of_a_pipe_hears_the_end_first(tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with line_mode(store=store) as made:
        await made.hear(welcome(), seated(re=made.request), shown())
        await made.type("2", "/quit")
        assert await made.hear(shown((2,), re=made.played().id, view=over((2,)), legal=())) != ""
        assert not made.is_left
        assert "Score: You 1, Bob 0.\n" in await made.hear(ended(1, "chain"))
        await made.ended()
        assert store.sessions() == []


async def test_who_quits_behind_the_first_of_two_simultaneous_moves_hears_what_comes_of_it() -> None:
    async with playing() as made:
        await made.type("2", "/quit")
        half = view().model_copy(update={"to_act": (2,)})
        await made.hear(shown(re=made.played().id, view=half, legal=()))
        assert not made.is_left
        await made.hear(shown((2, 7), legal=()))
        await made.ended()


async def test_who_quits_does_not_wait_for_somebody_who_is_gone() -> None:
    async with playing() as made:
        await made.type("2", "/quit")
        half = view().model_copy(update={"to_act": (2,)})
        await made.hear(shown(re=made.played().id, view=half, legal=()))
        await made.hear(Sighted(match=CODE, seat=2, present=False, claim_in_s=60))
        await made.ended()


async def test_commands_that_come_before_the_match_wait_for_it() -> None:
    async with line_mode() as made:
        assert await made.type("/moves") == ""
        text = await made.hear(welcome(), seated(re=made.request), shown())
        assert "claim territory 7\n" in text


async def test_what_was_typed_for_later_is_given_back() -> None:
    async with playing() as made:
        await made.type("/quit", "1", "2")
        await made.ended()
        made.tty.terminal.listen()
        assert [await made.tty.terminal.ask("? "), await made.tty.terminal.ask("? ")] == ["1", "2"]


async def test_at_a_terminal_a_command_overtakes_an_early_answer() -> None:
    async with playing(is_terminal=True) as made:
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id))
        await made.type("5", "/chat hello")
        assert made.line.wire.last(Chat).text == "hello"


async def test_the_end_of_input_leaves_when_an_answer_is_due_and_says_the_way_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with line_mode(store=store) as made:
        await made.hear(welcome(), seated(re=made.request), shown())
        await made.type("4")
        made.tty.terminal.inbox.put_nowait(InputOver())
        await made.hear(shown((4,), re=made.played().id))
        assert not made.is_left
        text = await made.hear(shown((4, 7)))
        assert text.endswith("Your seat is kept. The way back: conquest join --resume\n")
        await made.ended()
        assert made.line.wire.count(Leave) == 0
        assert len(store.sessions()) == 1


async def test_the_end_of_input_at_a_terminal_leaves_at_once() -> None:
    async with playing(is_terminal=True) as made:
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id))
        made.tty.terminal.inbox.put_nowait(InputOver())
        await settle()
        assert "The way back: conquest join --resume" in made.tty.take()
        await made.ended()


async def test_the_last_lines_of_a_pipe_see_the_match_to_its_end() -> None:
    async with playing() as made:
        await made.type("4")
        made.tty.terminal.inbox.put_nowait(InputOver())
        await made.hear(shown((4,), re=made.played().id))
        text = await made.hear(ended(1, "resigned"))
        assert "You win!" in text
        await made.ended()


async def test_a_pipe_whose_input_has_ended_is_left_at_the_first_ctrl_c() -> None:
    async with playing() as made:
        await made.type("4")
        made.tty.terminal.inbox.put_nowait(InputOver())
        await made.hear(shown((4,), re=made.played().id))
        made.tty.take()
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert made.tty.take() == "Your seat is kept. The way back: conquest join --resume\n"
        await made.ended()


async def test_a_pipe_is_left_at_the_first_ctrl_c_and_what_is_left_in_it_is_not_used() -> None:
    async with playing() as made:
        await made.type("4", "9", "9")
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert "The way back" in made.tty.take()
        await made.ended()
        with pytest.raises(InputEnded):
            await made.tty.terminal.ask("And now? ")
