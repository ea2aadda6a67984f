"""All the keys that do something on a page, in a window over it."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import ActiveBinding, Binding, BindingType

from client.tui.dialog import Reading

ALSO = (
    ("H J K L", "like the arrows"),
    ("Q, Ctrl-Q", "leaves this page, or asks first"),
    ("Mouse", "a click does what Enter does"),
)


class Keys(Reading):
    """The list; the key that has opened it closes it, too."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,q,space", "dismiss", show=False)]

    def __init__(self, bindings: Iterable[ActiveBinding]) -> None:
        super().__init__("Keys", tuple(key_lines(bindings)))


def key_lines(bindings: Iterable[ActiveBinding]) -> list[str]:
    """List keys and what they do, one line for all that do the same.

    What a widget does by itself, such as scrolling, is known to those who look for it and not listed.
    """
    found: dict[str, list[str]] = {}
    for active in bindings:
        binding = active.binding
        if active.enabled and binding.description and (binding.show or binding.key_display):
            keys = found.setdefault(binding.description, [])
            key = binding.key_display or binding.key.capitalize()
            if key not in keys:
                keys.append(key)
    rows = [*((", ".join(keys), about) for about, keys in found.items()), *ALSO]
    width = max(len(keys) for keys, _ in rows)
    return [f"{keys:<{width}}   {about}" for keys, about in rows]
