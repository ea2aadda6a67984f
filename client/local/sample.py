"""A position of each game as a picture of it: a few moves into a match, the same every time."""

import random
from collections.abc import Mapping

from protocol.choice import spelled_out
from protocol.games import View, parse_move
from server.games import GAMES
from server.games.chance import Drawn

MOVES = 5
LUCK = 9


def sample(game: str, options: Mapping[str, str]) -> View:
    """Play some moves by lot, and show what all can see; raise `Illegal` for options that there are not."""
    rules, luck = GAMES[game], random.Random(LUCK)
    chance = Drawn(luck.randrange)
    state, _ = rules.setup(rules.agree(options), chance)
    seen = rules.view(state, None)
    for _ in range(MOVES):
        seat = min(rules.to_act(state))
        move = luck.choice(list(spelled_out(rules.legal_moves(state, seat))))
        state, _ = rules.apply(state, seat, parse_move(game, move), chance)
        if not rules.to_act(state):
            break
        seen = rules.view(state, None)
    return seen  # type: ignore[return-value]
