"""Commands: which make sense now, what they ask of the server, and what they say."""

from typing import Any

import pytest

from client.core import slash
from client.core.command import Asked, Help, Hint, Rules, Said, ToConfirm, makes_sense, obey
from client.core.seat import ToReview, ToSave
from client.core.slash import Command
from protocol.client_frame import CallOff, Chat, Claim, Export, Play, Rematch, Resign
from protocol.refusal import RefusalCode
from protocol.server_frame import Offered, Refused
from tests.client.core.player import AWAY, BEGINNING, JOINED, LOST, MOVE, WATCHING, Player, exported
from tests.client.frames import CODE, ended, seated, shown, waiting, welcome

AT_ANY_TIME = {"board", "help", "quit", "rules"}
OFFER = Offered(re=None, match=CODE, offer="calloff", seat=2, standing=True)
OWN_OFFER = Offered(re=None, match=CODE, offer="calloff", seat=1, standing=True)
REMATCH = Offered(re=None, match=CODE, offer="rematch", seat=2, standing=True)
HINTS = seated(re=JOINED, hints=True)
NO_HINTS = "This match is played without hints; they are agreed on when a match is created."


@pytest.mark.parametrize(
    ("told", "commands"),
    [
        ((welcome(), waiting(re=JOINED)), ""),
        (BEGINNING, "calloff chat clock moves resign"),
        ((*BEGINNING, AWAY), "calloff chat claim clock moves resign"),
        ((*BEGINNING, OFFER), "accept calloff chat clock decline moves resign"),
        ((*BEGINNING, OWN_OFFER), "calloff chat clock decline moves resign"),
        ((welcome(), HINTS, shown()), "calloff chat clock hint moves resign"),
        ((*BEGINNING, ended()), "chat rematch review save"),
        ((*BEGINNING, ended(), REMATCH), "accept chat decline rematch review save"),
        ((*BEGINNING, ended(), LOST), ""),
        (WATCHING, "clock"),
        ((*WATCHING, ended()), "review save"),
    ],
)
def test_which_commands_make_sense(told: Any, commands: str) -> None:
    player = Player(*told)
    found = [name for name in sorted(slash.COMMANDS) if makes_sense(player.seat, name)]
    assert [name for name in found if name not in AT_ANY_TIME] == commands.split()
    assert set(found) >= AT_ANY_TIME


@pytest.mark.parametrize(
    ("told", "name", "text", "expected"),
    [
        ((), "claim", "", (Claim, {})),
        ((), "rematch", "", (Rematch, {})),
        ((), "chat", " good  luck ", (Chat, {"text": "good luck"})),
        ((), "save", "x.jsonl", (Export, {})),
        ((ended(),), "review", "", (Export, {})),
        ((OFFER,), "accept", "", (CallOff, {"agree": True})),
        ((OFFER,), "decline", "", (CallOff, {"agree": False})),
        ((OWN_OFFER,), "decline", "", (CallOff, {"agree": False})),
        ((ended(), REMATCH), "accept", "", (Rematch, {"agree": True})),
    ],
)
def test_what_a_command_asks_of_the_server(told: Any, name: str, text: str, expected: Any) -> None:
    player = Player(*BEGINNING, *told)
    assert obey(player.seat, Command(name, text)) == Asked(JOINED + 1)
    kind, fields = expected
    assert player.line.sent == [(kind, {"match": CODE, **fields})]


@pytest.mark.parametrize(
    ("told", "name", "text", "said"),
    [
        ((welcome(), waiting(re=JOINED)), "resign", "", "The match has not begun yet."),
        ((welcome(), waiting(re=JOINED)), "board", "", "The match has not begun yet."),
        (WATCHING, "resign", "", "You are watching; only the players can do that."),
        (WATCHING, "moves", "", "You are watching; only the players can do that."),
        (BEGINNING, "accept", "", "There is no offer to answer."),
        ((*BEGINNING, OWN_OFFER), "accept", "", "There is no offer to answer."),
        (WATCHING, "hint", "", "You are watching; only the players can do that."),
        (BEGINNING, "hint", "", NO_HINTS),
        ((welcome(), HINTS, shown((4,))), "hint", "", "It is not your turn."),
        ((welcome(), HINTS, shown(), ended()), "hint", "", "The match is over."),
        (BEGINNING, "chat", "", "A message is 1 to 200 characters long."),
    ],
)
def test_what_cannot_be_done_now_is_a_sentence(told: Any, name: str, text: str, said: str) -> None:
    player = Player(*told)
    assert obey(player.seat, Command(name, text)) == Said((said,))
    assert player.line.sent == []


def test_to_resign_is_confirmed_first() -> None:
    player = Player(*BEGINNING)
    command = Command("resign")
    assert obey(player.seat, command) == ToConfirm("Resign the match?")
    assert player.asked() == []
    assert obey(player.seat, command, is_confirmed=True) == Asked(JOINED + 1)
    assert player.asked() == [Resign]


def test_nothing_but_a_move_is_asked_without_a_connection() -> None:
    player = Player(*BEGINNING)
    player.line.is_connected = False
    for name in ("resign", "chat", "accept", "save"):
        answer = obey(player.seat, Command(name, "x"))
        assert isinstance(answer, Said)
        assert answer.lines[0].startswith("There is no connection")
    player.seat.play(MOVE)
    assert player.asked() == [Play]


def test_what_is_only_looked_at_is_said_at_once() -> None:
    player = Player(*BEGINNING)
    player.line.is_connected = False
    assert obey(player.seat, Command("clock")) == Said(("This match has no clock.",))
    player.line.left = 20
    assert obey(player.seat, Command("clock")) == Said(("You have 20 seconds.",))
    moves = obey(player.seat, Command("moves"))
    assert isinstance(moves, Said)
    assert len(moves.lines) == 7
    assert obey(player.seat, Command("rules")) == Rules("conquer")
    assert obey(player.seat, Command("help")) == Help(is_watching=False, is_shared=False)
    assert obey(Player(*WATCHING).seat, Command("help")) == Help(is_watching=True, is_shared=False)


@pytest.mark.parametrize(("name", "path"), [("x.jsonl", "x.jsonl"), ("", "")])
def test_a_record_is_saved_where_it_was_to_be_saved_and_once(name: str, path: str) -> None:
    player = Player(*BEGINNING, ended())
    obey(player.seat, Command("save", name))
    (saving,) = player.hear(exported())
    assert isinstance(saving, ToSave)
    assert saving.path == path
    assert player.hear(exported()) == []


@pytest.mark.parametrize(("name", "kind"), [("save", ToSave), ("review", ToReview)])
def test_a_record_that_is_here_is_used_at_once_even_without_a_server(name: str, kind: type) -> None:
    player = Player(*BEGINNING, ended(), exported())
    asked = player.asked()
    player.line.is_connected = False
    player.hear(LOST)
    assert makes_sense(player.seat, name)
    assert isinstance(obey(player.seat, Command(name)), kind)
    assert player.asked() == asked


def test_a_record_serves_all_who_have_asked_for_it() -> None:
    player = Player(*BEGINNING, ended())
    obey(player.seat, Command("save", "x.jsonl"))
    obey(player.seat, Command("review"))
    assert [type(one) for one in player.hear(exported(), exported())] == [ToSave, ToReview]


def test_a_record_does_not_serve_those_who_were_refused() -> None:
    player = Player(*BEGINNING, ended())
    asked = obey(player.seat, Command("save", "x.jsonl"))
    assert isinstance(asked, Asked)
    obey(player.seat, Command("review"))
    player.hear(Refused(re=asked.request, code=RefusalCode.ONE_AT_A_TIME, text="No."))
    assert [type(one) for one in player.hear(exported())] == [ToReview]


def test_a_record_is_looked_at_again_once() -> None:
    player = Player(*BEGINNING, ended())
    obey(player.seat, Command("review"))
    assert [type(one) for one in player.hear(exported(), exported())] == [ToReview]


def test_a_hint_is_for_a_player_who_owes_a_move_and_needs_no_connection() -> None:
    player = Player(welcome(), HINTS, shown())
    player.line.is_connected = False
    match = player.seat.match
    assert match is not None
    assert obey(player.seat, Command("hint")) == Hint(match)
