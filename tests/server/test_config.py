"""Settings: from flags and from a file, the flags having the last word, and every error naming its key."""

import os
from dataclasses import fields
from types import SimpleNamespace

import pytest

from protocol.limit import DEFAULT_PORT, Limits
from server import command
from server.config import BadConfig, Config, with_file


@pytest.fixture
def toml(tmp_path):
    def write(text):
        path = tmp_path / "conquest.toml"
        path.write_text(text)
        return path

    return write


@pytest.fixture(autouse=True)
def _home(monkeypatch, tmp_path):
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "home"))


def settings(*arguments):
    return command.settings_from(command.parser().parse_args(arguments))


def test_without_a_word_the_defaults_hold(tmp_path):
    assert settings() == Config(db=str(tmp_path / "home" / "conquest.db"))
    assert settings().port == DEFAULT_PORT
    assert settings().limits == Limits()


def test_a_file_can_say_everything_that_flags_can(toml):
    path = toml(
        """
        bind = "127.0.0.1"
        port = 0
        db = ":memory:"
        tls = false
        status = 7718
        log_json = true

        [limits]
        matches = 5
        grace_s = 7
        dead_s = 12.5
        """
    )
    made = with_file(Config(), path)
    assert (made.bind, made.port, made.db, made.tls) == ("127.0.0.1", 0, ":memory:", False)
    assert (made.status, made.log_json) == ("7718", True)
    assert made.limits == Limits(matches=5, grace_s=7, dead_s=12.5)


def test_flags_have_the_last_word(toml):
    path = toml("port = 1000\nbind = '::1'\n[limits]\nmatches = 5\nsessions = 6\n")
    made = settings("--config", str(path), "--port", "2000", "--matches", "9")
    assert (made.port, made.bind) == (2000, "::1")
    assert (made.limits.matches, made.limits.sessions) == (9, 6)


@pytest.mark.parametrize("limit", [each.name for each in fields(Limits)])
def test_every_limit_has_a_flag(limit):
    flag = "--" + limit.replace("_", "-")
    assert getattr(settings(flag, "17").limits, limit) == 17


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("colour = 'red'", "colour is not a setting"),
        ("port = '7717'", "port cannot be '7717'; it must be a whole number"),
        ("port = true", "port cannot be True; it must be a whole number"),
        ("port = 70000", "port cannot be 70000; ports are 0 to 65535"),
        ("port = -1", "port cannot be -1"),
        ("tls = 'yes'", "tls cannot be 'yes'; it must be true or false"),
        ("status = 1.5", "status cannot be 1.5; it must be a text or a whole number"),
        ("limits = 3", "limits must be a table"),
        ("[limits]\nmatches = 0", "limits.matches cannot be 0; it must be a whole number above 0"),
        ("[limits]\nmatches = -3", "limits.matches cannot be -3"),
        ("[limits]\nmatches = 2.5", "limits.matches cannot be 2.5; it must be a whole number"),
        ("[limits]\nmatches = true", "limits.matches cannot be True"),
        ("[limits]\ngrace_s = 'long'", "limits.grace_s cannot be 'long'; it must be a number"),
        ("[limits]\ngrace_s = nan", "limits.grace_s cannot be nan"),
        ("[limits]\ngrace_s = inf", "limits.grace_s cannot be inf"),
        ("[limits]\ngrace_s = 1e300", "limits.grace_s cannot be 1e+300"),
        ("[limits]\nfun = 1", "limits.fun is not a limit; there are frame_before_hello, "),
        ("this is no TOML", "is not TOML"),
        ("port = 1\nport = 2", "is not TOML"),
    ],
)
def test_an_error_in_a_file_names_the_file_and_the_key(toml, text, key):
    path = toml(text)
    with pytest.raises(BadConfig) as error:
        settings("--config", str(path))
    assert key in str(error.value)
    assert str(error.value).endswith(".")
    assert str(path) in str(error.value) or "port" in key


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadConfig, match=r"nothing\.toml cannot be read: No such file or directory\."):
        settings("--config", str(tmp_path / "nothing.toml"))


def test_a_file_that_is_no_text_is_named(toml, tmp_path):
    path = toml("")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadConfig, match="is not TOML"):
        settings("--config", str(path))


@pytest.mark.parametrize("value", ["0", "-1", "inf", "nan"])
def test_an_impossible_limit_by_flag_is_named(value):
    with pytest.raises(BadConfig, match="--grace-s cannot be"):
        settings("--grace-s", value)


def test_a_wrong_setting_ends_the_command_with_one_sentence(capsys):
    assert command.main(["--port", "99999"]) == 1
    printed = capsys.readouterr()
    assert printed.err == "conquest: port cannot be 99999; ports are 0 to 65535.\n"
    assert printed.out == ""


def test_the_journal_can_be_named_by_either_word(toml):
    url = "postgresql://conquest@db.example.org/conquest"
    for flag in ("--journal", "--db"):
        assert settings(flag, url).db == url
        key = flag.removeprefix("--")
        assert with_file(Config(), toml(f'{key} = "{url}"')).db == url


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:sesame@db.example.org/conquest",
        "postgres://anna:sesame@one,two/conquest",
        "postgresql:///conquest?user=anna&password=sesame",
    ],
)
def test_a_password_in_the_url_of_a_journal_is_refused_and_not_repeated(toml, url):
    for attempt in (
        lambda: settings("--journal", url),
        lambda: with_file(Config(), toml(f'journal = "{url}"')),
    ):
        with pytest.raises(BadConfig, match=r"holds a password.*\.pgpass or PGPASSWORD") as seen:
            attempt()
        assert "sesame" not in str(seen.value)


def test_the_port_for_prometheus_is_a_port(toml):
    assert settings("--metrics", "9100").metrics == 9100
    assert with_file(Config(), toml("metrics = 9100")).metrics == 9100
    with pytest.raises(BadConfig, match="metrics cannot be 65536; ports are 0 to 65535"):
        settings("--metrics", "65536")


@pytest.mark.parametrize(("user", "is_told"), [(0, True), (1000, False)])
def test_a_server_that_runs_as_root_says_so(monkeypatch, capsys, user, is_told):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    command._announce(SimpleNamespace(addresses=["127.0.0.1"], port=7717, fingerprint=None, restored=0))
    first, *more = capsys.readouterr().out.splitlines()
    assert first == "Listening on 127.0.0.1:7717"
    assert [line.partition(",")[0] for line in more] == ["This server runs as root"] * is_told
