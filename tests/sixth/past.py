"""The past of a match of Nim."""

from collections.abc import Mapping

from client.core.games.wording import Who
from client.core.past.past import Past
from protocol.games.nim import Event, Took, View
from protocol.model import other


def begin(options: Mapping[str, str]) -> View:
    return View(viewer=0, to_act=(1,), left=12 if options.get("sticks") == "12" else 7)


def after(view: View, event: Event) -> View:
    if isinstance(event, Took):
        changed = {"left": view.left - event.sticks, "to_act": (other(event.seat),)}
        return view.model_copy(update=changed)
    return view.model_copy(update={"to_act": ()})


def short(event: Event, who: Who) -> str:
    if isinstance(event, Took):
        return f"{who(event.seat, 'takes')} {event.sticks}"
    return who(event.seat, "wins")


PAST = Past(begin=begin, after=after, moves=lambda options: (Took,), short=short)
