"""What origins hold and spend: who finds room, who gives way, and what comes back."""

from random import Random

import pytest

from server.core.budget import UNKNOWN, Held, Spent


def holding(held: Held[str], **counts: int) -> Held[str]:
    for origin, count in counts.items():
        for number in range(count):
            held.add(f"{origin}{number}", origin)
    return held


@pytest.mark.parametrize(("count", "has_room"), [(2, True), (3, False), (4, False)])
def test_one_origin_has_a_limit_of_its_own(count, has_room):
    assert holding(Held(100, 3), a=count).has_room("a") is has_room
    assert holding(Held(100, 3), a=count).has_room("b")


def test_nobody_takes_more_than_is_left_over_for_others():
    held: Held[str] = Held(10, 10)
    while held.has_room("a"):
        held.add(f"a{held.count('a')}", "a")
    while held.has_room("b"):
        held.add(f"b{held.count('b')}", "b")
    assert (held.count("a"), held.count("b")) == (5, 3)
    assert held.has_room("c")


def test_as_many_as_there_is_room_for_find_it_if_each_wants_one():
    held: Held[int] = Held(10, 10)
    for number in range(10):
        assert held.has_room(str(number))
        held.add(number, str(number))
    assert held.is_full()
    assert not held.has_room("another")


def test_the_largest_user_gives_way_with_its_oldest_first():
    held = holding(Held(6, 6), a=1, b=4)
    assert held.largest() == "b"
    assert held.first_to_go("c") == "b0"
    held.discard("b0")
    assert held.first_to_go("c") == "b1"


def test_nobody_gives_way_to_somebody_who_would_have_as_much():
    held = holding(Held(6, 6), a=3, b=3)
    assert held.first_to_go("a") is None
    assert holding(Held(6, 6), a=2, b=3).first_to_go("a") is None
    assert holding(Held(6, 6), a=1, b=3).first_to_go("a") == "b0"


def test_nothing_gives_way_where_nothing_is_held():
    held: Held[str] = Held(6, 6)
    assert held.first_to_go("a") is None
    assert held.largest() == UNKNOWN
    held.discard("a0")
    assert (len(held), held.count("a"), held.origin("a0")) == (0, 0, UNKNOWN)


def test_something_that_is_counted_again_is_counted_once():
    held = holding(Held(6, 6), a=1)
    held.add("a0", "b")
    assert (len(held), held.count("a"), held.origin("a0")) == (1, 0, "b")


def test_the_order_by_size_is_right_after_any_history():
    random, held, plain = Random(1), Held[int](1000, 1000), {}
    for _ in range(5000):
        item, origin = random.randrange(60), str(random.randrange(7))
        if random.random() < 0.55:
            plain.pop(item, None)
            plain[item] = origin
            held.add(item, origin)
        else:
            plain.pop(item, None)
            held.discard(item)
        counts = {each: list(plain.values()).count(each) for each in plain.values()}
        assert {each: held.count(each) for each in counts} == counts
        assert counts.get(held.largest(), 0) == max(counts.values(), default=0)
        assert list(held.of(origin)) == [each for each, owner in plain.items() if owner == origin]
    assert set(held._by_count) == set(counts.values())


@pytest.mark.parametrize(("tries", "is_taken"), [(2, True), (3, True), (4, False)])
def test_so_much_can_be_spent_at_once(tries, is_taken):
    spent = Spent(3, 60)
    assert [spent.take("a", 0) for _ in range(tries)][-1] is is_taken
    assert spent.take("b", 0), "each origin has its own"


@pytest.mark.parametrize(("seconds", "is_taken"), [(19.9, False), (20, True), (20.1, True)])
def test_what_was_spent_comes_back_bit_by_bit(seconds, is_taken):
    spent = Spent(3, 60)
    while spent.take("a", 0):
        pass
    assert spent.take("a", seconds) is is_taken


def test_what_was_spent_beyond_the_limit_is_owed():
    spent = Spent(10, 10)
    spent.spend("a", 0, 15)
    assert spent.is_over("a", 5)
    assert not spent.is_over("a", 6)


def test_what_all_came_back_is_forgotten_and_nothing_else():
    spent = Spent(10, 10)
    spent.spend("a", 0)
    spent.spend("b", 0)
    spent.spend("a", 4, 2)
    spent.forget(5)
    assert len(spent) == 1
    assert spent.used("a", 5) == 1
    spent.forget(6)
    assert len(spent) == 0


def test_debts_are_not_forgotten():
    spent = Spent(10, 10)
    spent.spend("a", 0, 40)
    spent.forget(20)
    assert spent.is_over("a", 20)
