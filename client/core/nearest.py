"""Guessing what was meant by a word that nobody knows."""

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question to end a sentence with, or nothing.

    >>> did_you_mean("galxy", ["galaxy", "grid"])
    " Did you mean 'galaxy'?"
    """
    import difflib

    near = difflib.get_close_matches(word.casefold(), list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
