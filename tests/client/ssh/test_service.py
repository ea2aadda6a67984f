"""What lets visitors in, as whoever hosts sees it."""

import re
import socket
from pathlib import Path
from typing import Any

import pytest

from client.core.failure import CouldNot
from client.local.hosting import hosted
from client.local.listening import Listening
from client.ssh import service
from client.ssh.service import Wanted, letting_in

LISTENING = Listening("127.0.0.1", 0)


async def test_it_says_how_one_comes_and_how_one_knows_the_place(tmp_path: Path) -> None:
    async with hosted(LISTENING) as server:
        public = ("example.org", 0)
        async with letting_in(server, Wanted(0, tmp_path, "127.0.0.1", public)) as begun:
            how, key = begun.lines
            assert how == f"By ssh: ssh -p {begun.port} example.org"
            assert re.fullmatch(r"Key of ssh: SHA256:\S{43} \(ED25519\)", key)
            socket.create_connection(("127.0.0.1", begun.port)).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", begun.port))


async def test_a_port_that_is_taken_and_a_key_that_is_none_are_sentences(tmp_path: Path) -> None:
    async with hosted(LISTENING) as server:
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            with pytest.raises(CouldNot, match=f"Cannot listen on port {port} of 127.0.0.1: "):
                async with letting_in(server, Wanted(port, tmp_path, "127.0.0.1")):
                    pass
        (tmp_path / "ssh_host_key").write_text("no key")
        with pytest.raises(CouldNot, match="is no key"):
            async with letting_in(server, Wanted(0, tmp_path, "127.0.0.1")):
                pass


async def test_without_the_package_for_it_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "find_spec", lambda name: None)
    async with hosted(LISTENING) as server:
        with pytest.raises(CouldNot, match=r"need the package asyncssh: pip install 'conquest\[ssh\]'"):
            async with letting_in(server, Wanted(0, tmp_path)):
                pass


class Server:
    """Counts what is opened for visitors, and has few ports."""

    port, fingerprint, addresses = 7717, None, ("127.0.0.1",)

    def __init__(self) -> None:
        self.open: dict[int, str] = {}

    def admit(self, address: str) -> int:
        if self.open:
            raise OSError(24, "Too many open files")
        self.open[7000] = address
        return 7000

    def dismiss(self, port: int) -> None:
        del self.open[port]


def test_a_server_without_a_port_left_says_so_and_a_port_is_given_back() -> None:
    server: Any = Server()
    front = service._Front(server, Wanted(0, Path()))
    told: list[dict[str, object]] = []
    front._tell = lambda **facts: told.append(facts)  # type: ignore[method-assign]
    front._answer({"id": 1, "admit": "192.0.2.1"})
    front._answer({"id": 2, "admit": "192.0.2.2"})
    assert told == [{"id": 1, "port": 7000}, {"id": 2, "port": 0}]
    front._answer({"dismiss": 7000})
    assert server.open == {}
