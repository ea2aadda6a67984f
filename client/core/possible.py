"""What no server of ours would say to us: well-formed frames that do not go together, or are too many.

A session ends at the first of them, so that nothing behind it has to expect nonsense. Pure, like the reducer.
"""

from typing import Any

from client.core.games import RENDERERS
from client.core.state import ClientState, MatchState, defused_options, pieces_with
from protocol.choice import Choice
from protocol.games import parse_played
from protocol.server_frame import Exported, Seated, ServerFrame, Shown, Told

MOST_MATCHES = 256
"""How many matches a server can tell us of."""
MOST_PIECES = 64
"""How many pieces a record can have."""


def can_be(state: ClientState, frame: ServerFrame) -> bool:
    """Tell whether a server of ours could say this to us; what cannot be said in earnest is not taken in.

    Frames are well-formed one by one. Here is what they must not be together: about another game than the
    match is, or more than anybody could have.
    """
    match frame:
        case Seated():
            known = state.matches.get(frame.match)
            return (
                len(state.matches) < MOST_MATCHES
                if known is None
                else (known.game, known.options) == (frame.game, defused_options(frame.options))
            )
        case Shown() | Told() if frame.match in state.matches:
            match = state.matches[frame.match]
            return _is_of(match.game, frame) and _fits_board(match, frame)
        case Exported() if frame.match in state.matches:
            pieces = pieces_with(state, frame)
            fits = frame.first == sum(len(piece.moves) for piece in pieces[:-1])
            return fits and len(pieces) <= MOST_PIECES and frame.game == state.matches[frame.match].game
        case _:
            return True


def _is_of(game: str, frame: Shown | Told) -> bool:
    if not all(event.kind.startswith(f"{game}.") for event in frame.events):
        return False
    return isinstance(frame, Told) or (
        frame.view.game == game and all(_is_choice_of(game, choice) for choice in frame.legal)
    )


def _is_choice_of(game: str, choice: Choice) -> bool:
    """Tell whether every value of every field makes a move of the game."""
    first: dict[str, Any] = {field: next(iter(values), None) for field, values in choice.values.items()}
    others = ({**first, field: value} for field, values in choice.values.items() for value in values)
    return all(parse_played(game, {"kind": choice.kind, **move}) is not None for move in (first, *others))


def _fits_board(match: MatchState, frame: Shown | Told) -> bool:
    """Tell whether a board as large as was agreed has room for all that is said of it."""
    renderer = RENDERERS.get(match.game)
    if renderer is None:
        return True
    view, legal = (frame.view, frame.legal) if isinstance(frame, Shown) else (None, ())
    return renderer.fits(match.options, view, (*frame.events, *legal))
