"""The past of a match of Grid Conquest. A standing pick is in no event, so it is in no view either."""

from collections.abc import Mapping

from client.core.games.wording import Who
from client.core.past.past import Past
from protocol.games.grid import (
    HAND,
    Challenged,
    Claimed,
    Event,
    Picked,
    Refilled,
    Revealed,
    Standing,
    SuddenDeath,
    View,
    Won,
)
from protocol.model import SEATS, UNOWNED, Owner, other


def begin(options: Mapping[str, str]) -> View:
    size = int(options["size"]) if options.get("size") in {"2", "3", "4", "5", "6"} else 3
    return View(
        viewer=0,
        to_act=(1,),
        size=size,
        cells=UNOWNED * size**2,
        hands=(HAND, HAND),
        challenge=None,
        pick=None,
        sudden_death=False,
    )


def after(view: View, event: Event) -> View:
    match event:
        case Claimed():
            cells = _held(view.cells, event.cell, event.seat)
            return view.model_copy(update={"cells": cells, "to_act": (other(event.seat),)})
        case Challenged():
            standing = Standing(cell=event.cell, challenger=event.seat, picked=())
            return view.model_copy(update={"challenge": standing, "to_act": SEATS})
        case Picked() if view.challenge is not None:
            picked = tuple(sorted({*view.challenge.picked, event.seat}))
            standing = view.challenge.model_copy(update={"picked": picked})
            return view.model_copy(update={"challenge": standing, "to_act": (other(event.seat),)})
        case Revealed():
            return _revealed(view, event)
        case SuddenDeath():
            return view.model_copy(update={"sudden_death": True})
        case Refilled():
            return view.model_copy(update={"hands": (HAND, HAND)})
        case Won():
            return view.model_copy(update={"to_act": ()})
        case _:
            return view


def _held(cells: tuple[Owner, ...], cell: int, owner: Owner) -> tuple[Owner, ...]:
    return tuple(owner if number == cell else held for number, held in enumerate(cells, start=1))


def _revealed(view: View, event: Revealed) -> View:
    spent = zip(view.hands, event.numbers, strict=True)
    changed = {
        "cells": _held(view.cells, event.cell, event.owner),
        "hands": tuple(tuple(each for each in hand if each != number) for hand, number in spent),
        "challenge": None,
        "to_act": (other(event.challenger),),
    }
    return view.model_copy(update=changed)


def short(event: Event, who: Who) -> str:
    match event:
        case Claimed():
            return f"{who(event.seat, 'claims')} {event.cell}"
        case Challenged():
            return f"{who(event.seat, 'challenges')} {event.cell}"
        case Picked():
            return f"{who(event.seat, 'picks')} a number"
        case Revealed():
            verb = "takes" if event.owner == event.challenger else "keeps"
            shown = ", ".join(f"{who(seat)} {event.numbers[seat - 1]}" for seat in SEATS)
            return f"{shown}: {who(event.owner, verb)} {event.cell}"
        case SuddenDeath():
            return "All is level: Sudden Death"
        case Refilled():
            return "All numbers are there again"
        case _:
            return _won(event, who)


def _won(event: Won, who: Who) -> str:
    won, ours, theirs = who(event.seat, "wins"), event.seat - 1, other(event.seat) - 1
    match event.reason:
        case "most_cells":
            return f"{won} by {event.cells[ours]} cells to {event.cells[theirs]}"
        case "unused_numbers":
            return f"{won} by unused numbers, {event.sums[ours]} to {event.sums[theirs]}"
        case "sudden_death":
            return f"{won} in Sudden Death"


PAST = Past(begin=begin, after=after, moves=lambda options: (Claimed, Challenged, Picked), short=short)
