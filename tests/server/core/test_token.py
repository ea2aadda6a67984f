"""The secret that brings a player back: hashed at rest, replaced on use, and worth nothing when wrong."""

import base64

import msgpack
import pytest

from protocol.client_frame import List, Ping
from protocol.refusal import CloseCode
from server.core.input import Recovered, Stalled
from server.core.session import OFFERED, hash_token
from tests.server.driver import Hall, kinds


def test_token_has_256_bits():
    token = Hall().person("Anna").token
    assert len(base64.urlsafe_b64decode(token + "=")) == 32


def test_token_is_never_written_down():
    hall = Hall()
    anna, bert, _code = hall.pair("conquer")
    tokens = {anna.token, bert.token}
    for person in (anna, bert):
        for _ in range(3):
            person.drop()
            person.come_back()
            tokens.add(person.token)
            person.ask(Ping)
    assert len(tokens) == 8
    for write in hall.disk.kept:
        assert not any(token.encode() in msgpack.packb(list(write)) for token in tokens)
    assert not any(token in repr(hall.log) for token in tokens)


def test_token_is_kept_as_a_hash():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    assert hash_token(anna.token) in [fact.body["token"] for fact in hall.disk.facts()]


def test_token_of_one_who_never_sat_down_is_not_kept_at_all():
    hall = Hall()
    anna = hall.person("Anna")
    anna.ask(List)
    anna.drop()
    anna.come_back()
    anna.ask(Ping)
    assert hall.disk.kept == []


def test_token_is_replaced_each_time_it_is_used():
    hall = Hall()
    anna = hall.person("Anna")
    first = anna.token
    anna.drop()
    anna.come_back()
    assert anna.token != first


def test_token_that_was_used_opens_the_door_until_the_next_frame():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    used = anna.token
    for _ in range(3):
        # Each time the answer is lost on the way, and the client knows the old token only.
        anna.drop()
        assert kinds(anna.come_back(used))[0] == "welcome"


def test_token_that_was_used_is_void_after_the_next_frame():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    used = anna.token
    anna.drop()
    anna.come_back()
    anna.ask(Ping)
    fresh = anna.token
    anna.drop()
    (closed,) = anna.come_back(used)
    assert closed.code == CloseCode.BAD_TOKEN
    assert kinds(anna.come_back(fresh))[0] == "welcome"


def test_token_in_the_players_hand_survives_a_late_hello_of_a_connection_that_was_given_up():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    used = anna.token
    anna.drop()
    anna.come_back(used)
    held = anna.token
    # The hello of an earlier attempt arrives only now; its answer reaches nobody.
    anna.come_back(used)
    anna.drop()
    hall.restart()
    assert kinds(anna.come_back(held))[0] == "welcome"
    anna.ask(Ping)
    fresh = anna.token
    anna.drop()
    for void in (used, held):
        assert anna.come_back(void)[0].code == CloseCode.BAD_TOKEN
    assert kinds(anna.come_back(fresh))[0] == "welcome"


def test_tokens_that_nobody_used_are_forgotten_at_some_number():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    used, offered = anna.token, []
    for _ in range(OFFERED + 2):
        anna.come_back(used)
        offered.append(anna.token)
    (session, _) = hall.world.sessions
    assert len(session.valid_hashes()) == OFFERED + 2
    assert [hash_token(token) in session.valid_hashes() for token in offered] == [False] + [True] * 5
    anna.drop()
    assert kinds(anna.come_back(offered[0])) == ["closed"]
    assert kinds(anna.come_back(used))[0] == "welcome"


def test_token_rules_hold_across_a_restart():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    used = anna.token
    anna.drop()
    anna.come_back()
    hall.restart()
    assert kinds(anna.come_back(used))[0] == "welcome"
    anna.ask(Ping)
    fresh = anna.token
    hall.restart()
    assert kinds(anna.come_back(used)) == ["closed"]
    assert kinds(anna.come_back(fresh))[0] == "welcome"


def test_token_that_was_voided_while_nothing_could_be_saved_stays_void_after_a_restart():
    hall = Hall()
    anna, _, _ = hall.pair("conquer")
    used = anna.token
    anna.drop()
    anna.come_back()
    hall.step(Stalled())
    kept = list(hall.disk.kept)
    anna.ask(Ping)
    assert hall.disk.kept == kept
    hall.step(Recovered())
    anna.ask(Ping)
    hall.restart()
    assert kinds(anna.come_back(used)) == ["closed"]


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "A" * 64])
def test_token_that_is_wrong_touches_nothing(token):
    hall = Hall()
    anna, bert, code = hall.pair("grid")
    anna.drop()
    bert.news()
    before = hall.portrait()
    thief = hall.stranger("Anna")
    (closed,) = thief.hello(token, seen={code: 0})
    assert closed.code == CloseCode.BAD_TOKEN
    assert "without the old token" in closed.text
    assert hall.portrait() == before
    assert bert.news() == []
    assert kinds(anna.come_back())[0] == "welcome"
