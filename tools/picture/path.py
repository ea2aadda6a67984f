"""The path of one move, from what a player types to what the player reads.

`PATH` names the functions on it. Nobody's word is taken for that: `traced` plays a real move, in one process
with the server that judges it, and reports which of them were called, in which order, and by which of them.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType

from tools.picture.drawing import ROOT

COMMAND = ("play", "conquer", "--plain", "--name", "Ann", "--first", "creator")
TYPED = "7\n"


@dataclass(frozen=True)
class Step:
    """A function on the path, and what carries the move there if it is not called by those before it."""

    file: str
    function: str
    carrier: str = ""

    @property
    def room(self) -> str:
        """The folder that the function is in, without those below the second."""
        return "/".join(Path(self.file).parent.parts[:2])


PATH = (
    Step("client/line/play.py", "LinePlayer._answer_question", "a thread reads the line"),
    Step("client/core/dialogue.py", "Dialogue.take"),
    Step("client/core/seat.py", "Seat.play"),
    Step("client/net/session.py", "Session.send"),
    Step("client/net/connection.py", "StreamWire.send"),
    Step("protocol/codec.py", "encode"),
    Step("server/io/shell.py", "Server.arrived", "the socket"),
    Step("protocol/codec.py", "decode_client"),
    Step("server/core/kernel.py", "Kernel.step"),
    Step("server/core/play.py", "play"),
    Step("server/core/match.py", "Match.play"),
    Step("server/games/game.py", "Game.apply"),
    Step("server/core/tell.py", "show"),
    Step("server/core/visible.py", "scene"),
    Step("server/games/conquer.py", "view"),
    Step("server/core/visible.py", "shown"),
    Step("server/io/gate.py", "Gate.appended"),
    Step("server/io/outbox.py", "Outbox.send"),
    Step("server/io/gate.py", "Gate.queue"),
    Step("server/io/writer.py", "Writer.append", "the end of the loop's turn"),
    Step("server/io/sqlite.py", "SqliteJournal._commit", "the journal's thread"),
    Step("server/io/gate.py", "Gate.durable", "back to the loop"),
    Step("server/io/peer.py", "Peer.write_out", "the end of the loop's turn"),
    Step("client/net/session.py", "Session._hear", "the socket"),
    Step("protocol/codec.py", "decode_server"),
    Step("client/net/session.py", "Session._take"),
    Step("client/core/state.py", "reduced"),
    Step("client/line/play.py", "LinePlayer._hear", "the queue of the face"),
    Step("client/core/seat.py", "Seat.hear"),
    Step("client/core/teller.py", "Teller.tell"),
    Step("client/line/terminal.py", "Terminal.say"),
)


@dataclass(frozen=True)
class Call:
    """A call of a function on the path, and the nearest of its callers that is on the path too."""

    file: str
    function: str
    caller: str | None


def traced() -> list[Call]:
    """Play a move in a process of its own; return all calls of functions on the path, in order."""
    with tempfile.TemporaryDirectory() as home:
        report = Path(home) / "calls.json"
        subprocess.run(
            [sys.executable, "-m", "tools.picture.path", str(report)],
            input=TYPED,
            cwd=ROOT,
            env={**os.environ, "CONQUEST_HOME": home},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return [Call(**call) for call in json.loads(report.read_text())]


def walked(calls: list[Call]) -> list[tuple[str, str, bool]]:
    """Follow the path through the calls: return its steps, each with whether one before it called it."""
    found: list[tuple[str, str, bool]] = []
    remaining = iter(calls)
    for step in PATH:
        for call in remaining:
            if (call.file, call.function) == (step.file, step.function):
                found.append((step.file, step.function, call.caller is not None))
                break
    return found


def play(report: Path) -> None:
    """Play the move in this process, and write down the calls that were seen."""
    wanted = {(str(ROOT / step.file), step.function) for step in PATH}
    calls: list[Call] = []

    def on_path(frame: FrameType | None) -> FrameType | None:
        while frame is not None and (frame.f_code.co_filename, frame.f_code.co_qualname) not in wanted:
            frame = frame.f_back
        return frame

    def watch(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and (code.co_filename, code.co_qualname) in wanted:
            caller = on_path(frame.f_back)
            file = Path(code.co_filename).relative_to(ROOT).as_posix()
            calls.append(Call(file, code.co_qualname, caller and caller.f_code.co_qualname))

    threading.setprofile(watch)
    sys.setprofile(watch)
    from client.command.main import main

    main(COMMAND)
    sys.setprofile(None)
    report.write_text(json.dumps([asdict(call) for call in calls]))


if __name__ == "__main__":
    play(Path(sys.argv[1]))
