"""Buckets: how often is too often."""

import pytest

from server.core.rate import Allowance, Bucket, origin_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:0:1200::1", "2001:db8:0:12ff:ffff::2"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("64:ff9b::192.0.2.7", "192.0.2.7"),
    ],
    ids=["a network that a provider hands out", "IPv4 on an IPv6 socket", "IPv4 behind NAT64"],
)
def test_a_neighbour_is_counted_once(one, other):
    assert origin_of(one) == origin_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:0:1200::1", "2001:db8:0:1300::1"),
        ("192.0.2.7", "192.0.2.8"),
        ("64:ff9b::192.0.2.7", "64:ff9b::192.0.2.8"),
        ("fe80::1%eth0", "fe80::2%eth0"),
    ],
)
def test_two_neighbours_are_counted_as_two(one, other):
    assert origin_of(one) != origin_of(other)


def test_a_bucket_starts_full_and_runs_dry():
    bucket = Bucket(per_s=1, burst=3, now=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]


def test_a_bucket_fills_with_time():
    bucket = Bucket(per_s=2, burst=3, now=0)
    while bucket.take(0):
        pass
    assert not bucket.take(0.4)
    assert bucket.take(0.5)
    assert not bucket.take(0.5)
    assert bucket.take(1.0)


def test_a_bucket_never_holds_more_than_its_burst():
    bucket = Bucket(per_s=10, burst=3, now=0)
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]


def test_asking_an_empty_bucket_costs_nothing():
    bucket = Bucket(per_s=1, burst=1, now=0)
    bucket.take(0)
    for tenth in range(1, 10):
        assert not bucket.take(tenth / 10)
    assert bucket.take(1.0)


def test_an_allowance_lets_a_burst_pass_and_then_no_more_than_its_rate():
    allowance = Allowance(per_s=10, burst=100, now=0)
    assert [allowance.spend(50, 0) for _ in range(4)] == [0, 0, 5, 10]
    assert allowance.spend(0, 10) == 0
    assert allowance.spend(10, 10) == 1


def test_an_allowance_that_was_not_used_grows_no_further_than_its_burst():
    allowance = Allowance(per_s=10, burst=100, now=0)
    assert allowance.spend(110, 1000) == 1
