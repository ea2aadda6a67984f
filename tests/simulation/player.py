"""A player who wants to play: opens or joins matches, moves, chats, offers, claims, plays again.

Whom they play with and what is settled beforehand, by the `Meeting`: as friends do, they tell each other the
code outside the game. What a player chooses is luck from the player's own seed.
"""

from dataclasses import dataclass, field
from typing import Any

from protocol.client_frame import (
    CallOff,
    Chat,
    Claim,
    Create,
    Depart,
    Export,
    Join,
    Leave,
    List,
    Play,
    Rematch,
    Resign,
    Watch,
)
from protocol.refusal import RefusalCode
from protocol.server_frame import Chatted, Ended, Offered, Refused, Seated, Shown, Sighted, Welcome
from tests.simulation.client import Client, Sight
from tests.simulation.host import Host

AGAIN_S = 0.7
"""How long to wait before asking again what the server could not save."""


@dataclass
class Meeting:
    """A match that friends have agreed to play."""

    host: str
    guest: str
    terms: dict[str, Any]
    watchers: tuple[str, ...] = ()
    rematches: int = 0
    code: str | None = None
    codes: set[str] = field(default_factory=set)
    """This match and its rematches."""
    is_opened: bool = False
    friends: list["Player"] = field(default_factory=list)
    """Everybody who wants to play or watch."""


class Player(Client):
    """Plays honestly and carefully."""

    def __init__(self, host: Host, name: str, seed: str, meetings: list[Meeting]) -> None:
        super().__init__(host, name, seed)
        self.meetings = meetings
        self.is_serious = False
        """Whether to do nothing any more but play to the end."""
        for meeting in meetings:
            meeting.friends.append(self)

    def on_frame(self, frame: Any) -> None:
        match frame:
            case Welcome():
                self._look_around()
            case Seated():
                self._sat_down(frame)
            case Shown():
                self.consider(self.sights[frame.match])
            case Ended():
                self._after(self.sights[frame.match])
            case Offered() if frame.standing and frame.match in self.sights:
                self._answer(frame)
            case Sighted() if frame.claim_in_s is not None:
                self.agenda.after(frame.claim_in_s + 0.5, self._claim, frame.match, frame.seat)
            case Chatted() if frame.re is None and not self.is_serious and self.random.random() < 0.3:
                self.ask(Chat, match=frame.match, text="and to you")
            case Refused():
                self._told_no(frame)

    def _look_around(self) -> None:
        if self.random.random() < 0.3:
            self.ask(List, match=self.random.choice([None, *self.sights]))
        for meeting in self.meetings:
            self.approach(meeting)
        for sight in list(self.sights.values()):
            if sight.outcome is not None:
                self._after(sight)

    def approach(self, meeting: Meeting) -> None:
        """Open, join or watch what was agreed."""
        if not self.is_welcomed:
            return
        if self.name == meeting.host and not meeting.is_opened:
            meeting.is_opened = True
            self.ask(Create, **meeting.terms)
        elif meeting.code is None or meeting.code in self.sights:
            return
        elif self.name == meeting.guest and not self.has_asked(Join, meeting.code):
            self.ask(Join, match=meeting.code)
        elif self.name in meeting.watchers and not self.has_asked(Watch, meeting.code):
            self.ask(Watch, match=meeting.code)

    def _sat_down(self, frame: Seated) -> None:
        for meeting in self.meetings:
            is_mine = frame.previous in meeting.codes or (
                frame.previous is None
                and self.name == meeting.host
                and meeting.code is None
                and not frame.begun
                and frame.game == meeting.terms["game"]
            )
            if is_mine and frame.match not in meeting.codes:
                meeting.codes.add(frame.match)
                if meeting.code is None:
                    self._spread(meeting, frame.match)

    def _spread(self, meeting: Meeting, code: str) -> None:
        """Tell one's friends the code."""
        meeting.code = code
        for friend in meeting.friends:
            self.agenda.after(self.random.uniform(0.01, 0.3), friend.approach, meeting)

    def consider(self, sight: Sight) -> None:
        if sight.legal and sight.outcome is None and not self.has_asked(Play, sight.code):
            self.agenda.after(self.thinking_s(sight), self._move, sight.code, sight.turn)

    def thinking_s(self, sight: Sight) -> float:
        """Tell how long to think about a move."""
        if self.is_serious or self.random.random() < 0.8:
            return self.random.uniform(0.01, 0.1)
        return self.random.uniform(0.1, 6.0)

    def _move(self, code: str, turn: int) -> None:
        sight = self.sights.get(code)
        if sight is None or sight.turn != turn or not sight.legal or self.has_asked(Play, code):
            return
        if sight.outcome is not None or self.is_gone:
            return
        if not self.is_serious and self.random.random() < 0.06:
            self._digress(sight)
        self.ask(Play, match=code, turn=turn, move=self.choose(sight))

    def choose(self, sight: Sight) -> dict[str, int | str]:
        """Choose a move."""
        return self.random.choice(self.moves(sight))

    def _digress(self, sight: Sight) -> None:
        match self.random.randrange(8):
            case 0 | 1 | 2:
                self.ask(Chat, match=sight.code, text="hello")
            case 3:
                self.ask(CallOff, match=sight.code)
            case 4:
                self.ask(List)
            case 5:
                self.ask(Export, match=sight.code)
            case 6 if self.random.random() < 0.3:
                self.ask(Resign, match=sight.code)
            case 6:
                self.ask(Depart)
            case _:
                self.ask(Claim, match=sight.code)

    def _answer(self, frame: Offered) -> None:
        sight = self.sights[frame.match]
        if sight.seat in (0, frame.seat):
            return
        if frame.offer == "calloff" and sight.outcome is None:
            self.ask(CallOff, match=frame.match, agree=self.random.random() < 0.3)
        elif frame.offer == "rematch":
            self.ask(Rematch, match=frame.match, agree=self._wants_more(sight))

    def _wants_more(self, sight: Sight) -> bool:
        meeting = next((meeting for meeting in self.meetings if sight.code in meeting.codes), None)
        return meeting is not None and len(meeting.codes) <= meeting.rematches and not self.is_serious

    def _after(self, sight: Sight) -> None:
        if not sight.seat:
            return
        if self.random.random() < 0.3:
            self.ask(Export, match=sight.code)
        if self._wants_more(sight):
            self.ask(Rematch, match=sight.code)
        elif self.random.random() < 0.4:
            self.ask(Leave, match=sight.code)

    def _claim(self, code: str, seat: int) -> None:
        sight = self.sights.get(code)
        if sight is not None and sight.seat not in (0, seat) and sight.outcome is None:
            self.ask(Claim, match=code)

    def _told_no(self, frame: Refused) -> None:
        request = self.requests.get(frame.re)
        if request is None:
            return
        if frame.code is RefusalCode.CANNOT_SAVE:
            self.pending[request.id] = request
            self.agenda.after(AGAIN_S, self._again, request.id)
        elif isinstance(request, Claim) and frame.code is RefusalCode.NOT_ABSENT and self.is_serious:
            self.agenda.after(1.0, self._claim, request.match, 0)
        elif isinstance(request, Play) and request.match in self.sights:
            self.consider(self.sights[request.match])

    def _again(self, number: int) -> None:
        if number in self.pending and self.is_welcomed:
            self.post(self.pending[number])
