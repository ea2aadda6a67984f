"""Saying hello, and being the only one who is who one is."""

import pytest

from protocol.frame import Closed, List, Resign, Welcome
from protocol.limit import PROTOCOL_VERSION
from protocol.refusal import CloseCode, RefusalCode
from server.core.entry import Fact
from server.core.input import Received
from server.core.session import Sessions, hash_token
from tests.server.driver import Hall, kinds, only


def test_hello_is_answered_with_a_name_a_token_and_the_rhythm_of_the_heart():
    anna = Hall().stranger("  Anna   Bell ")
    (welcome,) = anna.hello()
    assert welcome == Welcome(
        version=PROTOCOL_VERSION,
        capabilities=("watch", "export"),
        server="Conquest test",
        name="Anna Bell",
        token=welcome.token,
        heartbeat_s=10,
        dead_s=30,
        matches=(),
    )


@pytest.mark.parametrize(
    "name", ["", "   ", "a" * 17, "征" * 9, "Bob\x1b[2J", "a\u202eb", "x\u0301\u0301\u0301\u0301"]
)
def test_hello_with_an_unfit_name_is_refused_and_may_be_said_again(name):
    hall = Hall()
    person = hall.stranger(name)
    (no,) = person.hello()
    assert (no.re, no.code) == (0, RefusalCode.BAD_NAME)
    assert no.text.startswith("A name ")
    assert len(hall.world.sessions) == 0
    person.name = "Bob"
    assert kinds(person.hello()) == ["welcome"]


def test_hello_must_come_first():
    person = Hall().stranger("Anna")
    (closed,) = person.ask(List)
    assert closed.code == CloseCode.HELLO_EXPECTED
    assert person.connection is None


def test_hello_is_said_once():
    hall = Hall()
    anna = hall.person("Anna")
    before = hall.portrait()
    (no,) = anna.hello()
    assert (no.re, no.code) == (0, RefusalCode.ALREADY_WELCOMED)
    assert hall.portrait() == before


def test_hello_does_not_change_the_name_of_one_who_comes_back():
    hall = Hall()
    anna = hall.person("Anna")
    anna.drop()
    welcome = only(Welcome, anna.come_back(name="Zoe"))
    assert welcome.name == "Anna"


def test_newer_connection_wins_and_the_old_one_is_told_why():
    hall = Hall()
    anna, bert, code = hall.pair("conquer")
    old = anna.connection
    bert.news()
    anna.come_back()
    assert anna.heard[old][-1] == Closed(
        code=CloseCode.REPLACED, text="You connected again from elsewhere; this connection ends."
    )
    assert anna.connection != old
    assert bert.news() == [], "Anna was never away"
    assert kinds(anna.play(code, "claim", territory=4))[0] == "shown"


def test_newer_connection_makes_the_old_one_deaf_and_dumb():
    hall = Hall()
    anna, _bert, code = hall.pair("conquer")
    old = anna.connection
    anna.come_back()
    heard = len(anna.heard[old])
    before = hall.portrait()
    hall.step(Received(old, anna.request(Resign, match=code)))
    hall.hang_up(old)
    assert hall.portrait() == before
    anna.play(code, "claim", territory=4)
    assert len(anna.heard[old]) == heard


def test_sessions_find_changes_nothing():
    sessions = Sessions(lambda n: n - 1)
    session, token = sessions.open("Anna")
    assert sessions.find(token) is session
    assert sessions.find(token + "x") is None
    assert (session.token_hash, session.old_hash) == (hash_token(token), None)


def test_sessions_drop_forgets_both_tokens():
    draws = iter(range(1, 100))
    sessions = Sessions(lambda n: next(draws))
    session, first = sessions.open("Anna")
    second = sessions.rotate(session, first)
    sessions.drop(session)
    assert len(sessions) == 0
    assert sessions.find(first) is None
    assert sessions.find(second) is None


def test_sessions_restore_takes_session_records_only():
    sessions = Sessions(lambda n: 0)
    assert sessions.restore(Fact("alive", {"at": 1.0})) is None
    restored = sessions.restore(Fact("session:7", {"name": "Anna", "token": "t", "old": None}))
    assert (restored.id, restored.name, restored.is_kept) == (7, "Anna", True)
    assert list(sessions) == [restored]


def test_two_people_may_have_the_same_name():
    hall = Hall()
    one, other = hall.person("Anna"), hall.person("Anna")
    assert one.token != other.token
    assert len(hall.world.sessions) == 2
