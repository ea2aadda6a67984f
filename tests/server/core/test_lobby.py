"""How people find one another: list, create, join and leave."""

import pytest

from protocol.client_frame import Create, Join, Leave, List, Resign, Watch
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from protocol.server_frame import Left, Seated, Shown, Sighted, Told
from tests.server.driver import Hall, kinds, only

NOWHERE = "00000000"


def listed(person):
    (frame,) = person.ask(List)
    return frame


def test_list_shows_what_waits_newest_first():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    first = anna.create("grid", options={"size": "4"}, first="guest", clock_s=60, hints=True)
    hall.wait(5)
    second = anna.create("duel")
    hall.wait(2.5)
    frame = listed(bert)
    assert [match.match for match in frame.matches] == [second, first]
    older = frame.matches[1]
    assert (older.game, older.options, older.creator) == ("grid", {"size": "4"}, "Anna")
    assert (older.first, older.clock_s, older.hints, older.age_s) == ("guest", 60, True, 7)
    assert frame.total == 2


def test_list_hides_private_matches():
    hall = Hall()
    anna = hall.person("Anna")
    anna.create("duel", private=True)
    assert listed(anna).total == 0


def test_list_hides_matches_whose_creator_is_away_until_they_are_back():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    anna.create("duel")
    anna.drop()
    assert listed(bert).total == 0
    anna.come_back()
    assert listed(bert).total == 1


def test_list_hides_matches_that_have_begun():
    hall = Hall()
    anna, _bert, _code = hall.pair("duel")
    assert listed(anna).total == 0


def test_list_of_what_can_be_watched_has_running_matches_that_are_for_all_to_see():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    hall.pair("duel", private=True)
    hall.pair("duel", watchable=False)
    anna.create("duel")
    (frame,) = bert.ask(List, live=True)
    (match,) = frame.matches
    assert (match.match, match.names, match.to_act, frame.total) == (code, ("Anna", "Bert"), (1,), 1)
    anna.drop()
    assert bert.ask(List, live=True)[0].total == 1
    bert.drop()
    assert hall.person("Carl").ask(List, live=True)[0].total == 0
    bert.come_back()
    bert.ask(Resign, match=code)
    assert bert.ask(List, live=True)[0].total == 0


def test_list_tells_of_one_match_by_its_code_though_it_is_private_and_whose_move_is_due():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel", private=True, first="creator")
    (frame,) = bert.ask(List, match=code)
    assert [(match.match, match.names, match.to_act) for match in frame.matches] == [(code, None, ())]
    bert.ask(Join, match=code)
    (frame,) = hall.person("Cleo").ask(List, match=code)
    assert [(match.names, match.to_act) for match in frame.matches] == [(("Anna", "Bert"), (1,))]
    anna.ask(Resign, match=code)
    (frame,) = anna.ask(List, match=code)
    assert [(match.names, match.to_act) for match in frame.matches] == [(("Anna", "Bert"), ())]


def test_list_is_no_way_around_the_limit_on_guesses():
    hall = Hall(Limits(guesses=2))
    bert = hall.person("Bert")
    codes = [bert.refused(List, match=NOWHERE).code for _ in range(3)]
    assert codes == [RefusalCode.NO_SUCH_MATCH, RefusalCode.NO_SUCH_MATCH, RefusalCode.TOO_MANY_GUESSES]


def test_list_shows_64_and_says_how_many_there_are():
    hall = Hall(Limits(frames_burst=200))
    codes = []
    for number in range(9):
        person = hall.person(f"Host {number}", f"192.0.2.{number}")
        codes += [person.create("duel") for _ in range(8)]
    frame = listed(person)
    assert [match.match for match in frame.matches] == codes[::-1][:64]
    assert frame.total == 72


def test_create_seats_the_creator_and_waits():
    hall = Hall()
    anna = hall.person("Anna")
    (seated,) = anna.ask(Create, game="grid", private=True, first="guest", clock_s=90, hints=True)
    assert seated == Seated(
        re=1,
        match=seated.match,
        game="grid",
        options={"size": "3"},
        seat=0,
        names=("Anna", ""),
        present=(True, False),
        begun=False,
        first="guest",
        private=True,
        clock_s=90,
        hints=True,
        score=(0, 0),
        spectators=0,
        previous=None,
    )


def test_create_refuses_an_unknown_game_and_names_those_there_are():
    no = Hall().person("Anna").refused(Create, game="chess")
    assert no.code == RefusalCode.NO_SUCH_GAME
    assert no.text == "There is no such game; the games are galaxy, conquer, grid, digit, duel."


@pytest.mark.parametrize(
    ("game", "options", "text"),
    [
        ("grid", {"size": "7"}, "The option size cannot be '7'; it can be 2, 3, 4, 5, 6."),
        ("grid", {"colour": "red"}, "Grid Conquest has no option 'colour'; it has size (2|3|4|5|6)."),
        ("duel", {"size": "3"}, "Command Line Conquer has no option 'size'; it has none."),
        ("digit", {"draw": "cheat"}, "The option draw cannot be 'cheat'; it can be random, choose."),
    ],
)
def test_create_refuses_an_option_with_a_sentence_that_names_the_allowed_ones(game, options, text):
    no = Hall().person("Anna").refused(Create, game=game, options=options)
    assert (no.code, no.text) == (RefusalCode.BAD_OPTION, text)


def test_create_repeated_with_the_same_id_opens_no_second_match():
    hall = Hall()
    anna = hall.person("Anna")
    request = anna.request(Create, game="duel")
    first = anna.send(request)
    assert anna.send(request) == first
    hall.restart()
    anna.come_back()
    assert anna.send(request) == first
    assert len(hall.world.matches) == len(hall.disk.entries()) == 1


def test_create_with_another_id_or_by_somebody_else_opens_another_match():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    codes = {anna.create("duel"), anna.create("duel"), bert.create("duel")}
    assert len(codes) == 3


@pytest.mark.parametrize(("first", "seats"), [("creator", ("Anna", "Bert")), ("guest", ("Bert", "Anna"))])
def test_a1_player_1_is_whom_the_option_names_and_takes_the_first_turn(first, seats):
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel", first=first)
    bert.ask(Join, match=code)
    for person in (anna, bert):
        assert person.last(Seated).names == seats
        assert person.last(Seated).seat == 1 + seats.index(person.name)
        assert person.last(Shown).view.to_act == (1,)


def test_a1_a_toss_is_a_coin_thrown_by_the_server_and_kept_in_the_journal():
    firsts = set()
    for seed in range(20):
        hall = Hall(seed=seed)
        anna, bert = hall.person("Anna"), hall.person("Bert")
        code = anna.create("duel")
        bert.ask(Join, match=code)
        first = anna.last(Seated).names[0]
        firsts.add(first)
        begun = hall.disk.entries()[-1].body
        assert begun["chance"] == [0 if first == "Anna" else 1]
        hall.restart()
        assert hall.match(code).names[0] == first
    assert firsts == {"Anna", "Bert"}


def test_join_begins_the_match_for_both_and_answers_the_guest():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel", first="creator")
    anna.news()
    answer = bert.ask(Join, match=code)
    assert kinds(answer) == kinds(anna.news()) == ["seated", "shown"]
    assert (answer[0].re, answer[0].seat, answer[0].begun) == (1, 2, True)
    assert (anna.last(Seated).re, anna.last(Seated).seat) == (None, 1)


def test_join_of_ones_own_match_is_refused():
    hall = Hall()
    anna = hall.person("Anna")
    code = anna.create("duel")
    assert anna.refused(Join, match=code).code == RefusalCode.ALREADY_SEATED


def test_join_of_a_full_match_is_refused():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel")
    assert hall.person("Carl").refused(Join, match=code).code == RefusalCode.MATCH_FULL


@pytest.mark.parametrize("who", [0, 1])
def test_join_repeated_shows_the_seat_that_one_has(who):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.play(code, "heal")
    before = hall.portrait()
    frames = (anna, bert)[who].ask(Join, match=code)
    assert kinds(frames) == ["seated", "told", "shown"]
    assert (frames[0].seat, frames[0].re) == (who + 1, frames[0].re)
    assert hall.portrait() == before


def test_join_while_the_creator_is_away_begins_with_an_empty_chair():
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel", private=True, first="creator")
    anna.drop()
    frames = bert.ask(Join, match=code)
    assert only(Seated, frames).present == (False, True)
    assert only(Sighted, frames) == Sighted(match=code, seat=1, present=False, claim_in_s=60)
    anna.come_back()
    assert only(Sighted, bert.news()).present


def test_leave_takes_an_unjoined_match_back():
    hall = Hall()
    anna = hall.person("Anna")
    code = anna.create("duel")
    assert anna.ask(Leave, match=code) == [Left(re=2, match=code)]
    assert hall.world.matches == {}
    anna.drop()
    assert kinds(anna.come_back()) == ["welcome"]


def test_leave_of_a_running_match_is_refused():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    no = anna.refused(Leave, match=code)
    assert no.code == RefusalCode.NOT_OVER
    assert "resign" in no.text


def test_leave_puts_a_finished_match_away_and_the_second_leave_retires_it():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    bert.news()
    assert kinds(anna.ask(Leave, match=code)) == ["left"]
    assert bert.news() == [Sighted(match=code, seat=1, present=False, claim_in_s=None)]
    assert code in hall.world.matches
    assert anna.refused(Leave, match=code).code == RefusalCode.NOT_SEATED
    anna.drop()
    assert kinds(anna.come_back()) == ["welcome"], "what was put away is not shown again"
    bert.ask(Leave, match=code)
    assert hall.world.matches == {}


def test_a_second_leave_is_refused_either_way():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    carl.ask(Leave, match=code)
    assert carl.refused(Leave, match=code).code == RefusalCode.NO_SUCH_MATCH
    anna.ask(Resign, match=code)
    anna.ask(Leave, match=code)
    assert anna.refused(Leave, match=code).code == RefusalCode.NOT_SEATED
    bert.ask(Leave, match=code)
    assert anna.refused(Leave, match=code).code == RefusalCode.NO_SUCH_MATCH


@pytest.mark.parametrize("kind", [Join, Watch])
def test_a_repeated_join_or_watch_tells_all_events_from_the_first(kind):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.play(code, "attack")
    asker = bert if kind is Join else hall.person("Carl")
    for _ in range(2):
        frames = asker.ask(kind, match=code)
        assert (only(Told, frames).first_event, len(only(Told, frames).events)) == (0, 1)


def test_a_finished_match_is_put_away_when_nobody_does():
    hall = Hall(Limits(finished_kept_s=100))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    hall.wait(99)
    assert code in hall.world.matches
    hall.wait(1)
    assert hall.world.matches == {}
    assert anna.last(Left) == bert.last(Left) == Left(re=None, match=code)


def test_guessing_is_stopped_for_a_while_and_then_allowed_again():
    hall = Hall(Limits(guesses=3, guess_window_s=60))
    anna = hall.person("Anna")
    code = hall.person("Bert").create("duel")
    for _ in range(3):
        assert anna.refused(Join, match=NOWHERE).code == RefusalCode.NO_SUCH_MATCH
    assert anna.refused(Join, match=NOWHERE).code == RefusalCode.TOO_MANY_GUESSES
    assert anna.refused(Join, match=code).code == RefusalCode.TOO_MANY_GUESSES, "the right one as well"
    hall.wait(19)
    assert anna.refused(Join, match=code).code == RefusalCode.TOO_MANY_GUESSES
    hall.wait(1)
    assert kinds(anna.ask(Join, match=code)) == ["seated", "shown"]


def test_guesses_are_counted_by_address_and_not_by_person():
    hall = Hall(Limits(guesses=2))
    one, two = hall.person("One", "203.0.113.5"), hall.person("Two", "203.0.113.5")
    far = hall.person("Far", "203.0.113.6")
    one.refused(Join, match=NOWHERE)
    two.refused(Join, match=NOWHERE)
    assert one.refused(Join, match=NOWHERE).code == RefusalCode.TOO_MANY_GUESSES
    assert far.refused(Join, match=NOWHERE).code == RefusalCode.NO_SUCH_MATCH


def test_right_codes_are_no_guesses():
    hall = Hall(Limits(guesses=1, frames_burst=200))
    anna, bert = hall.person("Anna"), hall.person("Bert")
    for _ in range(3):
        code = hall.begin(anna, bert, "duel")
        anna.ask(Resign, match=code)
    assert not hall.world.budget.guesses


def test_old_guesses_are_forgotten():
    hall = Hall()
    anna = hall.person("Anna")
    anna.refused(Join, match=NOWHERE)
    assert len(hall.world.budget.guesses) == 1
    hall.wait(61)
    assert not hall.world.budget.guesses
