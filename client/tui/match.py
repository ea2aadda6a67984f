"""The page of a match: the board first, both players, what has happened, what was said, what is expected.

It shows what it is told and hands on what the player chooses. Who looks back sees a step of the past in the
place of the board, while the match goes on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from client.core import slash, wording
from client.core.catalogue import TITLES
from client.core.command import makes_sense
from client.core.failure import CouldNot
from client.core.games import RENDERERS, end_lines
from client.core.hint import hint_lines
from client.core.state import MatchState
from client.core.step import Walk, beginning, grown, lines_since, place_line
from client.local import advice
from client.tui.board import Board
from client.tui.card import Card
from client.tui.chat import ChatLine
from client.tui.dialog import PickOne, Reading
from client.tui.haste import after_haste
from client.tui.keys import keyed
from client.tui.layout import Layout
from client.tui.log import LogLines
from client.tui.offer import OfferBar
from client.tui.result import ORDERS, Result
from protocol.games import Event
from protocol.model import Owner

if TYPE_CHECKING:
    from client.tui.play import ScreenPlayer

LOOK_S = 0.7
"""How long the last move stays in sight before the result is told."""
ADVISING = "Working out a hint…"
LOG = ("log", "read all moves and messages so far")
MENU = ("hint", "moves", "calloff", "claim", "resign", "rematch", "review", "save")
"""The slash commands that the menu offers, each under its number; the rest have keys of their own."""


class MatchPage(Layout):
    """A match, from its first position to its last."""

    ASKS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "talk", "Chat", key_display="F2"),
        Binding("f3", "menu", "Menu", key_display="F3"),
        Binding("f6", "hint", "Hint", key_display="F6"),
        Binding("pageup,left_square_bracket", "look(-1)", "Past", key_display="PgUp"),
        Binding("pagedown,right_square_bracket", "look(1)", show=False),
        Binding("home", "look(-9999)", show=False),
        Binding("end", "look(9999)", show=False),
        *(Binding(name[0], f"next('{name}')", show=False) for name in ("rematch", "save")),
        Binding("v", "next('review')", show=False),
        Binding("a", "order('accept')", "Accept", key_display="A", show=False),
        Binding("d", "order('decline')", "Decline", key_display="D", show=False),
        Binding("escape", "board", "Board", show=False),
    ]

    def __init__(self, player: "ScreenPlayer", match: MatchState) -> None:
        super().__init__(match)
        self.code = match.code
        self._player = player
        self._walk = Walk(beginning(match.game, match.options))
        self._is_ended = False
        """Whether the result is shown, and takes keys."""
        self._unlisted: list[tuple[str, Owner]] = []
        """Lines of events that the board is still showing."""

    def on_mount(self) -> None:
        """Let the keys go to the board."""
        self.around(self._match)
        self.say(keyed(wording.header(self._match)))
        self.board.focus()

    def happened(self, match: MatchState, happened: Sequence[Event], is_old: bool) -> None:
        """Tell of events; those from before we came, or were back, are only listed."""
        self._list_events()
        known = self._walk.steps
        self._walk = replace(self._walk, steps=grown(known, match.game, match.options, happened))
        self._unlisted = lines_since(match.game, known, self._walk.steps, match.people.called)
        if is_old:
            self.board.recall(self._walk.steps[-1].events)
        else:
            self.board.told(happened)
        self._show_place()
        if self.board.moves_for_s:
            # What the board is about to show is not given away in words.
            self.set_timer(self.board.moves_for_s, self._list_events)
        else:
            self._list_events()

    def _list_events(self) -> None:
        unlisted, self._unlisted = self._unlisted, []
        for line, seat in unlisted:
            self._write("#moves", line, seat)

    def _write(self, place: str, line: str, seat: Owner) -> None:
        for log in (place, "#strip"):
            self.query_one(log, LogLines).add(line, self._match.people.side(seat))

    def position(self, match: MatchState, can_play: bool) -> None:
        """Show the position, and let the player choose if it is their turn."""
        self._match = match
        if match.view is not None:
            self.board.show(match.view, match.legal if can_play else (), match.seat, match.people)
        for card in self.query(Card):
            card.show(match, is_position=True)
        self._show_hint(self.board.hint)
        self._show_place()
        self.refresh_bindings()

    def around(self, match: MatchState) -> None:
        """Show what has changed around the board: names, connections, offers, spectators."""
        self._match = match
        for card in self.query(Card):
            card.show(match, is_position=False)
        self.query_one("#title", Static).update(_title(match))
        self.query_one(OfferBar).show(match)
        self.refresh_bindings()
        if match.outcome is not None:
            idle = {name for name in ORDERS if not self._can_be_next(name)}
            self.query_one(Result).show(match, self._walk.steps[-1], idle)

    def can_say(self) -> bool:
        """Tell that there is a place for it."""
        return self.is_mounted

    def say(self, lines: Iterable[str], seat: Owner = 0) -> None:
        """Write what was said, by a player or by the program."""
        for line in lines:
            self._write("#talk", line, seat)

    def over(self, match: MatchState) -> None:
        """Show how the match ended."""
        self.around(match)
        self.board.is_over = True
        self.action_board()
        for line in end_lines(match.outcome, match.names, match.reader) if match.outcome is not None else ():
            # The strip lies beside the result, which says it already.
            self.query_one("#moves", LogLines).add(line)
        # The last move is worth seeing, too.
        if self.board.moves_for_s:
            self.set_timer(self.board.moves_for_s + LOOK_S, self._show_result)
        else:
            self._show_result()

    def _show_result(self) -> None:
        self.add_class("-over")
        after_haste(self, self._take_keys)

    def _take_keys(self) -> None:
        self._is_ended = True
        self.add_class("-ready")
        self.refresh_bindings()

    def gone(self, text: str) -> None:
        """Say that nothing more can come from the server of a match that is over."""
        self.banner.back()
        self.say([text])
        self.around(self._match)

    def action_leave(self) -> None:
        """Ask, once, and leave the match; at its end leave at once, but for a key that comes in haste."""
        if self._match.outcome is None or self._is_ended:
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
        """Go back to the board, and to the present."""
        if self.board.has_focus:
            self._look(replace(self._walk, at=None))
        self.board.focus()

    def action_look(self, by: int) -> None:
        """Walk back through the match, or forward again to the present."""
        self._look(self._walk.moved(by))

    def _look(self, walk: Walk) -> None:
        self._walk = walk
        self.board.look_at(walk.looked_at)
        self._show_hint(self.board.hint)
        self._show_place()

    def _show_place(self) -> None:
        """Say which step of the past is looked at, and what has happened since."""
        is_past = self._walk.looked_at is not None
        self.set_class(is_past, "-past")
        if is_past:
            place = place_line(self._match.game, self._walk, self._match.people.called)
            self.query_one("#hint", Static).update(place)

    def action_menu(self) -> None:
        """Offer what can be done beside moves."""
        orders = [(name, slash.COMMANDS[name]) for name in MENU]
        about = ((name, text.removeprefix("[FILE]: ")) for name, text in (*orders, LOG))
        choices = [(name, f"{name:<8} {text}") for name, text in about]
        idle = {name for name in MENU if not makes_sense(self._player.seat, name)}

        def chosen(name: str | None) -> None:
            if name == LOG[0]:
                lines = self.query_one("#strip", LogLines).texts()
                self.app.push_screen(Reading("So far", lines, at_end=True))
            elif name is not None:
                self._player.carry_out(slash.Command(name))

        self.app.push_screen(PickOne("Match", choices, idle), chosen)

    def action_hint(self) -> None:
        """Ask what the computer would play."""
        self.action_order("hint")

    def action_order(self, name: str) -> None:
        """Carry out a command."""
        self._player.carry_out(slash.Command(name))

    def action_next(self, name: str) -> None:
        """Do something after the match."""
        if name == "leave":
            self._player.leave()
        else:
            self.action_order(name)

    @on(Result.Chosen)
    def _chosen_next(self, event: Result.Chosen) -> None:
        if self._can_be_next(event.name):
            self.action_next(event.name)

    def _can_be_next(self, name: str) -> bool:
        return name == "leave" or makes_sense(self._player.seat, name)

    def advise(self, match: MatchState) -> None:
        """Point out on the board what the computer would play, with a line of why."""
        self.work(self._advise(match), group="advice")

    async def _advise(self, match: MatchState) -> None:
        self._show_hint(ADVISING)
        try:
            advised = await advice.advised(match, lambda share: None)
        except CouldNot as no:
            self.say([str(no)])
            self._show_hint(self.board.hint)
            return
        if (self._match.code, self._match.turn) != (match.code, match.turn) or not self._match.legal:
            return
        if not advised.is_secret:
            self.board.suggest(advised.best()[0].move.__dict__)
        self._show_hint(" ".join(hint_lines(advised, RENDERERS[match.game])))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take only the keys of what can be done now."""
        match action:
            case "hint":
                return bool(self._match.legal) and makes_sense(self._player.seat, action)
            case "talk":
                return makes_sense(self._player.seat, "chat")
            case "order":
                return makes_sense(self._player.seat, str(parameters[0]))
            case "next":
                return self._is_ended and self._can_be_next(str(parameters[0]))
            case "look":
                return len(self._walk.steps) > 1
            case _:
                return True

    def _show_hint(self, text: str) -> None:
        hint = self.query_one("#hint", Static)
        if self._walk.looked_at is None:
            hint.update(wording.OVER if self._match.outcome is not None else text)
        hint.set_class(bool(self._match.legal), "-turn")

    @on(Board.HintChanged)
    def _hint_changed(self, event: Board.HintChanged) -> None:
        self._show_hint(event.hint)

    @on(Board.Chosen)
    def _chosen(self, event: Board.Chosen) -> None:
        # Until the server has answered there is nothing more to choose.
        match = self._match
        self.board.show(match.view, (), match.seat, match.people)
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
    if any(match.score) and match.outcome is None:
        parts.append(wording.score(match).rstrip("."))
    if match.spectators:
        parts.append(f"{match.spectators} watching")
    return "  |  ".join(parts)
