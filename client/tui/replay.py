"""A finished match, looked at again on its board: step by step, and with what the computer makes of each.

It is told from the seat of the one whose record it is. What was better is shown where the move was made.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.core import report
from client.core.advice import TINY
from client.core.catalogue import TITLES
from client.core.failure import CouldNot
from client.core.people import People
from client.core.record import BadRecord, Record
from client.core.review import Decision, Review
from client.core.step import BEGINNING, Steps, lines_of
from client.local import advice
from client.local.replay import ending, replayed
from client.tui.board import Board
from client.tui.games import BOARDS
from client.tui.graph import Graph
from client.tui.page import Page
from protocol.choice import Choice

WIDE = 110
"""The width from which there is room for the list of moves beside the board."""
LEAP = 10
BLUNDER = 0.2
"""How much of a sure win a mistake gives away that has two marks."""


class ReplayPage(Page):
    """The board, the moves, and the course of the match. Raises `BadRecord` for what is no match."""

    CSS_PATH = "replay.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down", "step(1)", "Step", key_display="Left/Right"),
        Binding("left,up", "step(-1)", show=False),
        Binding("pagedown", f"step({LEAP})", f"{LEAP} moves", key_display="PgUp/PgDn", show=False),
        Binding("pageup", f"step(-{LEAP})", show=False),
        Binding("home", "jump(0)", "First move", key_display="Home", show=False),
        Binding("end", "jump(-1)", "Last move", key_display="End", show=False),
        Binding("0", "digit(0)", "Move of that number", key_display="0-9", show=False),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(1, 10)),
        Binding("r", "review", "Review", key_display="R"),
        Binding("n", "mistake(1)", "Next mistake", key_display="N"),
        Binding("p", "mistake(-1)", "Previous mistake", key_display="P", show=False),
        Binding("b", "better", "What was better", key_display="B"),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, record: Record, is_review: bool = False) -> None:
        super().__init__()
        head = record.header
        self.GAME = head.game
        self._record = record
        self._people = People(head.names, head.seat, head.seat or 1)
        self._who = self._people.called
        self._steps = replayed(record)
        self._ending = ending(record, self._steps)
        self._steps = _with_ending(self._steps, bool(self._ending))
        self._review: Review | None = None
        self._is_reviewing = is_review
        self._at = self._typed = 0
        self._shows_better = False

    def parts(self) -> Iterable[Widget]:
        """Put the moves beside the board, and the course of the match below it."""
        head = self._record.header
        options = (f"{key} {value}" for key, value in head.options.items())
        players = f"{self._who(1)} against {self._who(2)}"
        title = "  |  ".join((TITLES.get(head.game, head.game), *options, players))
        yield Static(title, id="title", markup=False)
        board = BOARDS[head.game](id="board")
        board.can_focus = False
        moves = OptionList(id="moves", markup=False)
        moves.can_focus = False
        moves.border_title = "Moves"
        yield Horizontal(board, moves, id="middle")
        graph = Graph(id="graph")
        graph.border_title = report.whose(head.names, head.seat)
        yield graph
        yield Static(id="said", markup=False)

    def on_mount(self) -> None:
        """Begin at the beginning."""
        self._list_moves()
        self._show()
        if self._is_reviewing:
            self._begin_review()

    def on_resize(self, event: object) -> None:
        """Show the moves where there is room."""
        super().on_resize(event)  # type: ignore[arg-type]
        self.set_class(self.size.width >= WIDE, "-wide")
        self.set_class(self.size.height >= WIDE // 3, "-tall")

    def action_step(self, by: int) -> None:
        """Go on, or back, by some moves."""
        self.action_jump(min(max(self._at + by, 0), self._last))

    def action_jump(self, number: int) -> None:
        """Go to a move; -1 is the last one."""
        self._at = self._last if number < 0 else min(number, self._last)
        self._shows_better, self._typed = False, 0
        self._show()

    def action_digit(self, digit: int) -> None:
        """Go to a move by its number, digit by digit."""
        number = self._typed * 10 + digit
        self.action_jump(number)
        self._typed = number if number * 10 <= self._last else 0

    def action_review(self) -> None:
        """Begin to look at the match with the computer's eyes."""
        if not self._is_reviewing:
            self._begin_review()

    def action_mistake(self, direction: int) -> None:
        """Go to the next mistake, or to the one before."""
        numbers = sorted(each.number for each in self._review.mistakes()) if self._review else []
        ahead = [number for number in numbers[::direction] if (number - self._at) * direction > 0]
        if ahead:
            self.action_jump(ahead[0])
        else:
            self.conquest.tell("There is no mistake further on." if numbers else "Nobody made one.")

    def action_better(self) -> None:
        """Show what was better, where the move was made; or again what came of it."""
        self._shows_better = not self._shows_better and self._has_better
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense now."""
        match action:
            case "review":
                return not self._is_reviewing
            case "mistake":
                return self._review is not None
            case "better":
                return self._has_better
            case _:
                return True

    @on(Graph.Chosen)
    def _clicked(self, event: Graph.Chosen) -> None:
        self.action_jump(event.number)

    @on(OptionList.OptionSelected, "#moves")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.action_jump(event.option_index)

    @property
    def is_working(self) -> bool:
        """Whether a review is still being worked out."""
        return self._is_reviewing and self._review is None

    @property
    def _last(self) -> int:
        return len(self._steps) - 1

    @property
    def _decision(self) -> Decision | None:
        """What the review says of the move that is shown."""
        decisions = self._review.decisions if self._review is not None else ()
        return decisions[self._at - 1] if 0 < self._at <= len(decisions) else None

    @property
    def _has_better(self) -> bool:
        return self._decision is not None and bool(self._decision.better)

    def _begin_review(self) -> None:
        self._is_reviewing = True
        self.add_class("-review")
        self.refresh_bindings()
        self.work(self._work_out())

    async def _work_out(self) -> None:
        try:
            self._review = await advice.reviewed(self._record, self.query_one(Graph).progress)
        except (BadRecord, CouldNot) as problem:
            self.conquest.complain(CouldNot(str(problem)))
            return
        self._list_moves()
        self._show()

    def _list_moves(self) -> None:
        moves = self.query_one("#moves", OptionList)
        moves.set_options([Option(self._listed(number)) for number in range(len(self._steps))])

    def _listed(self, number: int) -> Content:
        decisions = self._review.decisions if self._review is not None else ()
        regret = decisions[number - 1].regret if 0 < number <= len(decisions) else 0.0
        mark = "" if regret <= TINY else " ??" if regret >= BLUNDER else " ?"
        seat = self._steps[number].seat
        text = self._told(number)[0].strip()
        side = self._people.side(seat)
        return Content.assemble((text, f"$p{side}" if side else ""), (mark, "bold $text-error"))

    def _told(self, number: int) -> tuple[str, ...]:
        """Tell a step."""
        step = self._steps[number]
        if number == self._last and self._ending:
            return self._ending
        return lines_of(self._record.header.game, step, self._who, BEGINNING)

    def _show(self) -> None:
        """Show the step that is looked at."""
        board, step = self.query_one("#board", Board), self._steps[self._at]
        decision = self._decision
        if self._shows_better and decision is not None:
            before = self._steps[self._at - 1]
            board.recall(before.events)
            choices = tuple(_choice(move) for move in decision.better)
            board.show(before.view, choices, decision.seat, self._people)
            board.suggest(decision.better[0].__dict__)
        else:
            board.recall(step.events)
            board.show(step.view, (), self._record.header.seat, self._people)
        self.query_one("#moves", OptionList).highlighted = self._at
        if self._review is not None:
            course = report.course(self._review, self._record.header.seat)
            self.query_one(Graph).show(course, self._at)
        self.query_one("#said", Static).update("\n".join(self._said(decision)))
        self.refresh_bindings()

    def _said(self, decision: Decision | None) -> Iterable[str]:
        told = " ".join(line.strip() for line in self._told(self._at))
        yield f"{told}   ({self._at} of {self._last})"
        if decision is None:
            return
        reader = self._record.header.seat
        course = report.course(self._review, reader) if self._review is not None else ()
        before, after = (report.percent(course[number]) for number in (self._at - 1, self._at))
        remark = report.remark(decision, self._record.header.game)
        whose = report.whose(self._record.header.names, reader)
        yield f"{whose}: {before} → {after}" + (f"; it{remark}" if remark else "")


def _with_ending(steps: Steps, has_ending: bool) -> Steps:
    """Add a step for an end from outside the game."""
    last = steps[-1]
    return (*steps, replace(last, number=last.number + 1, seat=0, events=())) if has_ending else steps


def _choice(move: object) -> Choice:
    fields = dict(move.__dict__)
    return Choice(kind=fields.pop("kind"), values={name: (value,) for name, value in fields.items()})
