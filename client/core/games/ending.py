"""The ends that any match may have, in words. A game's own end is told by the game's own event."""

from client.core.games.renderer import Lines
from client.core.games.wording import naming
from protocol.model import Owner, other
from protocol.outcome import ABANDONED, CALLED_OFF, CLOCK, MOVE_CAP, RESIGNED, Outcome

NO_WINNER = "There is no winner."
_LOST = {
    RESIGNED: "resigned",
    CLOCK: "ran out of time",
    ABANDONED: "has been gone for too long",
}
_NOBODY_WON = {
    CALLED_OFF: f"Both players agreed to call the match off. {NO_WINNER}",
    MOVE_CAP: f"The match has reached the limit of moves and is called off. {NO_WINNER}",
}


def end_lines(outcome: Outcome, names: tuple[str, str], reader: Owner = 0) -> Lines:
    """Say how a match ended; nothing for an end by the game's own rules, which its event has announced."""
    if outcome.winner is None:
        return (_NOBODY_WON.get(outcome.reason, f"The match has ended. {NO_WINNER}"),)
    if outcome.reason not in _LOST:
        return ()
    who = naming(names, reader)
    verb, _, rest = _LOST[outcome.reason].partition(" ")
    lost = f"{who(other(outcome.winner), verb)} {rest}".rstrip()
    return (f"{lost}. {who(outcome.winner, 'wins')}!",)
