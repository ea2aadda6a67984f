"""Nim solved: leave a multiple of four."""

from collections.abc import Sequence

from client.bots.advice import Advice, Candidate, Solver, weigh
from protocol.choice import Choice
from protocol.games.nim import MOST_TAKEN, Take, View
from server.games.game import Options


def advise(view: View, choices: Sequence[Choice], options: Options) -> Advice:
    candidates = []
    for sticks in choices[0].values["sticks"]:
        value = -1.0 if (view.left - sticks) % (MOST_TAKEN + 1) else 1.0
        candidates.append(Candidate(Take(sticks=sticks), value, value))
    return weigh(candidates)


SOLVER = Solver(
    advise=advise,
    opening=lambda options: 1.0 if int(options["sticks"]) % (MOST_TAKEN + 1) else -1.0,
    room=lambda view: 1.0,
    names={"take": "take {sticks}"},
    any_of={"take": "take any number"},
)
