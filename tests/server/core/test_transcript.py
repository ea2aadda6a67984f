"""The record of a finished match: complete, in pieces that fit, and the same again when read back."""

import json
from random import Random

import pytest

from protocol.client_frame import Join, Resign
from protocol.codec import decode_server, encode
from protocol.games import parse_move
from protocol.limit import FRAME_TO_CLIENT, HEADER_LEN, Limits
from protocol.outcome import Outcome
from server.core import transcript
from server.core.entry import ENDED
from server.core.match import Damaged
from server.core.transcript import pieces, to_lines, transcribe
from server.games import GAMES
from server.games.chance import Recorded
from tests.server.driver import Hall


def finished(game="digit", first="toss", moves=0, **terms):
    """Play a match with legal moves of seat and luck, and resign it; return the server and the code."""
    hall = Hall(Limits(frames_burst=10_000))
    anna, bert = hall.person("Anna"), hall.person("Zoë")
    code = anna.create(game, first=first, **terms)
    bert.ask(Join, match=code)
    random = Random(moves)
    for _ in range(moves):
        hall.move_at_random(code, random)
    if hall.match(code).outcome is None:
        anna.ask(Resign, match=code)
    return hall, code


def record_of(hall):
    return transcribe(hall.disk.entries())


@pytest.mark.parametrize("first", ["toss", "creator", "guest"])
def test_a_record_holds_what_is_needed_to_play_the_game_again(first):
    hall, code = finished(first=first, moves=7)
    record, match = record_of(hall), hall.match(code)
    assert (record.code, record.game, record.options) == (code, "digit", {"draw": "random"})
    assert (record.names, record.outcome) == (match.names, match.outcome)
    game = GAMES[record.game]
    chance = Recorded(record.chance)
    state, _ = game.setup(record.options, chance)
    assert chance.is_used_up(), "the toss for the first seat is not part of it"
    for move in record.moves:
        chance = Recorded(move["chance"])
        state, _ = game.apply(state, move["seat"], parse_move(record.game, move["move"]), chance)
        assert chance.is_used_up()
    assert state == match.state


def test_there_is_no_record_of_what_is_not_over():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel")
    assert record_of(hall) is None
    bert.ask(Join, match=code)
    assert record_of(hall) is None
    assert transcribe([]) is None


def test_a_damaged_history_is_no_record():
    hall, _ = finished(moves=3)
    entries = hall.disk.entries()
    for damaged in (entries[1:], entries[:3] + entries[4:], [entries[0], *entries[2:]]):
        with pytest.raises(Damaged):
            transcribe(damaged)
    spoilt = entries[2]._replace(body={})
    with pytest.raises(Damaged):
        transcribe([*entries[:2], spoilt, *entries[3:]])


def test_a_match_is_played_again_only_when_nobody_knows_how_it_ended(monkeypatch):
    hall, _code = finished("conquer", moves=0)
    resigned = hall.disk.entries()
    hall.wait(2 * hall.limits.finished_kept_s)
    put_away = hall.disk.entries()
    monkeypatch.delattr(transcript, "rebuild")
    ended = Outcome(winner=1, reason="resigned")
    assert transcribe(resigned).outcome == transcribe(put_away).outcome
    by_the_rules = [entry for entry in resigned if entry.kind != ENDED]
    assert transcribe(by_the_rules, ended).outcome == ended
    retired = put_away[-1]._replace(place=len(by_the_rules))
    assert transcribe([*by_the_rules, retired]).outcome == transcribe(resigned).outcome


@pytest.mark.parametrize(("moves", "sizes"), [(0, [0]), (127, [127]), (128, [128]), (129, [128, 1])])
def test_pieces_hold_every_move_once_and_the_last_says_so(moves, sizes):
    hall, _ = finished("duel", moves=0)
    record = record_of(hall)
    made = {"seat": 1, "move": {"kind": "heal"}, "chance": [], "at": 1.0}
    record = record._replace(moves=[{**made, "at": float(number)} for number in range(moves)])
    packed = [(decode_server(data[HEADER_LEN:]), is_last) for data, is_last in pieces(record, 7)]
    cut = [piece for piece, _ in packed]
    assert [is_last for _, is_last in packed] == [not piece.more for piece in cut]
    assert [len(piece.moves) for piece in cut] == sizes
    assert [piece.more for piece in cut] == [True] * (len(cut) - 1) + [False]
    assert [turned.at for piece in cut for turned in piece.moves] == [float(n) for n in range(moves)]
    assert [piece.first for piece in cut] == [128 * number for number in range(len(cut))]
    assert all(len(encode(piece)) < FRAME_TO_CLIENT for piece in cut)


def test_lines_are_json_and_read_back_to_the_same():
    hall, code = finished(moves=9)
    record = record_of(hall)
    header, *moves = [json.loads(line) for line in to_lines(record)]
    assert header == {
        "conquest": 1,
        "match": code,
        "game": "digit",
        "options": {"draw": "random"},
        "names": list(record.names),
        "chance": record.chance,
        "outcome": {"winner": record.outcome.winner, "reason": "resigned"},
        "seat": 0,
    }
    assert moves == record.moves
    assert all("\n" not in line for line in to_lines(record))


def test_no_session_and_no_request_leaves_with_a_record():
    hall, _ = finished(moves=3)
    record = record_of(hall)
    text = "\n".join(to_lines(record))
    (match,) = hall.world.matches.values()
    for session in match.seats:
        assert str(session) not in text
    assert set(json.loads(text.splitlines()[1])) == {"seat", "move", "chance", "at"}
