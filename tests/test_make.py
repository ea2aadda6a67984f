"""What make does for people who have just got the code."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def installed(folder: Path, path: str) -> str:
    """Install the command into a folder, and return what is said."""
    # The stamp counts as made: setting up is not what is tried here.
    command = ["make", "-s", "-o", ".venv/.ready", "install", f"BINDIR={folder}"]
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{path}"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_install_links_the_command_and_may_be_repeated(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    for _ in range(2):
        assert installed(folder, str(folder)) == f"{folder}/conquest leads to this folder now.\n"
    assert (folder / "conquest").readlink() == ROOT / ".venv" / "bin" / "conquest"


def test_install_says_when_the_folder_is_not_on_the_path(tmp_path: Path) -> None:
    assert installed(tmp_path, "/nowhere").endswith(
        f"{tmp_path} is not on your PATH; add it to type conquest.\n"
    )
