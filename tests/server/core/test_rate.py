"""Buckets and windows: how often is too often."""

from server.core.rate import Bucket, Window


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


def test_a_window_is_full_until_its_oldest_event_is_old_enough():
    window = Window(most=2, span_s=10)
    window.add(0)
    assert not window.is_full(0)
    window.add(4)
    assert window.is_full(9.9)
    assert not window.is_full(10)
    window.add(10)
    assert window.is_full(13.9)
    assert not window.is_full(14)


def test_a_window_is_empty_when_all_its_events_are_old():
    window = Window(most=2, span_s=10)
    assert window.is_empty(0)
    window.add(0)
    assert not window.is_empty(9.9)
    assert window.is_empty(10)
