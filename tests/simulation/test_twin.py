"""Secrets stay secret: worlds that differ only in one cannot be told apart until it is revealed."""

import pytest

from protocol.client_frame import Play
from protocol.codec import encode
from protocol.games import grid
from protocol.games.grid import HAND
from protocol.server_frame import Shown
from tests.simulation.planted_bug import MISTAKES
from tests.simulation.twin import heard_by, with_draw, with_pick
from tests.simulation.witness import Witness

SEEDS = range(40)
SHARE = 8


@pytest.mark.parametrize("first", range(0, len(SEEDS), SHARE))
def test_nothing_that_is_sent_or_logged_before_the_reveal_depends_on_a_pick(first):
    revealed = 0
    for seed in range(first, first + SHARE):
        worlds = [with_pick(seed, pick) for pick in HAND]
        for world in worlds[1:]:
            assert world.veiled == worlds[0].veiled
            assert world.outline == worlds[0].outline, "all frames that carry a pick have one length"
        if worlds[0].is_turned_over:
            revealed += 1
            assert len({repr(world.unveiled) for world in worlds}) == len(HAND)
    assert revealed >= SHARE // 2


@pytest.mark.parametrize("first", range(0, len(SEEDS), SHARE))
def test_nothing_that_is_sent_or_logged_before_a_draw_depends_on_it(first):
    revealed = 0
    for seed in range(first, first + SHARE):
        one, other = with_draw(seed, 0), with_draw(seed, 5)
        assert one.veiled == other.veiled
        if one.is_revealed:
            revealed += 1
            assert one.unveiled != other.unveiled
    assert revealed >= SHARE // 2


def test_the_twins_live_through_drops_resumes_refusals_timeouts_lists_and_restarts():
    kinds, codes, logged, starts = set(), set(), set(), 0
    for seed in SEEDS:
        world = with_pick(seed, 1)
        logged |= {fact[2] + fact[3] for fact in world.veiled if fact[1] == "log"}
        starts = max(starts, sum(fact[1] == "start" for fact in world.veiled))
        for name in ("Anna", "Bert", "Carl", "Dora"):
            for frame in heard_by(world, name):
                kinds.add(frame["type"])
                codes.add(frame.get("code"))
    assert kinds >= {"welcome", "seated", "told", "shown", "sighted", "refused", "listed", "closed"}
    assert codes >= {"replaced", "cannot_save", "saving_again"}
    assert any("'reason': 'clock'" in line for line in logged)
    assert starts > 1


def test_a_leak_makes_twins_differ(monkeypatch):
    monkeypatch.setattr(Witness, "_check_shown", lambda *given: None)
    with MISTAKES["a_spectator_sees_a_pick"].make():
        pairs = [(with_pick(seed, 1), with_pick(seed, 2)) for seed in range(6)]
    assert any(one.veiled != other.veiled for one, other in pairs)


def test_all_frames_that_carry_a_pick_have_one_length():
    asked = [Play(id=7, match="7K3M9QXZ", turn=3, move={"kind": "pick", "number": n}) for n in HAND]
    assert len({len(encode(frame)) for frame in asked}) == 1
    views = [
        grid.View(
            viewer=1,
            to_act=(2,),
            size=3,
            cells=(1, 2, 0, 0, 0, 0, 0, 0, 0),
            hands=(HAND, HAND),
            challenge=grid.Standing(cell=2, challenger=1, picked=(1,)),
            pick=n,
            sudden_death=False,
        )
        for n in HAND
    ]
    shown = [
        Shown(re=7, match="7K3M9QXZ", turn=3, view=view, legal=(), first_event=2, events=(), left_ms=None)
        for view in views
    ]
    assert len({len(encode(frame)) for frame in shown}) == 1
