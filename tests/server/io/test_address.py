"""Where a server listens, and which addresses it tells people."""

import socket

import pytest

from server.io.address import ipaddress_is_any, is_loopback, listen, reachable


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "::1"])
def test_loopback_is_this_machine_only(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.20", "example.org", "127.0.0.1.example.org", ""]
)
def test_anything_else_may_be_reached_from_elsewhere(host):
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("host", "is_any"), [("0.0.0.0", True), ("::", True), ("127.0.0.1", False), ("x", False)]
)
def test_some_addresses_stand_for_all(host, is_any):
    assert ipaddress_is_any(host) == is_any


def test_all_doors_are_on_one_port():
    listeners = listen(None, 0)
    ports = {listener.getsockname()[1] for listener in listeners}
    for listener in listeners:
        listener.close()
    assert len(ports) == 1
    assert ports != {0}


def test_one_address_is_one_door():
    (listener,) = listen("127.0.0.1", 0)
    assert listener.getsockname()[0] == "127.0.0.1"
    assert listener.family == socket.AF_INET
    listener.close()


def test_a_port_that_is_taken_is_an_error_and_nothing_stays_open():
    (listener,) = listen("127.0.0.1", 0)
    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", listener.getsockname()[1])
    listener.close()


def test_a_bound_address_is_the_one_that_is_told():
    assert reachable("192.0.2.7") == ["192.0.2.7"]


@pytest.mark.parametrize("bind", [None, "0.0.0.0", "::"])
def test_all_addresses_are_told_without_those_nobody_else_can_reach(bind):
    told = reachable(bind)
    assert told
    assert len(told) == len(set(told))
    assert told == ["127.0.0.1"] or not any(is_loopback(host) for host in told)
