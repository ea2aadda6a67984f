"""User names, words and lines of visitors by ssh."""

import itertools

import pytest

from client.ssh.caller import Caller, Line, identity_of, make_word, parse_user, terminal_name


@pytest.mark.parametrize(
    ("user", "caller"),
    [
        ("7K3M-9QXZ", Caller(code="7K3M9QXZ")),
        ("7k3m9qxz", Caller(code="7K3M9QXZ")),
        ("KMQX-ZABC", Caller(code="KMQXZABC")),
        ("gamehost", Caller(name="gamehost")),
        ("ann", Caller(name="ann")),
        ("Back-7K3M-9qxz-4tcq", Caller(word="back-7k3m-9qxz-4tcq")),
        ("back-", Caller(word="back-")),
        ("", Caller()),
        ("a\x1b[2Jb", Caller()),
        ("x" * 1000, Caller()),
        ("/quit", Caller()),
    ],
)
def test_a_user_name_is_a_code_or_a_word_or_a_name_or_nothing(user: str, caller: Caller) -> None:
    assert parse_user(user) == caller


def test_a_word_is_drawn_and_read_back() -> None:
    letters = itertools.cycle(range(32))
    word = make_word(lambda most: next(letters) % most)
    assert word == "back-0123-4567-89ab"
    assert parse_user(word).word == word


def test_whoever_shows_the_same_is_the_same_and_a_key_is_no_word() -> None:
    assert identity_of(b"a key") == identity_of(b"a key") != identity_of(b"another")
    assert identity_of("back-1") != identity_of(b"back-1")
    assert "back-1" not in identity_of("back-1")


def test_a_terminal_of_no_kind_is_a_dumb_one() -> None:
    assert terminal_name("xterm-256color") == "xterm-256color"
    for claimed in ("", "../../etc", "x" * 33, "a b", "xterm\n", "é"):
        assert terminal_name(claimed) == "dumb"


@pytest.mark.parametrize(("length", "is_too_long"), [(9, False), (10, False), (11, True)])
def test_a_line_is_measured_from_one_control_character_to_the_next(length: int, is_too_long: bool) -> None:
    for end in (b"", b"\n", b"\r", b"\x1b[A", b"\x7f"):
        for before in (b"", b"\n", b"x\x1b"):
            assert Line(10).is_too_long(before + b"y" * length + end) is is_too_long
    line = Line(10)
    told = [line.is_too_long(b"y") for _ in range(length)]
    assert told[-1] is is_too_long
    assert not any(told[:-1])


def test_keys_are_no_line_however_many_there_are() -> None:
    line = Line(10)
    assert not any(line.is_too_long(b"\x1b[<0;10;10M") for _ in range(100))
