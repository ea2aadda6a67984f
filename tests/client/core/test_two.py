"""Two at one keyboard: news of two sessions in, in any order, and told once."""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Any

import pytest

from client.core import news
from client.core.state import ClientState, MatchState, reduced
from client.core.two import LEAD, OTHER, Shared
from protocol.games import parse_move
from protocol.server_frame import Chatted, Offered, ServerFrame, Shown
from server.games import GAMES
from tests.client.frames import CODE, OTHER_CODE, ended, seated, shown, waiting, welcome

AGAIN = {"match": OTHER_CODE, "previous": CODE}
ROUNDS: list[tuple[list[Any], list[Any]]] = [
    ([welcome(), waiting(re=1)], [welcome("token-2")]),
    ([seated(seat=1), shown()], [seated(re=1, seat=2), shown(viewer=2)]),
    ([shown((4,), re=2), ended(re=3)], [shown((4,), viewer=2), ended()]),
    (
        [seated(seat=2, **AGAIN), shown(viewer=2, match=OTHER_CODE)],
        [seated(seat=1, **AGAIN), shown(viewer=1, match=OTHER_CODE)],
    ),
]
"""What each of the two hears: nothing of a round before all of the round before it was told."""
TOLD = [
    *(news.Welcomed, news.MatchOpened, news.MatchBegan, news.PositionShown),
    *(news.EventsHappened, news.PositionShown, news.MatchEnded, news.MatchBegan, news.PositionShown),
]
"""A match, its end and its rematch with seats swapped."""


class Table:
    """Two sessions' worth of frames, and what was told of them."""

    def __init__(self) -> None:
        self.shared = Shared()
        self.states = [ClientState(), ClientState()]
        self.told: list[tuple[news.News, ClientState]] = []

    def hear(self, session: int, *frames: ServerFrame | news.News) -> list[tuple[news.News, ClientState]]:
        told: list[tuple[news.News, ClientState]] = []
        for frame in frames:
            items: list[Any] = [frame]
            if isinstance(frame, ServerFrame):
                self.states[session], items = reduced(self.states[session], frame)
            for item in items:
                told += self.shared.hear(session, item, self.states[session])
        self.told += told
        return told


def seated_table() -> Table:
    """Seat two at a table, where it is the lead's turn."""
    table = Table()
    for led, followed in ROUNDS[:2]:
        table.hear(LEAD, *led)
        table.hear(OTHER, *followed)
    return table


def kinds(told: Sequence[tuple[news.News, ClientState]]) -> list[type]:
    return [type(item) for item, _ in told]


def merged(first: Sequence[Any], second: Sequence[Any]) -> Iterator[list[tuple[int, Any]]]:
    """List all orders in which frames of two connections can arrive."""
    if not first or not second:
        yield [*((LEAD, frame) for frame in first), *((OTHER, frame) for frame in second)]
        return
    for rest in merged(first[1:], second):
        yield [(LEAD, first[0]), *rest]
    for rest in merged(first, second[1:]):
        yield [(OTHER, second[0]), *rest]


def test_in_whatever_order_two_sessions_hear_it_it_is_told_once_and_in_order() -> None:
    orders = list(product(*(list(merged(*each)) for each in ROUNDS)))
    assert len(orders) == 3 * 6 * 6 * 6
    for order in orders:
        table = Table()
        for session, frame in chain.from_iterable(order):
            table.hear(session, frame)
        assert kinds(table.told) == TOLD
        positions = [state for item, state in table.told if isinstance(item, news.PositionShown)]
        asked = [next(reversed(list(state.matches.values()))) for state in positions]
        # Player 1, then Player 2; after the swap the other one is Player 1.
        assert [match.seat for match in asked] == [1, 2, 1]
        assert all(match.is_shared for state in positions for match in state.matches.values())
        # Before its end is told, nobody knows of it.
        assert asked[1].outcome is None
        assert table.shared.asked == OTHER


def test_what_one_of_two_need_not_be_told_of_the_other_is_not_told() -> None:
    table = seated_table()
    for item in (
        Chatted(re=None, match=CODE, seat=2, text="hi"),
        Offered(re=None, match=CODE, offer="calloff", seat=1, standing=True),
        news.PlayerLost(CODE, 2, 60),
        news.ClaimDue(CODE),
    ):
        assert table.hear(LEAD, item) == []
        assert table.hear(OTHER, item) == []


@pytest.mark.parametrize(
    ("item", "of_lead", "of_other"),
    [
        # It is Player 1's turn, who is the lead.
        (news.TimeShort(CODE, 10.0), 1, 0),
        (news.Notice("The disk is full."), 1, 0),
        (news.ConnectionLost(1.0, 0.0), 1, 0),
        (news.SessionOver("The server has stopped."), 1, 1),
        (news.RequestLost("play"), 1, 1),
    ],
)
def test_the_rest_is_told_once(item: news.News, of_lead: int, of_other: int) -> None:
    table = seated_table()
    assert len(table.hear(LEAD, item)) == of_lead
    assert len(table.hear(OTHER, item)) == of_other


def test_an_answer_is_told_though_nothing_has_changed() -> None:
    table = seated_table()
    assert table.hear(OTHER, shown(viewer=2)) == []
    told = table.hear(LEAD, shown(re=7))
    assert [item for item, _ in told] == [news.PositionShown(CODE, 7)]


class Challenge:
    """A challenge in Grid Conquest, by Player 2, up to the secret numbers; both are at one keyboard."""

    def __init__(self) -> None:
        self.table = Table()
        self.events = 0
        self.turn = 0
        self.game = GAMES["grid"]
        self.state, _ = self.game.setup(self.game.agree({}), None)
        self.table.hear(LEAD, welcome(), seated(game="grid"), self.shown(1))
        self.table.hear(OTHER, welcome("token-2"), seated(game="grid", seat=2), self.shown(2))
        self.play(1, {"kind": "claim", "cell": 5})
        self.told = self.play(2, {"kind": "challenge", "cell": 5})

    def shown(self, seat: int, happened: Any = (), re: int | None = None) -> Shown:
        return Shown(
            re=re,
            match=CODE,
            turn=self.turn,
            view=self.game.view(self.state, seat),
            legal=self.game.legal_moves(self.state, seat),
            first_event=self.events - len(happened),
            events=tuple(happened),
            left_ms=None,
        )

    def play(self, seat: int, fields: dict[str, Any]) -> list[tuple[news.News, ClientState]]:
        is_sealed = fields["kind"] == "pick" and self.state.picks == (None, None)
        self.state, happened = self.game.apply(self.state, seat, parse_move("grid", fields), None)
        self.events += len(happened)
        self.turn += not is_sealed
        told = self.table.hear(LEAD, self.shown(1, happened, re=9 if seat == 1 else None))
        return told + self.table.hear(OTHER, self.shown(2, happened, re=9 if seat == 2 else None))


def match_of(told: tuple[news.News, ClientState]) -> MatchState:
    return told[1].matches[CODE]


def test_of_two_who_owe_a_number_the_challenger_is_asked_first() -> None:
    challenge = Challenge()
    assert kinds(challenge.told) == [news.EventsHappened, news.PositionShown]
    assert match_of(challenge.told[-1]).seat == 2
    told = challenge.play(2, {"kind": "pick", "number": 3})
    assert kinds(told) == [news.EventsHappened, news.PositionShown, news.PositionShown]
    # The one who has chosen is told so; then the other is asked, and knows nothing of the choice.
    assert [(match_of(one).seat, bool(match_of(one).legal)) for one in told[1:]] == [(2, False), (1, True)]
    assert match_of(told[-1]).view.pick is None
    told = challenge.play(1, {"kind": "pick", "number": 4})
    assert kinds(told) == [news.EventsHappened, news.PositionShown]
    assert match_of(told[-1]).seat == 1
