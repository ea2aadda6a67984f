"""The solver of Grid Conquest: nobody gains anything against the shipped policy, in any position."""

from functools import cache
from itertools import combinations, product

import pytest

from client.bots.grid import SOLVER, Position, key, values, without
from client.bots.level import policy
from protocol.games.grid import HAND
from protocol.model import other
from server.games.grid import GAME, State
from tests.client.bots.partner import wander
from tools.make_tables import reachable, solve_grid

CLOSE = 1e-6


def state_of(position, size, challenged=False):
    """Put a position on the board, with Player 1 to move and perhaps a challenge declared."""
    mine, theirs, hand, facing = position
    empty = size**2 - mine - theirs
    return State(
        size=size,
        cells=(1,) * mine + (2,) * theirs + (0,) * empty,
        hands=(hand, facing),
        turn=1,
        challenged=mine + 1 if challenged else None,
        sudden_death=empty == 0,
    )


def shipped(state, seat):
    """Tell how often the perfect bot plays each move, by what the move is."""
    advice = SOLVER.advise(GAME.view(state, seat), GAME.legal_moves(state, seat), {})
    weights = policy(advice, "perfect", 1.0)
    return [(prospect.move, weight) for prospect, weight in zip(advice.prospects, weights, strict=True)]


@cache
def picks(position, size, seat):
    return [weight for _, weight in shipped(state_of(position, size, challenged=True), seat)]


@cache
def challenge_share(position, size):
    moves = shipped(state_of(position, size), 1)
    return sum(weight for move, weight in moves if move.kind == "challenge")


class BestResponse:
    """What a player who knows the shipped policy can get out of it, from every position on."""

    def __init__(self, size):
        self.size, self.cells = size, size**2
        self.moving = {}
        """What the responder gets with the move, by position as the responder sees it."""
        self.waiting = {}
        """What the responder gets when the policy has the move, by position as the policy sees it."""

    def settle(self, position):
        """Reckon a position, those after it being known."""
        gains, share = [], 0.0
        if position.mine + position.theirs < self.cells:
            gains.append(self.claimed(position, self.waiting, 1))
        if position.theirs and position.hand:
            gains.append(max(self.attacks(position)))
            share = challenge_share(position, self.size)
        self.moving[position] = max(gains)
        kept = self.claimed(position, self.moving, -1) if share < 1.0 else 0.0
        fought = max(self.defences(position)) if share > 0.0 else 0.0
        self.waiting[position] = (1 - share) * kept + share * fought

    def claimed(self, position, table, sign):
        """Tell what the responder gets when a cell is claimed; sign is 1 if it is the responder's claim."""
        mine, theirs, hand, facing = position
        if mine + 1 + theirs < self.cells:
            return table[Position(theirs, mine + 1, facing, hand)]
        margin = (mine + 1 - theirs) or (sum(hand) - sum(facing))
        if margin:
            return sign if margin > 0 else -sign
        return table.get(Position(theirs, mine + 1, facing or HAND, hand or HAND), 0.0)

    def revealed(self, position, attack, defence, table, sign):
        """Tell what the responder gets after both picks; sign is 1 if the responder has challenged."""
        mine, theirs, hand, facing = position
        is_sudden_death = mine + theirs == self.cells
        hand, facing = without(hand, attack), without(facing, defence)
        if attack > defence:
            return sign if is_sudden_death else table[Position(theirs - 1, mine + 1, facing, hand)]
        if is_sudden_death:
            hand, facing = hand or HAND, facing or HAND
        return table.get(Position(theirs, mine, facing, hand), 0.0)

    def attacks(self, position):
        """List what each number of the responder, as challenger, gets against the policy's defence."""
        mix = picks(position, self.size, 2)
        for attack in position.hand:
            yield sum(
                weight * self.revealed(position, attack, defence, self.waiting, 1)
                for defence, weight in zip(position.facing, mix, strict=True)
            )

    def defences(self, position):
        """List what each number of the responder, as defender, gets against the policy's challenge."""
        mix = picks(position, self.size, 1)
        for defence in position.facing:
            yield sum(
                weight * self.revealed(position, attack, defence, self.moving, -1)
                for attack, weight in zip(position.hand, mix, strict=True)
            )


def sudden_death(size):
    """List the positions of Sudden Death, the smallest hands first."""
    half = size**2 // 2
    hands = [hand for count in range(1, 6) for hand in combinations(HAND, count)]
    pairs = [pair for pair in product(hands, hands) if len(pair[0]) == len(pair[1])]
    return [Position(half, half, *pair) for pair in pairs]


@cache
def solved(size):
    response = BestResponse(size)
    if size % 2 == 0:
        # Sudden Death can begin anew; each round brings the response nearer to what it is in the end.
        for _ in range(40):
            for position in sudden_death(size):
                response.settle(position)
    cells = size**2
    for position in sorted(reachable(cells), key=lambda p: (cells - p.mine - p.theirs, len(p.hand))):
        response.settle(position)
    return response


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_best_response_gains_nothing_in_any_position(size):
    response, table = solved(size), values(size)
    assert len(response.moving) == len(response.waiting) == len(table)
    for position, gained in response.moving.items():
        assert gained == pytest.approx(table[key(position)], abs=CLOSE)
    for position, gained in response.waiting.items():
        assert gained == pytest.approx(-table[key(position)], abs=CLOSE)


def test_player_1_is_worth_what_theory_says():
    assert SOLVER.opening({"size": "3"}) == pytest.approx(0.37125, abs=1e-4)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_the_shipped_table_is_what_the_tool_makes(size):
    assert values(size) == pytest.approx(solve_grid(size), abs=1e-12)


@pytest.mark.parametrize("size", ["2", "3", "4", "5", "6"])
def test_what_a_move_is_worth_is_what_the_rules_lead_to(size):
    for seed in range(15):
        for state, seat in wander("grid", {"size": size}, seed, most_moves=200):
            # Cells are alike, so one claim and one challenge stand for all of them.
            for prospect in {p.move.kind: p for p in advice_for(state, seat).prospects}.values():
                if prospect.move.kind != "pick":
                    after, _ = GAME.apply(state, seat, prospect.move, None)
                    assert prospect.value == pytest.approx(worth(after, seat))


@pytest.mark.parametrize("size", ["2", "3", "4"])
def test_a_pick_is_worth_what_the_opponents_mix_makes_of_it(size):
    for seed in range(15):
        for state, seat in wander("grid", {"size": size}, seed, most_moves=200):
            if len(GAME.to_act(state)) == 2:
                theirs = advice_for(state, other(seat)).prospects
                for mine in advice_for(state, seat).prospects:
                    picked, _ = GAME.apply(state, seat, mine.move, None)
                    ends = [GAME.apply(picked, other(seat), p.move, None)[0] for p in theirs]
                    met = sum(p.share * worth(end, seat) for p, end in zip(theirs, ends, strict=True))
                    assert mine.value == pytest.approx(met)


def advice_for(state, seat):
    return SOLVER.advise(GAME.view(state, seat), GAME.legal_moves(state, seat), {})


def worth(state, seat):
    """Tell what a state is worth to a seat."""
    if state.end:
        return 1.0 if state.end.winner == seat else -1.0
    mover = min(GAME.to_act(state))
    value = advice_for(state, mover).value
    return value if mover == seat else -value


def test_a_pick_that_another_always_beats_is_silly():
    # One cell behind with 2 and 4 against 1 and 2: the 4 takes the cell for sure, the 2 does not.
    position = Position(2, 3, (2, 4), (1, 2))
    prospects = advice_for(state_of(position, 3, challenged=True), 1).prospects
    assert [(p.move.number, p.is_silly) for p in prospects] == [(2, True), (4, False)]


def test_a_challenge_that_cannot_be_won_is_silly():
    prospects = advice_for(state_of(Position(2, 2, (1, 2), (2, 3)), 3), 1).prospects
    assert {p.is_silly for p in prospects if p.move.kind == "challenge"} == {True}
    assert {p.is_silly for p in prospects if p.move.kind == "claim"} == {False}
