"""Completion scripts: bash's is tried out, the others are looked at."""

import shutil
import subprocess

import pytest

from client.argument import COMMANDS, SHELLS
from client.completion import script


def completed(*words: str) -> list[str]:
    """Complete the last of the words as bash would."""
    line = " ".join(f"'{word}'" for word in words)
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _conquest; echo "${{COMPREPLY[@]}}"'
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "--norc", "-c", f"{script('bash')}\n{ask}"], capture_output=True, text=True, check=True
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


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_knows_commands_games_and_flags(shell: str) -> None:
    text = script(shell)
    for word in (*COMMANDS, "galaxy", "duel", "hide-picks", "perfect"):
        assert word in text


def test_quotes_in_descriptions_do_not_break_a_script() -> None:
    assert "friend\\'s" in script("fish")
    assert "friend's" not in script("zsh")
