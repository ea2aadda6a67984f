"""Completion scripts: bash's is tried out, the others are looked at."""

import os
import pty
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from client.command.argument import COMMANDS
from client.command.completion import script
from client.command.shape import SHELLS


def completed(*words: str) -> list[str]:
    """Complete the last of the words as bash would."""
    line = " ".join(f"'{word}'" for word in words)
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _conquest; echo "${{COMPREPLY[@]}}"'
    bash = shutil.which("bash")
    assert bash is not None
    with TemporaryDirectory() as empty:
        done = subprocess.run(
            [bash, "--norc", "-c", f"{script('bash')}\n{ask}"],
            cwd=empty,
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("conquest", "pl"), ["play"]),
        (("conquest", "play", "g"), ["galaxy", "grid"]),
        (("conquest", "play", "grid", "--bot", "h"), ["hard"]),
        (("conquest", "host", "grid", "--fir"), ["--first"]),
        (("conquest", "host", "grid", "--first", ""), ["toss", "creator", "guest"]),
        (("conquest", "completion", ""), [*SHELLS, "--help"]),
        (("conquest", "join", "--re"), ["--resume"]),
        (("conquest", "arena", "p"), ["perfect"]),
        (("conquest", "arena", "easy", "hard", "g"), ["galaxy", "grid"]),
        (("conquest", "bot", "hard", "--host", "d"), ["digit", "duel"]),
        (("conquest", "host", "grid", "--hin"), ["--hints"]),
    ],
)
def test_bash_completes(words: tuple[str, ...], expected: list[str]) -> None:
    assert completed(*words) == expected


def test_bash_knows_all_commands() -> None:
    assert completed("conquest", "") == [*COMMANDS, "--help", "--version"]


def pressed(folder: Path, line: str) -> str:
    """Type a line and Tab into a bash that a person could sit at; return what the command is given."""
    bash = shutil.which("bash")
    assert bash is not None
    (folder / "script").write_text(script("bash"))
    controller, terminal = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb", "PS1": "ready$ "}
    process = subprocess.Popen(
        [bash, "--norc", "--noprofile", "-i"],
        cwd=folder,
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    begin = "conquest() { printf 'given:'; printf ' <%s>' \"$@\"; echo ' end'; }; . ./script\n"
    said = b""
    try:
        os.write(controller, f"{begin}conquest {line}\t\nexit\n".encode())
        while data := os.read(controller, 4096):
            said += data
    except OSError:
        pass  # The other end of the terminal is closed.
    finally:
        process.kill()
        process.wait()
        os.close(controller)
    return said.decode().rpartition("given: ")[2].partition(" end")[0]


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("repl", "<replay>"),
        ("replay ma", "<replay> <match one.jsonl>"),
        ("review folder/in", "<review> <folder/inner.jsonl>"),
        ("host grid --db ma", "<host> <grid> <--db> <match one.jsonl>"),
        ("host grid --fi", "<host> <grid> <--first>"),
        ("host grid --first cr", "<host> <grid> <--first> <creator>"),
        ("play digit --option dr", "<play> <digit> <--option> <draw=>"),
        ("play digit --option draw=c", "<play> <digit> <--option> <draw=choose>"),
        ("play grid --bo", "<play> <grid> <--bot>"),
        ("play grid --bot ma", "<play> <grid> <--bot> <match one.jsonl>"),
        ("bot hard --host gri", "<bot> <hard> <--host> <grid>"),
        ("arena easy ma", "<arena> <easy> <match one.jsonl>"),
    ],
)
def test_a_real_bash_completes_commands_flags_options_and_files(
    tmp_path: Path, line: str, given: str
) -> None:
    (tmp_path / "match one.jsonl").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.jsonl").touch()
    (tmp_path / "gridlock").touch()
    assert pressed(tmp_path, line) == given


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_knows_commands_games_and_flags(shell: str) -> None:
    text = script(shell)
    for word in (*COMMANDS, "galaxy", "duel", "hide-picks", "perfect"):
        assert word in text


def test_quotes_in_descriptions_do_not_break_a_script() -> None:
    assert "friend\\'s" in script("fish")
    assert "friend's" not in script("zsh")
