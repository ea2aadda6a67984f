"""The solver of Conquer against the rules themselves, over every position that can come up."""

from functools import cache

from client.bots.conquer import SOLVER, solve
from protocol.games.conquer import Claim
from protocol.model import other
from server.games.conquer import GAME

START, _ = GAME.setup({}, None)


def claims(state):
    """List every claim and what it leads to, by the rules."""
    (choice,) = GAME.legal_moves(state, state.turn)
    for territory in choice.values["territory"]:
        move = Claim(territory=territory)
        yield move, GAME.apply(state, state.turn, move, None)[0]


@cache
def winner(state):
    """Tell who wins with best play, by nothing but the rules."""
    if state.end:
        return state.end.winner
    winners = {winner(after) for _, after in claims(state)}
    return state.turn if state.turn in winners else other(state.turn)


def positions():
    """List every position that can come up and is not over."""
    found, fresh = {START}, [START]
    while fresh:
        for _, after in claims(fresh.pop()):
            if not after.end and after not in found:
                found.add(after)
                fresh.append(after)
    return found


def advice_for(state):
    seat = state.turn
    return SOLVER.advise(GAME.view(state, seat), GAME.legal_moves(state, seat), {})


def test_every_move_of_every_position_is_valued_as_the_rules_value_it():
    for state in positions():
        advice = advice_for(state)
        for move, after in claims(state):
            assert advice.of(move).value == (1 if winner(after) == state.turn else -1)
        assert advice.value == (1 if winner(state) == state.turn else -1)


def test_a_won_position_is_never_lost_whatever_the_opponent_plays():
    won = [state for state in positions() if winner(state) == state.turn]
    for state in won:
        for prospect in advice_for(state).best():
            after, _ = GAME.apply(state, state.turn, prospect.move, None)
            assert winner(after) == state.turn
            # From there every reply comes back to a position of this same list, one turn nearer to the end.
            assert after.end or all(winner(reply) == state.turn for _, reply in claims(after))


def test_a_forced_win_takes_as_many_turns_as_is_said():
    for state in positions():
        value, turns = solve(state.territories, state.turn)
        lengths = [solve(after.territories, after.turn) for _, after in claims(state)]
        if value == 1:
            assert turns == 1 + min(length for their_value, length in lengths if their_value == -1)
        else:
            assert turns == 1 + max(length for _, length in lengths)


def test_player_1_wins_from_every_first_claim():
    assert all(prospect.value == 1 for prospect in advice_for(START).prospects)
    assert SOLVER.opening({}) == advice_for(START).value


def test_a_lost_position_is_played_on_where_most_replies_are_mistakes():
    lost = [state for state in positions() if winner(state) != state.turn]
    for state in lost:
        advice = advice_for(state)
        assert all(p.chances <= max(q.chances for q in advice.best()) + 1e-9 for p in advice.prospects)
