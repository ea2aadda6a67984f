"""The client with one part that fails, run like `conquest`: see `tests/e2e/faulty.py`."""

import os
import sys
from pathlib import Path
from typing import Any

from client.command import main
from client.flow import play
from client.line import editing, input
from client.line.terminal import Terminal
from client.local import advice, autoplay
from client.net import connection, lan, session, survey
from client.tui import app, match
from client.tui import join as join_page
from protocol.process import child
from server.io import shell
from server.io.sqlite import SqliteJournal
from tests.e2e.faulty import spoil

PARTS: dict[str, tuple[Any, str]] = {
    "the session": (session.Session, "_connect"),
    "dialling": (connection, "_connected"),
    "hearing": (session.Session, "_take"),
    "beating": (session.Session, "_beat"),
    "reading what is typed": (input.Reader, "_chunk"),
    "editing what is typed": (editing.Editor, "read"),
    "a signal": (Terminal, "go_on"),
    "the computer's player": (play, "play_alone"),
    "the computer's thinking": (autoplay._AutoPlayer, "_think"),
    "asking for a hint": (child, "_put"),
    "announcing": (lan, "_radio"),
    "looking around": (lan.Lookout, "change"),
    "visiting what was found": (survey, "_visit"),
    "stopping the server inside": (shell.Server, "_until_closed"),
    "the server inside, its ticker": (shell.Server, "tick"),
    "the server inside, its journal": (SqliteJournal, "_commit"),
    "drawing": (match.MatchPage, "position"),
    "looking around on a page": (join_page.JoinPage, "_show"),
    "importing": (app, "_import_the_rest"),
}

if __name__ == "__main__":
    if (part := os.environ["FAULT"]) in PARTS:
        spoil(*PARTS[part], Path(os.environ["FAULT_WHEN"]))
    else:
        advice.PROCESS = "tests.e2e.faulty_process"
    sys.exit(main.main())
