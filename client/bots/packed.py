"""The tables that ship with the bots: numbers that took seconds to compute and take milliseconds to read.

A table maps whole numbers to values; on disk it is the keys, then the values, packed. What makes the
tables is `tools.make_tables`; who reads one knows what its keys mean.
"""

import struct
import zlib
from collections.abc import Mapping
from importlib.resources import files

Table = dict[int, float]

KEY, VALUE = "I", "d"


def pack(table: Mapping[int, float]) -> bytes:
    """Pack a table, the same bytes on every machine."""
    keys = sorted(table)
    values = [table[key] for key in keys]
    return zlib.compress(struct.pack(f"<{len(keys)}{KEY}{len(keys)}{VALUE}", *keys, *values), 9)


def unpack(packed: bytes) -> Table:
    """Read what `pack` wrote."""
    raw = zlib.decompress(packed)
    count = len(raw) // (struct.calcsize(f"<{KEY}") + struct.calcsize(f"<{VALUE}"))
    numbers = struct.unpack(f"<{count}{KEY}{count}{VALUE}", raw)
    return dict(zip(numbers[:count], numbers[count:], strict=True))


def load(name: str) -> Table:
    """Read a table that ships with the package."""
    return unpack(files("client.bots").joinpath("tables", f"{name}.bin").read_bytes())
