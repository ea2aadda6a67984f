"""What a client remembers on disk: the player's name, servers' certificates, and ways back to matches.

Everything lives in one folder. Files are replaced whole and durably, and
are readable by their owner alone. A damaged file counts as a missing one. Where nothing can be kept, that is
said once, and everything goes on without being remembered.
"""

import contextlib
import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from protocol.link import address_text
from protocol.process.file import write_whole
from protocol.text import Unclean, clean_name

KNOWN_SERVERS = "known_servers.json"
SESSION_NAMES = "session-*.json"
FRESH_S = 24 * 3600.0
"""For how long a way back is worth being offered; one that is asked for is never too old."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """How to start the server again that the seat is on, if it was our own."""

    bind: str | None
    port: int
    db: str
    tls: bool | None
    private: bool = True
    """Whether its match is not to be announced."""
    relay: str = ""
    """The relay that leads to it, as `parse_relay` reads it, word included; empty without one."""
    ssh: int | None = None
    """The port on which visitors by ssh were let in, if they were."""


@dataclass(frozen=True, slots=True)
class SavedSession:
    """The way back to a seat, even after the client itself was killed."""

    host: str
    port: int
    fingerprint: str | None
    is_plain: bool
    """Whether the server was found to speak without encryption."""
    token: str
    name: str
    match: str
    game: str
    hosting: Hosting | None = None
    came_by: str = ""
    """The code that led here: `match` is another one after a rematch."""
    pid: int = 0
    """The process that wrote it down."""
    relay: int = 0
    """The server's own port, where a relay at the address leads to it; else 0."""
    seat: int = 0
    """Which seat it is, once that is settled."""

    @property
    def address(self) -> str:
        """The server's address as people write it."""
        return address_text(self.host, self.port)

    @property
    def is_in_use(self) -> bool:
        """Whether another process on this machine still has it."""
        # On Windows the call would end that process instead of asking for it.
        if os.name != "posix" or not 0 < self.pid < 2**31 or self.pid == os.getpid():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True

    def leads_to(self, code: str) -> bool:
        """Tell whether a code names this match, or the one that its series began with."""
        return code in (self.match, self.came_by)


class Store:
    """The client's memory from one run to the next."""

    def __init__(self, root: Path, complain: Callable[[str], None] = lambda sentence: None) -> None:
        self.root = root
        self.complain = complain
        self._has_complained = False

    @property
    def known_servers(self) -> Path:
        """Where servers' certificates are written down."""
        return self.root / KNOWN_SERVERS

    def name(self) -> str | None:
        """Return the player's name, once one was given."""
        name = self.setting("name")
        try:
            return clean_name(name) if isinstance(name, str) else None
        except Unclean:
            return None

    def keep_name(self, name: str) -> None:
        """Remember the player's name."""
        self.keep_setting("name", name)

    def setting(self, key: str) -> str | bool | None:
        """Return something that the player has chosen, once it was."""
        value = self._read("settings.json").get(key)
        return value if isinstance(value, str | bool) else None

    def keep_setting(self, key: str, value: str | bool) -> None:
        """Remember something that the player has chosen."""
        self._keep("settings.json", {**self._read("settings.json"), key: value})

    def fingerprint(self, host: str, port: int) -> str | None:
        """Return the certificate that a server is known by."""
        known = self._read(KNOWN_SERVERS).get(address_text(host, port))
        return known if isinstance(known, str) else None

    def keep_fingerprint(self, host: str, port: int, fingerprint: str) -> None:
        """Know a server by its certificate from now on."""
        known = self._read(KNOWN_SERVERS)
        address = address_text(host, port)
        if known.get(address) != fingerprint:
            self._keep(KNOWN_SERVERS, {**known, address: fingerprint})

    def servers(self) -> list[str]:
        """List the addresses of the servers that are known, the latest first."""
        known = self._read(KNOWN_SERVERS)
        left = [saved.address for _, saved in self.sessions() if saved.hosting is None and not saved.relay]
        return list(dict.fromkeys([*left, *reversed(known)]))

    def check(self) -> None:
        """Raise OSError when nothing can be kept."""
        self._write("settings.json", self._read("settings.json"))

    def new_session_file(self) -> "SessionFile":
        """Return a place for one client's way back; several clients may run at once."""
        return SessionFile(self, f"session-{secrets.token_hex(8)}.json")

    def new_journal(self) -> Path | None:
        """Return a place for the journal of a hosted match; None where nothing can be kept."""
        try:
            self.check()
        except OSError as problem:
            self.regret(problem)
            return None
        return self.root / f"hosted-{secrets.token_hex(8)}.db"

    def sessions(self) -> list["Way"]:
        """List the ways back, the latest first, those that are in use behind the others."""
        paths = sorted(self.root.glob(SESSION_NAMES), key=_written_at, reverse=True)
        files = [SessionFile(self, path.name) for path in paths]
        found = [(file, saved) for file in files if (saved := file.load()) is not None]
        return sorted(found, key=lambda way: way[1].is_in_use)

    def way_back(self, now: float) -> "Way | None":
        """Return the latest way back that nobody uses, while it is fresh enough to be thought of."""
        ways = self.sessions()
        if not ways:
            return None
        file, saved = ways[0]
        is_fresh = now - file.written_at() <= FRESH_S
        return ways[0] if is_fresh and not saved.is_in_use else None

    def _read(self, name: str) -> dict[str, Any]:
        try:
            content = json.loads((self.root / name).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def _keep(self, name: str, content: Mapping[str, Any]) -> None:
        try:
            self._write(name, content)
        except OSError as problem:
            self.regret(problem)

    def regret(self, problem: OSError) -> None:
        """Say, once, that nothing can be kept."""
        if not self._has_complained:
            self._has_complained = True
            self.complain(f"Nothing can be remembered in {self.root}: {problem.strerror}.")

    def _write(self, name: str, content: Mapping[str, Any]) -> None:
        write_whole(self.root / name, json.dumps(content, indent=2, ensure_ascii=False).encode())


class SessionFile:
    """One client's way back on disk."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._name = name

    def save(self, session: SavedSession) -> None:
        """Write the way back down, durably."""
        self._store._write(self._name, asdict(session))

    def load(self) -> SavedSession | None:
        """Read the way back, if there is one."""
        content = self._store._read(self._name)
        try:
            if content.get("hosting") is not None:
                content["hosting"] = Hosting(**content["hosting"])
            saved = SavedSession(**content)
        except TypeError:
            return None
        return saved if _is_sound(saved) and (saved.hosting is None or _is_sound(saved.hosting)) else None

    def date(self, written_at: float) -> None:
        """Set when the way back counts as written down."""
        os.utime(self._store.root / self._name, (written_at, written_at))

    def written_at(self) -> float:
        """Tell when the way back was written down."""
        return _written_at(self._store.root / self._name)

    def forget(self) -> None:
        """Remove the way back: there is nothing to go back to."""
        # What cannot be removed leads to a match that is gone, and says so when it is followed.
        with contextlib.suppress(OSError):
            (self._store.root / self._name).unlink()


Way = tuple[SessionFile, SavedSession]
"""Where a way back is written down, and where it leads."""


def _is_sound(saved: SavedSession | Hosting) -> bool:
    return all(isinstance(getattr(saved, each.name), each.type) for each in fields(saved))  # type: ignore[arg-type]


def _written_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
