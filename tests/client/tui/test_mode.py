"""Full screen or lines: as asked for, and otherwise by where the program runs."""

import sys

import pytest

from client.command import argument, main


def at_a_terminal(monkeypatch):
    """Pretend that a person sits here."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, _Stream(is_terminal=True))


class _Stream:
    def __init__(self, is_terminal):
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal


def is_full_screen(*words):
    return main.is_full_screen(argument.parse(list(words)))


def test_a_person_at_a_terminal_gets_the_full_screen_unless_they_want_lines(monkeypatch):
    at_a_terminal(monkeypatch)
    assert is_full_screen()
    assert is_full_screen("play", "galaxy")
    assert not is_full_screen("--plain")


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_pipe_anywhere_means_lines_unless_full_screen_is_asked_for(monkeypatch, name):
    at_a_terminal(monkeypatch)
    monkeypatch.setattr(sys, name, _Stream(is_terminal=False))
    assert not is_full_screen()
    assert is_full_screen("--tui")


def test_a_terminal_that_nobody_named_means_lines(monkeypatch):
    at_a_terminal(monkeypatch)
    monkeypatch.delenv("TERM")
    assert not is_full_screen()
    assert is_full_screen("--tui")


@pytest.mark.parametrize(
    ("name", "value"), [("TERM", "dumb"), ("TERM", ""), ("NO_COLOR", "1"), ("NO_COLOR", "")]
)
def test_a_simple_terminal_and_no_wish_for_colour_mean_lines(monkeypatch, name, value):
    at_a_terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    assert is_full_screen() == ((name, value) == ("NO_COLOR", ""))
    assert is_full_screen("--tui")
