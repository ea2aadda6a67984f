"""The longest frames that either side makes fit into what the other side takes."""

import pytest

from protocol.client_frame import Create, Hello, Play
from protocol.codec import Splitter, decode_client, decode_server, encode
from protocol.games import conquer, digit, duel, galaxy, grid
from protocol.limit import ARRAY_LEN, FRAME_TO_CLIENT, HEADER_LEN, PROTOCOL_VERSION, Limits
from protocol.outcome import Outcome
from protocol.refusal import CloseCode
from protocol.server_frame import Closed, Exported, Listed, OpenMatch, Told, Turned
from server.core.listing import LISTED
from server.core.transcript import MOVES_A_PIECE
from server.core.visible import HISTORY_CHUNK

MATCH = "7K3M9QXZ"
WIDE = "\U0001f600"
LONG_NAME = WIDE * 64
MOST = 2**31 - 1

LONGEST_EVENTS = [
    galaxy.Won(seat=2, reason="highest_planet", planets=((1, 2, 3), (4, 5, 6, 7))),
    conquer.Won(seat=2, reason="most_territories", chain=(1, 2, 3, 4, 5, 6, 7)),
    grid.Revealed(cell=36, challenger=2, numbers=(5, 5), owner=2),
    grid.Won(seat=2, reason="unused_numbers", cells=(18, 18), sums=(15, 15)),
    digit.Subtracted(seat=2, digit=9, scores=(50, 50)),
    duel.Attacked(seat=2, met="defending", damage=4, hp=(-2, -2)),
]


@pytest.mark.parametrize("event", LONGEST_EVENTS, ids=lambda event: event.kind)
def test_missed_events_come_in_pieces_that_fit(event):
    told = Told(match=MATCH, first_event=MOST, events=(event,) * HISTORY_CHUNK)
    assert_reaches_the_client(told)


def test_the_list_of_open_matches_fits_however_wide_the_names():
    waiting = OpenMatch(
        match=MATCH,
        game="conquer",
        options={"draw": "choose", "size": "6"},
        creator=LONG_NAME,
        first="creator",
        clock_s=86400,
        hints=True,
        age_s=MOST,
        names=(LONG_NAME, LONG_NAME),
        to_act=(1, 2),
    )
    assert_reaches_the_client(Listed(re=MOST, matches=(waiting,) * LISTED, total=MOST))


def test_a_record_comes_in_pieces_that_fit():
    turned = Turned(seat=2, move={"kind": "challenge", "cell": 36}, chance=(35, 35, 35), at=2.0**31 + 0.1)
    record = Exported(
        re=MOST,
        match=MATCH,
        game="conquer",
        options={"draw": "choose", "size": "6"},
        names=(LONG_NAME, LONG_NAME),
        chance=(35,) * 4,
        outcome=Outcome(winner=None, reason="r" * 32),
        first=MOST,
        moves=(turned,) * MOVES_A_PIECE,
        more=True,
    )
    assert_reaches_the_client(record)


def test_the_longest_complaint_about_bad_bytes_reaches_who_sent_them():
    assert_reaches_the_client(Closed(code=CloseCode.BAD_FRAME, text=WIDE * 300))


def assert_reaches_the_client(frame):
    data = encode(frame)
    assert len(data) - HEADER_LEN <= FRAME_TO_CLIENT
    (body,) = Splitter().feed(data)
    assert decode_server(body) == frame


def test_pieces_are_no_longer_than_a_list_may_be():
    assert max(HISTORY_CHUNK, MOVES_A_PIECE, LISTED) <= ARRAY_LEN


@pytest.mark.parametrize(
    "frame",
    [
        Hello(
            version=PROTOCOL_VERSION,
            name=LONG_NAME,
            token="t" * 43,
            seen={f"7K3M9Q{number:02}": MOST for number in range(16)},
        ),
        Create(
            id=MOST, game="conquer", options={"draw": "choose"}, first="creator", private=True, clock_s=86400
        ),
        Play(id=MOST, match=MATCH, turn=MOST, move={"kind": "attack", "planet": 7, "ship": 7}),
    ],
    ids=lambda frame: frame.type,
)
def test_even_the_first_frame_of_an_honest_client_fits(frame):
    limits = Limits()
    (body,) = Splitter(limits.frame, limits.frame_before_hello).feed(encode(frame))
    assert decode_client(body) == frame
