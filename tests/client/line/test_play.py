"""Line mode with a scripted server: what is said, what is asked, what is sent."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.core.seat import Arrival
from client.line.play import LinePlayer
from client.line.terminal import TOO_EARLY, Dismissed, InputEnded, InputOver, Interrupted
from client.net.connection import Unreachable
from client.net.session import Session
from client.net.store import Store
from protocol.frame import (
    CallOff,
    Chat,
    Chatted,
    Claim,
    Closed,
    Create,
    Export,
    Exported,
    Join,
    Leave,
    Left,
    Noticed,
    Offered,
    Play,
    Ponged,
    Refused,
    Rematch,
    Resign,
    Sighted,
    Told,
    Turned,
    Watch,
)
from protocol.games.conquer import View, Won
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode
from tests.client.frames import CODE, OTHER_CODE, claimed, ended, seated, shown, view, waiting, welcome
from tests.client.scripted import Line, ScriptedTerminal, settle

PROMPT = "Enter the territory number to claim: "
AFTER_WATCHING = (
    "You will see the next match of these two, if there is one;"
    " /review looks back, /save keeps the record, /quit leaves.\n> "
)
AFTER = "/rematch plays again with seats swapped, /review looks back, /save keeps the record, /quit leaves.\n"


class LineMode:
    """A player at a terminal, and the script of their server."""

    def __init__(self, is_terminal: bool) -> None:
        self.line = Line()
        self.tty = ScriptedTerminal(is_terminal)
        self.request = 0
        self.task: asyncio.Task[None] | None = None

    @property
    def is_left(self) -> bool:
        return self.task is not None and self.task.done()

    async def type(self, *lines: str) -> str:
        """Type lines and return what is written then."""
        await self.tty.type(*lines)
        return self.tty.take()

    async def hear(self, *frames: object) -> str:
        """Let the server say something and return what is written then."""
        await self.line.wire.say(*frames)  # type: ignore[arg-type]
        return self.tty.take()

    def played(self) -> Play:
        return self.line.wire.last(Play)

    async def ended(self) -> None:
        assert self.task is not None
        await self.task


Begin = Callable[[Session], Arrival]


def joining(session: Session) -> Arrival:
    return Arrival(request=session.send(Join, match=CODE))


@asynccontextmanager
async def line_mode(
    is_terminal: bool = False, begin: Begin = joining, store: Store | None = None, token: str | None = None
) -> AsyncIterator[LineMode]:
    made = LineMode(is_terminal)
    file = store.new_session_file() if store else None
    session = made.line.session(made.tty.terminal.inbox.put_nowait, file=file, token=token)
    async with session:
        arrival = begin(session)
        made.request = arrival.request or 0
        made.task = asyncio.create_task(LinePlayer(session, made.tty.terminal, arrival).run())
        await settle()
        try:
            yield made
        finally:
            if not made.task.done():
                made.task.cancel()


@asynccontextmanager
async def playing(is_terminal: bool = False) -> AsyncIterator[LineMode]:
    """A match of Conquer that has begun, with our move due."""
    async with line_mode(is_terminal) as made:
        await made.hear(welcome(), seated(re=made.request), shown())
        yield made


async def test_a_match_begins_with_its_header_welcome_board_and_first_question() -> None:
    async with line_mode() as made:
        text = await made.hear(welcome(), seated(re=made.request), shown())
    assert text == (
        "Conquer, match 7K3M-9QXZ. Player 1 is Ann, Player 2 is Bob. You are Player 1.\n"
        "\n"
        "Welcome to Conquer!\n"
        "\n"
        "Territories (P1: Player 1, P2: Player 2, --: unclaimed):\n"
        "[1] --  [2] --  [3] --  [4] --  [5] --  [6] --  [7] --\n"
        "\n"
        "Player 1's turn.\n"
        "Available territories: 1, 2, 3, 4, 5, 6, 7\n"
        f"{PROMPT}"
    )


async def test_an_answer_becomes_a_move_that_echoes_the_turn() -> None:
    async with playing() as made:
        assert await made.type("4") == "4\n"
        move = made.played()
        assert (move.match, move.turn, move.move) == (CODE, 0, {"kind": "claim", "territory": 4})
        text = await made.hear(shown((4,), re=move.id))
        assert text == "Player 1 claims territory 4.\n\nPlayer 2's turn.\n"


async def test_an_answer_that_does_not_fit_is_asked_for_again() -> None:
    async with playing() as made:
        text = await made.type("9")
        assert text == f"9\nInvalid choice. Please select an unclaimed territory.\n{PROMPT}"
        assert made.line.wire.count(Play) == 0


async def test_a_refused_move_is_asked_for_again_from_the_first_question() -> None:
    async with playing() as made:
        await made.type("4")
        refused = Refused(re=made.played().id, code=RefusalCode.ILLEGAL_MOVE, text="That is taken.")
        text = await made.hear(refused)
        assert text == f"That is taken.\nAvailable territories: 1, 2, 3, 4, 5, 6, 7\n{PROMPT}"
        await made.type("5")
        assert made.played().move == {"kind": "claim", "territory": 5}


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


async def test_frames_that_come_together_are_told_one_after_the_other() -> None:
    async with playing() as made:
        await made.type("4")
        text = await made.hear(shown((4,), re=made.played().id), shown((4, 7)))
        assert text == (
            "Player 1 claims territory 4.\n\nPlayer 2's turn.\n"
            "Player 2 claims territory 7.\n\nPlayer 1's turn.\n"
            f"Available territories: 1, 2, 3, 5, 6\n{PROMPT}"
        )


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
        assert text == f"\nBob (Player 2): hurry up\n{PROMPT}"
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
        assert "Player 2 (Bob) wins!" in text
        await made.ended()


def over(claims: tuple[int, ...]) -> View:
    """A position in which nobody is to act."""
    return view(claims).model_copy(update={"to_act": ()})


async def test_who_quits_behind_the_last_move_of_a_pipe_hears_the_end_first(tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with line_mode(store=store) as made:
        await made.hear(welcome(), seated(re=made.request), shown())
        await made.type("2", "/quit")
        assert await made.hear(shown((2,), re=made.played().id, view=over((2,)), legal=())) != ""
        assert not made.is_left
        assert "Score: Ann 1, Bob 0.\n" in await made.hear(ended(1, "chain"))
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


async def test_a_lost_connection_is_told_and_what_was_missed_is_caught_up_with() -> None:
    async with playing() as made:
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id))
        await made.line.wire.cut()
        assert made.tty.take() == "Connection lost, trying again (1 s)…\n"
        await made.line.time.let_pass(1)
        missed = Told(match=CODE, first_event=1, events=(claimed(2, 7),))
        text = await made.hear(
            welcome("second", matches=(CODE,)), seated(), missed, shown((4, 7), events=(), first_event=2)
        )
        assert text.startswith(
            "Connected again.\nBack in the match. Meanwhile:\nPlayer 2 claims territory 7.\n\nTerritories"
        )
        assert text.endswith(f"Available territories: 1, 2, 3, 5, 6\n{PROMPT}")


async def test_a_move_on_its_way_is_not_asked_for_again_after_a_lost_connection() -> None:
    async with playing() as made:
        await made.type("4")
        before = made.played()
        await made.line.wire.cut()
        await made.line.time.let_pass(1)
        await made.hear(welcome("second", matches=(CODE,)), seated(), shown())
        assert made.played() == before
        text = await made.hear(shown((4,), re=before.id))
        assert text == "Player 1 claims territory 4.\n\nPlayer 2's turn.\n"


async def test_a_question_that_still_stands_after_coming_back_is_asked_on() -> None:
    async with playing() as made:
        await made.line.wire.cut()
        await made.line.time.let_pass(1)
        text = await made.hear(welcome("second", matches=(CODE,)), seated(), shown())
        assert text.endswith(PROMPT)
        await made.type("4")
        assert made.line.wire.count(Play) == 1


async def test_a_killed_client_finds_its_match_with_what_happened_last() -> None:
    def back(session: Session) -> Arrival:
        return Arrival(code=CODE)

    events = tuple(claimed(2 - number % 2, number % 7 + 1) for number in range(1, 21))
    told = Told(match=CODE, first_event=0, events=events)
    async with line_mode(begin=back, token="kept") as made:
        text = await made.hear(
            welcome("next", matches=(CODE,)), seated(), told, shown((4, 7), events=(), first_event=20)
        )
    assert text.startswith("Conquer, match 7K3M-9QXZ.")
    assert "So far (8 earlier events left out):\n" in text
    assert text.count("claims territory") == 12
    assert text.endswith(PROMPT)


async def test_a_match_that_is_not_there_any_more_is_said(tmp_path: Path) -> None:
    def back(session: Session) -> Arrival:
        return Arrival(code=CODE)

    async with line_mode(begin=back, token="kept") as made:
        await made.hear(welcome("next", matches=()))
        with pytest.raises(CouldNot, match="not there any more"):
            await made.ended()


async def test_a_refused_beginning_is_the_end() -> None:
    async with line_mode() as made:
        text = "There is no match with that code; check it with your friend."
        said = await made.hear(welcome(), Refused(re=made.request, code=RefusalCode.NO_SUCH_MATCH, text=text))
        assert said == ""
        with pytest.raises(CouldNot, match="There is no match with that code"):
            await made.ended()


async def test_a_server_of_another_version_is_the_end() -> None:
    async with line_mode() as made:
        await made.hear(Closed(code=CloseCode.BAD_VERSION, text="Update your client to play together."))
        with pytest.raises(CouldNot, match="Update your client"):
            await made.ended()


async def test_a_game_that_this_client_does_not_know_is_the_end() -> None:
    async with line_mode() as made:
        await made.hear(welcome(), seated(re=made.request, game="chess"))
        with pytest.raises(CouldNot, match="does not know the game 'chess'"):
            await made.ended()


async def test_the_end_is_told_with_the_score_and_what_can_be_done_now() -> None:
    async with playing() as made:
        won = Won(seat=2, reason="three_adjacent", chain=(5, 6, 7))
        over = shown((1, 5, 2, 6, 4, 7), legal=())
        over = over.model_copy(
            update={
                "events": (claimed(2, 7), won),
                "first_event": 0,
                "view": over.view.model_copy(update={"to_act": ()}),
            }
        )
        text = await made.hear(over, ended(2, "three_adjacent"))
        assert text == (
            "\nPlayer 2 claims territory 7.\nPlayer 2 has claimed territories 5, 6, 7.\nPlayer 2 wins!\n"
            f"Score: Ann 0, Bob 1.\n{AFTER}> "
        )


async def test_two_players_of_one_name_are_told_apart() -> None:
    async with line_mode() as made:
        text = await made.hear(welcome(), seated(re=made.request, names=("Ann", "Ann")), shown(), ended())
        assert text.endswith(f"Score: Ann (Player 1) 1, Ann (Player 2) 0.\n{AFTER}> ")


async def test_an_end_from_outside_the_game_takes_the_question_away() -> None:
    async with playing() as made:
        text = await made.hear(shown(events=(), legal=()), ended(1, "resigned"))
        assert text == f"\nPlayer 2 (Bob) resigned. Player 1 (Ann) wins!\nScore: Ann 1, Bob 0.\n{AFTER}> "
        assert await made.type("4") == f"4\n{AFTER}> "
        assert made.line.wire.count(Play) == 0


@pytest.mark.parametrize("answer", ["/rematch", "y", "Yes"])
async def test_a_rematch_is_offered_and_the_next_match_begins(answer: str) -> None:
    async with playing() as made:
        await made.hear(ended())
        await made.type(answer)
        assert made.line.wire.last(Rematch).agree
        offered = Offered(
            re=made.line.wire.last(Rematch).id, match=CODE, offer="rematch", seat=1, standing=True
        )
        text = await made.hear(offered)
        assert text.startswith("You offer a rematch. /decline takes it back.\n")
        again = seated(match=OTHER_CODE, previous=CODE, seat=2, names=("Bob", "Ann"), score=(0, 1))
        text = await made.hear(again, shown(viewer=2, match=OTHER_CODE))
        assert text.startswith(
            "\nConquer, match ABCD-EFGH. Player 1 is Bob, Player 2 is Ann. You are Player 2."
        )
        assert "Score: Bob 0, Ann 1.\n" in text
        text = await made.hear(shown((4,), viewer=2, match=OTHER_CODE))
        assert text.endswith(PROMPT)
        await made.type("7")
        assert made.played().match == OTHER_CODE


@pytest.mark.parametrize("answer", ["/quit", "no", "N"])
async def test_leaving_after_the_end_clears_everything_away(answer: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with line_mode(store=store) as made:
        await made.hear(welcome(), seated(re=made.request), shown(), ended())
        assert len(store.sessions()) == 1
        await made.type(answer)
        await made.ended()
        assert made.line.wire.last(Leave).match == CODE
        assert store.sessions() == []


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
        assert "Player 1 (Ann) wins!" in text
        await made.ended()


async def test_ctrl_c_asks_once_and_leaves_the_second_time() -> None:
    async with playing(is_terminal=True) as made:
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert "Press Ctrl-C again to leave" in made.tty.take()
        await made.type("9")
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert not made.is_left
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert "The way back" in made.tty.take()
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


async def test_being_told_to_end_leaves_politely() -> None:
    async with playing() as made:
        made.tty.terminal.inbox.put_nowait(Dismissed())
        await settle()
        assert "The way back" in made.tty.take()
        await made.ended()


async def test_being_told_to_end_keeps_an_open_match(tmp_path: Path) -> None:
    def hosting(session: Session) -> Arrival:
        return Arrival(request=session.send(Create, game="conquer"))

    store = Store(tmp_path)
    async with line_mode(begin=hosting, store=store) as made:
        await made.hear(welcome(), waiting(re=made.request))
        made.tty.terminal.inbox.put_nowait(Dismissed())
        await settle()
        assert made.tty.take() == "Your seat is kept. The way back: conquest join --resume\n"
        await made.ended()
        assert made.line.wire.count(Leave) == 0
        assert len(store.sessions()) == 1


async def test_a_spectator_who_is_told_to_end_has_no_seat_to_come_back_to() -> None:
    def watching(session: Session) -> Arrival:
        return Arrival(request=session.send(Watch, match=CODE), way_back="")

    async with line_mode(begin=watching) as made:
        await made.hear(welcome(), waiting(re=made.request))
        made.tty.terminal.inbox.put_nowait(Dismissed())
        await settle()
        assert made.tty.take() == ""
        await made.ended()
        assert made.line.wire.last(Leave).match == CODE


async def test_a_host_is_asked_before_everybody_is_left_alone() -> None:
    def hosting(session: Session) -> Arrival:
        return Arrival(
            request=session.send(Create, game="conquer"), quit_question="Leave?", way_back="It ends here."
        )

    async with line_mode(is_terminal=True, begin=hosting) as made:
        await made.hear(welcome(), waiting(re=made.request), seated(), shown())
        assert await made.type("/quit") == "Leave? (y/n) "
        assert await made.type("n") == PROMPT
        assert not made.is_left
        await made.type("/quit")
        assert await made.type("y") == "It ends here.\n"
        await made.ended()


async def test_an_open_match_is_announced_and_taken_back_on_leaving() -> None:
    def hosting(session: Session) -> Arrival:
        return Arrival(session.send(Create, game="conquer"), on_open=lambda code: (f"Code: {code}",))

    async with line_mode(is_terminal=True, begin=hosting) as made:
        assert f"Code: {CODE}" in await made.hear(welcome(), waiting(re=made.request))
        assert await made.type("/board") == "The match has not begun yet.\n"
        await made.type("/quit")
        await made.ended()
        assert made.line.wire.last(Leave).match == CODE


async def test_a_match_that_the_server_put_away_is_the_end() -> None:
    async with playing() as made:
        await made.hear(Left(re=None, match=CODE))
        with pytest.raises(CouldNot, match="put this match away"):
            await made.ended()


async def test_a_server_that_is_gone_after_the_end_is_no_failure() -> None:
    async with playing() as made:
        await made.hear(ended())
        await made.line.wire.cut()
        assert made.tty.take() == "\nThe match is over, and the server is gone.\n"
        await made.ended()


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (CloseCode.HOST_LEFT, "The match is over, and the host has left.\n"),
        (CloseCode.STOPPING, "The match is over, and the server has stopped.\n"),
    ],
)
async def test_a_server_that_says_goodbye_after_the_end_is_no_failure(
    code: CloseCode, sentence: str, is_kept: bool
) -> None:
    async with playing() as made:
        await made.hear(ended())
        text = await made.hear(Closed(code=code, text="Bye.", kept=is_kept))
        assert text.endswith(sentence)
        await made.ended()


GOODBYE = {
    CloseCode.HOST_LEFT: (
        "The host has left. The match is kept, and goes on when the host is back (conquest host --resume)."
        " /quit leaves.\n",
        "Waiting for the host, trying again (",
    ),
    CloseCode.STOPPING: (
        "The server is stopping. The match is kept, and goes on when the server is back. /quit leaves.\n",
        "Waiting for the server, trying again (",
    ),
}


@pytest.mark.parametrize("code", list(GOODBYE))
async def test_a_goodbye_is_told_once_and_what_is_waited_for_each_time(code: CloseCode) -> None:
    async with playing() as made:
        made.line.problems = [Unreachable("no")]
        once, each = GOODBYE[code]
        text = await made.hear(Closed(code=code, text="Bye."))
        assert text == f"\n{once}{each}1 s)…\n{PROMPT}"
        await made.line.time.let_pass(1)
        assert made.tty.take() == f"\n{each}2 s)…\n{PROMPT}"


async def test_who_is_not_back_yet_after_a_restart_has_not_just_lost_the_connection() -> None:
    async with playing() as made:
        await made.hear(Closed(code=CloseCode.STOPPING, text="Bye."))
        await made.line.time.let_pass(1)
        gone = Sighted(match=CODE, seat=2, present=False, claim_in_s=60)
        text = await made.hear(
            welcome("second", matches=(CODE,)), seated(present=(True, False)), shown(), gone
        )
        assert "lost" not in text
        assert text.endswith(
            "\nBob (Player 2) is not back yet. The seat is kept; you can /claim the win in 60 seconds.\n"
            f"{PROMPT}"
        )


@pytest.mark.parametrize(
    "command", ["/claim", "/resign", "/calloff", "/rematch", "/chat hi", "/save x", "/review"]
)
async def test_what_is_asked_of_a_server_that_is_away_is_refused_at_once(command: str) -> None:
    async with playing(is_terminal=True) as made:
        await made.line.wire.cut()
        made.tty.take()
        text = await made.type(command)
        assert text.endswith(
            f"There is no connection to the server just now; try again when it is back.\n{PROMPT}"
        )
        await made.line.time.let_pass(1)
        await made.hear(welcome("second", matches=(CODE,)), seated(), shown())
        assert [frame.type for frame in made.line.wire.sent] == ["hello"]


async def test_what_a_script_asks_of_a_server_that_is_away_waits_until_it_is_back() -> None:
    async with playing() as made:
        await made.line.wire.cut()
        made.tty.take()
        assert await made.type("/chat hi") == ""
        await made.line.time.let_pass(1)
        await made.hear(welcome("second", matches=(CODE,)), seated(), shown())
        assert made.line.wire.last(Chat).text == "hi"


async def test_a_connection_that_is_lost_while_a_question_stands_is_noticed_by_its_answer() -> None:
    async with playing(is_terminal=True) as made:
        await made.type("/resign")
        await made.line.wire.cut()
        made.tty.take()
        text = await made.type("y")
        assert text == f"There is no connection to the server just now; try again when it is back.\n{PROMPT}"


async def test_a_move_that_waits_for_the_connection_is_said_to_wait() -> None:
    async with playing(is_terminal=True) as made:
        await made.line.wire.cut()
        made.tty.take()
        text = await made.type("4")
        assert text == "There is no connection to the server just now; your move is sent when it is back.\n"


async def test_that_the_win_can_be_claimed_is_said_when_it_can() -> None:
    async with playing() as made:
        await made.hear(Sighted(match=CODE, seat=2, present=False, claim_in_s=9))
        await made.line.time.let_pass(8)
        assert made.tty.take() == ""
        await made.line.time.let_pass(1)
        assert made.tty.take() == f"\nYou can /claim the win now.\n{PROMPT}"


async def test_a_script_does_not_wait_for_ever_for_a_server_that_is_gone() -> None:
    async with playing() as made:
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id))
        made.tty.terminal.inbox.put_nowait(InputOver())
        made.line.problems = [Unreachable("no")] * 100
        await made.line.wire.cut()
        await made.line.time.let_pass(50)
        assert not made.is_left
        await made.line.time.let_pass(50)
        with pytest.raises(CouldNot, match="did not come back"):
            await made.ended()


async def test_news_about_the_opponent_and_the_server_are_told() -> None:
    async with playing() as made:
        text = await made.hear(
            Sighted(match=CODE, seat=2, present=False, claim_in_s=60),
            Sighted(match=CODE, seat=2, present=True, claim_in_s=None),
            Offered(re=None, match=CODE, offer="calloff", seat=2, standing=True),
            Offered(re=None, match=CODE, offer="calloff", seat=2, standing=False),
            Noticed(code="stopping", text="The server is stopping."),
        )
        assert text == (
            "\nBob (Player 2) has lost the connection."
            " The seat is kept; you can /claim the win in 60 seconds.\n"
            "Bob (Player 2) is back.\n"
            "Bob (Player 2) offers to call the match off. /accept or /decline it.\n"
            "The offer of Bob (Player 2) to call the match off no longer stands.\n"
            f"The server is stopping.\n{PROMPT}"
        )


@pytest.mark.parametrize(
    ("command", "kind"), [("/claim", Claim), ("/calloff", CallOff), ("/resign", Resign), ("/save x", Export)]
)
async def test_commands_become_requests(command: str, kind: type) -> None:
    async with playing() as made:
        await made.type(command)
        assert made.line.wire.last(kind).match == CODE


async def test_resigning_at_a_terminal_asks_first() -> None:
    async with playing(is_terminal=True) as made:
        assert await made.type("/resign") == "Resign the match? (y/n) "
        assert await made.type("n") == PROMPT
        assert made.line.wire.count(Resign) == 0
        await made.type("/resign")
        await made.type("y")
        assert made.line.wire.count(Resign) == 1


@pytest.mark.parametrize("agree", [True, False])
@pytest.mark.parametrize("offer", ["calloff", "rematch"])
async def test_an_offer_can_be_accepted_or_declined(offer: str, agree: bool) -> None:
    async with playing() as made:
        if offer == "rematch":
            await made.hear(ended())
        await made.hear(Offered(re=None, match=CODE, offer=offer, seat=2, standing=True))  # type: ignore[arg-type]
        await made.type("/accept" if agree else "/decline")
        asked = made.line.wire.last(CallOff if offer == "calloff" else Rematch)
        assert asked.agree is agree


async def test_there_must_be_an_offer_to_answer() -> None:
    async with playing() as made:
        assert await made.type("/accept") == f"/accept\nThere is no offer to answer.\n{PROMPT}"
        await made.hear(Offered(re=None, match=CODE, offer="calloff", seat=1, standing=True))
        assert "There is no offer to answer.\n" in await made.type("/accept")
        await made.type("/decline")
        assert made.line.wire.last(CallOff).agree is False


async def test_the_board_the_moves_the_rules_and_help_can_be_seen_at_any_prompt() -> None:
    async with playing() as made:
        assert "[7] --" in await made.type("/board")
        assert "claim territory 7\n" in await made.type("/moves")
        assert "Conquer" in await made.type("/rules")
        assert "/resign   give up\n" in await made.type("/help")
        text = await made.type("/bord")
        assert text == f"/bord\nThere is no command /bord. Did you mean 'board'? /help lists all.\n{PROMPT}"


async def test_unfit_chat_is_not_sent() -> None:
    async with playing() as made:
        assert "A message can hold letters" in await made.type("/chat \x1b[2J")
        assert "A message is 1 to 200 characters long." in await made.type("/chat")
        assert made.line.wire.count(Chat) == 0


def exported(re: int) -> Exported:
    return Exported(
        re=re,
        match=CODE,
        game="conquer",
        options={},
        names=("Ann", "Bob"),
        chance=(),
        outcome=Outcome(winner=1, reason="resigned"),
        first=0,
        moves=(Turned(seat=1, move={"kind": "claim", "territory": 4}, chance=(), at=1.0),),
        more=False,
    )


async def test_a_record_is_saved_once(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    async with playing() as made:
        await made.hear(ended())
        await made.type(f"/save {path}")
        text = await made.hear(exported(made.line.wire.last(Export).id))
        assert text == f"Saved. Look at it again with: conquest replay {path}, or: conquest review {path}\n> "
        assert len(path.read_text().splitlines()) == 2
        await made.type(f"/save {path}")
        text = await made.hear(exported(made.line.wire.last(Export).id))
        assert text == f"{path} exists already; give another name: /save FILE\n> "
        await made.type(f"/save {tmp_path / 'no' / 'folder'}")
        text = await made.hear(exported(made.line.wire.last(Export).id))
        assert "cannot be written: No such file or directory." in text
        assert await made.hear(exported(1)) == ""


async def test_a_spectator_sees_both_and_may_only_look() -> None:
    def watching(session: Session) -> Arrival:
        return Arrival(request=session.send(Watch, match=CODE))

    told = Told(match=CODE, first_event=0, events=(claimed(1, 4),))
    async with line_mode(begin=watching) as made:
        text = await made.hear(
            welcome(),
            seated(re=made.request, seat=0),
            told,
            shown((4,), viewer=0, events=(), first_event=1),
        )
        assert "You are watching.\nSo far:\nPlayer 1 claims territory 4.\n" in text
        watching = "/help lists what you can type while you watch; /quit leaves.\n"
        assert text.endswith(f"\nPlayer 2's turn.\n\n{watching}")
        assert await made.type("/resign") == "You are watching; only the players can do that.\n"
        told = await made.type("/help")
        assert [line.split()[0] for line in told.splitlines()] == [
            "/help",
            "/board",
            "/clock",
            "/rules",
            "/review",
            "/save",
            "/quit",
        ]
        text = await made.hear(shown((4, 7), viewer=0))
        assert text == "Player 2 claims territory 7.\n\nPlayer 1's turn.\n"
        text = await made.hear(ended(2, "resigned"))
        assert text.endswith(AFTER_WATCHING)
        rematches = made.line.wire.count(Rematch)
        assert await made.type("y") == ("y\n/help lists what you can type while you watch; /quit leaves.\n> ")
        assert made.line.wire.count(Rematch) == rematches == 0
        await made.type("/review")
        assert made.line.wire.count(Export) == 1
        await made.hear(
            Refused(re=made.line.wire.last(Export).id, code=RefusalCode.NO_SUCH_MATCH, text="No.")
        )
        await made.type("/save")
        assert made.line.wire.count(Export) == 2
        await made.hear(
            Refused(re=made.line.wire.last(Export).id, code=RefusalCode.NO_SUCH_MATCH, text="No.")
        )
        await made.type("/quit")
        await made.ended()


async def test_a_clock_is_told_with_the_question() -> None:
    async with line_mode() as made:
        text = await made.hear(
            welcome(), seated(re=made.request, clock_s=30, options={"size": "4"}), shown(left_ms=29_600)
        )
        assert "Conquer, size 4, match" in text
        assert "Each move must be made within 30 seconds.\n" in text
        assert "You have 30 seconds.\nAvailable" in text


@pytest.mark.parametrize("is_terminal", [False, True])
async def test_time_that_gets_short_is_told_and_stands_in_the_prompt(is_terminal: bool) -> None:
    async with line_mode(is_terminal) as made:
        await made.hear(welcome(), seated(re=made.request, clock_s=60), shown(left_ms=40_000))
        await made.line.time.let_pass(9)
        assert made.tty.take() == ""
        question = made.tty.terminal.question
        await made.line.time.let_pass(1)
        assert made.tty.take() == f"\n30 seconds left.\n(30 seconds left) {PROMPT}"
        await made.hear(Ponged(re=1))
        await made.line.time.let_pass(20)
        assert made.tty.take() == f"\n10 seconds left.\n(10 seconds left) {PROMPT}"
        assert made.tty.terminal.question == question
        text = await made.type("x")
        assert text.endswith(f"Please select an unclaimed territory.\n(10 seconds left) {PROMPT}")
        await made.type("4")
        assert made.played().move == {"kind": "claim", "territory": 4}


async def test_the_clock_can_be_looked_at() -> None:
    async with line_mode() as made:
        await made.hear(welcome(), seated(re=made.request, clock_s=90), shown(left_ms=90_000))
        await made.line.time.let_pass(15)
        assert f"You have 75 seconds.\n{PROMPT}" in await made.type("/clock")
        assert f"[7] --\nYou have 75 seconds.\n{PROMPT}" in await made.type("/board")
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id, left_ms=35_000))
        await made.line.time.let_pass(15)
        assert made.tty.take() == ""
        assert await made.type("/clock") == "Bob (Player 2) has 20 seconds.\n"
    async with playing() as made:
        assert f"This match has no clock.\n{PROMPT}" in await made.type("/clock")


async def test_other_matches_of_the_same_player_stay_out_of_the_way() -> None:
    async with playing() as made:
        text = await made.hear(
            seated(match=OTHER_CODE), shown((4,), match=OTHER_CODE), Left(re=None, match=OTHER_CODE)
        )
        assert text == ""
