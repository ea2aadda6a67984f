"""The page of a match: the board first, both players, what has happened, what was said, what is expected.

It shows what it is told and hands on what the player chooses. In a small window the lists at the side give
way to three lines below the board, so that the board never has to.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Footer, Input, Static

from client.core import slash, wording
from client.core.catalogue import TITLES
from client.core.command import makes_sense
from client.core.games import RENDERERS
from client.core.state import MatchState
from client.tui.banner import Banner
from client.tui.board import Board
from client.tui.card import Card
from client.tui.chat import ChatLine
from client.tui.dialog import PickOne, Reading
from client.tui.games import BOARDS
from client.tui.keys import keyed
from client.tui.log import LogLines
from client.tui.offer import OfferBar
from client.tui.page import Page
from client.tui.result import Result
from protocol.games import Event
from protocol.model import SEATS, Owner

if TYPE_CHECKING:
    from client.tui.play import ScreenPlayer

WIDE = 110
"""The width from which there is room for the lists beside the board."""
LARGE = Size(100, 36)
"""The window from which there is room for the lists below the board."""
TALL = 30
LOW = 24
LOOK_S = 0.7
"""How long the last move stays in sight before the result lies over it."""
LOG = ("log", "read all moves and messages so far")
MENU = ("hint", "moves", "calloff", "claim", "resign", "rematch", "review", "save")
"""The slash commands that the menu offers, each under its number; the rest have keys of their own."""


class MatchPage(Page):
    """A match, from its first position to its last."""

    CSS_PATH = "match.tcss"
    ASKS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "talk", "Chat", key_display="F2"),
        Binding("f3", "menu", "Menu", key_display="F3"),
        Binding("f4", "result", "Result", key_display="F4"),
        Binding("f6", "hint", "Hint", key_display="F6"),
        Binding("a", "order('accept')", "Accept", key_display="A", show=False),
        Binding("d", "order('decline')", "Decline", key_display="D", show=False),
        Binding("escape", "board", "Board", show=False),
    ]

    def __init__(self, player: "ScreenPlayer", match: MatchState) -> None:
        super().__init__()
        self.code = match.code
        self.GAME = match.game
        self._player = player
        self._match = match
        self._result: Result | None = None
        self._final: list[str] = []
        """What the last event said."""
        self._unlisted: list[tuple[str, Owner]] = []
        """Lines of events that the board is still showing."""

    def parts(self) -> Iterable[Widget]:
        """Lay everything out; which of the lists is shown depends on the window."""
        yield Banner()
        yield Static(id="title", markup=False)
        yield Horizontal(*(Card(seat) for seat in SEATS), id="cards")
        moves, talk = LogLines(id="moves"), LogLines(id="talk")
        moves.border_title, talk.border_title = "Moves", "Chat"
        yield Container(BOARDS[self._match.game](id="board"), Container(moves, talk, id="side"), id="middle")
        yield LogLines(id="strip")
        yield OfferBar()
        yield Static(id="hint", markup=False)
        yield ChatLine(id="say")

    def on_mount(self) -> None:
        """Let the keys go to the board."""
        self.around(self._match)
        self.say(keyed(wording.header(self._match)))
        self.board.focus()

    @property
    def board(self) -> Board:
        """The board of this game."""
        return self.query_one("#board", Board)

    @property
    def banner(self) -> Banner:
        """The place for trouble with the connection."""
        return self.query_one(Banner)

    def happened(self, match: MatchState, happened: Sequence[Event], is_old: bool) -> None:
        """Tell of events; those from before we came, or were back, are only listed."""
        self._list_events()
        announce = RENDERERS[match.game].announce
        for event in happened:
            # As a spectator reads them: the list is to be complete for its own player, too.
            self._final = [line for line in announce(event, 0) if line.strip()]
            self._unlisted += [(line, getattr(event, "seat", 0)) for line in self._final]
        if not is_old:
            self.board.told(happened)
        if self.board.moves_for_s:
            # What the board is about to show is not given away in words.
            self.set_timer(self.board.moves_for_s, self._list_events)
        else:
            self._list_events()

    def _list_events(self) -> None:
        unlisted, self._unlisted = self._unlisted, []
        for line, seat in unlisted:
            self.query_one("#moves", LogLines).add(line, seat)
            self.query_one("#strip", LogLines).add(line, seat)

    def position(self, match: MatchState, can_play: bool) -> None:
        """Show the position, and let the player choose if it is their turn."""
        self._match = match
        if match.view is not None:
            self.board.show(match.view, match.legal if can_play else (), match.seat, match.names)
        for card in self.query(Card):
            card.show(match, is_position=True)
        self._show_hint(self.board.hint)

    def around(self, match: MatchState) -> None:
        """Show what has changed around the board: names, connections, offers, spectators."""
        self._match = match
        for card in self.query(Card):
            card.show(match, is_position=False)
        self.query_one("#title", Static).update(_title(match))
        self.query_one(OfferBar).show(match)
        self.refresh_bindings()
        if self._result is not None:
            self._result.around(match)

    def can_say(self) -> bool:
        """Tell that there is a place for it."""
        return self.is_mounted

    def say(self, lines: Iterable[str], seat: Owner = 0) -> None:
        """Write what was said, by a player or by the program."""
        for line in lines:
            self.query_one("#talk", LogLines).add(line, seat)
            self.query_one("#strip", LogLines).add(line, seat)
            if self._result is not None and self._result.is_current:
                self._result.say(line)

    def over(self, match: MatchState) -> None:
        """Show how the match ended."""
        self.around(match)
        self._show_hint("")
        self.action_board()
        self.refresh_bindings()
        self._result = Result(self._player, match, tuple(self._final))
        # The last move is worth seeing, too.
        if self.board.moves_for_s:
            self.set_timer(self.board.moves_for_s + LOOK_S, self.action_result)
        else:
            self.action_result()

    def gone(self, text: str) -> None:
        """Say that nothing more can come from the server of a match that is over."""
        self.banner.back()
        self.say([text])
        if self._result is not None:
            self._result.gone()

    def regain_focus(self) -> None:
        """Give the keys back to the board."""
        self.board.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Give the board the room it needs, and the rest what is left."""
        super().on_resize(event)
        is_large = event.size.width >= LARGE.width and event.size.height >= LARGE.height
        self.set_class(is_large, "-large")
        self.set_class(event.size.width >= WIDE and not is_large, "-wide")
        self.set_class(event.size.height >= TALL, "-tall")
        self.set_class(event.size.height < LOW, "-low")
        # All keys must find room in the footer.
        self.query_one(Footer).compact = event.size.width < LARGE.width

    def action_leave(self) -> None:
        """Ask, once, and leave the match."""
        self._player.ask_to_leave()

    def action_talk(self) -> None:
        """Open the line for chat and commands, or close it."""
        field = self.query_one("#say", Input)
        if field.has_focus:
            self.action_board()
        else:
            # A field that is not shown takes no focus.
            self.add_class("-talking")
            field.focus()

    def action_board(self) -> None:
        """Go back to the board."""
        self.board.focus()

    def action_menu(self) -> None:
        """Offer what can be done beside moves."""
        orders = [(name, slash.COMMANDS[name]) for name in MENU]
        choices = [(name, f"{name:<8} {about}") for name, about in (*orders, LOG)]
        idle = {name for name in MENU if not makes_sense(self._player.seat, name)}

        def chosen(name: str | None) -> None:
            if name == LOG[0]:
                self.app.push_screen(Reading("So far", self.query_one("#strip", LogLines).texts()))
            elif name is not None:
                self._player.carry_out(slash.Command(name))

        self.app.push_screen(PickOne("Match", choices, idle), chosen)

    def action_hint(self) -> None:
        """Ask what the computer would play."""
        self.action_order("hint")

    def action_order(self, name: str) -> None:
        """Carry out a command."""
        self._player.carry_out(slash.Command(name))

    def action_result(self) -> None:
        """Show again how the match ended."""
        if self._result is not None and self._result not in self.app.screen_stack:
            self.app.push_screen(self._result)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the result only when there is one, and a hint only where hints were agreed."""
        if action in ("hint", "order"):
            return makes_sense(self._player.seat, str(parameters[0]) if parameters else action)
        return self._match.outcome is not None if action == "result" else True

    def _show_hint(self, text: str) -> None:
        match = self._match
        over = f"{wording.OVER} F4 shows the result."
        hint = self.query_one("#hint", Static)
        hint.update(over if match.outcome is not None else text)
        hint.set_class(bool(match.legal), "-turn")

    @on(Board.HintChanged)
    def _hint_changed(self, event: Board.HintChanged) -> None:
        self._show_hint(event.hint)

    @on(Board.Chosen)
    def _chosen(self, event: Board.Chosen) -> None:
        # Until the server has answered there is nothing more to choose.
        match = self._match
        self.board.show(match.view, (), match.seat, match.names)
        self._player.seat.play(event.move)

    @on(Input.Submitted, "#say")
    def _submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        event.input.clear()
        self.action_board()
        if slash.is_command(text):
            self._obey(text)
        elif text:
            self._player.carry_out(slash.Command("chat", text))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Close the line for chat when the board has the keys again, by a click on it or otherwise."""
        self.set_class(isinstance(event.widget, ChatLine), "-talking")

    def _obey(self, text: str) -> None:
        try:
            command = slash.parse_command(text)
        except slash.UnknownCommand as no:
            self.say([str(no)])
        else:
            self._player.carry_out(command)


def _title(match: MatchState) -> str:
    parts = [TITLES[match.game], *(f"{key} {value}" for key, value in match.options.items())]
    parts.append(f"match {wording.spaced_code(match.code)}")
    if any(match.score):
        parts.append(wording.score(match).rstrip("."))
    if match.spectators:
        parts.append(f"{match.spectators} watching")
    return "  |  ".join(parts)
