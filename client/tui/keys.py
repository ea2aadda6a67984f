"""The line at the bottom of every page: the keys that do something now, and their names in what is said.

Textual's own makes its keys anew whenever anything might have changed, and never forgets those before.
"""

from collections.abc import Iterable

from textual.widgets import Footer

from client.core.wording import ANSWER

COMMANDS = {
    ANSWER: "A accepts it, D declines it",
    "/decline": "D",
    "/hint": "F6",
    "/claim": "claim (F3)",
    "/quit": "Ctrl+Q",
}
"""What has a key here, as lines of text name it; what has a longer name comes first."""


def keyed(lines: Iterable[str]) -> tuple[str, ...]:
    """Name keys where the lines of the other face name commands; what players say is left alone elsewhere.

    >>> keyed(["Hints are on: /hint says what to play.", "You can /claim the win now."])
    ('Hints are on: F6 says what to play.', 'You can claim (F3) the win now.')
    """
    said = list(lines)
    for command, key in COMMANDS.items():
        said = [line.replace(command, key) for line in said]
    return tuple(said)


class Keys(Footer):
    """Drawn anew only when there are other keys, however often something around them happens."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._shown: tuple[object, ...] = ()

    async def recompose(self) -> None:
        """Show the keys that there are now, unless the page has been closed meanwhile."""
        if not self.is_attached:
            return
        active = self.screen.active_bindings.values()
        shown = tuple((one.binding, one.enabled) for one in active if one.binding.show)
        if shown == self._shown:
            return
        self._shown = shown
        await super().recompose()
        # What watches a widget is let go, once it is closed, when what it watches is set.
        self.mutate_reactive(Footer.compact)
