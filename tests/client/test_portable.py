"""What must hold on machines other than this one: no import that only Unix has, no command that is not."""

import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import client
from client.command.argument import parse
from server.command import parser as serve_parser
from tests.client.command.test_main import unmeasured

ROOT = Path(__file__).parents[2]
UNIX_ONLY = ("crypt", "fcntl", "grp", "posix_spawn", "pty", "pwd", "resource", "syslog", "termios", "tty")


def test_everything_can_be_imported_where_there_is_no_unix() -> None:
    names = [module.name for module in pkgutil.walk_packages(client.__path__, "client.") if not module.ispkg]
    script = (
        f"import sys\nfor name in {UNIX_ONLY!r}:\n    sys.modules[name] = None\n"
        f"sys.modules['uvloop'] = None\n"
        f"import importlib\nfor name in {names!r}:\n    importlib.import_module(name)\n"
        "from client.line.hidden import hide\nassert hide(0) is None\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=unmeasured(), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def commands() -> list[str]:
    """List the commands that the README tells people to type."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    typed = re.findall(r"^(?:    |\$ )(?:.*\| )?(conquest.*)$", text, flags=re.MULTILINE)
    said = re.findall(r"`(conquest [^`]*)`", text)
    return [*typed, *said]


def test_the_readme_has_commands() -> None:
    assert len(commands()) > 10


@pytest.mark.parametrize("command", commands())
def test_every_command_of_the_readme_is_one(command: str) -> None:
    arguments = [word.replace("GAME", "galaxy") for word in shlex.split(command)[1:]]
    if arguments[:1] == ["serve"]:
        assert serve_parser().parse_args(arguments[1:])
    else:
        assert (parse(arguments).command or "") in command
