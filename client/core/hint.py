"""Advice in words: what to play, and what it promises, in a sentence or two."""

from collections.abc import Sequence

from client.core.advice import TINY, Advice, Prospect
from client.core.games.renderer import Lines, Renderer
from protocol.choice import Move

MOST_NAMED = 3
"""More moves than this that are all equally good are not all named."""


def hint_lines(advice: Advice, game: Renderer) -> Lines:
    """Say what to play: the best, and what comes next if that is worse."""
    if advice.is_secret:
        return (f"{_sentence(mix_in_words(advice))}: {worth_in_words(advice.value, None)}.",)
    best = advice.best()
    sentences = [f"{_sentence(_any_in_words(best, advice, game))}: {_worth(best[0])}."]
    if worse := [p for p in advice.prospects if p.value < advice.value - TINY]:
        second = max(p.value for p in worse)
        others = [p for p in worse if p.value > second - TINY]
        if len(others) > MOST_NAMED and len(others) + len(best) == len(advice.prospects):
            sentences.append(f"Everything else: {worth_in_words(second, None)}.")
        else:
            # Two that round to the same chance would leave one wondering what the advice is for.
            worth = "hardly worse" if _worth(others[0]) == _worth(best[0]) else _worth(others[0])
            sentences.append(f"Otherwise {_any_in_words(others, advice, game)}: {worth}.")
    return tuple(sentences)


def _any_in_words(equals: Sequence[Prospect], advice: Advice, game: Renderer) -> str:
    """Name moves that are equally good."""
    names: list[str] = []
    for kind, general in game.any_of.items():
        alike = [p for p in equals if kind_of(p.move) == kind]
        if 1 < len(alike) == len([p for p in advice.prospects if kind_of(p.move) == kind]):
            equals = [p for p in equals if p not in alike]
            names.append(general)
    names += [_described(p.move, game) for p in equals[:MOST_NAMED]]
    if len(equals) > MOST_NAMED:
        return f"{', '.join(names)} or {len(equals) - MOST_NAMED} others like it"
    return " or ".join(names)


def _described(move: Move, game: Renderer) -> str:
    return game.describe(move.__dict__)


def kind_of(move: Move) -> str:
    """Tell what kind of move it is."""
    return str(move.__dict__["kind"])


def mix_in_words(advice: Advice) -> str:
    """Say how to choose in secret: which numbers, and how often each."""
    best = advice.best()
    numbers = [str(p.move.__dict__["number"]) for p in best]
    if len(best) == 1:
        return f"pick {numbers[0]}"
    shares = [p.share for p in best]
    if max(shares) - min(shares) < 0.15:
        each = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth"}[len(best)]
        return f"pick {_listed(sorted(numbers))}, about {each} each"
    parts = [f"{number} about {share:.0%}" for number, share in zip(numbers, shares, strict=True)]
    return f"pick {', '.join(part.replace('%', ' %') for part in parts)}"


def worth_in_words(value: float, distance: int | None) -> str:
    """Say what a value promises."""
    moves = None if distance is None else (distance + 1) // 2
    if value > 1.0 - TINY:
        if distance == 1:
            return "wins at once"
        return "wins whatever they do" if moves is None else f"wins in {moves} moves whatever they do"
    if value < TINY - 1.0:
        if distance is None:
            return "loses against best play"
        return "loses at once" if distance <= 2 else f"loses in {moves} moves against best play"
    if abs(value) < TINY:
        return "even with best play"
    return f"{chance_in_words(value)} with best play"


def chance_in_words(value: float) -> str:
    """Say how likely a win is."""
    percent = 50.0 * (1.0 + value)
    # Neither 0 nor 100 is said of what is not certain.
    return f"{min(99, max(1, round(percent)))} %"


def _worth(prospect: Prospect) -> str:
    return worth_in_words(prospect.value, prospect.distance)


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]
