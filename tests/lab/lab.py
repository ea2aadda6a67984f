"""A network of its own for a test: homes behind routers, a public segment, and machines in both.

Each machine is a network namespace in a user namespace of the lab's, so neither root nor a name on this
machine is needed, and labs do not see each other. A namespace is held by a process that reads from a pipe of
the test's: when the test ends, even by being killed, the pipe closes, and the namespace goes with its last
process. What is unrealistic: no line loses, delays or reorders anything.
"""

import contextlib
import functools
import ipaddress
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

TOOLS = ("ip", "nft", "nsenter", "setpriv", "unshare")
ENVIRONMENT = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"}
PUBLIC = "11.0.0.0/24"
"""Looks public to a program, and belongs to nobody who could be met here."""
COMMAND_S = 30.0

ROUTER = """\
table ip home {
    chain input {
        type filter hook input priority filter; policy accept
        iifname "eth0" ct state new drop
    }
    chain forward {
        type filter hook forward priority filter; policy drop
        ct state established,related accept
        ct status dnat accept
        iifname "inside" accept
    }
    chain leaving {
        type nat hook postrouting priority srcnat
        oifname "eth0" masquerade fully-random
    }
}
"""
"""A home's router: all inside share its address, and nothing comes in but answers and what it forwards."""


class Machine:
    """A machine of a lab: a network namespace, and the processes that a test runs in it."""

    def __init__(self, creation: tuple[str, ...]) -> None:
        self.address = ""
        """Its address in the segment that it was put into."""
        self._holder = subprocess.Popen(
            (*creation, "sh", "-c", "echo; exec cat"),
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._holder.stdout is not None
        assert self._holder.stderr is not None
        if not self._holder.stdout.readline():
            complaint = self._holder.stderr.read().decode()
            self.close()
            raise OSError(complaint.strip())
        self.run("ip", "link", "set", "lo", "up")

    @property
    def pid(self) -> int:
        """The process that holds the namespace."""
        return self._holder.pid

    def command(self, *command: str) -> tuple[str, ...]:
        """Make of a command one that runs on this machine, to be started by any means.

        The process has its id from the start, so signals go straight to it; it is killed when the thread that
        started it ends.
        """
        return (*self.entrance(), "--net", "setpriv", "--pdeathsig", "KILL", "--", *command)

    def entrance(self) -> tuple[str, ...]:
        return ("nsenter", f"--target={self.pid}", "--user", "--preserve-credentials")

    def run(self, *command: str, text: str = "") -> str:
        """Run a command to its end and return its output; fail with what it said when it fails."""
        done = subprocess.run(
            self.command(*command),
            env=ENVIRONMENT,
            input=text,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def namespace(self) -> int:
        return os.stat(f"/proc/{self.pid}/ns/net").st_ino  # noqa: PTH116 (a link that leads nowhere)

    def close(self) -> None:
        """Let the namespace go."""
        with self._holder:  # Closes the pipes and waits for the end.
            self._holder.kill()


class Segment:
    """A cable on which everybody reaches everybody: the public one of a lab, or the inside of a home."""

    def __init__(self, lab: "Lab", switch: Machine, network: str, gateway: bool) -> None:
        self.lab = lab
        self.network = ipaddress.IPv4Network(network)
        self._free = iter(self.network.hosts())
        self._switch = switch
        self._ports = 0
        self.gateway = str(next(self._free)) if gateway else ""
        """The router's address, if there is a router."""
        switch.run("ip", "link", "add", "inside", "type", "bridge")
        if gateway:
            switch.run("ip", "address", "add", self._with_prefix(self.gateway), "dev", "inside")
        switch.run("ip", "link", "set", "inside", "up")

    def _with_prefix(self, address: str) -> str:
        return f"{address}/{self.network.prefixlen}"

    def machine(self) -> Machine:
        """Put a new machine on this segment; its interface is `eth0`."""
        machine = self.lab.new_machine()
        self._ports += 1
        port = f"port{self._ports}"
        machine.address = str(next(self._free))
        orders = [
            f"link add eth0 type veth peer name {port} netns {self._switch.pid}",
            f"address add {self._with_prefix(machine.address)} dev eth0",
            "link set eth0 up",
            *([f"route add default via {self.gateway}"] if self.gateway else []),
        ]
        machine.run("ip", "-batch", "-", text="\n".join(orders))
        self._switch.run("ip", "link", "set", port, "master", "inside", "up")
        return machine

    def home(self, network: str = "192.168.1.0/24") -> "Home":
        """Put a new home on this segment, all of whose machines share one address of it."""
        return Home(self, network)


class Home(Segment):
    """A network behind a router that lets nothing in by itself. A home in a home is a shared address."""

    def __init__(self, outside: Segment, network: str) -> None:
        self.router = outside.machine()
        """Its `address` is the outside one; its interfaces are `eth0` and `inside`."""
        super().__init__(outside.lab, self.router, network, gateway=True)
        self.router.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        self.router.run("nft", "-f", "-", text=ROUTER)


class Lab(Segment):
    """The public segment of a network that lasts as long as a block; what ran in it is killed at its end.

        with Lab() as lab:
            relay = lab.machine()                       # a public address, reached by everybody
            ann, bob = lab.home(), lab.home()           # two routers with a public address each
            host, guest = ann.machine(), bob.machine()  # each at 192.168.1.2, reached by nobody outside
            provider = lab.home("100.64.0.0/24")        # a home whose router has no address of its own:
            cid = provider.home().machine()             # it stands behind that of the provider
            guest.run("ping", "-c", "1", relay.address)
            server = subprocess.Popen(relay.command(sys.executable, "-m", "server"))

    A client or a server of `tests.e2e` is put on a machine by `through=machine.command()`.
    """

    def __init__(self) -> None:
        self._machines: list[Machine] = []
        try:
            self._machines.append(Machine(("unshare", "--map-root-user", "--net")))
            super().__init__(self, self._machines[0], PUBLIC, gateway=False)
        except BaseException:
            self.close()
            raise

    def new_machine(self) -> Machine:
        """Add a machine without any cable."""
        machine = Machine((*self._machines[0].entrance(), "unshare", "--net"))
        self._machines.append(machine)
        return machine

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process in the lab, and with the last of them its namespaces."""
        namespaces = {machine.namespace() for machine in self._machines}
        holders = {machine.pid for machine in self._machines}
        while processes := set(inhabitants(namespaces)) - holders:
            for pid in processes:
                _end(pid, namespaces)
        for machine in self._machines:
            machine.close()
        self._machines.clear()


def _lives_in(pid: int, namespaces: set[int]) -> bool:
    with contextlib.suppress(OSError):  # It has ended, or it is somebody else's.
        return os.stat(f"/proc/{pid}/ns/net").st_ino in namespaces  # noqa: PTH116
    return False


def inhabitants(namespaces: set[int]) -> Iterator[int]:
    """Tell which processes live in some network namespaces."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return (pid for pid in pids if _lives_in(pid, namespaces))


def _end(pid: int, namespaces: set[int]) -> None:
    """Kill a process and wait until it has ended, unless its id belongs to another one by now."""
    with contextlib.suppress(ProcessLookupError), os.fdopen(os.pidfd_open(pid), "rb") as process:
        if _lives_in(pid, namespaces):
            signal.pidfd_send_signal(process.fileno(), signal.SIGKILL)
            await_end(process.fileno())


def await_end(process: int) -> None:
    """Wait until a process has ended, of which a descriptor is given (`os.pidfd_open`)."""
    waiting = select.poll()
    waiting.register(process, select.POLLIN)
    assert waiting.poll(COMMAND_S * 1000), "a process does not end"


@functools.cache
def why_not() -> str:
    """Say in one line why this machine cannot run a lab, or nothing if it can."""
    if sys.platform != "linux":
        return "no lab: network namespaces are Linux's"
    missing = [tool for tool in TOOLS if shutil.which(tool, path=ENVIRONMENT["PATH"]) is None]
    if missing:
        return f"no lab: {', '.join(missing)} missing (sh .ci/lab installs them as root)"
    try:
        with Lab() as lab:
            lab.home().machine()
    except (OSError, AssertionError) as fault:
        return f"no lab: this machine does not let us make networks ({' '.join(str(fault).split())})"
    return ""
