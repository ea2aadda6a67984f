"""The pages on which one goes to somebody else's match: by what is found on this network, or by a link."""

import asyncio
from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from client import guest, lan, wording
from client.connection import Target
from client.failure import CouldNot
from client.tui.page import Page
from protocol.frame import OpenMatch
from protocol.link import Link

LOOK_AGAIN_S = 3.0
"""How long to rest between two looks around."""


class JoinPage(Page):
    """Join, or watch, a match."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("down", "app.focus_next", show=False),
        Binding("tab", "app.focus_next", "Link or list", key_display="Tab"),
        Binding("enter", "noop", "Go"),
    ]

    def __init__(self, command: str, target: Target | None = None) -> None:
        super().__init__()
        self._command = command
        self._target = target
        """The server to ask; None to look around on this network."""
        self._found: dict[str, str] = {}

    def parts(self) -> Iterable[Widget]:
        """Put the field for a link over the list of what was found."""
        field = Input(id="where", placeholder="conquest://…   or   192.168.1.20 7K3M-9QXZ")
        field.border_title = "The link, or the address and the code, from your friend"
        heading = "Join a match" if self._command == "join" else "Watch a match"
        found = OptionList(id="found", markup=False)
        found.border_title = "Open matches"
        parts: list[Widget] = [Static(heading, classes="heading", markup=False), field]
        if self._command == "join":
            parts += [found, Static(id="looking", classes="muted", markup=False)]
        yield Vertical(*parts, id="join")

    def on_mount(self) -> None:
        """Look around in the background."""
        self.query_one("#where").focus()
        if self._command == "join":
            self.run_worker(self._look(), exclusive=True)

    async def _look(self) -> None:
        while True:
            self._say("Looking for matches…")
            offers, remark = await self._asked(self._target) if self._target else await self._nearby()
            self._show(offers)
            self._say(remark)
            await asyncio.sleep(LOOK_AGAIN_S)

    async def _asked(self, target: Target) -> tuple[list[tuple[Target, OpenMatch]], str]:
        person = self.conquest.person()
        try:
            matches = await guest.listed(person.name, person.store, target)
        except CouldNot as problem:
            return [], str(problem)
        return [(target, match) for match in matches], f"At {target.address}: {len(matches)}."

    async def _nearby(self) -> tuple[list[tuple[Target, OpenMatch]], str]:
        person = self.conquest.person()
        servers = await lan.look_around(lan.interfaces())
        visits = await asyncio.gather(*(guest.visited(person, server) for server in servers))
        offers = [(target, match) for target, matches in visits for match in matches]
        return offers, f"Servers found on this network: {len(servers)}. Looking again soon."

    def _show(self, offers: list[tuple[Target, OpenMatch]]) -> None:
        """Change the list only where it has changed, so that nothing jumps under the player's hands."""
        found = {
            str(Link(target.host, target.port, match.match, target.fingerprint)): wording.open_match_line(
                match, target.address
            )
            for target, match in offers
        }
        if found == self._found:
            return
        self._found = found
        listing = self.query_one("#found", OptionList)
        listing.clear_options()
        listing.add_options([Option(Content(line), id=f"m{n}") for n, line in enumerate(found.values())])
        if found and not self.query_one("#where", Input).value:
            listing.highlighted = 0
            listing.focus()

    def _say(self, text: str) -> None:
        self.query_one("#looking", Static).update(text)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        words = event.value.split(maxsplit=1)
        if words:
            self.conquest.command([self._command, "--", *words])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.conquest.command([self._command, "--", list(self._found)[event.option_index]])

    def action_noop(self) -> None:
        """Stand in the footer for what the field and the list do by themselves."""

    def action_back(self) -> None:
        """Go back to the menu."""
        self.conquest.go_back()
