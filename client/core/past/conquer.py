"""The past of a match of Conquer."""

from collections.abc import Mapping

from client.core.games.wording import Who, listed
from client.core.past.past import Past
from protocol.games.conquer import TERRITORIES, Claimed, Event, View
from protocol.model import UNOWNED, other


def begin(options: Mapping[str, str]) -> View:
    return View(viewer=0, to_act=(1,), territories=UNOWNED * TERRITORIES)


def after(view: View, event: Event) -> View:
    if not isinstance(event, Claimed):
        return view.model_copy(update={"to_act": ()})
    held = view.territories
    held = (*held[: event.territory - 1], event.seat, *held[event.territory :])
    return view.model_copy(update={"territories": held, "to_act": (other(event.seat),)})


def short(event: Event, who: Who) -> str:
    if isinstance(event, Claimed):
        return f"{who(event.seat, 'claims')} {event.territory}"
    won = who(event.seat, "wins")
    match event.reason:
        case "three_adjacent":
            return f"{won} with {listed(event.chain)} in a row"
        case "longest_chain":
            return f"{won} by the longest chain, {len(event.chain)}"
        case "most_territories":
            return f"{won} by the most territories"


PAST = Past(begin=begin, after=after, moves=lambda options: (Claimed,), short=short)
