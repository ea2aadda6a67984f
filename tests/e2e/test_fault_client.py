"""Parts of the client that fail as nobody foresaw: a sentence, a trace in a file, exit code 1, no waiting."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.local.fault import LOG, SORRY
from tests.e2e.line import LineClient, as_new, line_client
from tests.e2e.process import serving
from tests.e2e.screen import HEIGHT, WIDTH, ScreenClient

PROMPT = "Enter the territory number to claim: "
PLAY = ("play", "conquer", "--first", "creator", "--name", "Ann")
HOST = ("host", "conquer", "--port", "0", "--first", "creator", "--name", "Ann")
TRACE = "tests.e2e.faulty.Unforeseen: nobody thought of this"


@asynccontextmanager
async def faulty(client: LineClient, part: str, is_spoilt: bool = False) -> AsyncIterator[LineClient]:
    """Run a client of which a part fails, at once or when `spoil` was called."""
    client.module = "tests.e2e.faulty_client"
    client.more_environment = {"FAULT": part, "FAULT_WHEN": str(client.home / "now")}
    client.home.mkdir(exist_ok=True)
    if is_spoilt:
        spoil(client)
    try:
        await client.start()
        yield client
    finally:
        await client.close()


def spoil(client: LineClient) -> None:
    """Let the part fail from now on."""
    (client.home / "now").touch()


async def assert_is_told(client: LineClient) -> None:
    """Wait for the end: a sentence that names the file with the trace, which is nowhere else."""
    assert await client.ended() == 1
    await client.finished()
    log = client.home / LOG
    assert (
        f"conquest: {SORRY} The details are in {log}" in client.transcript.replace("\r", "") + client.errors
    )
    assert "Traceback" not in client.transcript + client.errors
    assert TRACE in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("part", ["the session", "dialling", "hearing", "beating"])
async def test_a_session_that_fails_ends_with_a_sentence(tmp_path: Path, part: str) -> None:
    async with serving(tmp_path / "server") as server:
        where = ("join", f"127.0.0.1:{server.port}", "ABCDEFGH", "--name", "Bob")
        async with faulty(LineClient(tmp_path / "bob", *where), part, is_spoilt=True) as bob:
            await assert_is_told(bob)


async def test_a_session_that_fails_amid_a_match_keeps_the_seat(tmp_path: Path) -> None:
    async with (
        line_client(tmp_path / "ann", *HOST) as ann,
        faulty(LineClient(tmp_path / "bob", "join", await ann.link(), "--name", "Bob"), "hearing") as bob,
    ):
        await bob.until("Player 1's turn.")
        spoil(bob)
        await ann.answer("4")
        await assert_is_told(bob)
        async with line_client(tmp_path / "bob", "join", "--resume") as bob_again:
            await bob_again.answer("7")
            await ann.until("Player 2 claims territory 7.")


@pytest.mark.parametrize(
    "part", ["reading what is typed", "the computer's player", "the computer's thinking", "dialling"]
)
async def test_a_game_with_the_computer_that_fails_ends_with_a_sentence(tmp_path: Path, part: str) -> None:
    async with faulty(LineClient(tmp_path, *PLAY), part, is_spoilt=True) as ann:
        ann.type("4")
        await assert_is_told(ann)


async def test_a_signal_that_cannot_be_dealt_with_ends_with_a_sentence(tmp_path: Path) -> None:
    async with faulty(LineClient(tmp_path, *PLAY, is_terminal=True), "a signal") as ann:
        await ann.until(PROMPT)
        spoil(ann)
        ann.signal(signal.SIGCONT)
        await assert_is_told(ann)


@pytest.mark.parametrize(
    ("part", "trace"), [("a hint's process", TRACE), ("a hint's process, killed", "ended with code -9")]
)
async def test_a_hint_whose_process_dies_is_a_sentence_and_the_match_goes_on(
    tmp_path: Path, part: str, trace: str
) -> None:
    async with faulty(LineClient(tmp_path, *PLAY), part) as ann:
        await ann.until(PROMPT)
        ann.type("/hint")
        log = ann.home / LOG
        await ann.until(f"The hint could not be worked out. The details are in {log}\n")
        assert trace in log.read_text()
        await ann.answer("4")
        await ann.until("Player 1 claims territory 4.")


async def test_a_hint_that_cannot_be_asked_for_ends_with_a_sentence(tmp_path: Path) -> None:
    async with faulty(LineClient(tmp_path, *PLAY), "asking for a hint", is_spoilt=True) as ann:
        await ann.until(PROMPT)
        ann.type("/hint")
        await assert_is_told(ann)


async def test_editing_that_fails_leaves_the_terminal_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    client = LineClient(tmp_path, *PLAY, is_terminal=True)
    async with faulty(client, "editing what is typed") as ann:
        await ann.until(PROMPT)
        spoil(ann)
        ann.press("4")
        await assert_is_told(ann)
        assert ann.mode() == as_new()


async def test_a_match_that_cannot_be_announced_is_joined_by_its_link(tmp_path: Path) -> None:
    async with faulty(LineClient(tmp_path / "ann", *HOST), "announcing", is_spoilt=True) as ann:
        await ann.until("The match could not be announced on this network; use the link.\n")
        assert TRACE in (ann.home / LOG).read_text()
        async with line_client(tmp_path / "bob", "join", await ann.link()) as bob:
            await ann.answer("4")
            await bob.until("Player 1 claims territory 4.")


@pytest.mark.parametrize("part", ["looking around", "visiting what was found"])
async def test_a_search_that_fails_ends_with_a_sentence(tmp_path: Path, part: str) -> None:
    async with line_client(tmp_path / "ann", *HOST) as ann:
        await ann.link()
        async with faulty(LineClient(tmp_path / "bob", "join"), part, is_spoilt=True) as bob:
            await assert_is_told(bob)


async def test_a_server_inside_that_fails_ends_with_a_sentence(tmp_path: Path) -> None:
    async with faulty(LineClient(tmp_path, *HOST), "the server inside, its ticker") as ann:
        await ann.link()
        spoil(ann)
        await assert_is_told(ann)


async def test_a_server_inside_that_fails_while_it_stops_ends_with_a_sentence(tmp_path: Path) -> None:
    async with faulty(LineClient(tmp_path, *HOST), "stopping the server inside") as ann:
        await ann.link()
        spoil(ann)
        ann.type("/quit")
        await assert_is_told(ann)


async def test_a_journal_inside_that_fails_shows_nothing_that_was_not_saved(tmp_path: Path) -> None:
    part = "the server inside, its journal"
    async with (
        faulty(LineClient(tmp_path / "ann", *HOST), part) as ann,
        line_client(tmp_path / "bob", "join", await ann.link(), "--name", "Bob") as bob,
    ):
        await bob.until("Player 1's turn.")
        spoil(ann)
        await ann.answer("4")
        await assert_is_told(ann)
        assert "claims territory 4" not in ann.transcript
        await bob.until("Connection lost, trying again")
        assert "claims territory 4" not in bob.transcript


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": str(HEIGHT)}
    for name, value in {**settings, "TEXTUAL_ANIMATIONS": "none"}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("part", "command"),
    [
        ("the session", PLAY),
        ("hearing", PLAY),
        ("beating", PLAY),
        ("the computer's player", PLAY),
        ("drawing", PLAY),
        ("looking around on a page", ("join", "--name", "Ann")),
        ("importing", ("--name", "Ann")),
        ("the server inside, its ticker", HOST),
    ],
)
async def test_a_screen_that_fails_leaves_the_terminal_with_a_sentence(
    tmp_path: Path, part: str, command: tuple[str, ...]
) -> None:
    async with faulty(ScreenClient(tmp_path, *command), part, is_spoilt=True) as ann:
        await assert_is_told(ann)
        left = ann.transcript.rindex("\x1b[?1049l")
        assert ann.transcript.index(SORRY) > left
