"""Server frames for the tests of the client, with everything filled in that a test does not care about."""

from typing import Any

from protocol.choice import Choice
from protocol.games import conquer
from protocol.limit import PROTOCOL_VERSION
from protocol.outcome import Outcome
from protocol.server_frame import Ended, Seated, Shown, Welcome

CODE = "7K3M9QXZ"
OTHER_CODE = "ABCDEFGH"


def welcome(token: str = "token-1", matches: tuple[str, ...] = (), **fields: Any) -> Welcome:
    defaults: dict[str, Any] = {
        "version": PROTOCOL_VERSION,
        "capabilities": (),
        "server": "Conquest",
        "name": "Ann",
        "heartbeat_s": 10,
        "dead_s": 30,
    }
    return Welcome(token=token, matches=matches, **(defaults | fields))


def seated(**fields: Any) -> Seated:
    defaults: dict[str, Any] = {
        "re": None,
        "match": CODE,
        "game": "conquer",
        "options": {},
        "seat": 1,
        "names": ("Ann", "Bob"),
        "present": (True, True),
        "begun": True,
        "first": "toss",
        "private": False,
        "clock_s": None,
        "hints": False,
        "score": (0, 0),
        "spectators": 0,
        "previous": None,
    }
    return Seated(**(defaults | fields))


def waiting(**fields: Any) -> Seated:
    return seated(**({"seat": 0, "begun": False, "names": ("Ann", ""), "present": (True, False)} | fields))


def view(claims: tuple[int, ...] = (), viewer: int = 1) -> conquer.View:
    """Conquer after some claims, the players claiming in turn."""
    territories = [0] * 7
    for count, territory in enumerate(claims):
        territories[territory - 1] = count % 2 + 1
    return conquer.View.model_validate(
        {"viewer": viewer, "to_act": (len(claims) % 2 + 1,), "territories": territories}
    )


def shown(claims: tuple[int, ...] = (), viewer: int = 1, **fields: Any) -> Shown:
    """Conquer after some claims, with the last of them as its event."""
    seen = view(claims, viewer)
    unclaimed = tuple(n for n, owner in enumerate(seen.territories, start=1) if not owner)
    legal = (Choice(kind="claim", values={"territory": unclaimed}),) if viewer in seen.to_act else ()
    count = len(claims)
    events = (claimed(2 - count % 2, claims[-1]),) if claims else ()
    defaults: dict[str, Any] = {
        "re": None,
        "match": CODE,
        "turn": count,
        "view": seen,
        "legal": legal,
        "first_event": max(0, count - 1),
        "events": events,
        "left_ms": None,
    }
    return Shown(**(defaults | fields))


def claimed(seat: int, territory: int) -> conquer.Claimed:
    return conquer.Claimed.model_validate({"seat": seat, "territory": territory})


def ended(winner: int | None = 1, reason: str = "resigned", **fields: Any) -> Ended:
    outcome = Outcome.model_validate({"winner": winner, "reason": reason})
    score = (int(winner == 1), int(winner == 2))
    return Ended(**({"re": None, "match": CODE, "outcome": outcome, "score": score} | fields))
