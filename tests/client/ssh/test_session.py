"""Logins and sessions, with a house in which nothing happens and a client that nobody wrote for people."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from client.local.hosting import hosted
from client.local.listening import Listening
from client.ssh.program import Size
from client.ssh.service import Service, Wanted, letting_in
from client.ssh.session import Login, Visitor, _Forgetful
from protocol.limit import SshLimits


class House:
    """What a login needs of it."""

    def __init__(self, root: Path, **limits: Any) -> None:
        self.limits = SshLimits(**limits)
        self.root = root
        self.visitors: dict[str, Visitor] = {}


def login(tmp_path: Path, **limits: Any) -> Login:
    return Login(House(tmp_path, **limits))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def keys() -> list[asyncssh.SSHKey]:
    return [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2)]


def test_a_key_that_was_only_shown_proves_nothing(tmp_path: Path, keys: list[asyncssh.SSHKey]) -> None:
    coming = login(tmp_path)
    assert coming.begin_auth("ann")
    assert coming.validate_public_key("ann", keys[0])
    assert coming.validate_public_key("ann", keys[1])
    assert coming.key == keys[1].public_data
    assert coming.get_kbdint_challenge("ann", "", "") is True
    assert coming.key is None
    coming.validate_public_key("ann", keys[0])
    assert coming.begin_auth("bob")
    assert coming.key is None


def test_a_word_needs_no_other_proof(tmp_path: Path) -> None:
    assert not login(tmp_path).begin_auth("back-7k3m-9qxz-4tcq")


def test_nothing_is_kept_of_what_a_visitor_wants_in_the_environment() -> None:
    environment = _Forgetful()
    environment[b"LD_PRELOAD"] = b"x"
    assert dict(environment) == {}


@pytest.mark.parametrize(("asked", "given"), [(9, 9), (10, 10), (11, 10), (0, 10), (2**32 - 1, 10)])
def test_a_screen_is_filled_as_far_as_it_may_be(asked: int, given: int, tmp_path: Path) -> None:
    visitor = Visitor(House(tmp_path, columns=10, rows=10), login(tmp_path))  # type: ignore[arg-type]
    assert visitor.pty_requested("xterm", (asked, asked, 0, 0), {})
    assert visitor._screen is not None
    assert visitor._screen.size == Size(given, given)


@asynccontextmanager
async def let_in(root: Path, **limits: Any) -> AsyncIterator[Service]:
    """Run a server and what lets visitors in."""
    allowed = SshLimits(**{"logins_per_minute": 1000, **limits})
    async with hosted(Listening("127.0.0.1", 0)) as server:
        wanted = Wanted(0, root, "127.0.0.1", limits=allowed)
        async with letting_in(server, wanted) as service:
            yield service


async def connected(service: Service, user: str = "ann", key: Any = None) -> asyncssh.SSHClientConnection:
    return await asyncssh.connect(
        "127.0.0.1",
        service.port,
        username=user,
        client_keys=[key] if key else None,
        kbdint_auth=True,
        password=lambda: None,
        known_hosts=None,
        config=None,
        agent_path=None,
    )


async def test_one_connection_has_one_session_and_no_environment(tmp_path: Path) -> None:
    async with let_in(tmp_path) as service, await connected(service) as coming:
        first = await coming.create_process(env={"FOO": "x" * 1000}, term_type="dumb")
        assert "You have no key" in await first.stdout.readuntil("You have no key")
        with pytest.raises(asyncssh.ChannelOpenError, match="Session refused"):
            await coming.create_process()


@pytest.mark.parametrize(("there", "is_let_in"), [(1, True), (2, True), (3, False)])
async def test_connections_are_counted_before_they_cost_anything(
    there: int, is_let_in: bool, tmp_path: Path
) -> None:
    async with let_in(tmp_path, connections_per_address=3) as service:
        kept = [await asyncio.open_connection("127.0.0.1", service.port) for _ in range(there)]
        for reader, _ in kept:
            assert await reader.readline() == b"SSH-2.0-Conquest\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        try:
            said = await reader.readline()
        except ConnectionError:
            said = b""
        assert bool(said) is is_let_in
        for _, each in [*kept, (reader, writer)]:
            each.close()


@pytest.mark.parametrize(
    "noise",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff" * 9000,
        b"SSH-2.0-x\r\n" + b"\xff" * 5000,
        b"SSH-2.0-" + b"x" * 300 + b"\n",
    ],
)
async def test_noise_is_the_end_of_a_connection_and_of_nothing_else(noise: bytes, tmp_path: Path) -> None:
    async with let_in(tmp_path) as service:
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        writer.write(noise)
        try:
            while await asyncio.wait_for(reader.read(1000), 30):
                pass
        except ConnectionError:
            pass
        writer.close()
        async with await connected(service) as coming:
            done = await coming.run("id")
            assert (done.exit_status, done.stdout) == (1, "")
            assert "Nothing else runs here" in str(done.stderr)
