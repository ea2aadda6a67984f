"""Carrying out the slash commands of a player who sits at a match."""

from collections.abc import Callable
from pathlib import Path

from client.core import record, slash, wording
from client.core.games import RENDERERS
from client.core.state import MatchState
from client.line.terminal import Terminal
from client.net.session import Session
from protocol.frame import CallOff, Chat, Claim, Export, Hint, MatchRequest, Rematch, Resign, Review
from protocol.text import Unclean, clean_chat

NOT_BEGUN = "The match has not begun yet."


class Orders:
    """A player's commands; what they bring about is heard from the server."""

    def __init__(
        self,
        session: Session,
        terminal: Terminal,
        confirm: Callable[[str, Callable[[], None]], None],
        leave: Callable[[bool], None],
    ) -> None:
        self._session = session
        self._terminal = terminal
        self._confirm = confirm
        self._leave = leave
        self._save_to: Path | None = None

    def execute(self, text: str, match: MatchState | None) -> None:
        """Carry out a line that begins with a slash."""
        self._terminal.noted(text)
        try:
            command = slash.parse_command(text)
        except slash.UnknownCommand as no:
            self._terminal.say(str(no))
            return
        if command.name == "help":
            is_watching = match is not None and match.begun and not match.seat
            self._terminal.say(*slash.help_lines(self._terminal.is_terminal, is_watching))
        elif command.name == "quit":
            self._leave(True)
        elif match is None or match.view is None:
            self._terminal.say(NOT_BEGUN)
        elif not match.seat and command.name not in slash.WATCHING:
            self._terminal.say("You are watching; only the players can do that.")
        elif command.name in ("board", "clock", "moves", "rules"):
            self._terminal.say(*self._shown(command.name, match))
        elif not self._session.is_connected:
            self._terminal.say(wording.NO_CONNECTION)
        else:
            self._ask_server(command, match)

    def _shown(self, name: str, match: MatchState) -> tuple[str, ...]:
        renderer = RENDERERS[match.game]
        clock = wording.clock_line(match, self._session.left_s(match.code))
        if name == "clock":
            return (clock,)
        if name == "board":
            is_running = match.clock_s is not None and match.outcome is None
            return (*renderer.board(match.view), *([clock] if is_running else ()))
        if name == "moves":
            return wording.move_lines(match, renderer.describe)
        from client.local.rulebook import rules_text

        return tuple(rules_text(match.game).splitlines())

    def _ask_server(self, command: slash.Command, match: MatchState) -> None:
        match command.name:
            case "chat":
                self._chat(command.argument, match)
            case "resign":
                self._confirm("Resign the match?", lambda: self._send(Resign, match))
            case "claim":
                self._send(Claim, match)
            case "calloff":
                self._send(CallOff, match)
            case "rematch":
                self._send(Rematch, match)
            case "accept" | "decline":
                self._answer_offer(match, agree=command.name == "accept")
            case "hint":
                self._send(Hint, match)
            case "review":
                self._send(Review, match, ascii=self._terminal.is_ascii)
            case "save":
                self._save(command.argument, match)

    def _send(self, kind: type[MatchRequest], match: MatchState, **fields: object) -> None:
        if not self._session.is_connected:
            self._terminal.say(wording.NO_CONNECTION)
            return
        self._terminal.awaited = self._session.send(kind, match=match.code, **fields)

    def _chat(self, text: str, match: MatchState) -> None:
        try:
            line = clean_chat(text)
        except Unclean as no:
            self._terminal.say(str(no))
            return
        self._send(Chat, match, text=line)

    def _answer_offer(self, match: MatchState, agree: bool) -> None:
        seats = (match.opponent,) if agree else (match.opponent, match.seat)
        standing = [offer for offer, seat in sorted(match.offers) if seat in seats]
        if not standing:
            self._terminal.say("There is no offer to answer.")
            return
        kind = CallOff if standing[0] == "calloff" else Rematch
        self._send(kind, match, agree=agree)

    def _save(self, name: str, match: MatchState) -> None:
        path = Path(name or f"conquest-{match.game}-{match.code}.jsonl").expanduser()
        if path.exists():
            self._terminal.say(f"{path} exists already; give another name: /save FILE")
            return
        self._save_to = path
        self._send(Export, match)

    def save(self, saved: record.Record) -> None:
        """Write the record that was asked for."""
        path, self._save_to = self._save_to, None
        if path is None:
            return
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(record.dump(saved))
        except OSError as problem:
            self._terminal.say(f"{path} cannot be written: {problem.strerror}.")
            return
        self._terminal.say(
            f"Saved. Look at it again with: conquest replay {path}, or: conquest review {path}"
        )
