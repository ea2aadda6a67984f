"""Journal before broadcast: no byte leaves before what it depends on is durable, and all leave in order."""

from random import Random

import pytest

from protocol.client_frame import (
    CallOff,
    Chat,
    Claim,
    Create,
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
from protocol.server_frame import Shown
from server.core.input import Stalled, Stopping
from server.io.gate import Gate
from tests.server.driver import Hall


def offences(hall):
    """List what left too early or out of order."""
    found = [delivery for delivery in hall.deliveries if delivery.is_early()]
    for connection in {delivery.connection for delivery in hall.deliveries}:
        left = [d.data for d in hall.deliveries if d.connection == connection and not d.is_urgent]
        produced = [data for number, data in hall.produced if number == connection]
        if left != produced[: len(left)]:
            found.append(connection)
    return found


def at_the_table(hall):
    anna, bert, code = hall.pair("duel", clock_s=30)
    return anna, bert, code


def with_a_finished_match(hall):
    anna, bert, code = at_the_table(hall)
    anna.ask(Resign, match=code)
    anna.ask(Rematch, match=code)
    return anna, bert, code


def create(hall):
    anna, *_ = at_the_table(hall)
    return lambda: anna.ask(Create, game="grid")


def join(hall):
    anna, bert, _ = at_the_table(hall)
    code = anna.create("grid")
    return lambda: bert.ask(Join, match=code)


def play(hall):
    anna, _, code = at_the_table(hall)
    return lambda: anna.play(code, "attack")


def resign(hall):
    anna, _, code = at_the_table(hall)
    return lambda: anna.ask(Resign, match=code)


def call_off(hall):
    anna, bert, code = at_the_table(hall)
    anna.ask(CallOff, match=code)
    return lambda: bert.ask(CallOff, match=code)


def claim(hall):
    anna, bert, code = hall.pair("duel")
    bert.drop()
    hall.wait(60)
    return lambda: anna.ask(Claim, match=code)


def rematch(hall):
    _, bert, code = with_a_finished_match(hall)
    return lambda: bert.ask(Rematch, match=code)


def leave(hall):
    anna, bert, code = with_a_finished_match(hall)
    anna.ask(Leave, match=code)
    return lambda: bert.ask(Leave, match=code)


def take_back(hall):
    anna = hall.person("Anna")
    code = anna.create("duel")
    return lambda: anna.ask(Leave, match=code)


def resume(hall):
    anna, _, _ = at_the_table(hall)
    anna.drop()
    return anna.come_back


def lose_on_time(hall):
    at_the_table(hall)
    return lambda: hall.wait(30)


def move_too_late(hall):
    anna, _, code = at_the_table(hall)
    hall.now += 31
    return lambda: anna.play(code, "attack")


WRITING = [
    create,
    join,
    play,
    resign,
    call_off,
    claim,
    rematch,
    leave,
    take_back,
    resume,
    lose_on_time,
    move_too_late,
]


@pytest.mark.parametrize("scene", WRITING, ids=lambda scene: scene.__name__)
def test_nobody_hears_of_it_before_it_is_durable(scene):
    hall = Hall()
    act = scene(hall)
    heard = [len(person.bytes) for person in hall.people]
    hall.is_instant = False
    act()
    assert hall.disk.waiting, "there is something to write"
    assert [len(person.bytes) for person in hall.people] == heard
    hall.sync()
    assert [len(person.bytes) for person in hall.people] != heard
    assert offences(hall) == []


def test_even_what_writes_nothing_waits_for_what_was_written_before_it():
    hall = Hall()
    anna, bert, code = at_the_table(hall)
    carl = hall.person("Carl")
    hall.is_instant = False
    anna.play(code, "attack")
    heard = [len(person.bytes) for person in hall.people]
    anna.ask(List)
    anna.ask(Chat, match=code, text="hello")
    bert.ask(CallOff, match=code)
    bert.ask(Play, match=code, turn=9, move={"kind": "attack"})
    carl.ask(Watch, match=code)
    carl.ask(Export, match=code)
    carl.drop()
    assert [len(person.bytes) for person in hall.people] == heard
    hall.sync()
    assert offences(hall) == []


def test_a_pong_waits_for_nothing():
    hall = Hall()
    anna, _bert, code = at_the_table(hall)
    hall.is_instant = False
    anna.play(code, "attack")
    assert [frame.type for frame in anna.ask(Ping)] == ["ponged"]


def test_that_nothing_can_be_saved_is_said_at_once():
    hall = Hall()
    anna, bert, code = at_the_table(hall)
    hall.is_instant = False
    anna.play(code, "attack")
    bert.news()
    hall.step(Stalled())
    assert [frame.code for frame in bert.news()] == ["cannot_save"]
    assert [frame.code for frame in bert.ask(Resign, match=code)] == ["cannot_save"]


def test_who_was_never_welcomed_is_sent_away_without_waiting_for_the_disk():
    hall = Hall()
    anna, _bert, code = at_the_table(hall)
    silent = hall.stranger("Nobody")
    hall.is_instant = False
    anna.play(code, "attack")
    hall.wait(5)
    assert [frame.code for frame in silent.news()] == ["hello_late"]
    assert silent.connection is None


def test_a_server_that_cannot_save_says_goodbye_all_the_same():
    hall = Hall()
    anna, bert, code = at_the_table(hall)
    hall.is_instant = False
    anna.play(code, "attack")
    hall.step(Stalled())
    hall.step(Stopping())
    for person in (anna, bert):
        assert (person.inbox[-1].code, person.connection) == ("stopping", None)
        assert "could not save" in person.inbox[-1].text
    assert not any(isinstance(frame, Shown) and frame.turn for frame in bert.inbox), "the move was not shown"


def busy_evening(seed, gate=Gate):
    """Let three people do all kinds of things while the disk lags behind; return the server."""
    random = Random(seed)
    hall = Hall(Limits(frames_burst=10_000), seed, gate)
    anna, bert, code = hall.pair("grid", clock_s=600)
    carl = hall.person("Carl")
    hall.is_instant = False
    for _ in range(150):
        hall.now += random.random()
        person = random.choice((anna, bert))
        deed = random.choice(("move",) * 6 + ("chat", "watch", "drop", "list", "offer", "create", "again"))
        if person.connection is None:
            person.come_back()
        elif not person.is_welcome:
            if random.random() < 0.2:
                person.drop()
        elif deed == "move":
            hall.move_at_random(code, random)
        elif deed == "chat":
            person.ask(Chat, match=code, text="so so")
        elif deed == "watch":
            carl.ask(random.choice((Watch, Leave)), match=code)
        elif deed == "drop":
            person.drop()
        elif deed == "list":
            carl.ask(List)
        elif deed == "offer":
            person.ask(CallOff, match=code)
            person.ask(CallOff, match=code, agree=False)
        elif deed == "create":
            person.ask(Create, game="duel")
        elif hall.match(code).outcome is not None:
            person.ask(Rematch, match=code)
            code = hall.match(code).successor or code
        if random.random() < 0.3:
            hall.sync(random.randint(hall.disk.synced, hall.disk.ticket))
    return hall


@pytest.mark.parametrize("seed", range(20))
def test_however_the_disk_lags_nothing_leaves_early_or_out_of_order(seed):
    hall = busy_evening(seed)
    assert offences(hall) == []
    hall.sync()
    assert offences(hall) == []
    assert len([d for d in hall.deliveries if not d.is_urgent]) == len(hall.produced)
    assert hall.faults == []
    assert b"bad_token" not in b"".join(person.bytes for person in hall.people), "nobody is locked out"
    assert max(match.moves for match in hall.world.matches.values()) > 5, "there was something to see"


class Leaky(Gate):
    """Lets everything through at once."""

    def is_open(self):
        return True


class Hasty(Gate):
    """Gives out everything as soon as anything is durable."""

    def durable(self, ticket):
        return super().durable(ticket) + super().durable(10**9)


class Forgetful(Gate):
    """Forgets that something was appended."""

    def appended(self, ticket):
        pass


class Jumbled(Gate):
    """Gives things out in the wrong order."""

    def durable(self, ticket):
        return super().durable(ticket)[::-1]


@pytest.mark.parametrize("gate", [Leaky, Hasty, Forgetful, Jumbled])
def test_a_gate_that_does_not_keep_the_rule_is_caught(gate):
    assert any(offences(busy_evening(seed, gate)) for seed in range(3))


@pytest.mark.parametrize("seed", range(20))
def test_whatever_somebody_was_shown_survives_a_crash_at_that_moment(seed):
    hall = busy_evening(seed)
    shown = [frame for person in hall.people for frame in person.inbox if isinstance(frame, Shown)]
    hall.restart()
    assert hall.damage == []
    for frame in shown:
        match = hall.world.matches[frame.match]
        assert match.turn >= frame.turn
        assert len(match.events) >= frame.first_event + len(frame.events)
        if match.turn == frame.turn and frame.view.viewer:
            assert match.terms.game.view(match.state, frame.view.viewer).cells == frame.view.cells
