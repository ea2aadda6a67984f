"""What a game must offer so that a match can be walked back: how each event changes what all can see.

Events tell all that a spectator may know, so the views of a match come out of its events alone, however
little of it was watched. All functions are pure; `Any` stands for the game's own views and events.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from client.core.games.wording import Who


@dataclass(frozen=True, slots=True)
class Past:
    """How one game's matches are told and walked back."""

    begin: Callable[[Mapping[str, str]], Any]
    """What all see before the first event, by the match's options."""
    after: Callable[[Any, Any], Any]
    """What all see when an event has changed a view."""
    moves: Callable[[Mapping[str, str]], tuple[type, ...]]
    """The events that are moves of a player; the others follow from the move before them."""
    short: Callable[[Any, Who], str]
    """An event in a few words, with the players' names; nothing for one that goes without saying."""
