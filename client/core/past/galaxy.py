"""The past of a match of Galaxy Conquest."""

from collections.abc import Mapping

from client.core.games.wording import Who
from client.core.past.past import Past
from protocol.games.galaxy import PLANETS, Attacked, Event, View
from protocol.model import UNOWNED, other


def begin(options: Mapping[str, str]) -> View:
    fleet = tuple(range(1, PLANETS + 1))
    return View(viewer=0, to_act=(1,), planets=UNOWNED * PLANETS, ships=(fleet, fleet))


def after(view: View, event: Event) -> View:
    if not isinstance(event, Attacked):
        return view.model_copy(update={"to_act": ()})
    planets, fleets = view.planets, list(view.ships)
    if event.conquered:
        planets = (*planets[: event.planet - 1], event.seat, *planets[event.planet :])
    fleets[event.seat - 1] = tuple(ship for ship in fleets[event.seat - 1] if ship != event.ship)
    changed = {"planets": planets, "ships": tuple(fleets), "to_act": (other(event.seat),)}
    return view.model_copy(update=changed)


def short(event: Event, who: Who) -> str:
    if isinstance(event, Attacked):
        end = "taken" if event.conquered else "failed"
        return f"{who(event.seat)} ship {event.ship} → planet {event.planet}, {end}"
    won, (held, theirs) = who(event.seat, "wins"), event.planets[:: 1 if event.seat == 1 else -1]
    match event.reason:
        case "four_planets":
            return f"{won} with four planets"
        case "most_planets":
            return f"{won} by {len(held)} planets to {len(theirs)}"
        case "highest_planet":
            return f"{won} by the highest planet, {max(held, default=0)}"


PAST = Past(begin=begin, after=after, moves=lambda options: (Attacked,), short=short)
