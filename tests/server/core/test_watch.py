"""Those who watch: they see what both seats share and no more, and how many they are is public."""

import pytest

from protocol.client_frame import CallOff, Chat, Claim, Export, Join, Leave, Play, Rematch, Resign, Watch
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from protocol.server_frame import Left, Seated, Shown, Watched
from server.games import GAMES
from tests.server.driver import Hall, kinds, only


def audience(hall, code, size):
    people = [hall.person(f"Seer {number}", f"198.51.100.{number}") for number in range(size)]
    for person in people:
        assert person.ask(Watch, match=code)[0].type == "seated"
    return people


def test_watch_shows_the_match_from_its_beginning():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    anna.play(code, "attack")
    frames = hall.person("Carl").ask(Watch, match=code)
    assert kinds(frames) == ["seated", "told", "shown"]
    assert (frames[0].re, frames[0].seat, frames[0].spectators) == (1, 0, 1)
    assert frames[1].first_event == 0
    assert (frames[2].view.viewer, frames[2].legal) == (0, ())


def test_a_match_without_spectators_is_watched_by_nobody_nor_are_its_rematches():
    hall = Hall()
    anna, bert, code = hall.pair("duel", watchable=False)
    carl = hall.person("Carl")
    assert carl.refused(Watch, match=code).code is RefusalCode.NOT_WATCHABLE
    hall.restart()
    for person in (anna, bert):
        person.come_back()
    carl = hall.person("Carl")
    assert carl.refused(Watch, match=code).code is RefusalCode.NOT_WATCHABLE
    anna.ask(Resign, match=code)
    anna.ask(Rematch, match=code)
    seated = only(Seated, bert.ask(Rematch, match=code))
    assert carl.refused(Watch, match=seated.match).code is RefusalCode.NOT_WATCHABLE


def test_watch_of_a_match_that_has_not_begun_waits_for_it():
    hall = Hall()
    anna, bert, carl = hall.person("Anna"), hall.person("Bert"), hall.person("Carl")
    code = anna.create("duel")
    (seated,) = carl.ask(Watch, match=code)
    assert not seated.begun
    carl.news()
    bert.ask(Join, match=code)
    assert kinds(carl.news()) == ["seated", "shown"]


def test_nothing_about_a_match_comes_before_its_terms():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    assert kinds(carl.ask(Watch, match=code))[0] == "seated"


def test_everybody_hears_how_many_watch():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    (first,) = audience(hall, code, 1)
    hall.wait(1)
    assert anna.news()[-1] == bert.news()[-1] == Watched(match=code, count=1)
    (second,) = audience(hall, code, 1)
    first.news()
    hall.wait(1)
    assert anna.news() == bert.news() == first.news() == [Watched(match=code, count=2)]
    second.ask(Leave, match=code)
    second.news()
    hall.wait(1)
    assert anna.news() == first.news() == [Watched(match=code, count=1)]
    assert second.news() == []


def test_many_who_come_and_go_are_told_of_once_a_second():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    crowd = audience(hall, code, 8)
    anna.news()
    for _ in range(10):
        for person in crowd:
            person.drop()
            person.come_back()
    assert anna.news() == []
    hall.wait(1)
    assert anna.news() == [Watched(match=code, count=8)]
    hall.wait(5)
    assert anna.news() == []


def test_watch_repeated_counts_nobody_twice():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    anna.news()
    assert carl.ask(Watch, match=code)[0].spectators == 1
    assert anna.news() == []


def test_a_spectator_who_is_gone_is_not_counted_and_is_counted_again_on_coming_back():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    anna.news()
    carl.drop()
    hall.wait(1)
    assert anna.news()[-1] == Watched(match=code, count=0)
    anna.play(code, "attack")
    frames = carl.come_back()
    assert kinds(frames) == ["welcome", "seated", "told", "shown"]
    assert only(Seated, frames).spectators == 1
    hall.wait(1)
    assert anna.news()[-1] == Watched(match=code, count=1)


def test_spectators_who_are_gone_keep_nobody_out():
    hall = Hall(Limits(spectators_per_match=2))
    _anna, _bert, code = hall.pair("duel")
    for person in audience(hall, code, 2):
        person.drop()
    audience(hall, code, 2)


def test_a_spectator_who_comes_back_to_a_full_house_is_told_so():
    hall = Hall(Limits(spectators_per_match=1))
    _anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    carl.drop()
    audience(hall, code, 1)
    assert carl.come_back()[1:] == [Left(re=None, match=code)]
    carl.drop()
    assert kinds(carl.come_back()) == ["welcome"]


def test_a_spectator_who_comes_back_after_the_match_was_put_away_is_told_so():
    hall = Hall(Limits(finished_kept_s=10))
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    carl.drop()
    anna.ask(Resign, match=code)
    hall.wait(11)
    assert carl.come_back()[1:] == [Left(re=None, match=code)]


def test_a_spectator_who_connects_again_from_elsewhere_is_counted_once():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    anna.news()
    carl.come_back()
    assert len(hall.match(code).spectators) == 1
    assert anna.news() == []


def test_when_a_watched_match_is_put_away_its_spectators_are_told():
    hall = Hall(Limits(finished_kept_s=10))
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    anna.ask(Resign, match=code)
    hall.wait(11)
    assert carl.last(Left) == Left(re=None, match=code)


def test_players_cannot_watch_their_own_match():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    for person in (anna, bert):
        assert person.refused(Watch, match=code).code == RefusalCode.ALREADY_SEATED


def test_a_spectator_can_sit_down_and_is_a_spectator_no_more():
    hall = Hall()
    anna, carl = hall.person("Anna"), hall.person("Carl")
    code = anna.create("duel", first="creator")
    carl.ask(Watch, match=code)
    frames = carl.ask(Join, match=code)
    assert only(Seated, frames).seat == 2
    assert hall.match(code).spectators == {}
    assert anna.last(Seated).spectators == 0


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Play, {"turn": 0, "move": {"kind": "attack"}}),
        (Chat, {"text": "boo"}),
        (Resign, {}),
        (CallOff, {}),
        (Claim, {}),
        (Rematch, {}),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_spectators_can_do_nothing(kind, fields):
    hall = Hall()
    _anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    assert carl.refused(kind, match=code, **fields).code == RefusalCode.NOT_SEATED


def test_spectators_do_not_hear_what_the_players_say():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    anna.ask(Chat, match=code, text="a word in private")
    anna.ask(CallOff, match=code)
    assert carl.news() == []


def test_spectators_go_along_to_the_rematch_and_watch_one_match_only():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    for _ in range(3):
        anna.ask(Resign, match=code)
        anna.ask(Rematch, match=code)
        bert.ask(Rematch, match=code)
        seated = carl.last(Seated)
        assert (seated.previous, seated.seat, seated.spectators) == (code, 0, 1)
        code = seated.match
    session = hall.world.sessions.find(carl.token)
    assert list(session.watching) == [code]


def test_a_record_is_for_the_players_and_for_those_who_watch():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    eve = hall.person("Eve")
    assert carl.refused(Export, match=code).code == RefusalCode.NOT_OVER
    anna.ask(Resign, match=code)
    carl.news()
    assert kinds(carl.ask(Export, match=code)) == ["exported"]
    assert eve.refused(Export, match=code).code == RefusalCode.NO_SUCH_MATCH


def test_a_record_is_for_those_who_watch_when_they_ask_for_it():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    (carl,) = audience(hall, code, 1)
    anna.ask(Resign, match=code)
    hall.is_instant = False
    carl.ask(Export, match=code)
    carl.ask(Leave, match=code)
    hall.sync()
    assert kinds(carl.news()) == ["left", "exported"]
    carl.ask(Export, match=code)
    hall.sync()
    assert kinds(carl.news()) == ["refused"]


@pytest.mark.parametrize("game", GAMES)
def test_a_spectators_view_has_nothing_that_is_not_in_both_seats_views(game):
    hall = Hall()
    anna, bert, code = hall.pair(game)
    (carl,) = audience(hall, code, 1)
    seen = carl.last(Shown).view.model_dump()
    for person in (anna, bert):
        own = person.last(Shown).view.model_dump()
        private = {"viewer", "pick"}
        assert {key: value for key, value in seen.items() if key not in private} == {
            key: value for key, value in own.items() if key not in private
        }
    assert seen.get("pick") is None


def test_a_player_who_watches_another_match_watches_on_after_a_restart():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel")
    carl, _dora, _own = hall.pair("galaxy")
    carl.ask(Watch, match=code)
    hall.restart()
    frames = carl.come_back()
    assert code in [frame.match for frame in frames if isinstance(frame, Seated)]
    assert list(hall.match(code).spectators)


def test_who_only_watches_watches_on_after_a_restart():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    hall.restart()
    assert kinds(carl.come_back())[:2] == ["welcome", "seated"]
    assert list(hall.match(code).spectators)


def test_who_watched_a_match_that_a_restart_did_not_bring_back_is_told_so():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    carl.drop()
    anna.ask(Resign, match=code)
    hall.wait(Limits().finished_kept_s + 1)
    hall.restart()
    assert only(Left, carl.come_back()).match == code


def test_who_has_left_a_match_hears_no_more_of_it():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.ask(Leave, match=code)
    anna.news()
    bert.ask(Chat, match=code, text="Well played!")
    hall.person("Carl").ask(Watch, match=code)
    bert.drop()
    bert.come_back()
    assert anna.news() == []
