"""What somebody can do to a match they have no part in: nothing, not even learn that it is there."""

import pytest

from protocol.client_frame import CallOff, Chat, Claim, Export, Leave, Play, Rematch, Resign
from protocol.refusal import RefusalCode
from tests.server.driver import Hall

NOWHERE = "00000000"

REQUESTS = [
    (Play, {"turn": 0, "move": {"kind": "attack"}}),
    (Chat, {"text": "boo"}),
    (Resign, {}),
    (CallOff, {}),
    (CallOff, {"agree": False}),
    (Claim, {}),
    (Rematch, {}),
    (Leave, {}),
    (Export, {}),
]


@pytest.mark.parametrize("state", ["waiting", "private", "running", "finished", "frozen"])
@pytest.mark.parametrize(("kind", "fields"), REQUESTS, ids=[kind.__name__ for kind, _ in REQUESTS])
def test_no_request_tells_a_stranger_which_codes_exist(kind, fields, state):
    """Only joining and watching tell, and those are counted as guesses."""
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    if state in ("waiting", "private"):
        code = anna.create("duel", private=state == "private")
    elif state == "finished":
        anna.ask(Resign, match=code)
    elif state == "frozen":
        hall.match(code).is_frozen = True
    carl = hall.person("Carl")
    real = carl.refused(kind, match=code, **fields)
    unreal = carl.refused(kind, match=NOWHERE, **fields)
    assert real.code == unreal.code == RefusalCode.NO_SUCH_MATCH
    assert real.text == unreal.text
