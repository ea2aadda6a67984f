"""Bytes to frames and back, without a socket.

A frame is a 4-byte big-endian length and one MessagePack map. The length is checked before the body is
looked at, the sizes within the body while it is unpacked, and only frame models are ever encoded. The depth
of a body is looked at only when it is no frame: the models leave no room for more.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar, get_args

import msgpack
from pydantic import Field, TypeAdapter, ValidationError

from protocol.client_frame import ClientFrame
from protocol.limit import ARRAY_LEN, DEPTH, FRAME_TO_CLIENT, HEADER_LEN, MAP_LEN, PROTOCOL_VERSION, STR_LEN
from protocol.model import Model
from protocol.refusal import CloseCode
from protocol.server_frame import ServerFrame
from protocol.text import defused

T = TypeVar("T")

LONGEST_BLAME = 256
"""Characters that a complaint may have: it quotes what arrived, and must itself fit into a frame."""


def _validator(union: Any) -> Callable[[object], Any]:
    return TypeAdapter(Annotated[union, Field(discriminator="type")]).validator.validate_python


_FRAMES = frozenset(get_args(ClientFrame) + get_args(ServerFrame))
_CLIENT: Callable[[object], ClientFrame] = _validator(ClientFrame)
_SERVER: Callable[[object], ServerFrame] = _validator(ServerFrame)


class BadFrame(Exception):
    """Bytes that are no frame: the peer's fault, and the end of its connection."""

    def __init__(self, code: CloseCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def encode(frame: ClientFrame | ServerFrame) -> bytes:
    """Turn a frame into bytes. Anything but a frame is a TypeError, so that no state can leak this way."""
    if type(frame) not in _FRAMES:
        raise TypeError(f"only frames travel, not {type(frame).__name__}")
    return framed(pack(frame.__dict__))


def framed(body: bytes) -> bytes:
    """Put the length before a body."""
    return _header(len(body)) + body


def pack(value: object) -> bytes:
    """Pack a value that a frame may hold: plain ones and the models that frames are made of, no others."""
    try:
        pack_it = _idle.pop()
    except IndexError:
        pack_it = msgpack.Packer(default=_fields).pack
    packed = pack_it(value)
    _idle.append(pack_it)
    return packed


# A frame that many viewers share is packed once and completed for each of them. One packer is kept for good:
# it owns a large buffer, and malloc, once it gets such a buffer back, keeps all of that size in its heap.
# Every TLS connection has one, and would cost twice the memory.
_packer = msgpack.Packer()
pack_plain: Callable[[object], bytes] = _packer.pack
"""Pack numbers, texts, and lists and maps of them. A model is a TypeError, and so is a state."""
_list_head: Callable[[int], bytes] = _packer.pack_array_header
_FRAME_HEADS: dict[type[Model], bytes] = {
    frame: _packer.pack_map_header(len(frame.model_fields)) for frame in _FRAMES
}


def begin_frame(
    frame: type[Model],
    list_name: bytes,
    packed: Sequence[bytes],
    plain: dict[str, Any],
    is_open: bool = False,
) -> bytes:
    """Pack some fields of a frame: a list whose items are packed already, and plain values.

    The other fields follow, each as its packed name and value, and `framed` makes a frame of it all. With
    `is_open` the very last value, which must take one byte, is left out and follows first.
    """
    fields = pack_plain(plain)[1 : -1 if is_open else None]  # Up to 15 fields are behind a head of one byte.
    return _FRAME_HEADS[frame] + list_name + _list_head(len(packed)) + b"".join(packed) + fields


def _parts(annotation: Any, found: set[type[Model]]) -> set[type[Model]]:
    """Collect every model that a type speaks of, however deep."""
    if isinstance(annotation, type) and issubclass(annotation, Model) and annotation not in found:
        found.add(annotation)
        for field in annotation.model_fields.values():
            _parts(field.annotation, found)
    for part in get_args(annotation):
        _parts(part, found)
    return found


_PARTS = frozenset(_parts(ClientFrame | ServerFrame, set())) - _FRAMES


def _fields(value: object) -> dict[str, Any]:
    # What a model was made with is what travels: no second description of it, and no slow dump.
    if type(value) in _PARTS:
        return value.__dict__
    raise TypeError(f"a frame cannot hold {type(value).__name__}")


_idle: list[Callable[[object], bytes]] = []
"""Packers that nobody is using. While one asks for a part's fields, another thread may have its turn."""

_header = struct.Struct(">I").pack
_length_at = struct.Struct(">I").unpack_from


def decode_client(body: bytes | memoryview) -> ClientFrame:
    """Read what a client sent; raise `BadFrame`."""
    raw = _unpack(body)
    if raw.get("type") == "hello" and raw.get("version") != PROTOCOL_VERSION:
        _unpack(body, _unique)
        raise BadFrame(CloseCode.BAD_VERSION, _version_text(raw.get("version")))
    return _validated(_CLIENT, raw, body)


def decode_server(body: bytes | memoryview) -> ServerFrame:
    """Read what a server sent; raise `BadFrame`."""
    return _validated(_SERVER, _unpack(body), body)


def _version_text(version: object) -> str:
    ours = f"This server speaks version {PROTOCOL_VERSION} of the Conquest protocol"
    if not isinstance(version, int) or isinstance(version, bool):
        return f"{ours} and your client names none: update your client to play here."
    who = "your client" if version < PROTOCOL_VERSION else "the server"
    return f"{ours} and your client version {version}: update {who} to play together."


def _validated(validate: Callable[[object], T], raw: dict[str, Any], body: bytes | memoryview) -> T:
    try:
        frame = validate(raw)
    except ValidationError as error:
        if _is_deeper(raw, DEPTH):
            raise _no_frame(f"it is nested deeper than {DEPTH}") from None
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "frame"
        raise _no_frame(f"{where}: {first['msg']}") from None
    # What packs to the same bytes again had each key once. Anything else is read once more, to see.
    if _repack(raw) != body:
        _unpack(body, _unique)
    return frame


def _no_frame(why: str) -> BadFrame:
    # The reason may quote the peer's own keys and values, which are as hostile as the rest.
    return BadFrame(CloseCode.BAD_FRAME, f"Not a frame: {defused(why[:LONGEST_BLAME])}.")


def _unpack(body: bytes | memoryview, on_map: Callable[[Any], object] | None = None) -> dict[str, Any]:
    try:
        raw = msgpack.unpackb(
            body,
            object_pairs_hook=on_map,
            max_str_len=STR_LEN,
            max_bin_len=0,
            max_array_len=ARRAY_LEN,
            max_map_len=MAP_LEN,
            max_ext_len=0,
        )
    except BadFrame:
        raise
    except (ValueError, OverflowError, RecursionError, TypeError, msgpack.UnpackException) as error:
        raise _no_frame("its body is not MessagePack within the limits") from error
    if type(raw) is not dict:
        raise _no_frame("its body is not a map")
    return raw


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _no_frame("a key stands in it twice")
    return made


_repack: Callable[[object], bytes] = msgpack.Packer().pack


def _is_deeper(value: dict[str, Any] | list[Any], depth: int) -> bool:
    if depth == 0:
        return True
    for inner in value.values() if isinstance(value, dict) else value:
        kind = type(inner)
        if (kind is dict or kind is list) and _is_deeper(inner, depth - 1):
            return True
    return False


class Splitter:
    """Cuts one connection's bytes into frame bodies, however they arrive.

    Keeps the beginning of an unfinished frame, and never more than one frame's limit of it.
    """

    __slots__ = ("_held", "_limit", "_next_limit")

    def __init__(self, limit: int = FRAME_TO_CLIENT, first_limit: int | None = None) -> None:
        """Allow bodies up to `limit`, and for the very first one only up to `first_limit`."""
        self._next_limit = limit if first_limit is None else first_limit
        self._limit = limit
        self._held = b""

    def is_amid_frame(self) -> bool:
        """Tell whether a frame has begun and is not complete."""
        return bool(self._held)

    def feed(self, data: bytes | memoryview) -> list[bytes]:
        """Take what arrived and return the bodies that are complete; raise `BadFrame` for one too long."""
        buffer = self._held + bytes(data) if self._held else bytes(data)
        bodies: list[bytes] = []
        at, end = 0, len(buffer)
        while end - at >= HEADER_LEN:
            (length,) = _length_at(buffer, at)
            if length > self._next_limit:
                raise BadFrame(*_blame(buffer[at : at + HEADER_LEN], length, self._next_limit))
            if end - at - HEADER_LEN < length:
                break
            at += HEADER_LEN
            bodies.append(buffer[at : at + length])
            self._next_limit = self._limit
            at += length
        self._held = buffer[at:]
        return bodies


def _blame(header: bytes, length: int, limit: int) -> tuple[CloseCode, str]:
    """Tell a frame that is too big from what was never meant for us: it would be 16 MiB and more."""
    if header[:2] == b"\x16\x03":
        return CloseCode.NOT_OURS, "This port is not encrypted; connect without TLS."
    if header in _HTTP:
        return CloseCode.NOT_OURS, "This is a Conquest server, not a web server."
    if header[:1] != b"\x00":
        return CloseCode.NOT_OURS, "This is a Conquest server, and what you sent is not its protocol."
    return CloseCode.TOO_BIG, f"A frame of {length} bytes is too big; {limit} is the limit."


_HTTP = frozenset({b"GET ", b"POST", b"HEAD", b"PUT ", b"DELE", b"CONN", b"OPTI", b"TRAC", b"PATC", b"PRI "})
