"""The gate alone: tickets in, parcels out, in order."""

from server.io.gate import Gate


def parcel(number):
    return number, b"%d" % number, False, False


def test_a_gate_with_nothing_to_wait_for_is_open():
    assert Gate().is_open()


def test_a_gate_is_shut_from_an_append_until_it_is_durable():
    gate = Gate()
    gate.appended(1)
    assert not gate.is_open()
    assert gate.durable(1) == []
    assert gate.is_open()


def test_parcels_leave_with_the_ticket_they_came_after():
    gate = Gate()
    gate.appended(1)
    gate.queue().append(parcel(1))
    gate.queue().append(parcel(2))
    gate.appended(2)
    gate.queue().append(parcel(3))
    assert gate.durable(1) == [parcel(1), parcel(2)]
    assert not gate.is_open()
    assert gate.durable(2) == [parcel(3)]
    assert gate.is_open()


def test_one_ticket_can_stand_for_all_before_it():
    gate = Gate()
    for ticket in range(1, 5):
        gate.appended(ticket)
        gate.queue().append(parcel(ticket))
    assert gate.durable(3) == [parcel(1), parcel(2), parcel(3)]
    assert gate.durable(4) == [parcel(4)]


def test_nothing_leaves_twice():
    gate = Gate()
    gate.appended(1)
    gate.queue().append(parcel(1))
    assert gate.durable(1) == [parcel(1)]
    assert gate.durable(1) == gate.durable(2) == []
