"""The line at the bottom of every page: the keys that do something now.

Textual's own makes its keys anew whenever anything might have changed, and never forgets those before.
"""

from textual.widgets import Footer


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
