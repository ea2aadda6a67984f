"""Whom bots are tried against: chance from a seed, and a player who plays anything that is legal."""

import random
from collections.abc import Iterator, Sequence

from client.core.record import Header, Record
from protocol.choice import Choice, spelled_out
from protocol.games import parse_move
from protocol.outcome import CALLED_OFF, Outcome
from protocol.server_frame import Turned
from server.games import GAMES
from server.games.chance import Drawn

VARIANTS = (
    ("galaxy", {}),
    ("conquer", {}),
    ("grid", {"size": "2"}),
    ("grid", {"size": "3"}),
    ("grid", {"size": "4"}),
    ("digit", {"draw": "random"}),
    ("digit", {"draw": "choose"}),
    ("duel", {}),
)


def dice(seed):
    """Give chance that is the same in every run."""
    return Drawn(random.Random(seed).randrange)


class Wanderer:
    """Plays any legal move, each equally likely."""

    def __init__(self, chance, options):
        self.chance = chance

    def choose(self, view, choices: Sequence[Choice]):
        moves = list(spelled_out(choices))
        return moves[self.chance.below(len(moves))]


def recorded(game_id, options, turns, chance=(), outcome=None) -> Record:
    """Make the record of a match: who moved, how, and what chance answered, in turn."""
    header = Header(
        match="7K3M9QXZ",
        game=game_id,
        options=options,
        names=("Ann", "Bob"),
        chance=chance,
        outcome=outcome or Outcome(winner=None, reason=CALLED_OFF),
    )
    moves = (Turned(seat=seat, move=dict(move), chance=luck, at=0.0) for seat, move, luck in turns)
    return Record(header, tuple(moves))


def wander(game_id, options, seed, most_moves=60) -> Iterator[tuple]:
    """Walk through a random match: at every decision the state and the seat that decides."""
    game, chance = GAMES[game_id], dice(seed)
    walker = Wanderer(chance, options)
    state, _ = game.setup(game.agree(options), chance)
    for _ in range(most_moves):
        owing = sorted(game.to_act(state))
        if not owing:
            return
        seat = owing[chance.below(len(owing))]
        yield state, seat
        raw = walker.choose(None, game.legal_moves(state, seat))
        state, _ = game.apply(state, seat, parse_move(game_id, raw), chance)
