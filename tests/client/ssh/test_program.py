"""A visitor's program at its terminal, or at a socket."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from client.net.visit import Visit
from client.ssh import program
from client.ssh.program import Program, Screen, Size, environment_of, open_program

VISIT = Visit(7000, "example.org", 7717, None, 2222, name="Ann")
SCREEN = Screen("xterm", Size(90, 30))


class Face:
    """The other end of a program."""

    def __init__(self) -> None:
        self.shown = b""
        self.calls: list[str] = []
        self.changed = asyncio.Event()

    def show(self, data: bytes) -> None:
        self.shown += data
        self.changed.set()

    def wait(self) -> None:
        self.calls.append("wait")

    def go_on(self) -> None:
        self.calls.append("go on")

    async def until(self, text: str) -> None:
        while text.encode() not in self.shown:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 30)


def fail(fault: BaseException) -> None:
    raise fault


@pytest.fixture(autouse=True)
def parrot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MODULE", "tests.client.ssh.parrot")


def begin(home: Path, face: Face, screen: Screen | None = SCREEN, most: int = 1000) -> Program:
    return open_program(VISIT, home, screen, most, face, fail)


async def end(begun: Program) -> int:
    begun.hang_up()
    return await begun.ended()


async def test_it_has_a_terminal_of_the_visitors_size_and_hears_when_that_changes(tmp_path: Path) -> None:
    face = Face()
    begun = begin(tmp_path, face)
    await face.until("90 by 30")
    begun.resize(Size(120, 40))
    await face.until("120 by 40")
    begun.type(b"hello\r")
    await face.until("heard hello")
    assert await end(begun) < 0


async def test_without_a_terminal_its_input_has_an_end_and_its_code_is_told(tmp_path: Path) -> None:
    face = Face()
    begun = begin(tmp_path, face, None)
    begun.type(b"hello\n")
    begun.end_input()
    begun.type(b"too late\n")
    assert await begun.ended() == 3
    await face.until("heard hello\nover\n")
    assert b"late" not in face.shown


async def test_nothing_of_our_environment_is_inherited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "7")
    face = Face()
    begun = begin(tmp_path, face, None)
    begun.end_input()
    assert await begun.ended() == 3
    # Interpreters add to it what they found out about the locale.
    said = set(face.shown.decode().splitlines()[0].split(",")) - {"LC_CTYPE"}
    assert said == set(environment_of(VISIT, None))
    assert environment_of(VISIT, SCREEN)["TERM"] == "xterm"


@pytest.mark.parametrize("screen", [SCREEN, None], ids=["terminal", "pipes"])
async def test_a_hangup_is_told_before_the_input_ends(
    screen: Screen | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    face, told = Face(), []
    begun = begin(tmp_path, face, screen)
    await face.until("CONQUEST_HOME")

    def send_signal(number: int) -> None:
        told.append((number, begun._is_open))
        os.kill(begun._process.pid, number)

    monkeypatch.setattr(begun._process, "send_signal", send_signal)
    assert await end(begun) == -signal.SIGHUP
    assert told == [(signal.SIGHUP, True)]


async def test_one_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "END_S", 0.05)
    face = Face()
    begun = begin(tmp_path, face)
    begun.type(b"deaf\r")
    await face.until("\ndeaf\r\n")
    assert await end(begun) == -9


@pytest.mark.parametrize(("more", "is_full"), [(-1, False), (0, True), (1, True)])
async def test_who_types_faster_than_it_reads_has_to_wait(
    more: int, is_full: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blocked(descriptor: int, data: Any) -> int:
        raise BlockingIOError

    face = Face()
    begun = begin(tmp_path, face, None, most=100)
    with monkeypatch.context() as patch:
        patch.setattr("client.ssh.program.os.write", blocked)
        begun.type(b"x" * (100 + more))
        assert ("wait" in face.calls) is is_full
    begun.type(b"\n")
    await face.until("heard xxx")
    assert face.calls[-1] == "go on"
    await end(begun)


async def test_it_says_nothing_while_nobody_can_listen(tmp_path: Path) -> None:
    face = Face()
    begun = begin(tmp_path, face)
    await face.until("90 by 30")
    begun.pause()
    shown = face.shown
    begun.type(b"hello\r")
    await asyncio.sleep(0)
    assert face.shown == shown
    begun.go_on()
    await face.until("heard hello")
    await end(begun)
