"""R1 over the wire: whatever a standing pick is, nobody else gets a single different byte before the reveal.

The same evening is played once for each number that can be picked; everything that left the server for
others is compared, through refusals, resumption, restart and the log.
"""

from itertools import combinations

import pytest

from protocol.client_frame import (
    CallOff,
    Chat,
    Claim,
    Export,
    Join,
    Leave,
    List,
    Ping,
    Play,
    Rematch,
    Resign,
    Watch,
)
from protocol.games.grid import HAND
from protocol.limit import Limits
from server.core.input import Recovered, Stalled
from tests.server.driver import Hall

PAIRS = list(combinations(HAND, 2))


class Evening:
    """Two players at a standing challenge, a spectator and a stranger; one of the players has picked."""

    def __init__(self, picker, number):
        self.hall = hall = Hall(Limits(frames_burst=1000, guesses=100))
        anna, bert, self.code = hall.pair("grid", clock_s=3600, hints=True)
        self.carl, self.dora = hall.person("Carl"), hall.person("Dora")
        self.carl.ask(Watch, match=self.code)
        anna.play(self.code, "claim", cell=5)
        bert.play(self.code, "challenge", cell=5)
        self.picker, self.other = (anna, bert) if picker == 1 else (bert, anna)
        self.number = number
        self.picker.play(self.code, "pick", number=number)

    @property
    def outsiders(self):
        return [person for person in self.hall.people if person is not self.picker]

    def overheard(self):
        """Collect what everybody but the picker has received, and what the log says."""
        return [person.bytes for person in self.outsiders], repr(self.hall.log), self.hall.faults

    def pry(self):
        """Try everything that could make the server talk about the pick."""
        code, other = self.code, self.other
        turn = self.hall.match(code).turn
        for move in ({"kind": "claim", "cell": 1}, {"kind": "pick", "number": 6}, {"kind": "sneeze"}):
            other.ask(Play, match=code, turn=turn, move=move)
        other.ask(Play, match=code, turn=turn - 1, move={"kind": "pick", "number": 1})
        other.ask(Claim, match=code)
        other.ask(Chat, match=code, text="what did you pick?")
        other.ask(CallOff, match=code)
        other.ask(CallOff, match=code, agree=False)
        for kind in (Rematch, Leave, Export, Join):
            other.ask(kind, match=code)
        for person in (self.carl, self.dora):
            for kind in (Export, Resign, Leave, Watch, Join):
                person.ask(kind, match=code)
            person.ask(Play, match=code, turn=turn, move={"kind": "pick", "number": 1})
            person.ask(List)

    def come_and_go(self):
        """Let everybody drop and come back, having seen nothing."""
        for person in (self.other, self.carl, self.dora, self.picker):
            person.drop()
            person.come_back(seen={})
            person.ask(Ping)

    def stumble(self):
        """Let the disk fail for a while, and the picker's requests with it."""
        self.hall.step(Stalled())
        for person in (self.picker, self.other):
            person.ask(Play, match=self.code, turn=2, move={"kind": "pick", "number": 1})
        self.hall.step(Recovered())

    def insist(self):
        """Let the picker try to pick again, and repeat the pick."""
        turn = self.hall.match(self.code).turn
        for number in HAND:
            self.picker.ask(Play, match=self.code, turn=turn, move={"kind": "pick", "number": number})

    def restart(self):
        self.hall.restart(down_s=10)
        for person in (self.picker, self.other):
            person.come_back(seen={})
        # Who has no seat need not survive a restart, so these are somebody new.
        self.carl, self.dora = self.hall.person("Carl"), self.hall.person("Dora")
        self.carl.ask(Watch, match=self.code)

    def wait(self):
        self.hall.wait(30)


def evening(picker, number, *acts):
    made = Evening(picker, number)
    for act in acts:
        getattr(made, act)()
    return made


ACTS = {
    "the pick itself": (),
    "prying": ("pry",),
    "coming and going": ("come_and_go",),
    "insisting": ("insist",),
    "waiting": ("wait",),
    "a disk that fails": ("stumble",),
    "a restart": ("restart",),
    "all of it": ("pry", "come_and_go", "insist", "restart", "wait", "stumble", "pry", "come_and_go"),
}


@pytest.mark.parametrize("picker", [1, 2])
@pytest.mark.parametrize("acts", ACTS.values(), ids=ACTS)
def test_r1_before_the_reveal_nothing_depends_on_the_pick(acts, picker):
    overheard = {number: evening(picker, number, *acts).overheard() for number in HAND}
    assert all(overheard[one] == overheard[two] for one, two in PAIRS)
    assert overheard[1][2] == [], "no fault of ours made them alike"


@pytest.mark.parametrize("picker", [1, 2])
def test_r1_the_picker_sees_the_pick_so_the_comparison_can_fail(picker):
    own = {number: evening(picker, number).picker.bytes for number in HAND}
    assert all(own[one] != own[two] for one, two in PAIRS)


@pytest.mark.parametrize("picker", [1, 2])
def test_r1_after_the_reveal_everybody_at_the_table_knows(picker):
    def after(number):
        made = evening(picker, number)
        made.other.play(made.code, "pick", number=3)
        return made

    evenings = {number: after(number) for number in HAND}
    for one, two in PAIRS:
        assert evenings[one].other.bytes != evenings[two].other.bytes
        assert evenings[one].carl.bytes != evenings[two].carl.bytes
        assert evenings[one].dora.bytes == evenings[two].dora.bytes


@pytest.mark.parametrize("picker", [1, 2])
@pytest.mark.parametrize("ending", ["resign", "call off", "abandon"])
def test_r1_a_match_that_ends_before_the_reveal_reveals_nothing(picker, ending):
    def ended(number):
        made = evening(picker, number)
        if ending == "resign":
            made.picker.ask(Resign, match=made.code)
        elif ending == "call off":
            made.picker.ask(CallOff, match=made.code)
            made.other.ask(CallOff, match=made.code)
        else:
            made.picker.drop()
            made.hall.wait(60)
            made.other.ask(Claim, match=made.code)
            made.picker.come_back()
        made.come_and_go()
        return made.overheard()

    first, *others = [ended(number) for number in HAND]
    assert all(each == first for each in others)
