"""Line mode with a scripted server: how a match begins, what is asked, how it ends."""

import pytest

from client.core.failure import CouldNot
from protocol.client_frame import Play, Rematch
from protocol.games.conquer import Won
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Left, Offered, Ponged, Refused
from tests.client.frames import CODE, OTHER_CODE, claimed, ended, seated, shown, welcome
from tests.client.line.line_mode import PROMPT, line_mode, playing

AFTER = "/rematch plays again with seats swapped, /review looks back, /save keeps the record, /quit leaves.\n"


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


async def test_frames_that_come_together_are_told_one_after_the_other() -> None:
    async with playing() as made:
        await made.type("4")
        text = await made.hear(shown((4,), re=made.played().id), shown((4, 7)))
        assert text == (
            "Player 1 claims territory 4.\n\nPlayer 2's turn.\n"
            "Player 2 claims territory 7.\n\nPlayer 1's turn.\n"
            f"Available territories: 1, 2, 3, 5, 6\n{PROMPT}"
        )


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
            f"Score: You 0, Bob 1.\n{AFTER}> "
        )


async def test_two_players_of_one_name_are_told_apart() -> None:
    async with line_mode() as made:
        text = await made.hear(welcome(), seated(re=made.request, names=("Ann", "Ann")), shown(), ended())
        assert text.endswith(f"Score: You 1, Ann (Player 2) 0.\n{AFTER}> ")


async def test_an_end_from_outside_the_game_takes_the_question_away() -> None:
    async with playing() as made:
        text = await made.hear(shown(events=(), legal=()), ended(1, "resigned"))
        assert text == f"\nBob resigned. You win!\nScore: You 1, Bob 0.\n{AFTER}> "
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
        assert "Score: You 1, Bob 0.\n" in text
        text = await made.hear(shown((4,), viewer=2, match=OTHER_CODE))
        assert text.endswith(PROMPT)
        await made.type("7")
        assert made.played().match == OTHER_CODE


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


async def test_other_matches_of_the_same_player_stay_out_of_the_way() -> None:
    async with playing() as made:
        text = await made.hear(
            seated(match=OTHER_CODE), shown((4,), match=OTHER_CODE), Left(re=None, match=OTHER_CODE)
        )
        assert text == ""


@pytest.mark.parametrize(("is_terminal", "rings"), [(True, 1), (False, 0)])
async def test_each_turn_rings_the_bell_once_and_only_on_a_terminal(is_terminal: bool, rings: int) -> None:
    async with line_mode(is_terminal) as made:
        said = await made.hear(welcome(), seated(re=made.request), shown())
        said += await made.type("nonsense")
        assert said.count("\a") == rings
        assert (await made.type("4")).count("\a") == 0
