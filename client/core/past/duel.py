"""The past of a match of Command Line Conquer."""

from collections.abc import Mapping

from client.core.games.wording import Who
from client.core.past.past import Past
from protocol.games.duel import FULL_HP, Attacked, Defended, Event, Healed, Stance, View
from protocol.model import other


def begin(options: Mapping[str, str]) -> View:
    return View(viewer=0, to_act=(1,), hp=(FULL_HP, FULL_HP), stances=("none", "none"))


def after(view: View, event: Event) -> View:
    stance: Stance
    match event:
        case Attacked():
            stance = "attacking"
        case Defended():
            stance = "defending"
        case Healed():
            # D2: straight after a defence a heal is no opening.
            stance = "guarded" if view.stances[event.seat - 1] == "defending" else "healing"
        case _:
            return view.model_copy(update={"to_act": ()})
    first, second = view.stances
    stances = (stance, second) if event.seat == 1 else (first, stance)
    return view.model_copy(update={"hp": event.hp, "stances": stances, "to_act": (other(event.seat),)})


def short(event: Event, who: Who) -> str:
    match event:
        case Attacked(damage=0):
            return f"{who(event.seat, 'attacks')}, blocked"
        case Attacked():
            target = other(event.seat)
            return f"{who(event.seat, 'attacks')}, -{event.damage} → {who(target)} {event.hp[target - 1]}"
        case Defended():
            return who(event.seat, "defends")
        case Healed():
            return f"{who(event.seat, 'heals')}, +{event.gained} → {event.hp[event.seat - 1]}"
        case _:
            loser = other(event.seat)
            return f"{who(event.seat, 'wins')}, {who(loser, 'has')} {event.hp[loser - 1]} HP"


PAST = Past(begin=begin, after=after, moves=lambda options: (Attacked, Defended, Healed), short=short)
