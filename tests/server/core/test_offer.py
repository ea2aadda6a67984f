"""What two players settle between themselves: calling off and playing again."""

import pytest

from protocol.client_frame import CallOff, Leave, Rematch, Resign
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from protocol.server_frame import Ended, Offered, Seated, Shown
from tests.server.driver import Hall, kinds, only


def finished(hall, **terms):
    """Bring a match to its end; seat 2 has won."""
    anna, bert, code = hall.pair("duel", **terms)
    anna.ask(Resign, match=code)
    bert.news()
    return anna, bert, code


def test_a3_calling_off_needs_both_and_has_no_winner():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.news()
    (made,) = anna.ask(CallOff, id=5, match=code)
    assert made == Offered(re=5, match=code, offer="calloff", seat=1, standing=True)
    assert bert.news() == [made.model_copy(update={"re": None})]
    ended = only(Ended, bert.ask(CallOff, id=6, match=code))
    assert (ended.re, ended.outcome.winner, ended.outcome.reason) == (6, None, "called_off")
    assert anna.last(Ended).outcome == ended.outcome
    assert ended.score == (0, 0)


@pytest.mark.parametrize("kind", [CallOff, Rematch])
@pytest.mark.parametrize("by", [0, 1], ids=["withdrawn", "declined"])
def test_an_offer_can_be_withdrawn_and_declined(kind, by):
    hall = Hall()
    anna, bert, code = hall.pair("duel") if kind is CallOff else finished(hall)
    anna.ask(kind, match=code)
    bert.news()
    people = (anna, bert)
    (gone,) = people[by].ask(kind, match=code, agree=False)
    offer = "calloff" if kind is CallOff else "rematch"
    assert (gone.offer, gone.seat, gone.standing) == (offer, 1, False)
    assert people[1 - by].news()[-1] == gone.model_copy(update={"re": None})
    assert hall.match(code).offers == {}


@pytest.mark.parametrize("kind", [CallOff, Rematch])
def test_there_must_be_an_offer_to_withdraw_or_decline(kind):
    hall = Hall()
    anna, bert, code = hall.pair("duel") if kind is CallOff else finished(hall)
    for person in (anna, bert):
        assert person.refused(kind, match=code, agree=False).code == RefusalCode.NO_OFFER


@pytest.mark.parametrize("kind", [CallOff, Rematch])
def test_an_offer_made_twice_is_one_offer(kind):
    hall = Hall()
    anna, bert, code = hall.pair("duel") if kind is CallOff else finished(hall)
    anna.ask(kind, match=code)
    (again,) = anna.ask(kind, match=code)
    assert again.standing
    assert len(hall.match(code).offers) == 1
    assert bert.inbox[-1].type == "offered"


def test_an_offer_to_call_off_stands_while_moves_are_made_and_ends_with_the_match():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(CallOff, match=code)
    anna.play(code, "attack")
    assert hall.match(code).offers == {"calloff": 1}
    bert.ask(Resign, match=code)
    assert hall.match(code).offers == {}
    assert bert.refused(CallOff, match=code).code == RefusalCode.MATCH_OVER


def test_a_rematch_swaps_the_seats_and_keeps_the_score():
    hall = Hall()
    anna, bert, code = finished(hall, clock_s=60, hints=True, private=True)
    anna.ask(Rematch, match=code)
    frames = bert.ask(Rematch, id=7, match=code)
    assert kinds(frames) == ["seated", "shown"]
    seated = frames[0]
    assert (seated.re, seated.seat, seated.names, seated.score) == (7, 1, ("Bert", "Anna"), (1, 0))
    assert (seated.previous, seated.clock_s, seated.hints, seated.private) == (code, 60, True, True)
    assert (anna.last(Seated).re, anna.last(Seated).seat) == (None, 2)
    assert anna.last(Shown).view.to_act == (1,)
    again = seated.match
    anna.ask(Resign, match=again)
    assert anna.last(Ended).score == (2, 0)


def test_a_series_counts_the_wins_of_each_player_whatever_the_seat():
    hall = Hall(Limits(frames_burst=1000))
    anna, bert, code = hall.pair("duel")
    wins = {"Anna": 0, "Bert": 0}
    for loser, winner in [(anna, bert), (anna, bert), (bert, anna), (anna, bert), (bert, anna)]:
        loser.ask(Resign, match=code)
        wins[winner.name] += 1
        names = anna.last(Seated).names
        assert anna.last(Ended).score == (wins[names[0]], wins[names[1]])
        anna.ask(Rematch, match=code)
        code = bert.ask(Rematch, match=code)[0].match
        assert anna.last(Seated).names == names[::-1]


def test_a_match_that_was_called_off_counts_for_nobody():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(CallOff, match=code)
    bert.ask(CallOff, match=code)
    anna.ask(Rematch, match=code)
    assert bert.ask(Rematch, match=code)[0].score == (0, 0)


def test_a_rematch_asked_for_again_is_the_one_that_has_begun():
    hall = Hall()
    anna, bert, code = finished(hall)
    anna.ask(Rematch, match=code)
    again = bert.ask(Rematch, match=code)[0].match
    matches = len(hall.world.matches)
    for person, seat in ((anna, 2), (bert, 1)):
        frames = person.ask(Rematch, match=code)
        assert kinds(frames) == ["seated", "shown"]
        assert (frames[0].match, frames[0].seat) == (again, seat)
    assert len(hall.world.matches) == matches


def test_a_rematch_is_for_a_match_that_is_over():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    assert anna.refused(Rematch, match=code).code == RefusalCode.NOT_OVER


def test_there_is_no_rematch_with_one_who_has_left():
    hall = Hall()
    anna, bert, code = finished(hall)
    anna.ask(Rematch, match=code)
    bert.ask(Leave, match=code)
    no = anna.refused(Rematch, match=code)
    assert (no.code, no.text) == (
        RefusalCode.NO_OFFER,
        "Your opponent has left; there is nobody to play again with.",
    )


def test_a_rematch_can_be_agreed_to_while_the_other_is_away():
    hall = Hall()
    anna, bert, code = finished(hall)
    anna.ask(Rematch, match=code)
    anna.drop()
    frames = bert.ask(Rematch, match=code)
    assert only(Seated, frames).present == (True, False)
    assert hall.match(frames[0].match).claimable_in(2, hall.now, 60) == 60
