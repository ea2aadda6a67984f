"""Hints and reviews as frames: what the computer's players know, put at people's service.

This is thinking: it may take many milliseconds, so it is done beside the event loop, from values that
cannot change meanwhile. A hint sees what the player who asks can see, and nothing else.
"""

from collections.abc import Mapping
from types import SimpleNamespace

from protocol.choice import Choice
from protocol.frame import Hint, Hinted, Reviewed
from protocol.games.view import GameView
from protocol.limit import ARRAY_LEN
from protocol.text import told_apart
from server.core.transcript import Transcript


def hinted(
    request: Hint, turn: int, view: GameView, legal: tuple[Choice, ...], options: Mapping[str, str]
) -> Hinted:
    """Say what the computer would play, and what that promises."""
    from client.bots.hint import hint

    return Hinted(re=request.id, match=request.match, turn=turn, lines=hint(view, legal, options))


def reviewed(record: Transcript, re: int, is_ascii: bool) -> Reviewed:
    """Look at a finished match again: every move, as far as one frame holds them, and the sum of it."""
    from client.bots.report import moves, report
    from client.bots.review import review

    turns = [SimpleNamespace(**move) for move in record.moves]
    looked_at = review(record.game, record.options, record.chance, turns, record.outcome)
    names = told_apart(record.names)
    sums = ("", *report(looked_at, names, is_ascii))
    heading, *played = moves(looked_at, names)
    too_many = len(played) + len(sums) + 1 - ARRAY_LEN
    if too_many > 0:
        left_out = too_many + 1
        note = (
            f"(The first {left_out} are left out here; save the match and review the file to see them all.)"
        )
        played = [note, *played[left_out:]]
    return Reviewed(re=re, match=record.code, lines=(heading, *played, *sums))
