"""Every limit at one below it, at it, and one above it. Each test is named after its limit.

Those about connections, sessions and bytes stand with what keeps them; here a test makes sure that none is
forgotten.
"""

from dataclasses import fields
from pathlib import Path

import pytest

from protocol.client_frame import (
    Chat,
    Claim,
    Create,
    Depart,
    Export,
    Join,
    Leave,
    List,
    Ping,
    Play,
    Rematch,
    Resign,
    Watch,
)
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from protocol.server_frame import Ended, Seated, Welcome
from server.core.budget import WRITE_LEN
from tests.server.core import test_presence, test_remember
from tests.server.core.test_presence import closed_with
from tests.server.driver import Hall, kinds, only
from tests.server.io import test_outbox, test_shell

NOWHERE = "00000000"


def test_every_limit_has_a_test():
    others = (test_presence, test_remember, test_shell, test_outbox)
    tests = [*globals(), *(name for module in others for name in vars(module))]
    missing = [
        each.name
        for each in fields(Limits)
        if not any(
            name == f"test_limit_{each.name}" or name.startswith(f"test_limit_{each.name}_is")
            for name in tests
        )
    ]
    assert missing == []


def test_the_page_of_limits_has_each_with_its_default():
    page = (Path(__file__).parents[3] / "docs" / "limits.md").read_text("utf-8")
    defaults = Limits()
    missing = [
        each.name
        for each in fields(Limits)
        if page.count(f"\n| `{each.name}` | {getattr(defaults, each.name):.0f} |") != 1
    ]
    assert missing == []


@pytest.mark.parametrize(("limit", "told"), [(0.5, 1), (9.9, 9), (10, 10), (11, 11)])
def test_limit_heartbeat_s_is_told_in_whole_seconds(limit, told):
    assert Hall(Limits(heartbeat_s=limit)).person("Anna").last(Welcome).heartbeat_s == told


@pytest.mark.parametrize(("frames", "code"), [(4, None), (5, None), (6, "too_fast")])
def test_limit_frames_burst(frames, code):
    hall = Hall(Limits(frames_burst=5, frames_per_s=1))
    person = hall.stranger("Anna")
    person.hello()
    for _ in range(frames - 1):
        person.ask(Ping)
    assert closed_with(person) == code


@pytest.mark.parametrize(("per_s", "code"), [(9, None), (10, None), (11, "too_fast")])
def test_limit_frames_per_s(per_s, code):
    hall = Hall(Limits(frames_burst=1, frames_per_s=10))
    person = hall.person("Anna")
    for _ in range(100):
        # A hair more than the exact time keeps the arithmetic of floats out of it.
        hall.now += 1 / per_s + 1e-6
        if person.connection is not None:
            person.ask(Ping)
    assert closed_with(person) == code


@pytest.mark.parametrize(("length", "kind"), [(29, "chatted"), (30, "chatted"), (31, "refused")])
def test_limit_chat_len(length, kind):
    anna, _bert, code = Hall(Limits(chat_len=30)).pair("duel")
    (answer,) = anna.ask(Chat, match=code, text="x" * length)
    assert answer.type == kind


@pytest.mark.parametrize(("lines", "kind"), [(2, "chatted"), (3, "chatted"), (4, "refused")])
def test_limit_chat_burst(lines, kind):
    hall = Hall(Limits(chat_burst=3))
    anna, bert, code = hall.pair("duel")
    answers = [anna.ask(Chat, match=code, text="so")[0] for _ in range(lines)]
    assert answers[-1].type == kind
    if kind == "refused":
        assert answers[-1].code == RefusalCode.TOO_MUCH_CHAT
        assert kinds(bert.ask(Chat, match=code, text="so")) == ["chatted"], "one's own limit"


@pytest.mark.parametrize(("seconds", "kind"), [(9, "refused"), (10, "chatted"), (11, "chatted")])
def test_limit_chat_window_s(seconds, kind):
    hall = Hall(Limits(chat_burst=1, chat_window_s=10))
    anna, _bert, code = hall.pair("duel")
    anna.ask(Chat, match=code, text="so")
    hall.wait(seconds)
    assert kinds(anna.ask(Chat, match=code, text="so")) == [kind]


def test_limit_guesses_is_one_for_an_ipv6_household():
    hall = Hall(Limits(guesses=1))
    anna, bert = (hall.person(name, f"2001:db8::{name}") for name in ("a", "b"))
    assert anna.refused(Join, match=NOWHERE).code == "no_such_match"
    assert bert.refused(Join, match=NOWHERE).code == "too_many_guesses"


def create_and_see(person):
    (answer,) = person.ask(Create, game="duel")
    return answer.code if answer.type == "refused" else None


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_many_matches")])
def test_limit_matches_per_player(count, code):
    anna = Hall(Limits(matches_per_player=3)).person("Anna")
    assert [create_and_see(anna) for _ in range(count)][-1] == code


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_many_matches")])
def test_limit_matches_per_player_is_for_joining_too(count, code):
    hall = Hall(Limits(matches_per_player=3))
    bert = hall.person("Bert")
    for number in range(count):
        host = hall.person(f"Host {number}")
        answer = bert.ask(Join, match=host.create("duel"))[0]
    assert getattr(answer, "code", None) == code


def test_limit_matches_per_player_is_for_open_ones_only():
    hall = Hall(Limits(matches_per_player=1))
    anna, bert, code = hall.pair("duel")
    assert create_and_see(anna) == RefusalCode.TOO_MANY_MATCHES
    anna.ask(Resign, match=code)
    assert create_and_see(anna) is None
    assert create_and_see(bert) is None


def test_limit_matches_per_player_is_for_rematches_too():
    hall = Hall(Limits(matches_per_player=2))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.ask(Rematch, match=code)
    for _ in range(2):
        anna.create("grid")
    for person in (anna, bert):
        no = person.refused(Rematch, match=code)
        assert (no.code, no.text[:10]) == (RefusalCode.TOO_MANY_MATCHES, "One of you")
    anna.ask(Leave, match=anna.last(Seated).match)
    assert kinds(bert.ask(Rematch, match=code)) == ["seated", "shown"]


@pytest.mark.parametrize("count", [2, 3, 4, 300])
def test_limit_matches_per_player_is_also_how_many_finished_ones_are_kept(count):
    hall = Hall(Limits(matches_per_player=3, frames_burst=10_000))
    anna, bert, code = hall.pair("duel")
    codes = []
    for _ in range(count):
        anna.ask(Resign, match=code)
        codes.append(code)
        anna.ask(Rematch, match=code)
        code = bert.ask(Rematch, match=code)[0].match
        hall.now += 0.1
    hall.wait(1)
    finished = [match.code for match in hall.world.matches.values() if match.outcome]
    assert finished == codes[-3:]
    anna.drop()
    assert only(Welcome, anna.come_back()).matches == (*finished, code)


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_many_matches")])
def test_limit_matches(count, code):
    hall = Hall(Limits(matches=3))
    hosts = [hall.person(f"Host {number}", f"192.0.2.{number}") for number in range(count)]
    assert [create_and_see(host) for host in hosts][-1] == code


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_many_matches")])
def test_limit_matches_per_address(count, code):
    hall = Hall(Limits(matches_per_address=3))
    hosts = [hall.person(f"Host {number}") for number in range(count)]
    assert [create_and_see(host) for host in hosts][-1] == code
    assert create_and_see(hall.person("Neighbour", "192.0.2.2")) is None


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_often")])
def test_limit_creates_per_address(count, code):
    hall = Hall(Limits(creates_per_address=3))
    anna = hall.person("Anna")
    for _ in range(count - 1):
        anna.ask(Leave, match=anna.create("duel"))
    assert create_and_see(anna) == code
    assert create_and_see(hall.person("Neighbour", "192.0.2.2")) is None


@pytest.mark.parametrize(("seconds", "code"), [(59, "too_often"), (60, None), (61, None)])
def test_limit_budget_s(seconds, code):
    hall = Hall(Limits(creates_per_address=1, budget_s=60))
    anna = hall.person("Anna")
    assert create_and_see(anna) is None
    hall.wait(seconds)
    assert create_and_see(anna) == code


def test_limit_matches_is_for_new_ones_and_keeps_nobody_from_joining():
    hall = Hall(Limits(matches=1))
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel")
    assert kinds(bert.ask(Join, match=code)) == ["seated", "shown"]


def test_limit_matches_is_for_rematches_too():
    hall = Hall(Limits(matches=1))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.create("grid")
    anna.refused(Rematch, match=code)
    assert bert.refused(Rematch, match=code).code == RefusalCode.TOO_MANY_MATCHES


@pytest.mark.parametrize(("count", "kept"), [(2, 2), (3, 3), (4, 3)])
def test_limit_matches_is_also_how_many_finished_ones_are_kept(count, kept):
    hall = Hall(Limits(matches=3))
    for number in range(count):
        one, two = hall.person(f"One {number}"), hall.person(f"Two {number}")
        one.ask(Resign, match=hall.begin(one, two, "duel"))
        hall.now += 1
    hall.wait(1)
    assert len(hall.world.matches) == kept


@pytest.mark.parametrize(("moves", "is_over"), [(4, False), (5, True)])
def test_limit_moves_per_match(moves, is_over):
    hall = Hall(Limits(moves_per_match=5))
    people = *_, code = hall.pair("duel")
    for number in range(moves):
        people[number % 2].play(code, "defend")
    assert (hall.match(code).outcome is not None) == is_over
    if is_over:
        no = people[1].refused(Play, match=code, turn=5, move={"kind": "defend"})
        assert no.code == RefusalCode.MATCH_OVER


@pytest.mark.parametrize(
    ("tries", "code"), [(2, "no_such_match"), (3, "no_such_match"), (4, "too_many_guesses")]
)
@pytest.mark.parametrize("kind", [Join, Watch])
def test_limit_guesses(kind, tries, code):
    person = Hall(Limits(guesses=3)).person("Anna")
    assert [person.refused(kind, match=NOWHERE).code for _ in range(tries)][-1] == code


@pytest.mark.parametrize(
    ("seconds", "code"), [(59, "too_many_guesses"), (60, "no_such_match"), (61, "no_such_match")]
)
def test_limit_guess_window_s(seconds, code):
    hall = Hall(Limits(guesses=1, guess_window_s=60))
    person = hall.person("Anna")
    person.refused(Join, match=NOWHERE)
    hall.wait(seconds)
    assert person.refused(Join, match=NOWHERE).code == code


@pytest.mark.parametrize(("seconds", "code"), [(29, "not_absent"), (30, None), (31, None)])
def test_limit_grace_s(seconds, code):
    hall = Hall(Limits(grace_s=30))
    anna, bert, match = hall.pair("duel")
    bert.drop()
    hall.wait(seconds)
    answer = anna.ask(Claim, match=match)[-1]
    assert getattr(answer, "code", None) == code
    assert isinstance(answer, Ended) == (code is None)


@pytest.mark.parametrize(("seconds", "is_kept"), [(99, True), (100, False), (101, False)])
def test_limit_finished_kept_s(seconds, is_kept):
    hall = Hall(Limits(finished_kept_s=100))
    anna, _bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    hall.wait(seconds)
    assert (code in hall.world.matches) == is_kept


@pytest.mark.parametrize(("seconds", "is_kept"), [(99, True), (100, False), (101, False)])
def test_limit_open_kept_s(seconds, is_kept):
    hall = Hall(Limits(open_kept_s=100))
    anna = hall.person("Anna")
    code = anna.create("duel")
    hall.wait(500)
    anna.drop()
    hall.wait(seconds)
    assert (code in hall.world.matches) == is_kept


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_many_spectators")])
def test_limit_spectators_per_match(count, code):
    hall = Hall(Limits(spectators_per_match=3))
    _anna, _bert, match = hall.pair("duel")
    people = [hall.person(f"Seer {number}", f"198.51.100.{number}") for number in range(count)]
    answers = [person.ask(Watch, match=match)[0] for person in people]
    assert getattr(answers[-1], "code", None) == code


def test_limit_spectators_per_match_is_not_used_up_by_one_address():
    hall = Hall(Limits(spectators_per_match=4))
    _anna, _bert, match = hall.pair("duel")
    answers = [hall.person(f"Seer {number}").ask(Watch, match=match)[0].type for number in range(3)]
    assert answers == ["seated", "seated", "refused"]
    assert hall.person("Other", "198.51.100.1").ask(Watch, match=match)[0].type == "seated"


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_often")])
def test_limit_watches_per_address(count, code):
    hall = Hall(Limits(watches_per_address=3))
    _anna, _bert, match = hall.pair("duel")
    seer = hall.person("Seer")
    for _ in range(count - 1):
        seer.ask(Watch, match=match)
        seer.ask(Leave, match=match)
    assert getattr(seer.ask(Watch, match=match)[0], "code", None) == code
    assert hall.person("Other", "198.51.100.1").ask(Watch, match=match)[0].type == "seated"


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_often")])
def test_limit_exports_per_address(count, code):
    anna, bert, match = Hall(Limits(exports_per_address=3)).pair("duel")
    anna.ask(Resign, match=match)
    assert [getattr(anna.ask(Export, match=match)[0], "code", None) for _ in range(count)][-1] == code
    assert bert.ask(Export, match=match)[0].type == "exported", "from another address"


@pytest.mark.parametrize(("entries", "code"), [(2, None), (3, "too_often"), (4, "too_often")])
def test_limit_journal_per_address(entries, code):
    hall = Hall(Limits(journal_per_address=3 * WRITE_LEN))
    anna, bert, match = hall.pair("duel")
    hall.wait(60)
    for _ in range(entries):
        anna.play(match, "defend")
        bert.play(match, "defend")
    assert hall.match(match).moves == 2 * entries
    hall.wait(1)
    assert getattr(anna.ask(Chat, match=match, text="so")[0], "code", None) == code
    if code is not None:
        assert kinds(anna.ask(Depart)) == ["closed"]
        assert kinds(anna.come_back())[0] == "welcome", "whoever has a seat gets back to it"
    hall.wait(120)
    assert kinds(anna.ask(Chat, match=match, text="so")) == ["chatted"]


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_often")])
def test_limit_lists_per_address(count, code):
    hall = Hall(Limits(lists_per_address=3))
    anna = hall.person("Anna")
    assert [getattr(anna.ask(List)[0], "code", None) for _ in range(count)][-1] == code
    assert hall.person("Other", "198.51.100.1").ask(List)[0].type == "listed"


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "too_many_matches")])
def test_limit_watched_per_player(count, code):
    hall = Hall(Limits(watched_per_player=3))
    anna, carl = hall.person("Anna"), hall.person("Carl")
    answers = [carl.ask(Watch, match=anna.create("duel"))[0] for _ in range(count)]
    assert getattr(answers[-1], "code", None) == code
