"""The page for whoever runs a server says what is so: settings, commands, counts, events and files."""

import re
import shlex
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from protocol.limit import Limits, SshLimits
from server import command, config
from server.core.kernel import Kernel
from server.io import status
from server.io.sqlite import SqliteJournal
from tests.e2e.process import ROOT

PAGE = (ROOT / "docs" / "operations.md").read_text()


def block(language: str) -> str:
    """Return the page's one block in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def table(heading: str) -> str:
    """Return what stands under a heading."""
    return PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_the_settings_are_all_there_with_their_defaults(tmp_path: Path) -> None:
    file = tmp_path / "conquest.toml"
    file.write_text(block("toml"))
    defaults = config.Config()
    assert config.with_file(defaults, file) == defaults
    keys = re.findall(r"^(?:# )?(\w+) = ", block("toml"), re.MULTILINE)
    wanted = [*config._TYPES, *(each.name for limits in (Limits, SshLimits) for each in fields(limits))]
    assert sorted(keys) == sorted(wanted)


def test_the_settings_that_are_commented_out_can_be_set(tmp_path: Path) -> None:
    file = tmp_path / "conquest.toml"
    file.write_text(re.sub(r"^# (?=\w+ = )", "", block("toml"), flags=re.MULTILINE))
    expected = replace(
        config.Config(),
        bind="192.168.1.20",
        db="/var/lib/conquest/conquest.db",
        tls=True,
        status="7718",
        metrics=9100,
        ssh=2222,
    )
    assert config.with_file(config.Config(), file) == expected


def test_every_command_line_on_the_page_is_one() -> None:
    unit = (ROOT / "docs" / "conquest.service").read_text()
    lines = re.findall(
        r"(?:^    |`|=/opt/\S*/)(conquest(?: serve|-server)\b[^`\n]*)", PAGE + unit, re.MULTILINE
    )
    assert len(lines) > 5
    for line in lines:
        words = shlex.split(line.replace('"$(tailscale ip -4)"', "100.64.0.1"))
        flags = words[2:] if words[1:2] == ["serve"] else words[1:]
        command.parser().parse_args(flags)


def test_the_counts_are_all_there() -> None:
    journal = SqliteJournal(":memory:")
    found: dict[str, Any] = status.counts(Kernel(Limits(), lambda n: 0, 0.0), journal, 0.0)
    journal.close()
    listed = re.findall(r"^\| (`.*?`) \|", table("Counts"), re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(listed)) == list(found)
    assert all(f"`{each}`" in table("Counts") for each in found["commit_ms"])


def test_the_events_of_the_log_are_all_there() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", table("The log"), re.MULTILINE)
    sources = "".join(path.read_text() for path in (ROOT / "server").rglob("*.py"))
    assert set(listed) == set(re.findall(r'\bnote\("(\w+)"', sources))


def test_the_files_are_named_as_they_are() -> None:
    assert "DEFAULT_PORT = 7717" in (ROOT / "protocol" / "limit.py").read_text()
    for name in (
        "conquest.db",
        "conquest.db-wal",
        "conquest.db-shm",
        "conquest.db.lock",
        "server.crt",
        "server.key",
        "ssh_host_key",
    ):
        assert f"`{name}`" in table("What is kept, and where")
