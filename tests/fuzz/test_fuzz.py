"""Some ten thousand hostile frames a target in each test run, and proof that the fuzzers find what is there.

Millions come by `python -m tests.fuzz`.
"""

import json
import re
import time
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.core import state
from client.tui.app import ConquestApp
from client.tui.log import LogLines
from client.tui.plain import Replaced
from protocol import codec as real_codec
from protocol.client_frame import Chat, Hello, List
from protocol.codec import encode
from protocol.limit import PROTOCOL_VERSION
from server.core import kernel
from server.core.session import Sessions
from server.io.outbox import Outbox
from tests.fuzz import codec, hostile_screen, hostile_server, in_process, maker, over_sockets, pulsed
from tests.fuzz.report import Failure, Round, growth
from tests.protocol.strategy import CLIENT_FRAMES, frames


@pytest.fixture(autouse=True)
def _untimed(request):
    """Judge nobody by the time: in a test run it says more about the machine. The command does."""
    if "stall" in request.node.name:
        yield
    else:
        with patch.object(Round, "took", lambda *given: None):
            yield


@pytest.mark.parametrize("seed", [1, 2])
def test_the_codec_makes_a_frame_of_any_bytes_or_says_that_they_are_none(seed):
    done = codec.run(seed, 15_000)
    assert min(done.kinds.values()) > 50


@pytest.mark.parametrize("seed", [1, 2])
def test_the_server_stands_an_attack_and_the_match_beside_it_goes_on(seed):
    done = in_process.run(seed, 10_000)
    answered = {"refused", "closed", "welcome", "seated", "shown", "told", "listed", "ended", "watched"}
    assert answered <= done.kinds.keys()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_client_survives_a_server_that_means_harm(seed):
    assert hostile_server.run(seed, 1_500).kinds["lives"] > 20


def test_the_full_screen_survives_a_server_that_means_harm():
    assert hostile_screen.run(1, 300).kinds["lives"] > 0


def test_a_server_process_stands_an_attack_over_sockets_and_the_match_beside_it_goes_on():
    over = over_sockets.run(1, 8_000, is_timed=False)
    assert over.moves > 2
    assert over.pulse["beats"] > 10, "the pulse was felt"


def test_the_same_seed_is_the_same_attack():
    once, again = in_process.run(3, 3_000), in_process.run(3, 3_000)
    assert once.kinds == again.kinds


@given(st.lists(frames(CLIENT_FRAMES), max_size=12))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_lawful_frames_in_any_order_are_answered_and_disturb_nobody(asked):
    attack = in_process.Attack(0)
    with attack.standing():
        eve = in_process.Line(attack.server, "203.0.113.1", lambda frame: None)
        eve.send(encode(Hello(version=PROTOCOL_VERSION, name="Eve")))
        for frame in asked:
            eve.send(encode(frame))
            attack.pass_time(0.05)
        attack.look()
    assert attack.server.faults == []


# What is there to be found is found.


def broken_chat(world, session, request):
    raise KeyError("a bug")


def slow_list(world, session, request):
    until = time.thread_time() + 0.06
    while time.thread_time() < until:
        pass


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        (lambda: patch.dict(kernel.HANDLERS, {Chat: broken_chat}), "a fault of ours"),
        (lambda: patch.dict(kernel.HANDLERS, {List: slow_list}), "ms of CPU"),
        (lambda: patch.object(Sessions, "drop", lambda sessions, session: None), "sessions are limited"),
        (
            lambda: patch.object(Outbox, "_drop_slow", lambda outbox, peer: None),
            "(an outbox|what is held for one peer) is limited",
        ),
    ],
    ids=["a bug", "a stall", "a leak", "an outbox without end"],
)
def test_an_attack_finds(mistake, found):
    with mistake(), pytest.raises(Failure, match=found):
        in_process.run(0, 60_000)


def test_the_codec_fuzzer_finds_an_error_that_nobody_catches():
    with (
        patch.object(real_codec, "_is_deeper", lambda value, depth: len(value) // (len(value) - 3) < 0),
        pytest.raises(Failure, match="uncaught: ZeroDivisionError"),
    ):
        codec.run(1, 5_000)


@contextmanager
def undefused():
    """Believe that text is harmless, both where it arrives and where it is written."""
    with patch.object(state, "defused", str), patch("client.line.terminal.defused", str):
        yield


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        (undefused, "reached the terminal"),
        (lambda: patch("client.net.session.can_be", lambda *given: True), "uncaught"),
        (lambda: patch.object(state, "SHORTEST_BEAT_S", 0.0), "would wait only"),
    ],
    ids=["text that steers", "a server that is believed everything", "a client that spins"],
)
def test_a_hostile_server_finds(mistake, found):
    with mistake(), pytest.raises(Failure, match=found):
        hostile_server.run(1, 10_000)


def test_a_bell_that_a_server_sends_is_told_from_our_own():
    with (
        undefused(),
        patch.object(maker, "LETTERS", "abc\a"),
        pytest.raises(Failure, match=re.escape(f"{hostile_server.BELL!r} reached the terminal")),
    ):
        hostile_server.run(1, 10_000)


@contextmanager
def undrawn_and_undefused():
    """Believe that text is harmless, where it arrives and wherever it is shown."""
    with undefused(), patch("client.tui.log.defused", str), patch("client.tui.app.HARMLESS", Replaced(str)):
        yield


def hoarding():
    """Keep something of all that is said."""
    hoard = []
    return patch.object(LogLines, "add", lambda *said: hoard.extend(object() for _ in range(10_000)))


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        (undrawn_and_undefused, "reached the terminal"),
        (lambda: patch("client.net.session.can_be", lambda *given: True), "uncaught"),
        (lambda: patch.object(ConquestApp, "dismissed", lambda app: None), "does not end"),
        (hoarding, "blocks more than early in its life"),
    ],
    ids=["text that steers", "a server that is believed everything", "a deaf ear for signals", "a hoard"],
)
def test_a_hostile_server_finds_on_the_screen(mistake, found):
    with (
        mistake(),
        patch.object(hostile_screen, "HANG_S", 5.0),
        pytest.raises(Failure, match=found),
    ):
        hostile_screen.run(3, 3_000)


def test_a_pulse_tells_a_loop_that_stood_still_from_a_machine_that_had_no_time(tmp_path):
    waited = [0.0]

    class Loop:
        def call_later(self, delay_s, call): ...

    class Served:
        def step(self, given): ...

    now = [100.0]
    with (
        patch.object(pulsed.time, "perf_counter", lambda: now[0]),
        patch.object(pulsed.Pulse, "_waited_s", lambda pulse: waited[0]),
    ):
        pulse = pulsed.Pulse(Loop(), Served(), tmp_path / "pulse.json")
        for late_s, waited_s in ((0.0, 0.0), (0.04, 0.0), (0.2, 0.19), (0.2, 0.1)):
            now[0] += pulsed.BEAT_S + late_s
            waited[0] += waited_s
            pulse.beat()
        pulse.write()
    found = json.loads((tmp_path / "pulse.json").read_text())
    assert (found["beats"], found["stalls"], found["excused"]) == (4, 1, 1)
    assert found["worst_ms"] == 100.0


def test_memory_that_grows_is_told_from_memory_that_has_its_level():
    assert growth([10.0, 50, 80, 90, 100, 100, 101, 100, 100, 101]) < 0.02
    assert growth([100.0 + 5 * n for n in range(10)]) > 0.1
