"""Records of finished matches are handed out whole, one at a time, to those who may have them."""

from protocol.client_frame import Export, Ping, Resign
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from tests.server.core.test_play import challenge
from tests.server.driver import Hall, kinds


def test_the_record_of_a_finished_match_is_handed_to_its_players():
    hall = Hall()
    anna, bert, code = challenge(hall)
    assert anna.refused(Export, match=code).code == RefusalCode.NOT_OVER
    anna.play(code, "pick", number=2)
    bert.play(code, "pick", number=4)
    anna.ask(Resign, match=code)
    for person in (anna, bert):
        (record,) = person.ask(Export, match=code)
        assert (record.names, record.outcome.winner, record.more) == (("Anna", "Bert"), 2, False)
        assert [(turned.seat, turned.move["kind"]) for turned in record.moves] == [
            (1, "claim"),
            (2, "challenge"),
            (1, "pick"),
            (2, "pick"),
        ]


def test_a_long_record_comes_in_pieces_without_gaps():
    hall = Hall(Limits(frames_burst=1000))
    anna, bert, code = hall.pair("duel")
    for number in range(300):
        (anna, bert)[number % 2].play(code, "defend")
    anna.ask(Resign, match=code)
    pieces = anna.ask(Export, match=code)
    assert [(piece.first, len(piece.moves), piece.more) for piece in pieces] == [
        (0, 128, True),
        (128, 128, True),
        (256, 44, False),
    ]


def test_records_are_asked_for_one_at_a_time():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    hall.is_instant = False
    anna.ask(Export, match=code)
    (no,) = anna.ask(Export, match=code)
    assert no.code == RefusalCode.ONE_AT_A_TIME
    bert.ask(Export, match=code)
    hall.sync()
    assert kinds(anna.news()) == kinds(bert.news()) == ["exported"]
    anna.ask(Export, match=code)
    hall.sync()
    assert kinds(anna.news()) == ["exported"]


def test_the_record_of_a_match_that_was_put_away_can_still_be_had():
    hall = Hall(Limits(finished_kept_s=10))
    anna, _bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    hall.wait(20)
    (record,) = anna.ask(Export, match=code)
    assert (record.match, record.moves) == (code, ())
    assert hall.person("Carl").refused(Export, match=code).code == RefusalCode.NO_SUCH_MATCH


def test_a_stranger_cannot_tell_a_code_that_lives_from_one_that_does_not():
    hall = Hall(Limits(finished_kept_s=10, frames_burst=1000))
    anna, bert, put_away = hall.pair("duel")
    anna.ask(Resign, match=put_away)
    hall.wait(20)
    running, finished = hall.begin(anna, bert, "duel"), hall.begin(bert, anna, "duel")
    anna.ask(Resign, match=finished)
    waiting = anna.create("duel", private=True)
    carl = hall.person("Carl", "203.0.113.1")
    hall.is_instant = False
    heard, asked = [], []
    for code in ("00000000", put_away, running, finished, waiting):
        answers = carl.ask(Export, match=code) + carl.ask(Ping)
        asked += [(fetch.session, fetch.outcome) for fetch in hall._fetches]
        hall.sync()
        heard.append(kinds([*answers, *carl.news()]))
    assert heard == [["ponged", "refused"]] * 5
    assert len(set(asked)) == 1
    assert hall.world.budget.guesses.used("203.0.113.1", hall.now) == 5


def test_a_code_cannot_be_tried_by_asking_for_its_record_when_all_guesses_are_spent():
    hall = Hall(Limits(guesses=2))
    anna, _bert, code = hall.pair("duel")
    carl = hall.person("Carl", "203.0.113.1")
    for _ in range(2):
        assert carl.refused(Export, match="00000000").code == RefusalCode.NO_SUCH_MATCH
    for tried in ("00000000", code):
        assert carl.refused(Export, match=tried).code == RefusalCode.TOO_MANY_GUESSES
    anna.ask(Resign, match=code)
    assert kinds(anna.ask(Export, match=code)) == ["exported"]
