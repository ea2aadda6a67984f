"""What must hold on machines other than this one: no import that only Unix has."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import client
from tests.client.command.test_main import unmeasured

ROOT = Path(__file__).parents[2]
UNIX_ONLY = ("crypt", "fcntl", "grp", "posix_spawn", "pty", "pwd", "resource", "syslog", "termios", "tty")


def test_everything_can_be_imported_where_there_is_no_unix() -> None:
    names = [module.name for module in pkgutil.walk_packages(client.__path__, "client.") if not module.ispkg]
    # A library knows by itself where it is.
    script = (
        f"import asyncssh, sys\nfor name in {UNIX_ONLY!r}:\n    sys.modules[name] = None\n"
        f"sys.modules['uvloop'] = None\n"
        f"import importlib\nfor name in {names!r}:\n    importlib.import_module(name)\n"
        "from client.line.hidden import hide\nassert hide(0) is None\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=unmeasured(), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
