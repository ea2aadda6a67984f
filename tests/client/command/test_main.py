"""The command as a whole: exit codes, what is imported, and the menu."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.command.main import main
from client.command.menu import CHOICES

HEAVY = ("asyncio", "pydantic", "msgpack", "zeroconf", "cryptography", "ssl", "sqlite3", "server")


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "client.command.main", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def unmeasured() -> dict[str, str]:
    """The environment without what measures coverage, which imports a good deal itself."""
    return {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    look = (
        "import sys\nfrom client.command.main import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print('IMPORTED', *{name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", look], capture_output=True, text=True, check=True, env=unmeasured()
    )
    imported = done.stdout.split("IMPORTED")[1].split()
    assert [name for name in HEAVY if name in imported] == []


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["hots"], 2, "conquest: There is no command 'hots'. Did you mean 'host'?"),
        (["play", "chess"], 2, "conquest: There is no game 'chess'."),
        (["play", "grid", "--option", "sze=4"], 2, "Did you mean 'size'?"),
        (["play", "grid", "--clock", "1"], 2, "conquest: The clock must be from 5 to 86400 seconds."),
        (["host", "grid", "--port", "70000"], 2, "conquest: --port must be from 0 to 65535."),
        (["host", "grid", "--public", "a b"], 2, "conquest: 'a b' is not an address"),
        (["join", "conquest://"], 2, "conquest: '' is not an address"),
        (["join", "127.0.0.1", "xyz"], 2, "conquest: 'xyz' is not a join code"),
        (["join", "127.0.0.1", "--resume", "7K3M9QXZ"], 2, "conquest: --resume goes back"),
        (["join", "127.0.0.1:1", "7K3M9QXZ"], 1, "conquest: Nothing answers at 127.0.0.1:1."),
        (["join", "127.0.0.1:1", "7k3m", "9qxz"], 1, "conquest: Nothing answers at 127.0.0.1:1."),
        (["watch", "127.0.0.1:1", "7k3m", "9qxz"], 1, "conquest: Nothing answers at 127.0.0.1:1."),
        (["host", "grid", "--at", "127.0.0.1", "--no-tls"], 2, "leave out --no-tls."),
        (["host", "--resume"], 1, "conquest: There is no match to go back to."),
        (["join", "--resume"], 1, "conquest: There is no match to go back to."),
        (["watch", "127.0.0.1:1", "7K3M9QXZ"], 1, "conquest: Nothing answers at 127.0.0.1:1."),
        (["play", "grid", "--name", "x" * 17], 2, "conquest: A name is 1 to 16 characters wide."),
        (["replay", "nowhere"], 1, "conquest: nowhere cannot be shown. It cannot be read"),
        (["host"], 1, "conquest: There was a question, but no more input to answer it."),
    ],
)
def test_every_failure_is_one_sentence_and_the_right_code(
    arguments: list[str], code: int, sentence: str
) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["host grid", "play grid", "bot easy --host grid", "serve"])
def test_a_folder_that_somebody_names_for_the_journal_must_be_there(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "typo" / "folder"
    done = run(*command.split(), "--bind", "127.0.0.1", "--port", "0", "--db", str(folder / "match.db"))
    assert done.returncode == 1
    assert done.stderr == f"conquest: There is no folder {folder} for the journal; make it first.\n"
    assert not folder.parent.exists()


def test_a_server_makes_the_home_that_nobody_named_for_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "new" / "home"))
    # An address that is nobody's ends it before it serves.
    assert run("serve", "--bind", "192.0.2.1").returncode == 1
    assert (tmp_path / "new" / "home" / "conquest.db").exists()


def test_rules_and_completion_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "galaxy"]) == 0
    assert "Galaxy Conquest" in capsys.readouterr().out
    assert main(["rules"]) == 0
    assert "duel" in capsys.readouterr().out
    assert main(["completion", "bash"]) == 0
    assert "complete -F _conquest conquest" in capsys.readouterr().out


def test_serve_is_the_dedicated_server(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["serve", "--help"])
    assert raised.value.code == 0
    assert "usage: conquest serve" in capsys.readouterr().out


def test_a_reader_that_is_gone_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

        def fileno(self) -> int:
            return spare.fileno()

    with (tmp_path / "spare").open("w") as spare:
        monkeypatch.setattr(sys, "stdout", Gone())
        assert main(["rules"]) == 1
    assert capsys.readouterr().err == ""


def test_the_menu_works_through_a_pipe() -> None:
    done = run("--name", "Ann", typed="1\n2\n4\n/resign\n/quit\n9\n6\n3\n7\n")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith("Welcome to Conquest, Ann.\n\nWhat would you like to do?\n1. Play against")
    assert "Which game?\n1. Galaxy Conquest\n2. Conquer\n" in done.stdout
    assert "How well should the computer play?\n1. easy\n" in done.stdout
    assert "Computer wins!" in done.stdout
    assert "'9' is not a number from 1 to 7.\n" in done.stdout
    assert "Grid Conquest" in done.stdout
    assert done.stdout.count("What would you like to do?") == 3


def test_the_menu_ends_with_its_input() -> None:
    assert run(typed="").returncode == 0


def test_what_fails_in_the_menu_is_said_and_the_menu_goes_on() -> None:
    done = run(typed=f"4\nnonsense!\n4\n\n4\n127.0.0.1:1 7K3M9QXZ\n{len(CHOICES)}\n")
    assert done.returncode == 0
    assert "'nonsense!' is not an address" in done.stdout
    assert "Nothing was given to go to.\n" in done.stdout
    assert "Nothing answers at 127.0.0.1:1." in done.stdout
    assert done.stdout.count("What would you like to do?") == 4


@pytest.mark.parametrize("game", ["3", "grid", "Grid Conquest"])
def test_a_host_without_a_game_chooses_one(game: str) -> None:
    done = run("host", "--bind", "127.0.0.1", "--port", "0", "--private", typed=f"{game}\n/quit\n")
    assert done.returncode == 0
    assert "Which game?\n1. Galaxy Conquest\n" in done.stdout
    assert "Link: conquest://127.0.0.1:" in done.stdout
