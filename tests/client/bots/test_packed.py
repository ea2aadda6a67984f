"""The tables: small, packed without loss, and all there."""

from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from client.bots.packed import pack, unpack

KEYS = st.integers(0, 2**32 - 1)
VALUES = st.floats(-1, 1)


@given(st.dictionaries(KEYS, VALUES))
def test_what_is_packed_comes_back_unchanged(table):
    assert unpack(pack(table)) == table


def test_the_same_table_makes_the_same_bytes_in_any_order():
    assert pack({1: 0.5, 2: 0.25}) == pack({2: 0.25, 1: 0.5})


def test_all_tables_together_are_small():
    shipped = list(files("client.bots").joinpath("tables").iterdir())
    assert sorted(entry.name for entry in shipped) == ["digit.bin", *(f"grid{n}.bin" for n in range(2, 7))]
    assert sum(len(entry.read_bytes()) for entry in shipped) < 200_000
