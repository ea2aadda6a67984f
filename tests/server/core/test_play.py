"""Playing: a move counts once, in its turn, by its owner, or it is refused and nothing has changed."""

import pytest

from protocol.client_frame import Chat, Claim, Play, Resign
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from protocol.server_frame import Chatted, Ended, Shown
from tests.server.driver import Hall, kinds, only


def move(turn, kind, **fields):
    return {"turn": turn, "move": {"kind": kind, **fields}}


def test_a_move_is_shown_to_both_and_answers_the_mover():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.news()
    (shown,) = anna.play(code, "attack", id=17)
    (seen,) = bert.news()
    assert (shown.re, seen.re) == (17, None)
    assert (shown.view.viewer, seen.view.viewer) == (1, 2)
    assert shown.events == seen.events
    assert (shown.turn, shown.first_event, len(shown.events)) == (1, 0, 1)
    assert (shown.legal, seen.legal == ()) == ((), False)


def test_a_move_that_ends_the_game_tells_everybody_how():
    hall = Hall()
    anna, bert, code = hall.pair("conquer")
    for person, territory in ((anna, 3), (bert, 7), (anna, 4), (bert, 1)):
        person.play(code, "claim", territory=territory)
    bert.news()
    frames = anna.play(code, "claim", territory=5)
    assert kinds(frames) == kinds(bert.news()) == ["shown", "ended"]
    ended = only(Ended, frames)
    assert (ended.re, ended.outcome.winner, ended.outcome.reason) == (None, 1, "three_adjacent")
    assert ended.score == (1, 0)
    assert only(Shown, frames).legal == ()


def test_a2_an_illegal_move_is_refused_with_the_reason_and_the_same_player_is_asked_again():
    hall = Hall()
    anna, bert, code = hall.pair("conquer")
    anna.play(code, "claim", territory=4)
    no = bert.refused(Play, match=code, **move(1, "claim", territory=4))
    assert no.code == RefusalCode.ILLEGAL_MOVE
    assert no.text == "Territory 4 is claimed already."
    assert hall.match(code).turn == 1
    assert kinds(bert.play(code, "claim", territory=5)) == ["shown"]


def test_a_move_for_an_earlier_turn_is_stale():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.play(code, "heal")
    bert.play(code, "heal")
    for turn in (0, 1, 3, 2**31 - 1):
        no = anna.refused(Play, match=code, **move(turn, "attack"))
        assert (no.code, no.text) == (
            RefusalCode.STALE_TURN,
            "The match has moved on since you were asked.",
        )


def test_a_move_out_of_turn_is_refused():
    hall = Hall()
    _anna, bert, code = hall.pair("duel")
    no = bert.refused(Play, match=code, **move(0, "attack"))
    assert (no.code, no.text) == (RefusalCode.NOT_YOUR_TURN, "It is not your turn.")


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"kind": "sneeze"},
        {"territory": 4},
        {"kind": "claim"},
        {"kind": "claim", "territory": 8},
        {"kind": "claim", "territory": 0},
        {"kind": "claim", "territory": "4"},
        {"kind": "claim", "territory": 4, "seat": 2},
    ],
    ids=str,
)
def test_what_is_no_move_of_the_game_is_refused_as_such(raw):
    hall = Hall()
    anna, _bert, code = hall.pair("conquer")
    no = anna.refused(Play, match=code, turn=0, move=raw)
    assert (no.code, no.text) == (RefusalCode.BAD_MOVE, "That is not a move of Conquer.")


@pytest.mark.parametrize(
    ("cell", "code"),
    [(10, RefusalCode.ILLEGAL_MOVE), (36, RefusalCode.ILLEGAL_MOVE), (37, RefusalCode.BAD_MOVE)],
)
def test_a_move_of_the_game_that_is_not_legal_is_told_from_what_is_no_move_of_it(cell, code):
    hall = Hall()
    anna, _bert, match = hall.pair("grid")
    assert anna.refused(Play, match=match, turn=0, move={"kind": "claim", "cell": cell}).code == code


def test_nobody_plays_before_the_match_has_begun_or_after_it_is_over():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    waiting = anna.create("duel")
    assert anna.refused(Play, match=waiting, **move(0, "heal")).code == RefusalCode.NOT_BEGUN
    anna.ask(Resign, match=code)
    assert anna.refused(Play, match=code, **move(0, "heal")).code == RefusalCode.MATCH_OVER


def test_a_repeated_move_gets_its_answer_again_and_is_applied_once():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    request = anna.request(Play, match=code, **move(0, "attack"))
    (answer,) = anna.send(request)
    before, heard = hall.portrait(), len(bert.inbox)
    (again,) = anna.send(request)
    assert (again.re, again.view, again.turn) == (answer.re, answer.view, answer.turn)
    assert again.events == ()
    assert hall.portrait() == before
    assert len(bert.inbox) == heard


def test_a_move_repeated_after_a_restart_is_applied_once():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    request = anna.request(Play, match=code, **move(0, "attack"))
    (answer,) = anna.send(request)
    hall.restart()
    anna.come_back()
    bert.come_back()
    (again,) = anna.send(request)
    assert (again.re, again.view) == (answer.re, answer.view)
    assert hall.match(code).moves == 1


def test_a_move_repeated_after_the_opponents_answer_shows_what_is_now():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    request = anna.request(Play, match=code, **move(0, "attack"))
    anna.send(request)
    bert.play(code, "attack")
    (again,) = anna.send(request)
    assert (again.re, again.turn) == (request.id, 2)
    assert hall.match(code).moves == 2


def test_a_move_that_ended_the_match_can_be_repeated_too():
    hall = Hall(Limits(moves_per_match=1))
    anna, _bert, code = hall.pair("duel")
    request = anna.request(Play, match=code, **move(0, "attack"))
    anna.send(request)
    (again,) = anna.send(request)
    assert (again.type, again.re) == ("shown", request.id)


def test_a_new_move_that_happens_to_have_an_old_id_is_not_taken_for_a_repetition():
    """A client that was started again may count its requests from the beginning."""
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.play(code, "attack", id=5)
    bert.play(code, "attack")
    anna.play(code, "heal", id=5)
    assert hall.match(code).moves == 3


def challenge(hall, **terms):
    """Bring a match to where both owe a pick."""
    anna, bert, code = hall.pair("grid", **terms)
    anna.play(code, "claim", cell=5)
    bert.play(code, "challenge", cell=5)
    return anna, bert, code


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["anna first", "bert first"])
def test_both_pick_for_the_same_turn_in_either_order(order):
    hall = Hall()
    people = *_, code = challenge(hall)
    turn = hall.match(code).turn
    numbers = (2, 4)
    first, second = (people[which] for which in order)
    (shown,) = first.ask(Play, match=code, **move(turn, "pick", number=numbers[order[0]]))
    assert shown.turn == turn, "the question stands"
    (shown,) = second.ask(Play, match=code, **move(turn, "pick", number=numbers[order[1]]))
    assert shown.turn == turn + 1
    assert shown.events[-1].numbers == numbers


def test_a_pick_is_final():
    hall = Hall()
    anna, _bert, code = challenge(hall)
    anna.play(code, "pick", number=2)
    no = anna.refused(Play, match=code, **move(2, "pick", number=3))
    assert (no.code, no.text) == (
        RefusalCode.NOT_YOUR_TURN,
        "You have already picked a number, and a pick is final.",
    )


def test_a_repeated_pick_is_no_second_pick():
    hall = Hall()
    anna, _bert, code = challenge(hall)
    request = anna.request(Play, match=code, **move(2, "pick", number=2))
    anna.send(request)
    before = hall.portrait()
    (again,) = anna.send(request)
    assert again.re == request.id
    assert hall.portrait() == before


def test_a3_resignation_gives_the_match_to_the_opponent():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    frames = anna.ask(Resign, id=9, match=code)
    assert kinds(frames) == ["shown", "ended"]
    assert (frames[1].re, bert.last(Ended).re) == (9, None)
    assert (frames[1].outcome.winner, frames[1].outcome.reason) == (2, "resigned")
    assert anna.refused(Resign, match=code).code == RefusalCode.MATCH_OVER


def test_a3_the_move_cap_ends_a_match_without_a_winner():
    hall = Hall(Limits(moves_per_match=4))
    anna, bert, code = hall.pair("duel")
    for person in (anna, bert, anna):
        assert kinds(person.play(code, "defend")) == ["shown"]
    frames = bert.play(code, "defend")
    ended = only(Ended, frames)
    assert (ended.outcome.winner, ended.outcome.reason, ended.score) == (None, "move_cap", (0, 0))


def test_a3_the_rules_have_the_last_word_on_the_last_move_before_the_cap():
    hall = Hall(Limits(moves_per_match=5))
    anna, bert, code = hall.pair("conquer")
    for person, territory in ((anna, 3), (bert, 7), (anna, 4), (bert, 1)):
        person.play(code, "claim", territory=territory)
    assert only(Ended, anna.play(code, "claim", territory=5)).outcome.winner == 1


def test_a3_the_cap_is_2000_moves():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    for number in range(2000):
        assert hall.match(code).outcome is None
        (anna, bert)[number % 2].play(code, "defend")
        hall.now += 1
    assert hall.match(code).outcome.reason == "move_cap"


def test_a3_the_win_over_a_player_who_stays_away_can_be_claimed_after_the_grace_time():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    assert anna.refused(Claim, match=code).text == "Your opponent is there."
    bert.drop()
    hall.wait(59.5)
    no = anna.refused(Claim, match=code)
    assert (no.code, no.text) == (
        RefusalCode.NOT_ABSENT,
        "Your opponent may still come back; wait 1 s more.",
    )
    hall.wait(0.5)
    ended = only(Ended, anna.ask(Claim, match=code))
    assert (ended.outcome.winner, ended.outcome.reason) == (1, "abandoned")


def test_coming_back_ends_the_wait_for_a_claim():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.drop()
    hall.wait(59)
    bert.come_back()
    bert.drop()
    hall.wait(59)
    assert anna.refused(Claim, match=code).code == RefusalCode.NOT_ABSENT


def test_the_time_until_a_claim_is_never_promised_too_short():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.drop()
    hall.now += 10.4
    anna.drop()
    promised = anna.come_back()[-1].claim_in_s
    assert promised == 50
    hall.wait(promised)
    assert only(Ended, anna.ask(Claim, match=code)).outcome.winner == 1


def test_a_match_that_both_have_left_behind_ends_without_a_winner():
    hall = Hall(Limits(open_kept_s=100))
    anna, bert, code = hall.pair("duel")
    anna.drop()
    hall.wait(50)
    bert.drop()
    hall.wait(99)
    assert hall.match(code).is_running()
    hall.wait(1)
    outcome = hall.match(code).outcome
    assert (outcome.winner, outcome.reason) == (None, "abandoned")


def test_what_is_said_reaches_both_players_tidied():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.news()
    said = anna.ask(Chat, id=3, match=code, text="  good   luck ")
    assert said == [Chatted(re=3, match=code, seat=1, text="good luck")]
    assert bert.news() == [Chatted(re=None, match=code, seat=1, text="good luck")]


@pytest.mark.parametrize("text", ["", "   ", "a\x1b[2Jb", "a\nb", "\u202egnirts", "x" * 201])
def test_what_cannot_be_shown_is_not_passed_on(text):
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    assert anna.refused(Chat, match=code, text=text).code == RefusalCode.BAD_TEXT


def test_players_can_talk_after_the_match_too():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    assert kinds(anna.ask(Chat, match=code, text="well played")) == ["chatted"]


def test_what_is_said_is_neither_kept_nor_logged():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    kept = len(hall.disk.kept)
    anna.ask(Chat, match=code, text="xyzzy")
    assert len(hall.disk.kept) == kept
    assert "xyzzy" not in repr(hall.log)
