"""`conquest history`: the matches that were played here, and the way to look at one again."""

from client.core import history
from client.core.history import COLUMNS, Played
from client.core.table import table_line, titles
from client.line.terminal import InputEnded, Terminal
from client.net.history import History
from client.net.store import Store
from protocol.process.home import home

QUESTION = "A number replays that match, r and a number reviews it, d and a number forgets it, Enter leaves: "


async def look_back(terminal: Terminal, game: str, opponent: str) -> None:
    """List what was played; where a person looks on, show again what is chosen."""
    kept = History(Store(home()))
    everything = kept.matches()
    chosen = history.fitting(everything, game, opponent)
    where = f"The records are in {kept.folder}."
    if not chosen:
        terminal.say(history.NOTHING_FITS if everything else history.NOTHING, where)
        return
    terminal.say(*table(everything, chosen), "", *history.totals(chosen), where)
    if terminal.is_terminal:
        await _show_again(terminal, kept, everything)


def table(everything: list[Played], chosen: list[Played]) -> list[str]:
    """Write the table; numbers count all that is kept, so that a filter changes none."""
    numbers = {match.file: number for number, match in enumerate(everything, start=1)}
    rows = (table_line(history.row(numbers[match.file], match), COLUMNS) for match in chosen)
    return [titles(COLUMNS), *rows]


async def _show_again(terminal: Terminal, kept: History, everything: list[Played]) -> None:
    from client.command.replay import replay
    from client.command.review import review

    while True:
        try:
            answer = (await terminal.ask(QUESTION)).strip().casefold()
        except InputEnded:
            return
        if answer in ("", "q", "quit", "/quit"):
            return
        number = answer.lstrip("rd").strip()
        if number not in map(str, range(1, len(everything) + 1)):
            terminal.say(f"There are {len(everything)} matches to choose from.")
            continue
        chosen = everything[int(number) - 1]
        if answer.startswith("d"):
            kept.forget(chosen)
            terminal.say(f"Forgotten: {chosen.file}. The numbers of the others stay until you come again.")
            continue
        file = str(kept.path(chosen))
        await (review(terminal, file) if answer.startswith("r") else replay(terminal, file, None))
