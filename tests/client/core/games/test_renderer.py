"""What holds for the words of every game, over games played at random."""

from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.core.games import RENDERERS
from client.core.games.renderer import Invalid, Question
from protocol.choice import spelled_out
from protocol.games import TITLES
from server.games import GAMES
from tests.client.core.games.typed_game import VIEWERS, TypedGame
from tests.server.games.playthrough import VARIANTS, begin, walk

GAMES_EACH = 4
WIDEST = 80
OPENING_PLANETS = "  ".join(f"[{number}] Unconquered" for number in range(1, 8))
"""The one line of a book that is wider than a terminal."""

WORDS = ("add", "subtract", "claim", "challenge", "attack", "defend", "heal")
TYPED = (*map(str, range(38)), *WORDS)
"""Everything that could be an answer to some question."""


def steps(variant):
    """Play a few games at random, and go through their moves."""
    for seed in range(GAMES_EACH):
        random = Random(f"{variant} {seed}")
        state, _ = begin(variant, random.randrange)
        yield from walk(variant, state, random)


def moves_typed(renderer, view, choices, answers=()):
    """Type everything at every question, and collect the moves that come out."""
    asked = renderer.ask(view, choices, answers)
    if not isinstance(asked, Question):
        yield asked
        return
    for text in TYPED:
        answer = answer_to(asked, text)
        if answer is not None:
            yield from moves_typed(renderer, view, choices, (*answers, answer))


def answer_to(question, text):
    """Type an answer; hand back what it was taken for, or None when it got a sentence instead."""
    try:
        return question.accept(text)
    except Invalid as invalid:
        sentence = str(invalid)
    assert sentence.isascii()
    assert sentence.endswith(".")
    return None


def test_every_game_has_a_renderer():
    assert list(RENDERERS) == list(TITLES)
    assert all(renderer.id == game for game, renderer in RENDERERS.items())


@pytest.mark.parametrize("game", TITLES)
def test_a_match_opens_with_the_title(game):
    typed = TypedGame(game, Dice())
    assert typed.heard[0][0] == f"Welcome to {TITLES[game]}!"


class Dice:
    """Luck that always answers the same."""

    def below(self, n: int) -> int:
        return 0


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_all_lines_are_plain_ascii_and_fit_a_terminal(variant):
    renderer = RENDERERS[variant.id]
    for step in steps(variant):
        for viewer in VIEWERS:
            view = variant.game.view(step.after, viewer or None)
            told = chain.from_iterable(renderer.announce(event, viewer) for event in step.events)
            updates = chain.from_iterable(renderer.update(event, view) for event in step.events)
            shown = (*renderer.welcome(view), *renderer.board(view), *renderer.turn(view))
            for line in (*shown, *told, *updates):
                assert line.isascii()
                assert line == line.rstrip()
                assert "\n" not in line
                assert len(line) <= WIDEST or line == OPENING_PLANETS


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_event_is_told_to_everybody(variant):
    announce = RENDERERS[variant.id].announce
    for step in steps(variant):
        assert all(announce(event, viewer) for event in step.events for viewer in VIEWERS)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_finished_game_opens_no_turn(variant):
    *_, last = steps(variant)
    assert all(RENDERERS[variant.id].turn(variant.game.view(last.after, seat)) == () for seat in (1, 2, None))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_can_be_typed_is_exactly_what_is_legal(variant):
    renderer = RENDERERS[variant.id]
    seen = {}
    for step in steps(variant):
        for seat in variant.game.to_act(step.before):
            choices = variant.game.legal_moves(step.before, seat)
            seen[str(choices)] = (variant.game.view(step.before, seat), choices)
    for view, choices in list(seen.values())[:100]:
        moves = list(moves_typed(renderer, view, choices))
        legal = list(spelled_out(choices))
        assert all(move in legal for move in moves)
        assert all(move in moves for move in legal)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_described_move_can_be_typed_as_it_is_described(variant):
    renderer = RENDERERS[variant.id]
    for step in steps(variant):
        choices = variant.game.legal_moves(step.before, step.entry.seat)
        move = step.entry.move.model_dump()
        assert renderer.parse_line(renderer.describe(move), choices) == move


@pytest.mark.parametrize(
    ("game", "move", "words"),
    [
        ("galaxy", {"kind": "attack", "planet": 7, "ship": 5}, "attack planet 7 with ship 5"),
        ("conquer", {"kind": "claim", "territory": 4}, "claim territory 4"),
        ("grid", {"kind": "claim", "cell": 5}, "claim cell 5"),
        ("grid", {"kind": "challenge", "cell": 5}, "challenge cell 5"),
        ("grid", {"kind": "pick", "number": 4}, "pick 4"),
        ("digit", {"kind": "draw", "digit": 7}, "draw a 7"),
        ("digit", {"kind": "add"}, "add the card"),
        ("digit", {"kind": "subtract"}, "subtract the card"),
        ("duel", {"kind": "attack"}, "attack"),
        ("duel", {"kind": "defend"}, "defend"),
        ("duel", {"kind": "heal"}, "heal"),
    ],
)
def test_a_move_in_words(game, move, words):
    assert RENDERERS[game].describe(move) == words


@pytest.mark.parametrize("game", TITLES)
@given(text=st.text() | st.text(alphabet="0123456789 ,claimheadftdsubr-", max_size=12))
def test_whatever_is_typed_is_an_answer_or_invalid(game, text):
    typed = TypedGame(game, Dice())
    choices = typed.choices(1)
    legal = list(spelled_out(choices))
    assert typed.line(1, text) in [None, *legal]
    answer_to(typed.question(1), text)


def test_a_renderer_asks_nothing_that_the_choices_do_not_hold():
    for game in GAMES:
        typed = TypedGame(game, Dice())
        question = typed.renderer.ask(typed.view(1), (), ())
        assert all(answer_to(question, text) is None for text in TYPED)
