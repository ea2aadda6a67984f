"""The lab itself: who reaches whom in it, and that nothing of it stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.lab import ENVIRONMENT, Lab, Machine, await_end, inhabitants, why_not

ANSWER = """
import socket
with socket.create_server(("", 4000)) as server:
    print("ready", flush=True)
    while True:
        with server.accept()[0] as peer:
            peer.sendall(peer.getpeername()[0].encode())
"""
ASK = """
import socket, sys
try:
    with socket.create_connection((sys.argv[1], 4000), float(sys.argv[2])) as peer:
        print(peer.recv(100).decode())
except OSError:
    print("unreachable")
"""


def answers(machine: Machine) -> None:
    """Let a machine tell everybody who connects to port 4000 from which address they come."""
    process = subprocess.Popen(
        machine.command(sys.executable, "-c", ANSWER), env=ENVIRONMENT, stdout=subprocess.PIPE
    )
    with process.stdout as output:
        assert output.readline() == b"ready\n"
    process.returncode = 0  # The lab ends it.


def asks(machine: Machine, other: Machine) -> str:
    """Return the answer, however long it takes."""
    return machine.run(sys.executable, "-c", ASK, other.address, "25").strip()


def reaches(machine: Machine, other: Machine) -> bool:
    """Tell whether there is any answer within a second; what is dropped gives none."""
    return machine.run(sys.executable, "-c", ASK, other.address, "1").strip() != "unreachable"


def test_a_home_reaches_the_outside_by_the_address_of_its_router(lab: Lab) -> None:
    home, relay = lab.home(), lab.machine()
    inside = home.machine()
    answers(relay)
    assert inside.address == "192.168.1.2"
    assert asks(inside, relay) == home.router.address
    assert asks(lab.machine(), relay) not in (home.router.address, "unreachable")


def test_nothing_comes_into_a_home_from_outside_and_neighbours_meet(lab: Lab) -> None:
    home = lab.home()
    inside, neighbour = home.machine(), home.machine()
    answers(inside)
    answers(home.router)
    outside = lab.machine()
    outside.run("ip", "route", "add", str(home.network), "via", home.router.address)
    assert not reaches(outside, inside)
    assert not reaches(outside, home.router)
    assert asks(neighbour, inside) == neighbour.address


def test_a_home_in_a_home_shares_the_providers_address(lab: Lab) -> None:
    provider, relay = lab.home("100.64.0.0/24"), lab.machine()
    home = provider.home()
    answers(relay)
    assert home.router.address == "100.64.0.2"
    assert asks(home.machine(), relay) == provider.router.address


def test_labs_do_not_see_each_other(lab: Lab) -> None:
    answers(lab.machine())
    with Lab() as other:
        stranger = other.machine()
        assert not reaches(other.machine(), stranger)


def test_what_ran_in_a_lab_ends_with_it_children_included(lab: Lab) -> None:
    with Lab() as other:
        machine = other.machine()
        namespaces = {machine.namespace() for machine in other._machines}
        shell = subprocess.Popen(
            machine.command("sh", "-c", "sleep 1000 & echo ready; exec sleep 1000"), stdout=subprocess.PIPE
        )
        assert shell.stdout.readline() == b"ready\n"
    with shell:
        assert shell.wait() == -signal.SIGKILL
    assert list(inhabitants(namespaces)) == []


KILLED = """
import subprocess, sys
from tests.lab.lab import Lab
lab = Lab()
machine = lab.home().machine()
process = subprocess.Popen(machine.command("sh", "-c", "echo ready; exec sleep 1000"), stdout=subprocess.PIPE)
process.stdout.readline()
print(process.pid, *(machine.pid for machine in lab._machines), flush=True)
sys.stdin.read()
"""


def test_a_killed_test_leaves_nothing(lab: Lab) -> None:
    test = subprocess.Popen(
        (sys.executable, "-c", KILLED),
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with test:
        ends = [os.pidfd_open(int(pid)) for pid in test.stdout.readline().split()]
        test.kill()
    assert len(ends) == 4
    for end in ends:
        with os.fdopen(end, "rb") as process:
            await_end(process.fileno())


def test_a_machine_that_cannot_run_a_lab_says_why_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "PATH", "/nowhere")
    reason = why_not.__wrapped__()
    assert reason.startswith("no lab: ip, nft, nsenter, setpriv, unshare missing")
    assert "\n" not in reason
