"""The order in which a match is told to one reader: as the books' samples have it, and nothing twice."""

from dataclasses import replace

from client.core.news import EventsHappened, MatchBegan, MatchResumed, PositionShown
from client.core.state import MatchState
from client.core.teller import MOST_HELD, Teller
from protocol.model import Seat
from tests.server.games.position import Position, Stacked

CODE = "7K3M9QXZ"


class Reader:
    """Player 1 in a game, and the teller who speaks to them."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.teller = Teller()
        self.match = MatchState(
            code=CODE,
            game=position.game.id,
            options={},
            seat=1,
            names=("Ann", "Bob"),
            present=(True, True),
            begun=True,
            first="creator",
            private=False,
            clock_s=None,
            hints=False,
            score=(0, 0),
            spectators=0,
            previous=None,
        )

    def begin(self) -> list[str]:
        self.teller.tell(self.match, MatchBegan(CODE))
        return self.shown()

    def play(self, seat: Seat, **move: object) -> list[str]:
        self.position.play(seat, **move)
        return self.shown()

    def come_back(self) -> list[str]:
        self.teller.tell(self.match, MatchResumed(CODE))
        return self.shown()

    def shown(self) -> list[str]:
        self.match = replace(self.match, view=self.position.view(1))
        self.teller.tell(self.match, EventsHappened(CODE, tuple(self.position.events)))
        return list(self.teller.tell(self.match, PositionShown(CODE, request=None)))


def test_the_first_card_is_not_shown_before_it_is_drawn() -> None:
    told = Reader(Position("digit", Stacked((7, 5)))).begin()
    assert told[told.index("Welcome to Digit Conquest!") :] == [
        "Welcome to Digit Conquest!",
        "Player 1 and Player 2 start with 0 points.",
        "",
        "Player 1's turn.",
        "Drawing a card...",
        "You drew: 7",
    ]


def test_a_game_in_which_nothing_has_happened_begins_with_its_board() -> None:
    told = Reader(Position("grid")).begin()
    assert told[told.index("1 | 2 | 3") - 1] == ""
    assert told[-2:] == ["", "It's your turn, Player 1."]


def test_a_turn_opens_once_before_the_digit_is_asked_for() -> None:
    reader = Reader(Position("digit", draw="choose"))
    assert reader.begin()[-2:] == ["", "Player 1's turn."]
    assert reader.play(1, kind="draw", digit=7) == ["Drawing a card...", "You drew: 7"]
    assert reader.play(1, kind="add") == [
        "You added 7 to your score.",
        "Current Scores - Player 1: 7, Player 2: 0",
        "",
        "Player 2's turn.",
    ]
    assert reader.play(2, kind="draw", digit=5) == ["Drawing a card...", "Player 2 drew: 5"]


def test_a_card_that_is_drawn_by_itself_opens_its_turn() -> None:
    reader = Reader(Position("digit", Stacked((7, 5))))
    reader.begin()
    assert reader.play(1, kind="add")[2:] == [
        "",
        "Player 2's turn.",
        "Drawing a card...",
        "Player 2 drew: 5",
    ]


def test_the_grid_is_shown_again_after_a_turn_and_only_once_to_who_comes_back() -> None:
    reader = Reader(Position("grid"))
    reader.begin()
    assert reader.play(1, kind="claim", cell=5)[:2] == ["You have claimed cell 5.", "1 | 2 | 3"]
    assert reader.come_back().count("4 | X | 6") == 1


def test_of_a_past_without_end_the_latest_is_told_and_the_rest_counted() -> None:
    reader = Reader(Position("galaxy"))
    reader.begin()
    reader.play(1, kind="attack", planet=4, ship=5)
    past = tuple(reader.position.events) * 400
    for come_back in (Teller(), reader.teller):
        reader.teller = come_back
        come_back.tell(reader.match, MatchResumed(CODE))
        for _ in range(10):
            come_back.tell(reader.match, EventsHappened(CODE, past))
        reader.match = replace(reader.match, seen=10 * len(past))
        told = come_back.tell(reader.match, PositionShown(CODE, request=None))
        assert len(told) < 4 * MOST_HELD
    assert len(past) * 10 > 2 * MOST_HELD
