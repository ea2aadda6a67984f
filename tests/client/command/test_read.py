"""From a command line to what is wanted."""

import pytest

from client.command.argument import parse
from client.command.read import read
from client.flow.wanted import Display, GoBack, Host, HostAt, JoinAt, PlayHere, Terms, Wanted, WatchAt
from client.local.listening import Listening
from client.net.connection import Target
from client.net.place import Place
from client.net.relay import RelayAddress
from protocol.limit import DEFAULT_PORT
from protocol.process.usage import Misused

HOME = Target("192.0.2.7", DEFAULT_PORT)
CODE = "7K3M9QXZ"
LINK = f"conquest://192.0.2.7:7717/{CODE}"

RELAY = RelayAddress("relay.example", DEFAULT_PORT, "heron")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", None),
        ("rules grid", None),
        ("play grid", PlayHere("grid")),
        ("play grid --bot hard --no-delay", PlayHere("grid", "hard", is_hasty=True)),
        ("play grid --no-hints --option size=4", PlayHere("grid", terms=Terms({"size": "4"}))),
        ("play grid --port 7 --db x", PlayHere("grid", listening=Listening("127.0.0.1", 7, "x"))),
        ("host", Host()),
        ("host grid --private --clock 60", Host("grid", Terms(private=True, clock_s=60))),
        ("host grid --first guest --hints", Host("grid", Terms(first="guest", hints=True))),
        ("host grid --bind 192.0.2.1 --no-tls", Host("grid", listening=Listening("192.0.2.1", tls=False))),
        ("host grid --public example.org", Host("grid", display=Display(("example.org", 0)))),
        ("host grid --public example.org:7717", Host("grid", display=Display(("example.org", 7717)))),
        ("host grid --qr --ascii", Host("grid", display=Display(is_qr=True, is_ascii=True))),
        ("host grid --relay heron@relay.example", Host("grid", display=Display(relay=RELAY))),
        ("bot easy --host grid --relay heron@relay.example", Host("grid", display=Display(relay=RELAY))),
        ("host --resume --relay heron@relay.example", GoBack(None, Display(relay=RELAY))),
        ("host grid --at 192.0.2.7", HostAt(HOME, "grid")),
        ("host --resume", GoBack()),
        ("host --resume --qr", GoBack(None, Display(is_qr=True))),
        ("join", JoinAt()),
        ("join 192.0.2.7", JoinAt(Place(HOME))),
        ("join 192.0.2.7 7k3m 9qxz", JoinAt(Place(HOME, CODE))),
        ("join 7k3m-9qxz", JoinAt(code=CODE)),
        ("join 7K3M 9QXZ", JoinAt(code=CODE)),
        ("join gamehost", JoinAt(Place(Target("gamehost", DEFAULT_PORT)))),
        ("watch 7K3M9QXZ", WatchAt(code=CODE)),
        ("watch", WatchAt()),
        ("host grid --no-spectators", Host("grid", Terms(watchable=False))),
        (f"join {LINK}", JoinAt(Place(HOME, CODE))),
        ("join --resume", GoBack()),
        ("join --resume 7k3m-9qxz", GoBack(CODE)),
        (f"watch {LINK}", WatchAt(Place(HOME, CODE))),
        ("bot easy --host grid --hints", Host("grid", Terms(hints=True))),
        ("bot easy --join 192.0.2.7 7k3m 9qxz", JoinAt(Place(HOME, CODE))),
    ],
)
def test_a_command_line_says_what_is_wanted(line: str, wanted: Wanted | None) -> None:
    assert read(parse(line.split())) == wanted


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("play grid --clock 4", "The clock must be from 5 to 86400 seconds."),
        ("play grid --clock 86401", "The clock must be from 5 to 86400 seconds."),
        ("host grid --port 65536", "--port must be from 0 to 65535."),
        ("host grid --port -1", "--port must be from 0 to 65535."),
        ("host grid --relay heron@", "'' is not an address"),
        ("host grid --relay relay.example --no-tls", "--relay leads only to a server that encrypts"),
        ("host grid --relay relay.example --public a.example", "--public does not go together with --relay"),
        ("host grid --at 192.0.2.7 --relay a.example", "--at opens the match on a server that runs already"),
        ("join --resume xyz", "'xyz' is not a join code"),
        ("bot easy --join a b c d", "--join takes a link, or an address and a code"),
    ],
)
def test_what_cannot_be_wanted_is_a_sentence(line: str, sentence: str) -> None:
    with pytest.raises(Misused) as raised:
        read(parse(line.split()))
    assert str(raised.value).startswith(sentence)
