"""Looking at a finished match again: whole, or step by step, forward and back."""

from client.core import wording
from client.core.games import RENDERERS
from client.core.games.renderer import Lines
from client.core.record import Record
from client.core.step import Steps
from client.line.terminal import InputEnded, Terminal
from client.local.replay import ending, opened
from client.local.saved import found

HELP = "n: next, p: previous, a number: that move, e: the end, q: quit."


async def replay(terminal: Terminal, file: str, to: str | None) -> None:
    """Show the record in a file; raise `CouldNot` for one that is none."""
    record, steps = opened(found(file))
    terminal.say(*header(record))
    if to is not None:
        terminal.say(*whole(record, steps))
        return
    await _step_through(terminal, record, steps)


def header(record: Record) -> Lines:
    """Say what was played, and by whom."""
    head = record.header
    return (wording.title(head.game, head.match, head.names, head.options),)


def whole(record: Record, steps: Steps) -> Lines:
    """Tell the whole match."""
    return tuple(line for number in range(len(steps)) for line in step_lines(record, steps, number))


def step_lines(record: Record, steps: Steps, number: int) -> Lines:
    """Tell one step: the move, what it brought about, and the position after it."""
    renderer = RENDERERS[record.header.game]
    step = steps[number]
    said = tuple(line for event in step.events for line in renderer.announce(event, 0))
    last = ending(record, steps) if number == len(steps) - 1 else ()
    opening = renderer.welcome(step.view)
    if step.number:
        move = renderer.describe(record.moves[step.number - 1].move)
        opening = (f"Move {number} of {len(steps) - 1}. Player {step.seat}: {move}.",)
    return ("", *opening, *said, *renderer.board(step.view), *last)


async def _step_through(terminal: Terminal, record: Record, steps: Steps) -> None:
    last = len(steps) - 1
    terminal.say(f"{last} moves. {HELP}", *step_lines(record, steps, 0))
    at = 0
    while True:
        try:
            answer = (await terminal.ask(f"[{at}/{last}] ")).casefold()
        except InputEnded:
            return
        if answer in ("q", "quit", "/quit"):
            return
        wanted = _wanted(answer, at, last)
        if wanted is None:
            terminal.say(HELP)
        elif not 0 <= wanted <= last:
            terminal.say("There is nothing before that." if wanted < 0 else "There is nothing after that.")
        else:
            at = wanted
            terminal.say(*step_lines(record, steps, at))


def _wanted(answer: str, at: int, last: int) -> int | None:
    if answer.isascii() and answer.isdigit() and len(answer) <= len(str(last)) + 1:
        return int(answer)
    return {"n": at + 1, "next": at + 1, "": at + 1, "p": at - 1, "previous": at - 1, "e": last}.get(answer)
