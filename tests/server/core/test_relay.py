"""A relay without sockets: who is listed, who waits for whom, who is told no, and what each limit allows."""

from dataclasses import fields
from itertools import count

import pytest

from protocol.limit import RelayLimits
from protocol.relay import (
    Guest,
    Host,
    Join,
    Line,
    No,
    Ok,
    Ping,
    Pong,
    Proof,
    Prove,
    Take,
    word_code,
    written,
)
from server.core.relay import End, Note, Relay, Rules, Say, Splice

ANN, EVE = "A" * 43, "E" * 43
HOME = "192.0.2.1"
NAME = "relay.example:7717"


class Town:
    """A relay, and those who come to it; a certificate is right if its text is that of the fingerprint."""

    def __init__(self, word: str = "", name: str = "", **limits: float) -> None:
        self.now = 0.0
        tokens = (f"{number:043}" for number in count(1))
        rules = Rules(RelayLimits(**limits), word, name)
        self.relay = Relay(
            rules, lambda: next(tokens), lambda host, _, proof: proof.certificate == host.fingerprint
        )
        self.said: dict[int, list[Line]] = {}
        self.ended: set[int] = set()
        self.spliced: list[tuple[int, int]] = []
        self.notes: list[Note] = []
        self.numbers = count(1)

    def take(self) -> None:
        for effect in self.relay.effects:
            match effect:
                case Say(number, line):
                    assert number not in self.ended
                    self.said[number].append(line)
                case End(number):
                    self.ended.add(number)
                case Splice(guest, host):
                    self.spliced.append((guest, host))
                case Note():
                    self.notes.append(effect)
        self.relay.effects = []

    def come(self, address: str = "192.0.2.9") -> int:
        number = next(self.numbers)
        self.said[number] = []
        self.relay.opened(self.now, number, address)
        self.take()
        return number

    def say(self, number: int, line: Line) -> Line | None:
        """Say a line; return the last that the relay has said to this connection, if it said any."""
        before = len(self.said[number])
        self.relay.heard(self.now, number, written(line)[:-1])
        self.take()
        return self.said[number][-1] if len(self.said[number]) > before else None

    def go(self, number: int) -> None:
        self.relay.gone(number)
        self.take()

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.relay.ticked(self.now)
        self.take()

    def host(
        self, fingerprint: str = ANN, address: str = HOME, port: int = 7717, word: str = "", by: str = ANN
    ) -> tuple[int, Line | None]:
        """Come as a host and prove it, with the certificate of `by`; return the relay's last word."""
        number, host = self.come(address), Host(fingerprint, port, NAME)
        if isinstance(said := self.say(number, host), Prove):
            code = word_code(word, host, said.challenge) if word else "-"
            said = self.say(number, Proof(by, "s", code))
        return number, said

    def guest(self, fingerprint: str = ANN, address: str = "192.0.2.9") -> tuple[int, Line | None]:
        number = self.come(address)
        return number, self.say(number, Join(fingerprint, 7717))

    def called(self, host: int) -> list[Guest]:
        return [line for line in self.said[host] if isinstance(line, Guest)]

    def fetch(self, host: int, address: str = HOME) -> tuple[int, Line | None]:
        """Come for the guest that a host was called for last."""
        number = self.come(address)
        return number, self.say(number, Take(self.called(host)[-1].ticket))

    def is_empty(self) -> bool:
        relay = self.relay
        parts = (relay._coming, relay._settled, relay._hosts, relay._waiting, relay._counts)
        return not any(parts)


def test_a_guest_is_spliced_to_a_connection_that_the_host_makes_for_them():
    town = Town()
    host, answer = town.host()
    assert answer == Ok()
    guest, answer = town.guest()
    assert answer is None, "who waits hears nothing yet"
    taker, answer = town.fetch(host)
    assert answer == Ok() == town.said[guest][-1]
    assert town.spliced == [(guest, taker)]
    for number in (host, guest, taker):
        town.go(number)
    assert town.is_empty()


def test_a_guest_of_a_host_who_is_not_there_is_told_so():
    town = Town()
    host, _ = town.host()
    assert town.guest(EVE)[1] == No("absent")
    town.go(host)
    number, answer = town.guest()
    assert answer == No("absent")
    assert number in town.ended


def test_servers_of_one_certificate_are_told_apart_by_their_ports():
    town = Town()
    first, _ = town.host(port=7717)
    other, _ = town.host(port=40000)
    town.guest()
    assert len(town.called(first)) == 1
    assert town.called(other) == []
    assert first not in town.ended


def test_a_squatter_without_the_key_gets_nothing_and_takes_nothing_away():
    town = Town()
    host, _ = town.host()
    squatter, answer = town.host(ANN, "192.0.2.66", by=EVE)
    assert answer == No("proof")
    assert squatter in town.ended
    guest, _ = town.guest()
    assert len(town.called(host)) == 1
    assert town.called(squatter) == []
    town.fetch(host)
    assert [one for one, _ in town.spliced] == [guest]


def test_a_proof_counts_once_and_only_when_it_was_asked_for():
    town = Town()
    number = town.come()
    assert town.say(number, Proof(ANN, "s", "-")) == No("line")
    host, _ = town.host()
    assert town.say(host, Proof(ANN, "s", "-")) == No("line")


def test_a_host_who_comes_again_has_the_place_and_the_connection_from_before_is_told():
    town = Town()
    before, _ = town.host()
    again, answer = town.host(address="192.0.2.50")
    assert answer == Ok()
    assert town.said[before][-1] == No("replaced")
    assert before in town.ended
    town.guest()
    assert len(town.called(again)) == 1


def test_what_is_spliced_stays_so_when_the_host_has_to_come_again():
    town = Town()
    host, _ = town.host()
    guest, _ = town.guest()
    taker, _ = town.fetch(host)
    town.go(host)
    assert {guest, taker}.isdisjoint(town.ended)


@pytest.mark.parametrize(("word", "answer"), [("heron", Ok()), ("crane", No("word")), ("", No("word"))])
def test_a_relay_can_ask_hosts_for_a_word(word, answer):
    town = Town(word="heron")
    assert town.host(word=word)[1] == answer


def test_who_has_a_word_that_is_not_asked_for_does_not_use_it():
    town = Town()
    number = town.come()
    assert town.say(number, Host(ANN, 7717, NAME)).needs == "free"


def test_a_relay_with_a_name_takes_no_proof_that_was_meant_for_another():
    assert Town(name=NAME).host()[1] == Ok()
    assert Town(name=NAME.upper()).host()[1] == Ok()
    assert Town(name="other.example:7717").host()[1] == No("name")


def test_every_host_gets_a_challenge_and_every_guest_a_ticket_of_their_own():
    town = Town()
    host, _ = town.host()
    challenges = {town.say(town.come(HOME), Host(EVE, port, NAME)).challenge for port in range(1, 5)}
    assert len(challenges) == 4
    for number in range(3):
        town.guest(address=f"192.0.2.{number}")
    assert len({guest.ticket for guest in town.called(host)}) == 3


def test_a_ticket_is_good_once_and_only_while_its_guest_waits():
    town = Town()
    host, _ = town.host()
    guest, _ = town.guest()
    town.go(guest)
    assert town.fetch(host)[1] == No("gone")
    town.guest()
    assert town.fetch(host)[1] == Ok()
    assert town.fetch(host)[1] == No("gone")


def test_the_host_can_tell_guests_apart_but_not_where_they_are():
    town = Town()
    host, _ = town.host()
    for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:100::1"):
        town.guest(address=address)
    one, same, other = (guest.origin for guest in town.called(host))
    assert one == same != other
    assert "2001" not in one
    elsewhere = Town()
    elsewhere.relay._secret = b"another"
    there, _ = elsewhere.host()
    elsewhere.guest(address="2001:db8::1")
    assert elsewhere.called(there)[0].origin != one


@pytest.mark.parametrize(
    "line", [Ping(), Join(ANN, 7717), Host(ANN, 7717, NAME), Take("0" * 43), Proof(ANN, "s", "-")]
)
def test_a_guest_who_waits_says_nothing_more(line):
    town = Town()
    town.host()
    guest, _ = town.guest()
    assert town.say(guest, line) == No("line")
    assert guest in town.ended


def test_a_ping_is_answered_to_a_host_that_is_listed_and_to_nobody_else():
    town = Town()
    host, _ = town.host()
    assert town.say(host, Ping()) == Pong()
    assert town.say(town.come(), Ping()) == No("line")


def test_what_is_no_line_ends_a_connection_and_what_comes_after_the_end_is_not_heard():
    town = Town()
    number = town.come()
    town.relay.heard(town.now, number, b"\x16\x03\x01\x02")
    town.take()
    assert town.said[number] == [No("line")]
    town.relay.heard(town.now, number, written(Join(ANN, 7717))[:-1])
    town.relay.garbled(number)
    town.take()
    assert town.said[number] == [No("line")]
    assert town.is_empty()


def test_a_relay_that_stops_says_so_to_all_but_those_who_hear_each_other():
    town = Town()
    host, _ = town.host()
    guest, _ = town.guest()
    taker, _ = town.fetch(host)
    waiting, _ = town.guest()
    town.relay.stop()
    town.take()
    assert town.ended == {host, guest, taker, waiting}
    assert town.said[host][-1] == town.said[waiting][-1] == No("stopping")
    assert town.said[guest] == town.said[taker] == [Ok()]
    assert town.is_empty()


# Limits: one below, at, and one above.


def test_every_limit_has_a_test():
    at_sockets = {"bytes_per_s", "bytes_burst", "line"}
    here = {name.removeprefix("test_limit_") for name in globals()}
    assert {each.name for each in fields(RelayLimits)} - at_sockets <= here


@pytest.mark.parametrize(("number", "answer"), [(2, []), (3, []), (4, [No("busy")])])
def test_limit_connections(number, answer):
    town = Town(connections=3)
    last = [town.come(f"192.0.2.{one}") for one in range(number)][-1]
    assert town.said[last] == answer
    town.go(1)
    assert town.said[town.come()] == [], "there is room again"


@pytest.mark.parametrize(("number", "answer"), [(2, []), (3, []), (4, [No("busy")])])
def test_limit_connections_per_address(number, answer):
    town = Town(connections_per_address=3)
    last = [town.come(f"2001:db8::{one}") for one in range(number)][-1]
    assert town.said[last] == answer
    assert town.said[town.come("192.0.2.2")] == []


@pytest.mark.parametrize(("number", "answer"), [(2, []), (3, []), (4, [No("busy")])])
def test_limit_connects_per_minute(number, answer):
    town = Town(connects_per_minute=3)
    town.wait(0)
    for _ in range(number - 1):
        town.go(town.come())
    assert town.said[town.come()] == answer
    assert town.said[town.come("192.0.2.2")] == []
    town.wait(60)
    assert town.said[town.come()] == []


def test_a_host_who_comes_for_guests_uses_up_none_of_that():
    town = Town(connects_per_minute=3, connections_per_address=2)
    host, _ = town.host()
    for number in range(10):
        town.guest(address=f"192.0.2.{100 + number}")
        assert town.fetch(host)[1] == Ok()
    assert town.said[town.come(HOME)] == []


@pytest.mark.parametrize(("number", "answer"), [(2, Ok()), (3, Ok()), (4, No("busy"))])
def test_limit_hosts(number, answer):
    town = Town(hosts=3)
    hosts = [town.host(port=port, address=f"192.0.2.{port}") for port in range(1, number + 1)]
    assert hosts[-1][1] == answer
    assert town.host(port=1, address="192.0.2.1")[1] == Ok(), "who was there may come again"


@pytest.mark.parametrize(("number", "answer"), [(2, Ok()), (3, Ok()), (4, No("busy"))])
def test_limit_hosts_per_address(number, answer):
    town = Town(hosts_per_address=3)
    assert [town.host(port=port) for port in range(1, number + 1)][-1][1] == answer
    assert town.host(port=9, address="192.0.2.2")[1] == Ok()


@pytest.mark.parametrize(("number", "answer"), [(2, None), (3, None), (4, No("full"))])
def test_limit_guests_per_host(number, answer):
    town = Town(guests_per_host=3)
    town.host()
    guests = [town.guest(address=f"192.0.2.{one}") for one in range(number)]
    assert guests[-1][1] == answer
    town.go(guests[0][0])
    assert town.guest(address="192.0.2.99")[1] is None


@pytest.mark.parametrize(("number", "answer"), [(2, None), (3, None), (4, No("full"))])
def test_limit_guests_per_host_and_address(number, answer):
    town = Town(guests_per_host_and_address=3)
    town.host()
    assert [town.guest(address="192.0.2.66") for _ in range(number)][-1][1] == answer
    assert town.guest()[1] is None, "the friend still comes in"


@pytest.mark.parametrize(("seconds", "is_ended"), [(7, False), (8, True), (9, True)])
@pytest.mark.parametrize("step", ["silent", "challenged", "waiting"])
def test_limit_handshake_timeout_s(step, seconds, is_ended):
    town = Town(handshake_timeout_s=8)
    town.host()
    if step == "waiting":
        number, _ = town.guest()
    else:
        number = town.come()
    if step == "challenged":
        town.say(number, Host(EVE, 7717, NAME))
    town.wait(seconds)
    assert (number in town.ended) == is_ended
    assert (town.said[number][-1:] == [No("late")]) == is_ended


@pytest.mark.parametrize(("seconds", "is_ended"), [(59, False), (60, True), (61, True)])
def test_limit_idle_timeout_s(seconds, is_ended):
    town = Town(idle_timeout_s=60)
    host, _ = town.host()
    guest, _ = town.guest()
    taker, _ = town.fetch(host)
    town.wait(30)
    town.relay.moved(town.now, guest)
    town.say(host, Ping())
    town.wait(seconds - 30)
    assert (taker in town.ended) == is_ended
    assert {guest, host}.isdisjoint(town.ended)
    assert town.said[taker] == [Ok()], "nobody speaks into what is passed on"
    town.wait(30)
    assert (host in town.ended) == is_ended == (guest in town.ended)
