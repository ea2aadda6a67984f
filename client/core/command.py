"""What a player can ask for beside moves, and what comes of it, alike in every face.

A command goes in as a value; a value comes out that a face shows, or the request that was made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from client.core import slash, wording
from client.core.games import RENDERERS
from client.core.games.renderer import Lines, Question
from client.core.record import Record
from client.core.seat import Seat, ToReview, ToSave
from client.core.slash import Command
from client.core.state import MatchState
from protocol.client_frame import CallOff, Chat, Claim, Export, MatchRequest, Rematch, Resign
from protocol.field import Offer
from protocol.text import Unclean, clean_chat

NOT_BEGUN = "The match has not begun yet."
ONLY_PLAYERS = "You are watching; only the players can do that."
RESIGN_QUESTION = "Resign the match?"
CALLOFF_QUESTION = "Call the match off?"
CALLOFF_OFFER_QUESTION = "Offer to call the match off?"
NOT_APART = "You share one keyboard; that is for players who are apart."
NO_SECRET_HINT = "A hint about a secret number would be seen by both of you."
NO_OFFER = "There is no offer to answer."
NO_HINTS = "This match is played without hints; they are agreed on when a match is created."

REQUESTS: Mapping[str, type[MatchRequest]] = {
    "calloff": CallOff,
    "chat": Chat,
    "claim": Claim,
    "rematch": Rematch,
    "resign": Resign,
    "review": Export,
    "save": Export,
}
"""What each command asks of the server; what answers an offer depends on the offer."""
ANSWERS: Mapping[Offer, type[MatchRequest]] = {"calloff": CallOff, "rematch": Rematch}
"""What answers each offer."""
USES: Mapping[str, Callable[[str, Record], ToSave | ToReview]] = {
    "review": lambda _, record: ToReview(record),
    "save": ToSave,
}
"""What the record of a match is for."""
AFTERWARDS = frozenset({"rematch", "review", "save"})
"""What makes sense only when the match is over."""
AT_ANY_TIME = frozenset({"board", "help", "quit", "rules"})


@dataclass(frozen=True, slots=True)
class Said:
    """What a command says at once."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class Help:
    """What can be typed is wanted."""

    is_watching: bool
    is_shared: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game are wanted."""

    game: str


@dataclass(frozen=True, slots=True)
class Hint:
    """What to play in a match is to be worked out."""

    match: MatchState


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """A command is carried out when it is given again, confirmed."""

    question: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The server was asked for something; its answer is news."""

    request: int


Answer = Said | Help | Rules | Hint | ToConfirm | Asked | ToSave | ToReview
"""What comes of a command."""


class _Unavailable(Exception):
    """Something cannot be asked for now; the message is a sentence."""


def makes_sense(seat: Seat, name: str) -> bool:
    """Tell whether a command is worth offering now."""
    match = seat.match
    if seat.is_gone and seat.record is not None and name in USES:
        return True
    if match is None or match.view is None or seat.is_gone:
        return name in AT_ANY_TIME
    if (not match.seat and name not in slash.WATCHING) or (match.is_shared and name in slash.APART):
        return False
    match name:
        case "accept":
            return any(whose == match.opponent for _, whose in match.offers)
        case "decline":
            return bool(match.offers)
        case "claim":
            is_alone = match.opponent is not None and not match.present[match.opponent - 1]
            return is_alone and not seat.is_over
        case "hint":
            return match.hints and not seat.is_over
        case "rematch":
            return seat.is_over and match.opponent is not None and match.present[match.opponent - 1]
        case "chat":
            return True
        case _:
            return name in AT_ANY_TIME or seat.is_over == (name in AFTERWARDS)


def obey(seat: Seat, command: Command, is_confirmed: bool = False) -> Answer:
    """Carry out a command, all but leaving; say why where that cannot be done now."""
    try:
        return _obeyed(seat, command, is_confirmed)
    except _Unavailable as no:
        return Said((str(no),))


def _obeyed(seat: Seat, command: Command, is_confirmed: bool) -> Answer:
    name, match = command.name, seat.match
    is_watching = match is not None and match.begun and not match.seat
    if name == "help":
        return Help(is_watching, match is not None and match.is_shared)
    if match is None or match.view is None:
        raise _Unavailable(NOT_BEGUN)
    if is_watching and name not in slash.WATCHING:
        raise _Unavailable(ONLY_PLAYERS)
    if match.is_shared and name in slash.APART:
        raise _Unavailable(NOT_APART)
    if name == "rules":
        return Rules(match.game)
    if name in slash.LOOKED_AT:
        return Said(slash.looked_at(name, match, seat.requests.left_s(match.code)))
    if name == "hint":
        return _hint(match)
    if name in USES and seat.record is not None:
        return USES[name](command.argument, seat.record)
    if not seat.requests.is_connected:
        raise _Unavailable(wording.NO_CONNECTION)
    if not is_confirmed and (question := _question(name, match)):
        return ToConfirm(question)
    return Asked(_ask(seat, command, match))


def _question(name: str, match: MatchState) -> str:
    """Ask before something that cannot be undone; nothing in agreeing to what was offered."""
    if name == "calloff" and match.outcome is None and not match.has_offer("calloff", match.opponent):
        return CALLOFF_QUESTION if match.is_shared else CALLOFF_OFFER_QUESTION
    if name != "resign":
        return ""
    who = f"{wording.called(match, match.seat)}: " if match.is_shared and match.seat else ""
    return f"{who}{RESIGN_QUESTION}"


def _hint(match: MatchState) -> Hint:
    if match.outcome is not None:
        raise _Unavailable(wording.OVER)
    if not match.hints:
        raise _Unavailable(NO_HINTS)
    if not match.legal:
        raise _Unavailable(wording.NOT_YOUR_TURN)
    if match.is_shared and is_secret(match):
        raise _Unavailable(NO_SECRET_HINT)
    return Hint(match)


def is_secret(match: MatchState) -> bool:
    """Tell whether what is asked in a match now is for nobody else to see."""
    asked = RENDERERS[match.game].ask(match.view, match.legal, ()) if match.legal else None
    return isinstance(asked, Question) and asked.is_secret


def _ask(seat: Seat, command: Command, match: MatchState) -> int:
    fields: dict[str, object] = {"match": match.code}
    match command:
        case Command("chat", text):
            fields["text"] = _cleaned(text)
        case Command("accept" | "decline" as name):
            fields["agree"] = name == "accept"
            return seat.requests.send(_offered(match, name == "accept"), **fields)
    request = seat.requests.send(REQUESTS[command.name], **fields)
    if command.name in USES:
        seat.uses[request] = partial(USES[command.name], command.argument)
    return request


def _cleaned(text: str) -> str:
    try:
        return clean_chat(text)
    except Unclean as no:
        raise _Unavailable(str(no)) from no


def _offered(match: MatchState, agree: bool) -> type[MatchRequest]:
    """Find the offer to answer: the opponent's, or, to take it back, our own."""
    seats = (match.opponent,) if agree else (match.opponent, match.seat)
    standing = [offer for offer, seat in sorted(match.offers) if seat in seats]
    if not standing:
        raise _Unavailable(NO_OFFER)
    return ANSWERS[standing[0]]
