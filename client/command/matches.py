"""`conquest matches`: the matches that go on, on all servers known, and the way back to one of them."""

from client.core.ongoing import COLUMNS, NOTHING
from client.core.table import table_line, titles
from client.flow.errand import carry_out
from client.flow.person import Person
from client.flow.wanted import Display, GoBack
from client.line.play import seat_at
from client.line.terminal import InputEnded, Terminal
from client.net.ongoing import ongoing
from client.net.store import Store
from protocol.process.home import home

QUESTION = "A number goes to that match, Enter leaves: "


async def go_on(terminal: Terminal) -> None:
    """List what goes on; where a person looks on, go to what is chosen."""
    store = Store(home(), terminal.say)
    found = await ongoing(store)
    if not found:
        terminal.say(NOTHING)
        return
    rows = (table_line(one.row(len(COLUMNS)), COLUMNS) for one in found)
    terminal.say(f"    {titles(COLUMNS)}", *(f"{n:>2}. {row}" for n, row in enumerate(rows, start=1)))
    if not terminal.is_terminal:
        return
    try:
        answer = (await terminal.ask(QUESTION)).strip()
    except InputEnded:
        return
    if answer in map(str, range(1, len(found) + 1)):
        chosen = found[int(answer) - 1]
        person = Person(terminal, store, store.name() or "", seat_at(terminal))
        await carry_out(person, GoBack(chosen.code, Display(is_ascii=terminal.is_ascii)))
    elif answer:
        terminal.say(f"There are {len(found)} matches to choose from.")
