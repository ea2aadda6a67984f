"""What a visitor by ssh may want."""

from pathlib import Path

import pytest

from client.flow.visit import NOT_BY_SSH, ONLY_HERE, locked, outside_of, server_of
from client.flow.wanted import GoBack, Host, HostAt, JoinAt, PlayHere, PlayTwo, Wanted, WatchAt
from client.net.connection import Target
from client.net.place import Place, parse_place
from client.net.store import SavedSession, Store
from client.net.visit import Visit
from protocol.process.usage import Misused

FINGERPRINT = "f" * 43
VISIT = Visit(7000, "example.org", 7717, FINGERPRINT, 2222)
CODE = "7K3M9QXZ"
HERE = Place(server_of(VISIT), CODE)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.mark.parametrize(
    "place",
    [
        HERE,
        parse_place(f"conquest://example.org/{CODE}"),
        parse_place(f"conquest://192.168.1.20:9999/{CODE}#fp={FINGERPRINT}"),
        parse_place("example.org", CODE),
    ],
    ids=str,
)
def test_all_words_for_their_server_lead_there(place: Place, store: Store) -> None:
    assert locked(VISIT, store, JoinAt(place)) == JoinAt(HERE)
    assert locked(VISIT, store, WatchAt(place)) == WatchAt(HERE)


def test_a_code_or_nothing_is_looked_for_there_alone(store: Store) -> None:
    assert locked(VISIT, store, JoinAt(code=CODE)) == JoinAt(HERE)
    assert locked(VISIT, store, JoinAt()) == JoinAt(Place(server_of(VISIT)))
    assert locked(VISIT, store, WatchAt()) == WatchAt(Place(server_of(VISIT)))


@pytest.mark.parametrize(
    "where",
    [
        "conquest://example.net",
        "127.0.0.1:7001",
        "example.org:7718",
        f"conquest://example.org:22/#fp={'g' * 43}",
    ],
)
def test_no_way_leads_elsewhere(where: str, store: Store) -> None:
    for wanted in (JoinAt(parse_place(where)), WatchAt(parse_place(where))):
        with pytest.raises(Misused, match=ONLY_HERE):
            locked(VISIT, store, wanted)


@pytest.mark.parametrize("wanted", [PlayHere("duel"), PlayTwo("duel")], ids=str)
def test_what_needs_a_server_of_ones_own_needs_a_machine_of_ones_own(wanted: Wanted, store: Store) -> None:
    with pytest.raises(Misused, match=NOT_BY_SSH):
        locked(VISIT, store, wanted)


def test_hosting_is_opening_a_match_there_with_links_as_all_others_need_them(store: Store) -> None:
    for wanted in (Host("duel"), HostAt(Target("192.0.2.1", 1), "duel")):
        hosted = locked(VISIT, store, wanted)
        assert isinstance(hosted, HostAt)
        assert (hosted.target, hosted.game) == (server_of(VISIT), "duel")
        assert (hosted.display.outside, hosted.display.ssh) == (outside_of(VISIT), ("example.org", 2222))


def test_joining_ones_own_match_is_going_back_to_it(store: Store) -> None:
    saved = SavedSession("127.0.0.1", 7000, None, True, "token", "Ann", CODE, "duel")
    store.new_session_file().save(saved)
    wanted = locked(VISIT, store, JoinAt(code=CODE))
    assert isinstance(wanted, GoBack)
    assert (wanted.code, wanted.display.ssh) == (CODE, ("example.org", 2222))
