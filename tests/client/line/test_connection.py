"""Line mode: a connection that is lost, a server that goes and comes back, and an opponent who does."""

from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.core.seat import Arrival
from client.line.terminal import InputOver
from client.net.connection import Unreachable
from client.net.session import Session
from protocol.client_frame import Chat, Play
from protocol.refusal import CloseCode
from protocol.server_frame import Closed, Noticed, Offered, Sighted, Told
from tests.client.frames import CODE, claimed, ended, seated, shown, welcome
from tests.client.line.line_mode import PROMPT, line_mode, playing


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
            f"\nBob is not back yet. The seat is kept; you can /claim the win in 60 seconds.\n{PROMPT}"
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
            "\nBob has lost the connection."
            " The seat is kept; you can /claim the win in 60 seconds.\n"
            "Bob is back.\n"
            "Bob offers to call the match off. /accept or /decline it.\n"
            "The offer of Bob to call the match off no longer stands.\n"
            f"The server is stopping.\n{PROMPT}"
        )
