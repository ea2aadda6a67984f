"""Hints and reviews: what the computer makes of a position or of a whole match.

They are worked out in a process of their own, which may take its time: a host's server runs in this one, and
must not be held up. A hint is made of what its player was shown and of nothing else.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from client.core.advice import Advice
from client.core.failure import CouldNot
from client.core.games import RENDERERS
from client.core.games.renderer import Lines
from client.core.hint import hint_lines
from client.core.record import BadRecord, Record
from client.core.report import review_lines
from client.core.review import Review
from client.core.state import MatchState
from client.local.fault import noted
from protocol.choice import Choice
from protocol.games import View
from protocol.process.child import Died, Tell, ask

PROCESS = "client.local.advice_process"

NO_HINT = "The hint could not be worked out."
NO_REVIEW = "The review could not be worked out."


class Undecided(NamedTuple):
    """What a seat that owes a move can see."""

    view: View | None
    legal: tuple[Choice, ...]
    options: Mapping[str, str]


async def hint(match: MatchState, tell: Tell) -> Lines:
    """Say what to play for the move that is due, telling how far that is; raise `CouldNot`."""
    return hint_lines(await advised(match, tell), RENDERERS[match.game])


async def advised(match: MatchState, tell: Tell) -> Advice:
    """Value all moves that may be made now, telling how far that is; raise `CouldNot`."""
    advice: Advice = await _ask(Undecided(match.view, match.legal, match.options), tell, NO_HINT)
    return advice


async def review(record: Record, tell: Tell, is_ascii: bool = False) -> Lines:
    """Look at a match again, and put it into words for the one whose record it is."""
    return review_lines(await reviewed(record, tell), record.header.names, is_ascii, record.header.seat)


async def reviewed(record: Record, tell: Tell) -> Review:
    """Look at a match again, telling how far that is; raise `BadRecord` when it is none, or `CouldNot`."""
    review: Review | BadRecord = await _ask(record, tell, NO_REVIEW)
    if isinstance(review, BadRecord):
        raise review
    return review


async def _ask(question: Undecided | Record, tell: Tell, complaint: str) -> Any:
    try:
        return await ask(PROCESS, question, tell)
    except (Died, OSError) as problem:
        raise CouldNot(noted(complaint, str(problem))) from problem
