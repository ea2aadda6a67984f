"""Text that other people wrote is refused, or tidied, before it can steer a terminal or deceive a reader."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.text import CHAT_LEN, NAME_CELLS, Unclean, cells, clean_chat, clean_name, defused

ESCAPES = {
    "clear screen": "Bob\x1b[2J",
    "set the window's title": "\x1b]0;owned\x07",
    "answer back": "\x05",
    "one-byte control sequence": "\x9b31m",
    "bell": "Bob\x07",
    "backspace": "Bob\x08\x08\x08Eve",
    "carriage return": "Bob\rEve",
    "new line": "Bob\nEve: I resign",
    "tab": "Bob\tEve",
    "nothing": "Bob\x00",
    "delete": "Bob\x7f",
    "next line": "Bob\x85Eve",
    "line separator": "Bob\u2028Eve",
    "paragraph separator": "Bob\u2029Eve",
    "right-to-left override": "Bob\u202eevE",
    "left-to-right isolate": "\u2066Bob\u2069",
    "right-to-left mark": "Bob\u200f",
    "zero-width space": "B\u200bob",
    "zero-width joiner": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "byte order mark": "\ufeffBob",
    "soft hyphen": "B\u00adob",
    "language tags": "Bob\U000e0042",
    "half of a character": "Bob\ud83d",
    "private use": "Bob\ue000",
    "unassigned": "Bob\U000e0fff",
    "not a character": "Bob\uffff",
}
INVISIBLE = {
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Hangul choseong filler": "\u115f",
    "Braille blank": "\u2800",
    "grapheme joiner": "B\u034fob",
    "Mongolian selector": "B\u180bob",
    "Khmer inherent vowel": "B\u17b4ob",
}
UNFIT = ESCAPES | INVISIBLE


def is_harmless(text):
    """Tell whether a terminal just shows the text: no controls, formats, halves or line ends in it."""
    return not any(unicodedata.category(c).startswith("C") or c in "\u2028\u2029" for c in text)


every_unfit_text = pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT)


@every_unfit_text
def test_a_name_that_could_steer_or_deceive_is_refused(text):
    with pytest.raises(Unclean, match=r"^A name .*\.$"):
        clean_name(text)


@every_unfit_text
def test_a_message_that_could_steer_or_deceive_is_refused(text):
    with pytest.raises(Unclean, match=r"^A message .*\.$"):
        clean_chat(text)


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_what_a_foreign_server_lets_through_is_defused_before_it_is_shown(text):
    shown = defused(text)
    assert is_harmless(shown)
    assert {after for before, after in zip(text, shown, strict=True) if after != before} == {"�"}


def test_harmless_text_is_not_changed_by_defusing():
    for text in ("", "Zoë 征服", "[bold]not markup[/bold]", "👍 ok", "שלום", "a\u0301"):
        assert defused(text) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bob", "Bob"),
        ("  Bob  ", "Bob"),
        ("Bob   the    Builder", "Bob the Builder"),
        ("Bob\u00a0\u2003\u3000B", "Bob B"),
        ("Zoe\u0308", "Zoë"),
        ("Nguye\u0302\u0303n", "Nguyễn"),
        ("[red]Bob", "[red]Bob"),
        ("Иван", "Иван"),
        ("שלום", "שלום"),
        ("محمّد", "محمّد"),
        ("हिन्दी", "हिन्दी"),
        ("👍", "👍"),
        ("🇩🇪", "🇩🇪"),
        ("Bob ❤\ufe0f", "Bob ❤"),
        ("葛\U000e0100", "葛"),
    ],
)
def test_an_ordinary_name_is_kept_and_tidied(text, name):
    assert clean_name(text) == name
    assert clean_name(name) == name


def test_accents_cannot_pile_up_over_other_lines():
    assert clean_name("Bo\u0336\u0335b") == "Bo\u0336\u0335b"
    with pytest.raises(Unclean, match="2 accents on a letter"):
        clean_name("Bo\u0336\u0335\u0334b")
    with pytest.raises(Unclean, match="2 accents on a letter"):
        clean_chat("z" + "\u0300\u0301\u0489" * 20)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("Bob", 3),
        ("Zoë", 3),
        ("Zoe\u0308", 3),
        ("征服", 4),
        ("ｂｏｂ", 6),
        ("ﾎﾞﾌﾞ", 4),
        ("한글", 4),
        ("👍", 2),
        ("👍🏽", 4),
        ("🇩🇪", 2),
        ("a\u20dd", 1),
        ("हिन्दी", 5),
        ("█▓", 2),
    ],
)
def test_width_is_counted_in_cells_of_a_terminal(text, width):
    assert cells(text) == width


@pytest.mark.parametrize(("letter", "most"), [("a", NAME_CELLS), ("征", NAME_CELLS // 2)])
def test_a_name_is_one_to_sixteen_cells_wide(letter, most):
    assert clean_name(letter) == letter
    assert clean_name(letter * (most - 1)) == letter * (most - 1)
    assert clean_name(letter * most) == letter * most
    with pytest.raises(Unclean, match="1 to 16 characters wide"):
        clean_name(letter * (most + 1))


@pytest.mark.parametrize("text", ["", " ", "\u3000\u00a0", "\u0301", "\ufe0f"])
def test_a_name_that_nobody_could_see_is_refused(text):
    with pytest.raises(Unclean, match="1 to 16"):
        clean_name(text)


def test_a_message_is_one_to_two_hundred_characters_long():
    for length in (1, CHAT_LEN - 1, CHAT_LEN):
        assert clean_chat("征" * length) == "征" * length
    for text in ("", " \u00a0 ", "a" * (CHAT_LEN + 1)):
        with pytest.raises(Unclean, match="1 to 200 characters long"):
            clean_chat(text)


def test_a_server_can_allow_longer_or_only_shorter_messages():
    assert clean_chat("abc", most=3) == "abc"
    with pytest.raises(Unclean, match="1 to 3 characters long"):
        clean_chat("abcd", most=3)


def test_spaces_around_and_within_do_not_count_against_a_message():
    assert clean_chat(" a" + " " * 500 + "b ") == "a b"


@given(st.text(max_size=24))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_whatever_passes_is_printable_and_passes_unchanged_again(text):
    try:
        name = clean_name(text)
    except Unclean:
        return
    assert clean_name(name) == name == defused(name)
    assert is_harmless(name)
    assert unicodedata.is_normalized("NFC", name)
    assert 1 <= cells(name) <= NAME_CELLS


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_whatever_is_defused_is_harmless_and_as_long_as_before(text):
    assert is_harmless(defused(text))
    assert len(defused(text)) == len(text)


def test_a_command_is_no_name():
    for text in ("/quit", " /quit", "/"):
        with pytest.raises(Unclean, match=r"^A name cannot begin with a slash, as commands do\.$"):
            clean_name(text)
    assert clean_name("Ann/Bob") == "Ann/Bob"
