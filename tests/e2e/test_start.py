"""What a server will not start with: one sentence on standard error, exit code 1, and nothing is changed."""

import asyncio
import socket
from pathlib import Path

import pytest

from protocol.client_frame import Create
from tests.e2e.client import met, paired, refusal
from tests.e2e.process import refused, serving


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (("--grace-s=0",), "--grace-s cannot be 0"),
        (("--heartbeat-s=inf",), "--heartbeat-s cannot be inf"),
        (("--status=",), "status cannot be ''"),
        (("--status=no/such/folder/file",), "no/such/folder"),
        (("--bind=no-such-host.invalid",), "no-such-host.invalid"),
    ],
)
async def test_a_flag_that_cannot_be_is_named(tmp_path: Path, flags: tuple[str, ...], named: str) -> None:
    assert named in await refused(tmp_path, *flags)


@pytest.mark.parametrize(
    ("flag", "sentence"),
    [
        ("--port=seven", "--port takes a whole number, not 'seven'"),
        ("--grace-s=x", "--grace-s takes a number, not 'x'"),
        ("--log-json=1", "--log-json takes no value"),
        ("--speed=9", "'--speed=9' makes no sense here"),
        ("--frames=9", "--frames=9 could be --frames-per-s, --frames-burst"),
    ],
)
async def test_wrong_usage_is_a_sentence_with_an_exit_code_of_its_own(
    tmp_path: Path, flag: str, sentence: str
) -> None:
    said = await refused(tmp_path, flag, code=2)
    assert said == f"conquest: {sentence}. See conquest serve --help.\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("prot = 7717", "prot is not a setting"),
        ('port = "7717"', "port cannot be '7717'"),
        ("[limits]\ngrace = 60", "limits.grace is not a limit"),
        ("port = ", "is not TOML"),
    ],
)
async def test_a_key_of_the_file_that_cannot_be_is_named(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "conquest.toml"
    written(file, text)
    sentence = await refused(tmp_path, f"--config={file}")
    assert str(file) in sentence
    assert named in sentence


def written(file: Path, text: str) -> None:
    """Write a file."""
    file.write_text(text)


async def test_the_file_s_settings_hold_and_a_flag_has_the_last_word(tmp_path: Path) -> None:
    file = tmp_path / "conquest.toml"
    text = f'db = "{tmp_path}/kept.db"\nlog_json = true\n[limits]\nmatches = 1\nmatches_per_player = 1\n'
    written(file, text)
    async with serving(tmp_path, f"--config={file}", "--matches-per-player=8") as server:
        player = await met(server)
        await player.create("duel")
        answer = await player.ask(Create, game="duel")
        assert refusal(answer) == "too_many_matches"
        assert "no room" in answer.text, "the server's limit, from the file, and not the player's"
        assert {line["event"] for line in server.log_lines()} == {"welcomed", "created"}
        assert names(tmp_path, "kept.db") == ["kept.db"]


def names(home: Path, pattern: str) -> list[str]:
    """List the files in a folder."""
    return sorted(file.name for file in home.glob(pattern))


async def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    async with serving(tmp_path / "one") as server:
        sentence = await refused(tmp_path / "other", f"--port={server.port}")
        assert f"port {server.port} of 127.0.0.1: Address already in use" in sentence
        sentence = await refused(tmp_path / "third", f"--status={server.port}")
        assert str(server.port) in sentence
        assert "address already in use" in sentence.lower()


async def test_a_second_server_leaves_the_journal_of_the_first_alone(tmp_path: Path) -> None:
    async with serving(tmp_path / "one") as server:
        sentence = await refused(tmp_path / "other", f"--db={server.db}")
        assert sentence == f"conquest: Another server is using {server.db}.\n"
        await paired(server, "duel")


async def test_a_certificate_that_cannot_be_read_is_never_replaced(tmp_path: Path) -> None:
    for name in ("server.crt", "server.key"):
        written(tmp_path / name, "not a certificate")
    assert f"The certificate in {tmp_path} cannot be used" in await refused(tmp_path, "--tls")
    assert [text(tmp_path / name) for name in ("server.crt", "server.key")] == ["not a certificate"] * 2


def text(file: Path) -> str:
    """Read a file."""
    return file.read_text()


async def test_a_service_manager_hears_that_the_server_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        async with serving(tmp_path / "home", rig={"NOTIFY_SOCKET": str(tmp_path / "notify")}) as server:
            heard = [await asyncio.to_thread(manager.recv, 100) for _ in range(3)]
            assert await server.stop() == 0
        while heard[-1] != b"STOPPING=1":
            heard.append(manager.recv(100))
    assert heard[:3] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
