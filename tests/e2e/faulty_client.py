"""The client with one part that fails, run like `python -m client.command`: see `tests/e2e/faulty.py`."""

import os
import sys
from pathlib import Path
from typing import Any

from client import automaton, command, connection, guest, lan, practice, reader, session
from client.desk import Desk
from client.tui import app, join, match
from server import shell
from server.journal import SqliteJournal
from tests.e2e.faulty import spoil

PARTS: dict[str, tuple[Any, str]] = {
    "the session": (session.Session, "_connect"),
    "dialling": (connection, "_connected"),
    "hearing": (session.Session, "_take"),
    "beating": (session.Session, "_beat"),
    "reading what is typed": (reader.Reader, "_chunk"),
    "a signal": (Desk, "go_on"),
    "the computer's player": (practice, "attend"),
    "the computer's thinking": (automaton._Seat, "_think"),
    "announcing": (lan, "_radio"),
    "looking around": (lan.Lookout, "change"),
    "visiting what was found": (guest, "_visited"),
    "the server inside, its ticker": (shell.Server, "tick"),
    "the server inside, its journal": (SqliteJournal, "_commit"),
    "drawing": (match.MatchPage, "position"),
    "looking around on a page": (join.JoinPage, "_show"),
    "importing": (app, "_import_the_rest"),
}

if __name__ == "__main__":
    spoil(*PARTS[os.environ["FAULT"]], Path(os.environ["FAULT_WHEN"]))
    sys.exit(command.main())
