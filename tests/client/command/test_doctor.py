"""The doctor: each finding by itself, and a whole examination on the loopback."""

import os
import secrets
import socket
from pathlib import Path

import pytest

from client.command import doctor
from client.command.doctor import display, encoding, examine, memory, usual_port
from client.core.failure import CouldNot
from client.net import lan
from client.net.store import Store
from tests.client.scripted import ScriptedTerminal

WIDE = os.terminal_size((100, 40))


@pytest.fixture
def _loopback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    monkeypatch.setattr(doctor, "BIND", "127.0.0.1")
    # Other tests may be announcing themselves on this machine at the same time.
    monkeypatch.setattr(lan, "SERVICE", f"_t{secrets.token_hex(4)}._tcp.local.")


@pytest.mark.usefixtures("_loopback")
async def test_a_sound_machine_has_everything_to_play() -> None:
    tty = ScriptedTerminal()
    await examine(tty.terminal)
    text = tty.take()
    assert "WRONG" not in text
    assert "   ok  Certificate: " in text
    assert "   ok  Discovery on this network works\n" in text
    assert text.endswith("Everything needed to play is there.\n")


@pytest.mark.usefixtures("_loopback")
async def test_a_machine_without_a_network_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONQUEST_LAN")
    tty = ScriptedTerminal()
    with pytest.raises(CouldNot, match="what is wrong and what to do"):
        await examine(tty.terminal)
    assert "WRONG  This machine has no address but its own loopback" in tty.take()


@pytest.mark.usefixtures("_loopback")
async def test_a_network_without_discovery_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(named: object) -> list[lan.Found]:
        return []

    monkeypatch.setattr(lan, "look_around", nobody)
    tty = ScriptedTerminal()
    await examine(tty.terminal)
    assert (
        " note  Discovery on this network does not work here; friends can still join by link." in tty.take()
    )


@pytest.mark.usefixtures("_loopback")
async def test_a_server_that_cannot_start_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "BIND", "192.0.2.254")
    tty = ScriptedTerminal()
    with pytest.raises(CouldNot):
        await examine(tty.terminal)
    assert "WRONG  A server cannot be started here. Cannot listen on" in tty.take()


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "Colours: all of them"),
        ({"TERM": "xterm"}, "Colours: the usual ones (COLORTERM does not say more)"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "NO_COLOR is set: no colours. Nothing is told by colour alone."),
        ({"TERM": "dumb"}, "The terminal shows no colours and no full screen; line mode works."),
        ({}, "The terminal shows no colours and no full screen; line mode works."),
    ],
)
def test_colours_are_looked_at(environment: dict[str, str], said: str) -> None:
    assert [finding.text for finding in display(True, environment, WIDE)][-1] == said


def test_a_narrow_terminal_and_a_pipe_are_worth_a_note() -> None:
    narrow = list(display(True, {"TERM": "xterm"}, os.terminal_size((60, 20))))
    assert narrow[1].text == "The terminal is narrower than 80 columns; long lines will wrap."
    assert [finding.state for finding in display(False, {}, WIDE)] == ["note"]


def test_the_encoding_is_looked_at() -> None:
    assert encoding("UTF-8", {}).state == encoding("utf8", {}).state == "ok"
    assert "LANG=C.UTF-8" in encoding("ascii", {}).text
    assert encoding(None, {}).state == "note"
    assert "plain ASCII by itself" in encoding("utf-8", {"LC_ALL": "C"}).text


def test_a_memory_that_cannot_be_written_is_wrong(tmp_path: Path) -> None:
    assert memory(Store(tmp_path)).text == f"Kept in {tmp_path}; no name yet"
    Store(tmp_path).keep_name("Ann")
    assert memory(Store(tmp_path)).text == f"Kept in {tmp_path}; your name is Ann"
    (tmp_path / "file").write_text("")
    assert memory(Store(tmp_path / "file" / "folder")).state == "WRONG"


def test_a_taken_port_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        monkeypatch.setattr(doctor, "DEFAULT_PORT", taken.getsockname()[1])
        assert usual_port().state == "note"
    assert usual_port().state == "ok"


def test_a_missing_package_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("pydantic", "no-such-package"))
    assert [finding.text for finding in doctor.versions()][-1] == (
        "Missing: no-such-package. Install conquest again."
    )
