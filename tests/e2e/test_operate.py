"""What whoever runs a server relies on: counts, a log without secrets, and exports."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from protocol.client_frame import Chat, Hello, Join, Resign
from protocol.limit import PROTOCOL_VERSION
from tests.e2e.client import Player, Wire, met, paired, refusal
from tests.e2e.process import ServerProcess, free_port, run_to_end, serving
from tests.e2e.script import steady

DASHED = 4


async def counts(port: int) -> dict[str, Any]:
    """Ask for the counts."""
    head, body = await asked(port)
    assert head.startswith("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n")
    found: dict[str, Any] = json.loads(body)
    return found


async def asked(port: int) -> tuple[str, str]:
    """Ask as any HTTP client does; return head and body of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head, body


@pytest.mark.parametrize("loop", [None, "asyncio"])
async def test_the_counts_are_given_on_a_local_port(tmp_path: Path, loop: str | None) -> None:
    port = free_port()
    for_prometheus = free_port()
    flags = (f"--status={port}", f"--metrics={for_prometheus}")
    async with serving(tmp_path, *flags, loop=loop) as server:
        first, second, code = await paired(server, "galaxy")
        await first.play(code, {"kind": "attack", "planet": 3, "ship": 3})
        assert refusal(await first.ask(Join, match="00000000")) == "no_such_match"
        wire = await Wire.open(server)
        wire.send_bytes(b"GET ")
        await wire.rest()
        seen = await counts(port)
        assert (seen["connections"], seen["sessions"], seen["spectators"]) == (2, 2, 0)
        assert (seen["matches_waiting"], seen["matches_running"], seen["matches_finished"]) == (0, 1, 0)
        since = seen["since_start"]
        assert (since["moves"], since["refused.no_such_match"], since["closed.not_ours"]) == (1, 1, 1)
        assert seen["is_saving"]
        assert seen["commits"] >= 3
        assert 0 < seen["commit_ms"]["median"] <= seen["commit_ms"]["p99"] <= seen["commit_ms"]["longest"]
        assert "\nconquest_moves_total 1\n" in (await asked(for_prometheus))[1]
        await second.ask(Resign, match=code)
        assert (await counts(port))["matches_finished"] == 1


async def test_the_counts_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "status.json"
    async with serving(tmp_path, f"--status={file}") as server:
        assert read_json(file)["connections"] == 0
        await met(server)


def read_json(file: Path) -> Any:
    """Read a file that may be replaced at any moment, but is never half written."""
    return json.loads(file.read_text())


@pytest.mark.parametrize("format_flags", [(), ("--log-json",)])
async def test_the_log_holds_no_secret_and_nothing_that_players_write(
    tmp_path: Path, format_flags: tuple[str, ...]
) -> None:
    async with serving(tmp_path, "--tls", *format_flags) as server:
        alice, bob = await met(server, "Alberich"), await met(server, "Brunhilde")
        code = await alice.create("grid", private=True, first="creator")
        await bob.join(code)
        await alice.until(lambda: alice.sights[code].shown)
        await bob.ask(Chat, match=code, text="Hojotoho! heiaha")
        tokens = [alice.token, bob.token]
        alice.cut()
        await alice.come_back()
        await asyncio.gather(alice.play_out(code, steady), bob.play_out(code, steady))
        await alice.ask(Join, match="WR0NGC0D")
        await misbehave(server, Hello(version=PROTOCOL_VERSION, name="Mime", token="M" * 43))
        await misbehave(server, Hello(version=PROTOCOL_VERSION, name="Hagen\x07"))
        tokens += [alice.token, bob.token]
        assert await server.stop() == 0
        written = server.printed + server.log.read_text()
    assert "begun" in written
    secrets = [code, "WR0NGC0D", "Alberich", "Brunhilde", "Mime", "Hagen", "Hojotoho", "M" * 43, *tokens]
    assert [secret for secret in secrets if str(secret) in written] == []


async def misbehave(server: ServerProcess, hello: Hello) -> None:
    """Say a hello that is not welcome, and then nonsense."""
    wire = await Wire.open(server)
    wire.send(hello)
    wire.send_bytes(b"\x00\x00\x00\x0e\x81\xa4type\xa7Alberic")
    await wire.rest()


async def test_a_finished_match_is_exported_also_while_the_server_runs(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        matches = [await paired(server, game) for game in ("grid", "digit")]
        for first, second, code in matches:
            await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
        _, _, running = await paired(server, "duel")
        for first, _, code in matches:
            status, output, errors = await run_to_end(tmp_path, f"--export={code}")
            assert (status, errors) == (0, "")
            check_export(output, first, code)
        typed = f"{code[:DASHED]}-{code[DASHED:]}".lower()
        for words in ([f"--export={typed}"], ["--export", *typed.split("-")]):
            assert (await run_to_end(tmp_path, *words))[1] == output
        for absent in (running, "00000000"):
            status, output, errors = await run_to_end(tmp_path, f"--export={absent}")
            assert (status, output) == (1, "")
            assert errors == f"conquest: The journal holds no finished match {absent}.\n"
        assert await server.stop() == 0


def check_export(output: str, player: Player, code: str) -> None:
    """Hold an export against what a player saw."""
    header, *moves = [json.loads(line) for line in output.splitlines()]
    sight = player.sights[code]
    assert sight.ended is not None
    assert (header["conquest"], header["match"], header["game"]) == (1, code, sight.seated.game)
    assert header["names"] == ["Ann", "Bob"]
    assert header["outcome"] == sight.ended.outcome.model_dump()
    assert all(set(move) == {"seat", "move", "chance", "at"} for move in moves)
    assert sight.shown is not None
    assert len(moves) >= sight.shown.turn


async def test_an_export_makes_no_journal_where_there_is_none(tmp_path: Path) -> None:
    status, _, errors = await run_to_end(tmp_path, "--export=00000000")
    assert (status, errors) == (1, f"conquest: There is no journal {tmp_path / 'conquest.db'}.\n")
    assert files(tmp_path) == ["short.log"]


def files(home: Path) -> list[str]:
    """List what is in a folder."""
    return sorted(file.name for file in home.iterdir())
