"""Whoever asks for a lab gets one, or the reason why there is none."""

from collections.abc import Iterator

import pytest

from tests.lab.lab import Lab, why_not


@pytest.fixture
def lab() -> Iterator[Lab]:
    if why_not():
        pytest.skip(why_not())
    with Lab() as lab:
        yield lab
