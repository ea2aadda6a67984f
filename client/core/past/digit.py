"""The past of a match of Digit Conquest."""

from collections.abc import Mapping

from client.core.games.wording import Who
from client.core.past.past import Past
from protocol.games.digit import (
    COPIES,
    DIGITS,
    GOAL,
    Added,
    Discarded,
    Drew,
    Event,
    Reshuffled,
    Subtracted,
    View,
)
from protocol.model import other

FULL_DECK = (COPIES,) * DIGITS


def begin(options: Mapping[str, str]) -> View:
    return View(viewer=0, to_act=(1,), scores=(0, 0), drawn=None, deck=FULL_DECK)


def after(view: View, event: Event) -> View:
    match event:
        case Drew(digit=digit):
            left = max(0, view.deck[digit - 1] - 1)
            deck = (*view.deck[: digit - 1], left, *view.deck[digit:])
            return view.model_copy(update={"deck": deck, "drawn": digit, "to_act": (event.seat,)})
        case Reshuffled():
            return view.model_copy(update={"deck": FULL_DECK})
        case Discarded():
            return view.model_copy(update={"drawn": None, "to_act": (other(event.seat),)})
        case Added() | Subtracted():
            changed = {"scores": event.scores, "drawn": None, "to_act": (other(event.seat),)}
            return view.model_copy(update=changed)
        case _:
            return view.model_copy(update={"to_act": ()})


def moves(options: Mapping[str, str]) -> tuple[type, ...]:
    return (Added, Subtracted, Drew) if options.get("draw") == "choose" else (Added, Subtracted)


def short(event: Event, who: Who) -> str:
    match event:
        case Added():
            return f"{who(event.seat)} +{event.digit} → {event.scores[event.seat - 1]}"
        case Subtracted():
            theirs = other(event.seat)
            return f"{who(event.seat)} -{event.digit} → {who(theirs)} {event.scores[theirs - 1]}"
        case Drew():
            return f"{who(event.seat, 'draws')} {event.digit}"
        case Discarded():
            return f"{event.digit} fits nowhere: discarded"
        case Reshuffled():
            return "The deck is made anew"
        case _:
            return f"{who(event.seat, 'wins')} with exactly {GOAL}"


PAST = Past(begin=begin, after=after, moves=moves, short=short)
