"""Links and codes are read as people pass them on; a damaged one gets a sentence, never a wrong place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.limit import DEFAULT_PORT
from protocol.link import (
    ALPHABET,
    CODE_LEN,
    BadLink,
    Link,
    address_text,
    fingerprint_of,
    is_fingerprint,
    make_code,
    parse_address,
    parse_code,
    parse_link,
)

CODE = "7K3M9QXZ"
FINGERPRINT = "uU0nuZNNPgilLlLX2n2r-sSE7-N6U4DukIj3rOLvzek"
LINKS = {
    f"conquest://192.168.1.20:7717/{CODE}": Link("192.168.1.20", 7717, CODE),
    f"conquest://192.168.1.20:7717/{CODE}#fp={FINGERPRINT}": Link("192.168.1.20", 7717, CODE, FINGERPRINT),
    f"conquest://[fd00::7]:9000/{CODE}#fp={FINGERPRINT}": Link("fd00::7", 9000, CODE, FINGERPRINT),
    f"conquest://[fe80::1%eth0]:7717/{CODE}": Link("fe80::1%eth0", 7717, CODE),
    f"conquest://[::ffff:192.0.2.1]:1/{CODE}": Link("::ffff:192.0.2.1", 1, CODE),
    f"conquest://play.example.org:65535/{CODE}#fp={FINGERPRINT}": Link(
        "play.example.org", 65535, CODE, FINGERPRINT
    ),
    f"conquest://localhost:7717/#fp={FINGERPRINT}": Link("localhost", 7717, None, FINGERPRINT),
    "conquest://my_pc.local.:7717/": Link("my_pc.local.", 7717),
    f"conquest://relay.example:7717/{CODE}?relay=40000#fp={FINGERPRINT}": Link(
        "relay.example", 7717, CODE, FINGERPRINT, relay=40000
    ),
}


@pytest.mark.parametrize(("text", "link"), LINKS.items())
def test_a_link_is_read_as_it_is_written(text, link):
    assert parse_link(text) == link
    assert str(link) == text


@pytest.mark.parametrize(
    "text",
    [
        f"  conquest://example.org:7717/{CODE}\n",
        f"CONQUEST://example.org:7717/{CODE}",
        "conquest://example.org/7k3m-9qxz",
        "conquest://example.org:/7K3M 9QXZ",
    ],
)
def test_a_link_may_be_pasted_and_shortened_as_people_do(text):
    assert parse_link(text) == Link("example.org", DEFAULT_PORT, CODE)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A join link begins with conquest://."),
        ("example.org", "A join link begins with conquest://."),
        (f"https://example.org:7717/{CODE}", "A join link begins with conquest://."),
        (f"<conquest://example.org:7717/{CODE}>", "A join link begins with conquest://."),
        ("conquest://", "'' is not an address"),
        (f"conquest:///{CODE}", "'' is not an address"),
        (f"conquest://me@example.org/{CODE}", "'me@example.org' is not an address"),
        ("conquest://example.org/7K3M", "'7K3M' is not a join code; one looks like 7K3M-9QXZ."),
        (f"conquest://example.org/{CODE}/", "is not a join code"),
        (
            f"conquest://example.org/{CODE}?fp={FINGERPRINT}",
            "behind ? is damaged; copy the whole link again.",
        ),
        (f"conquest://example.org/{CODE}?relay=7717", "behind ? is damaged"),
        (f"conquest://example.org/{CODE}?relay=0#fp={FINGERPRINT}", "behind ? is damaged"),
        (f"conquest://example.org/{CODE}?relay=#fp={FINGERPRINT}", "behind ? is damaged"),
        (f"conquest://example.org/{CODE}?#fp={FINGERPRINT}", "behind ? is damaged"),
        (f"conquest://example.org:7717/{CODE}#", "behind # is damaged; copy the whole link again."),
        (f"conquest://example.org:7717/{CODE}#fp=", "behind # is damaged"),
        (f"conquest://example.org:7717/{CODE}#fp={FINGERPRINT[:-1]}", "behind # is damaged"),
        (f"conquest://example.org:7717/{CODE}#fp={FINGERPRINT}A", "behind # is damaged"),
        (f"conquest://example.org:7717/{CODE}#fp={FINGERPRINT[:-1]}=", "behind # is damaged"),
        (f"conquest://example.org:7717/{CODE}#FP={FINGERPRINT}", "behind # is damaged"),
        (f"conquest://example.org:7717/{CODE}#{FINGERPRINT}", "behind # is damaged"),
        (f"conquest://example.org:0/{CODE}", "'0' is not a port; ports are 1 to 65535."),
    ],
)
def test_a_damaged_link_gets_a_sentence(text, sentence):
    with pytest.raises(BadLink) as refusal:
        parse_link(text)
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("cut", range(len("conquest://")))
def test_a_link_that_lost_its_beginning_is_refused(cut):
    with pytest.raises(BadLink):
        parse_link(f"conquest://example.org:7717/{CODE}"[cut + 1 :])


@pytest.mark.parametrize("length", range(1, 1 + len(f"fp={FINGERPRINT}")))
def test_a_link_cut_off_within_its_fingerprint_never_passes_for_one_without(length):
    whole = f"conquest://example.org:7717/{CODE}#fp={FINGERPRINT}"
    with pytest.raises(BadLink):
        parse_link(whole[:-length])


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org", ("example.org", 7717)),
        ("example.org:80", ("example.org", 80)),
        ("example.org:", ("example.org", 7717)),
        (" 10.0.0.1:00080 ", ("10.0.0.1", 80)),
        ("a-b.c_d.e1", ("a-b.c_d.e1", 7717)),
        ("::1", ("::1", 7717)),
        ("fe80::1%wlan0", ("fe80::1%wlan0", 7717)),
        ("[::1]", ("::1", 7717)),
        ("[::1]:1", ("::1", 1)),
        ("[2001:db8::8:800:200c:417a]:65535", ("2001:db8::8:800:200c:417a", 65535)),
        ("l" * 63 + ".org", ("l" * 63 + ".org", 7717)),
    ],
)
def test_an_address_has_a_host_and_perhaps_a_port(text, address):
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":7717",
        "a b",
        "a..b",
        ".org",
        "-a",
        "a-",
        "l" * 64 + ".org",
        "l." * 127 + "l",
        "müller.example",
        "host/path",
        "\x1b[2J",
        "[::1",
        "[::1]9000",
        "[]:80",
        "[example.org]:80",
        "[192.0.2.1]:80",
        "1:2:3",
        "12345::",
        "::1::",
        "fe80::1%",
        "fe80::1%a b",
        "example.org:80:80",
    ],
)
def test_what_is_no_address_gets_a_sentence_that_shows_one(text):
    with pytest.raises(BadLink, match=r"is not an address; one looks like .*\.$") as refusal:
        parse_address(text)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    "port", ["0", "65536", "-1", "+80", "８０", "80a", "0x50", "1" * 5000, "0" * 5000 + "1"]
)
def test_a_port_is_one_to_65535(port):
    with pytest.raises(BadLink, match=r"is not a port; ports are 1 to 65535\.$"):
        parse_address(f"example.org:{port}")
    with pytest.raises(BadLink, match="is not a port"):
        parse_address(f"[::1]:{port}")


@pytest.mark.parametrize(
    "text",
    [
        "7K3M9QXZ",
        "7k3m9qxz",
        "7k3m-9qxz",
        " 7K3M 9QXZ\n",
        "7-k-3-m-9-q-x-z",
        "7K3M\u20139QXZ",
        "7K3M\u00a09QXZ",
        "7K3M_9QXZ",
    ],
)
def test_a_code_is_read_as_people_type_it(text):
    assert parse_code(text) == CODE


def test_letters_that_look_like_digits_are_taken_for_them():
    assert parse_code("oOiIlL01") == "00111101"


@pytest.mark.parametrize(
    "text",
    ["", "7K3M9QX", "7K3M9QXZ7", "7K3M9QXU", "7K3M9QX!", "７K3M9QXZ", "7K3M9QX\u202eZ", "\x1b[2J", "-"],
)
def test_what_is_no_code_gets_a_sentence_that_shows_one(text):
    with pytest.raises(BadLink, match=r"is not a join code; one looks like 7K3M-9QXZ\.$") as refusal:
        parse_code(text)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("letter", range(len(ALPHABET)))
def test_a_new_code_is_drawn_letter_by_letter_from_the_whole_alphabet(letter):
    numbers = iter([letter, *[2] * (CODE_LEN - 1)])
    assert make_code(lambda n: next(numbers) % n) == ALPHABET[letter] + "2" * (CODE_LEN - 1)
    assert not set("ILOU") & set(ALPHABET)


def test_no_new_code_can_be_taken_for_a_computers_name():
    letters = iter("GAMEHQST" + "HE110101" + "GAMEH0S7")
    assert make_code(lambda _: ALPHABET.index(next(letters))) == "GAMEH0S7"


@given(st.text(ALPHABET, min_size=CODE_LEN, max_size=CODE_LEN))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_every_code_survives_being_typed(code):
    assert parse_code(f"{code[:4]}-{code[4:]}".lower()) == code


HOSTS = st.ip_addresses().map(str) | st.from_regex(
    r"[a-z][a-z0-9]{0,8}(\.[a-z0-9]{1,8}){0,3}", fullmatch=True
)
FINGERPRINTS = st.none() | st.from_regex(r"[A-Za-z0-9_-]{43}", fullmatch=True)
CODES = st.none() | st.text(ALPHABET, min_size=CODE_LEN, max_size=CODE_LEN)


@given(st.builds(Link, HOSTS, st.integers(1, 65535), CODES, FINGERPRINTS))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_link_survives_being_passed_on(link):
    assert parse_link(str(link)) == link


@given(HOSTS, st.integers(1, 65535))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_every_address_is_read_as_it_is_written(host, port):
    assert parse_address(address_text(host, port)) == (host, port)


def test_a_fingerprint_is_the_hash_of_a_certificate_as_links_spell_it():
    assert fingerprint_of(b"") == "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    assert is_fingerprint(fingerprint_of(b"certificate"))
    assert not is_fingerprint(f"{fingerprint_of(b'certificate')}=")


def parsed_or_refused(parse, text):
    """Read a text; return what was read, or else the sentence that says why not."""
    try:
        return parse(text)
    except BadLink as refusal:
        return str(refusal)


@given(st.text(max_size=40) | st.text("[]:/#%.-=fp0123456789abc", max_size=40).map("conquest://".__add__))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_text_is_read_or_refused_in_one_sentence(text):
    for parse in (parse_link, parse_address, parse_code):
        assert parsed_or_refused(parse, text)
