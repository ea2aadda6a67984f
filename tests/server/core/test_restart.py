"""Starting again: what the journal holds becomes the same matches, and damage to one is damage to one."""

from random import Random

import pytest

from protocol.client_frame import CallOff, Join, Leave, Rematch, Resign
from protocol.limit import Limits
from protocol.server_frame import Seated, Shown
from server.core.entry import BEGUN, CREATED, ENDED, MOVED, Entry, Fact
from server.core.match import Damaged, rebuild
from server.games import GAMES
from tests.server.driver import Hall, only, portrait

EPHEMERAL = {"absent_since", "offers", "spectators", "left"}
"""What a restart forgets by design: who was there, and what was only said."""


def lasting(match):
    return {name: value for name, value in portrait(match).items() if name not in EPHEMERAL}


def play_at_random(hall, code, random, moves):
    """Make some legal moves, by whoever owes one."""
    for _ in range(moves):
        hall.move_at_random(code, random)
        hall.now += random.uniform(0.5, 3)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(12))
def test_histories_replay_to_equal_matches(game, seed):
    random = Random(f"{game} {seed}")
    hall = Hall(Limits(frames_burst=10_000), seed)
    anna, bert = hall.person("Anna"), hall.person("Bert")
    option = {name: random.choice(option.allowed) for name, option in GAMES[game].options.items()}
    code = anna.create(game, options=option, first=random.choice(["toss", "creator", "guest"]))
    bert.ask(Join, match=code)
    play_at_random(hall, code, random, random.randrange(60))
    before = lasting(hall.match(code))
    hall.restart()
    assert hall.damage == []
    assert lasting(hall.match(code)) == before


def test_a_standing_pick_survives_and_is_still_sealed():
    hall = Hall()
    anna, bert, code = hall.pair("grid")
    anna.play(code, "claim", cell=5)
    bert.play(code, "challenge", cell=5)
    bert.play(code, "pick", number=4)
    before = lasting(hall.match(code))
    hall.restart()
    assert lasting(hall.match(code)) == before
    assert only(Shown, anna.come_back()).view.pick is None
    assert only(Shown, bert.come_back()).view.pick == 4
    frames = anna.play(code, "pick", number=2)
    assert frames[0].events[-1].numbers == (2, 4)


def test_unjoined_finished_and_called_off_matches_come_back_too():
    hall = Hall()
    anna, bert, resigned = hall.pair("duel")
    called_off = hall.begin(anna, bert, "galaxy")
    waiting = anna.create("grid", private=True, clock_s=60, hints=True, options={"size": "4"})
    anna.ask(Resign, match=resigned)
    anna.ask(CallOff, match=called_off)
    bert.ask(CallOff, match=called_off)
    before = {code: lasting(match) for code, match in hall.world.matches.items()}
    hall.restart()
    assert {code: lasting(match) for code, match in hall.world.matches.items()} == before
    assert set(before) == {resigned, called_off, waiting}


def test_a_match_that_was_put_away_does_not_come_back():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.ask(Leave, match=code)
    bert.ask(Leave, match=code)
    hall.restart()
    assert hall.world.matches == {}


def test_a_series_goes_on_after_a_restart():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.ask(Rematch, match=code)
    again = bert.ask(Rematch, match=code)[0].match
    hall.restart()
    for person in (anna, bert):
        person.come_back()
    assert (hall.match(again).previous, hall.match(code).successor) == (code, again)
    assert hall.match(again).score == (1, 0)
    answer = anna.ask(Rematch, match=code)
    assert (answer[0].match, answer[0].score) == (again, (1, 0))


def test_a_match_that_ended_by_the_move_cap_stays_ended_when_the_cap_is_raised():
    hall = Hall(Limits(moves_per_match=3))
    anna, bert, code = hall.pair("duel")
    for person in (anna, bert, anna):
        person.play(code, "heal")
    before = lasting(hall.match(code))
    hall.limits = Limits()
    hall.restart()
    assert lasting(hall.match(code)) == before


def test_a_long_match_goes_on_when_the_cap_is_lowered_below_its_length():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    for person in (anna, bert, anna):
        person.play(code, "heal")
    before = lasting(hall.match(code))
    hall.limits = Limits(moves_per_match=2)
    hall.restart()
    assert hall.damage == []
    assert lasting(hall.match(code)) == before


def a_history():
    """Play a match with picks, luck and an end; return its entries."""
    hall = Hall()
    anna, _bert, code = hall.pair("digit")
    play_at_random(hall, code, Random(1), 5)
    anna.ask(Resign, match=code)
    return hall.disk.entries()


def changed(history, place, **body):
    damaged = list(history)
    damaged[place] = history[place]._replace(body={**history[place].body, **body})
    return damaged


def without_key(history, place, key):
    damaged = list(history)
    damaged[place] = history[place]._replace(body={k: v for k, v in history[place].body.items() if k != key})
    return damaged


def damages():
    whole = a_history()
    assert [entry.kind for entry in whole] == [CREATED, BEGUN, *[MOVED] * 5, ENDED]
    yield "no beginning", whole[1:]
    yield "a hole", whole[:3] + whole[4:]
    yield "an entry twice", whole[:4] + whole[3:]
    yield "begun twice", [*whole[:2], whole[1]._replace(place=2)]
    yield "ended twice", [*whole, whole[-1]._replace(place=8)]
    yield "a move after the end", [*whole, whole[2]._replace(place=8)]
    yield "an unknown kind", [*whole[:-1], whole[-1]._replace(kind="sneezed")]
    yield "an unknown game", changed(whole, 0, game="chess")
    yield "an impossible option", changed(whole, 0, options={"draw": "cheat"})
    yield "a score that is none", changed(whole, 0, score=["1", 0])
    yield "one seat too many", changed(whole, 1, seats=[1, 2, 3])
    yield "a name that is none", changed(whole, 1, names=["Anna", None])
    yield "too much luck", changed(whole, 1, chance=[*whole[1].body["chance"], 0])
    yield "too little luck", changed(whole, 1, chance=[])
    yield "impossible luck", changed(whole, 1, chance=[99])
    yield "no move at all", changed(whole, 2, move={"kind": "sneeze"})
    yield "an illegal move", changed(whole, 2, move={"kind": "draw", "digit": 3})
    yield "a move of a third seat", changed(whole, 2, seat=3)
    yield "a move of the wrong seat", changed(whole, 2, seat=3 - whole[2].body["seat"])
    yield "a time that is none", changed(whole, 2, at="noon")
    yield "a beginning without a time", changed(whole, 0, at=None)
    yield "an end for no reason", changed(whole, 7, reason="")
    for place, entry in enumerate(whole):
        for key in entry.body:
            yield f"{entry.kind} without {key}", without_key(whole, place, key)


def is_recognised(history):
    try:
        rebuild(history)
    except Damaged:
        return True
    return False


def test_damage_of_every_kind_is_recognised():
    assert [what for what, history in damages() if not is_recognised(history)] == []


def test_the_report_of_damage_holds_no_secret():
    hall = Hall()
    anna, bert, code = hall.pair("grid")
    anna.play(code, "claim", cell=5)
    bert.play(code, "challenge", cell=5)
    bert.play(code, "pick", number=4)
    anna.play(code, "pick", number=4)
    history = hall.disk.entries()[:5]
    with pytest.raises(Damaged) as damage:
        rebuild([*history, history[4]._replace(place=5)])
    assert str(damage.value) == "entry 5 does not fit (Illegal)"


def test_a_damaged_match_is_reported_and_left_alone_and_the_others_come_back():
    hall = Hall()
    anna, bert, first = hall.pair("duel")
    second, third = hall.begin(anna, bert, "galaxy"), hall.begin(anna, bert, "conquer")
    stream = hall.match(second).stream
    hall.disk.kept = [
        write._replace(kind="sneezed") if isinstance(write, Entry) and write[:2] == (stream, 1) else write
        for write in hall.disk.kept
    ]
    kept = list(hall.disk.kept)
    hall.restart()
    assert hall.damage == [f"match {stream}: entry 1 does not fit"]
    assert set(hall.world.matches) == {first, third}
    hall.wait(5)
    assert hall.disk.kept == kept
    shown = [frame.match for frame in anna.come_back() if isinstance(frame, Seated)]
    assert shown == [first, third]


@pytest.mark.parametrize("body", [{}, {"name": "Anna"}, {"at": "noon", "pauses": 3}])
@pytest.mark.parametrize("key", ["session:1", "session:x", "alive"])
def test_a_damaged_record_is_reported_and_costs_nobody_else_anything(key, body):
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=60)
    hall.disk.kept.append(Fact(key, body))
    hall.restart()
    (damage,) = hall.damage
    assert damage.startswith(f"{key} does not fit")
    for person in (anna, bert):
        assert person.come_back()[0].type == "welcome"
    assert hall.match(code).is_running()


def test_an_empty_journal_gives_an_empty_server():
    hall = Hall()
    hall.restart()
    assert (hall.world.matches, len(hall.world.sessions), hall.damage) == ({}, 0, [])
