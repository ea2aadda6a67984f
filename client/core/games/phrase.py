"""Whole moves in words: said in a list or a replay, and read from one typed line.

A game gives one sentence for each kind of move, with the move's fields as blanks in it. Both directions
come from that table, so what is said can always be typed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from client.core.games.answer import matches_of, parse_number
from client.core.games.renderer import Move
from protocol.choice import Choice

_TOKEN = re.compile(r"[a-z]+|[0-9]+|[^\s,]")
_BLANK = re.compile(r"{(\w+)}")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Phrases:
    """One sentence for each kind of move of a game.

    >>> phrases = Phrases({"attack": "attack planet {planet} with ship {ship}"})
    >>> phrases.describe({"kind": "attack", "planet": 7, "ship": 5})
    'attack planet 7 with ship 5'
    """

    sentences: Mapping[str, str]

    def describe(self, move: Move) -> str:
        """Put a move into words."""
        return self.sentences[str(move["kind"])].format_map(move)

    def parse_line(self, text: str, choices: tuple[Choice, ...]) -> Move | None:
        """Read a whole legal move ("attack planet 7 with ship 5", "att 7 5", "7 5"), or None."""
        tokens = _TOKEN.findall(text.casefold())
        named = matches_of(tokens[0], self.sentences) if tokens else []
        kinds = named or [choice.kind for choice in choices if self._can_be_bare(choice.kind)]
        if len(kinds) != 1:
            return None
        choice = next((choice for choice in choices if choice.kind == kinds[0]), None)
        return self._filled(choice, tokens[1:] if named else tokens) if choice else None

    def _filled(self, choice: Choice, tokens: Sequence[str]) -> Move | None:
        """Fill the fields of the choice's move with the numbers typed, if they make a legal one."""
        sentence = self.sentences[choice.kind]
        fields = _BLANK.findall(sentence)
        numbers = _assigned(fields, tokens, fillers=_WORD.findall(sentence))
        if numbers is None or numbers.keys() != choice.values.keys():
            return None
        if any(number not in choice.values[field] for field, number in numbers.items()):
            return None
        return {"kind": choice.kind, **numbers}

    def _can_be_bare(self, kind: str) -> bool:
        """Tell whether numbers alone show the kind: no other kind of the game has the same fields."""
        fields = {each: _BLANK.findall(sentence) for each, sentence in self.sentences.items()}
        return bool(fields.get(kind)) and list(fields.values()).count(fields[kind]) == 1


def _assigned(fields: Sequence[str], tokens: Sequence[str], fillers: Sequence[str]) -> dict[str, int] | None:
    """Give each number to the field named before it, else to the first field that has none."""
    numbers: dict[str, int] = {}
    named = None
    for token in tokens:
        number = parse_number(token)
        if number is not None:
            field = named or next((field for field in fields if field not in numbers), None)
            if field is None or field in numbers:
                return None
            numbers[field] = number
            named = None
        elif token in fields:
            named = token
        elif token not in fillers:
            return None
    return numbers if named is None else None
