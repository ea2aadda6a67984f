"""Which terminals get ASCII by themselves, what no terminal gets, and when one is gone."""

import os
import pty
from pathlib import Path

import pytest

from protocol.process.stream import complain, is_ascii_only, is_hung_up


@pytest.mark.parametrize(
    ("environment", "encoding", "is_plain"),
    [
        ({}, "utf-8", False),
        ({"LANG": "de_DE.UTF-8", "TERM": "xterm-256color"}, "utf-8", False),
        ({"LC_CTYPE": "UTF-8"}, "UTF-8", False),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, "utf-8", False),
        ({"LC_ALL": "", "LANG": "en_US.utf8"}, "utf-8", False),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "utf-8", True),
        ({"LC_ALL": "POSIX"}, "utf-8", True),
        ({"LANG": "de_DE.ISO-8859-1"}, "utf-8", True),
        ({"LANG": "de_DE.UTF-8"}, "iso8859-1", True),
        ({"LANG": "de_DE.UTF-8"}, None, True),
        ({"LANG": "de_DE.UTF-8", "TERM": "vt220"}, "utf-8", True),
        ({"LANG": "de_DE.UTF-8", "TERM": "linux"}, "utf-8", True),
    ],
)
def test_ascii_is_for_terminals_that_say_that_they_know_nothing_else(
    environment: dict[str, str], encoding: str | None, is_plain: bool
) -> None:
    assert is_ascii_only(environment, encoding) is is_plain


def test_nothing_in_a_complaint_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert complain("Line 1: \x1b]52;c;eA==\x07\x9b2J\u202e: wrong.\nAsk again.", 1) == 1
    assert capsys.readouterr().err == "conquest: Line 1: �]52;c;eA==��2J�: wrong.\nAsk again.\n"


def test_a_terminal_that_is_gone_is_told_from_one_that_is_there_and_from_no_terminal() -> None:
    controller, terminal = pty.openpty()
    with Path(os.devnull).open("rb") as file:
        assert not is_hung_up(file.fileno())
    assert not is_hung_up(terminal)
    os.close(controller)
    assert is_hung_up(terminal)
    os.close(terminal)
