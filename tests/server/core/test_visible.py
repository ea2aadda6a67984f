"""A match as it is shown: packed from parts, and the same as a frame made in one piece."""

from random import Random
from types import SimpleNamespace

import pytest

from protocol.client_frame import Create
from protocol.codec import decode_server
from protocol.limit import HEADER_LEN
from protocol.model import SEATS
from protocol.outcome import RESIGNED, Outcome
from protocol.server_frame import Shown
from server.core import visible
from server.core.match import Match
from server.core.terms import Terms
from tests.server.games.explore import legal_moves
from tests.server.games.playthrough import VARIANTS

NOW = 1000.0


def match_of(variant, random, clock_s=None):
    request = Create(id=1, game=variant.game.id, options=dict(variant.options), clock_s=clock_s)
    match = Match(1, "7K3M9QXZ", Terms.from_request(request), 1, "Anna", 1, NOW)
    match.create()
    _, events = match.begin(2, "Bert", NOW, random.randrange)
    return match, events


def shown(match, viewer, now=NOW, news=0, re=None):
    data = visible.shown(match, viewer, visible.scene(match, now, news), re)
    assert int.from_bytes(data[:HEADER_LEN], "big") == len(data) - HEADER_LEN
    return decode_server(data[HEADER_LEN:])


def expected(match, viewer, events, re):
    game = match.terms.game
    is_asked = viewer is not None and match.outcome is None
    return Shown(
        re=re,
        match=match.code,
        turn=match.turn,
        view=game.view(match.state, viewer),
        legal=game.legal_moves(match.state, viewer) if is_asked else (),
        first_event=len(match.events) - len(events),
        events=tuple(events),
        left_ms=None,
    )


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_viewer_is_shown_the_whole_frame_at_every_step_of_a_match(variant):
    random = Random(7)
    match, events = match_of(variant, random)
    for number in range(1, 200):
        for viewer in (*SEATS, None):
            for re in (None, number):
                assert shown(match, viewer, news=len(events), re=re) == expected(match, viewer, events, re)
        if match.outcome is not None:
            break
        seat, move = random.choice(list(legal_moves(match.terms.game, match.state)))
        _, events = match.play(seat, move, number, NOW, random.randrange, 10_000)


def test_the_time_left_is_shown_and_never_less_than_none():
    match, _ = match_of(VARIANTS[0], Random(7), clock_s=20)
    assert shown(match, 1, now=NOW + 0.5).left_ms == 19_500
    assert shown(match, 1, now=NOW + 21).left_ms == 0


def test_a_match_that_was_ended_offers_nothing_more():
    match, _ = match_of(VARIANTS[0], Random(7))
    assert shown(match, 1).legal
    match.end(Outcome(winner=2, reason=RESIGNED), NOW)
    assert shown(match, 1).legal == ()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_A3_nobody_owes_a_move_in_a_match_that_was_ended(variant):
    match, _ = match_of(variant, Random(7))
    before = {viewer: shown(match, viewer).view for viewer in (*SEATS, None)}
    match.end(Outcome(winner=2, reason=RESIGNED), NOW)
    for viewer, view in before.items():
        assert view.to_act
        assert shown(match, viewer).view == view.model_copy(update={"to_act": ()})


def test_a_state_that_a_game_calls_its_view_cannot_stray_into_a_frame(monkeypatch):
    for variant in VARIANTS:
        match, _ = match_of(variant, Random(7))
        monkeypatch.setattr(
            visible, "_view", lambda match, viewer: SimpleNamespace(viewer=0, all=match.state)
        )
        with pytest.raises(TypeError):
            shown(match, 1)
