"""How many may come by ssh."""

import pytest

from client.local.crowd import Crowd
from protocol.limit import SshLimits

LIMITS = SshLimits(
    connections=6, connections_per_address=3, logins_per_minute=1000, visitors=4, visitors_per_address=2
)


def address(number: int) -> str:
    return f"192.0.2.{number}"


@pytest.mark.parametrize(("there", "is_let_in"), [(1, True), (2, True), (3, False)])
def test_so_many_connections_from_one_address_and_no_more(there: int, is_let_in: bool) -> None:
    crowd = Crowd(LIMITS)
    assert all(crowd.come(number, address(1), 0.0) for number in range(there))
    assert crowd.come(99, address(1), 0.0) is is_let_in
    assert crowd.come(100, address(2), 0.0)


@pytest.mark.parametrize(("there", "is_let_in"), [(4, True), (5, True), (6, False)])
def test_so_many_connections_in_all_and_no_more(there: int, is_let_in: bool) -> None:
    crowd = Crowd(LIMITS)
    assert all(crowd.come(number, address(number), 0.0) for number in range(there))
    assert crowd.come(99, address(99), 0.0) is is_let_in
    if not is_let_in:
        crowd.go(0)
        assert crowd.come(100, address(100), 0.0)


@pytest.mark.parametrize(("tried", "is_let_in"), [(1, True), (2, True), (3, False)])
def test_so_many_logins_a_minute_and_no_more(tried: int, is_let_in: bool) -> None:
    crowd = Crowd(SshLimits(logins_per_minute=3))
    for number in range(tried):
        assert crowd.come(number, address(1), 0.0)
        crowd.go(number)
    assert crowd.come(99, address(1), 0.0) is is_let_in
    crowd.go(99)
    assert crowd.come(100, address(1), 60.0)


@pytest.mark.parametrize(("there", "has_place"), [(0, True), (1, True), (2, False)])
def test_so_many_visitors_from_one_address_and_no_more(there: int, has_place: bool) -> None:
    crowd = Crowd(LIMITS)
    for number in range(there):
        crowd.come(number, address(1), 0.0)
        assert crowd.sit_down(number)
    crowd.come(99, address(1), 0.0)
    assert crowd.sit_down(99) is has_place
    crowd.go(0)
    assert crowd.sit_down(99)


@pytest.mark.parametrize(("there", "has_place"), [(2, True), (3, True), (4, False)])
def test_so_many_visitors_in_all_and_no_more(there: int, has_place: bool) -> None:
    crowd = Crowd(LIMITS)
    for number in range(there):
        crowd.come(number, address(number), 0.0)
        assert crowd.sit_down(number)
    crowd.come(99, address(99), 0.0)
    assert crowd.sit_down(99) is has_place
