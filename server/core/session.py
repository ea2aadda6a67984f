"""Who somebody is from one connection to the next, by a secret token of which only a hash is kept.

A token is replaced each time it is used. Whatever token the client may still hold stays valid until it has
shown, by any frame, that the newest arrived: otherwise a connection cut at the wrong moment, or the late
hello of a connection that was given up, would lock a player out.
"""

import base64
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from server.core.budget import UNKNOWN
from server.core.entry import Fact

TOKEN_BITS = 256
OFFERED = 4
"""How many tokens that nobody has used are remembered."""
PREFIX = "session:"


@dataclass(slots=True, eq=False)
class Session:
    """A player, as long as the server remembers one."""

    id: int
    name: str
    token_hash: str
    origin: str
    """Where the player came from last: for whom is counted what the player opens."""
    old_hash: str | None = None
    """The token that was used last, while it is not certain that the client has a newer one."""
    offered: tuple[str, ...] = ()
    """Tokens between the two, oldest first: a client that came back twice at once may have any of them."""
    connection: int | None = None
    seated: dict[str, None] = field(default_factory=dict)
    """The codes of the matches it has a seat in, oldest first."""
    watching: dict[str, None] = field(default_factory=dict)
    gone_at: float = 0.0
    is_kept: bool = False
    """Whether it is in the journal. A player who never sat down or watched need not survive a restart."""

    def to_fact(self) -> Fact:
        """Write down what must survive."""
        body: dict[str, Any] = {
            "name": self.name,
            "token": self.token_hash,
            "old": self.old_hash,
            "offered": self.offered,
            "watching": list(self.watching),
            "origin": self.origin,
        }
        return Fact(f"{PREFIX}{self.id}", body)

    def valid_hashes(self) -> list[str]:
        """List the tokens with which the player can come back, oldest first."""
        used = [] if self.old_hash is None else [self.old_hash]
        return [*used, *self.offered, self.token_hash]


class Sessions:
    """All sessions, by number and by token."""

    def __init__(self, randbelow: Callable[[int], int]) -> None:
        self._randbelow = randbelow
        self._by_id: dict[int, Session] = {}
        self._by_hash: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_id.values())

    def __getitem__(self, number: int) -> Session:
        """Find a session that is there by its number."""
        return self._by_id[number]

    def get(self, number: int) -> Session | None:
        """Find a session by its number."""
        return self._by_id.get(number)

    def connection_of(self, number: int) -> int | None:
        """Tell the connection of a session; None for one that is absent or unknown."""
        session = self._by_id.get(number)
        return None if session is None else session.connection

    def find(self, token: str) -> Session | None:
        """Find the session that a token belongs to, changing nothing."""
        return self._by_hash.get(hash_token(token))

    def open(self, name: str, origin: str) -> tuple[Session, str]:
        """Make a session and its first token."""
        token = self._new_token()
        session = Session(1 + self._randbelow(2**62), name, hash_token(token), origin)
        self._by_id[session.id] = session
        self._by_hash[session.token_hash] = session
        return session, token

    def rotate(self, session: Session, used: str) -> str:
        """Replace the token that was used to come back; it and those issued since stay valid."""
        valid, token = session.valid_hashes(), self._new_token()
        used_hash, *since = valid[valid.index(hash_token(used)) :]
        self._void(session, used_hash, *since[-OFFERED:])
        session.old_hash, session.offered = used_hash, tuple(since[-OFFERED:])
        session.token_hash = hash_token(token)
        self._by_hash[session.token_hash] = session
        return token

    def confirm(self, session: Session) -> None:
        """Void all tokens but the newest: the client has shown that it knows that one."""
        self._void(session, session.token_hash)
        session.old_hash, session.offered = None, ()

    def _void(self, session: Session, *spared: str) -> None:
        for stale in set(session.valid_hashes()) - set(spared):
            del self._by_hash[stale]

    def restore(self, fact: Fact) -> Session | None:
        """Bring a session back from the journal; None for a fact about something else."""
        if not fact.key.startswith(PREFIX) or fact.body is None:
            return None
        body = fact.body
        number = int(fact.key.removeprefix(PREFIX))
        offered = tuple(body.get("offered", ()))
        origin = body.get("origin", UNKNOWN)
        session = Session(number, body["name"], body["token"], origin, body["old"], offered)
        session.watching = dict.fromkeys(body.get("watching", ()))
        session.is_kept = True
        self._by_id[session.id] = session
        for known in session.valid_hashes():
            self._by_hash[known] = session
        return session

    def drop(self, session: Session) -> None:
        """Forget a session."""
        del self._by_id[session.id]
        self._void(session)

    def _new_token(self) -> str:
        secret = self._randbelow(2**TOKEN_BITS).to_bytes(TOKEN_BITS // 8, "big")
        return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()


def hash_token(token: str) -> str:
    """Hash a token; it is long and random, so a plain hash is as good as a slow one."""
    return hashlib.sha256(token.encode()).hexdigest()
