"""Every limit there is, in one place. A limit on everything keeps a hostile peer cheap."""

from dataclasses import dataclass

from protocol.text import CHAT_LEN

PROTOCOL_VERSION = 1
DEFAULT_PORT = 7717

STR_LEN = 2048
ARRAY_LEN = 256
MAP_LEN = 64
DEPTH = 8
"""The shape of any frame: what a MessagePack body may hold, in either direction."""

FRAME_TO_CLIENT = 64 * 1024
"""The longest body that a server sends."""

HEADER_LEN = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server allows. Each can be set when it starts; the defaults suit a home."""

    frame_before_hello: int = 1024
    """Bytes in the body of a connection's first frame."""
    frame: int = 4096
    """Bytes in the body of any later frame."""
    hello_timeout_s: float = 5.0
    frame_timeout_s: float = 10.0
    """How long a frame may take from its first byte to its last."""
    heartbeat_s: float = 10.0
    """How often a quiet client should ping."""
    dead_s: float = 30.0
    """How long a connection may be silent before it counts as lost."""
    frames_per_s: float = 20.0
    frames_burst: int = 60
    chat_len: int = CHAT_LEN
    """Characters in a line of chat."""
    chat_burst: int = 5
    chat_window_s: float = 10.0
    """A player may send `chat_burst` lines at once, and as many again after this time, bit by bit."""
    connections: int = 512
    connections_per_address: int = 32
    connections_unwelcomed: int = 64
    connections_by_relay: int = 256
    """Of all that come by relays; half of those that are not welcomed yet may be theirs."""
    outbox: int = 256 * 1024
    """Bytes waiting for a slow reader before it is disconnected; its seat is kept."""
    matches_per_player: int = 8
    matches: int = 1000
    """Open matches on the server."""
    matches_per_address: int = 32
    """Open matches that were created from one address."""
    moves_per_match: int = 2000
    guesses: int = 10
    guess_window_s: float = 60.0
    """An address may try `guesses` wrong codes at once, and as many again after this time, bit by bit."""
    budget_s: float = 60.0
    """After this time an address has back, bit by bit, what it has used up of the next ones."""
    creates_per_address: int = 60
    lists_per_address: int = 300
    watches_per_address: int = 60
    exports_per_address: int = 20
    journal_per_address: int = 2 * 1024 * 1024
    """Bytes that the journal grows by, about."""
    sessions: int = 10_000
    session_idle_s: float = 30 * 24 * 3600.0
    """How long a player without a match is remembered."""
    grace_s: float = 60.0
    """How long a player may be gone before the opponent can claim the win."""
    finished_kept_s: float = 3600.0
    """How long a finished match waits for its players to look at it, or to play again."""
    open_kept_s: float = 24 * 3600.0
    """How long a match waits for an opponent, or for two absent players to come back."""
    spectators_per_match: int = 32
    watched_per_player: int = 8


@dataclass(frozen=True, slots=True)
class RelayLimits:
    """What a relay allows. Each can be set when it starts; the defaults suit a small machine."""

    connections: int = 800
    """Fewer than the files that most systems let a program open."""
    connections_per_address: int = 64
    """Those of hosts that come for their guests are not counted here."""
    connects_per_minute: int = 60
    """From one address, without those of hosts that come for their guests."""
    hosts: int = 256
    hosts_per_address: int = 16
    guests_per_host: int = 64
    guests_per_host_and_address: int = 8
    """So that one stranger does not take all the places at a host."""
    bytes_per_s: int = 64 * 1024
    """From one connection to the other, in either direction, in the long run."""
    bytes_burst: int = 256 * 1024
    """From one connection at once; also what may wait for a slow reader before the other side has to wait."""
    handshake_timeout_s: float = 8.0
    """How long it may take to be listed as a host, or to be led to one."""
    idle_timeout_s: float = 60.0
    """How long a connection may be silent."""
    line: int = 4096
    """Bytes in a line."""


@dataclass(frozen=True, slots=True)
class SshLimits:
    """What visitors by ssh are allowed. Each can be set when a server starts; the defaults suit a home."""

    connections: int = 32
    """Those that have not logged in yet are counted, too."""
    connections_per_address: int = 8
    logins_per_minute: int = 20
    """Connections that may come from one address."""
    visitors: int = 8
    """Each has a process of 60 MB, twice that while it works out a hint."""
    visitors_per_address: int = 4
    login_timeout_s: float = 30.0
    """How long it may take from a connection to its first screen."""
    idle_timeout_s: float = 3600.0
    """How long a visitor may press no key; the seat is kept."""
    line: int = 4096
    """Bytes in a line of what a visitor sends."""
    buffer: int = 64 * 1024
    """Bytes that wait in either direction before the sender has to wait."""
    columns: int = 400
    rows: int = 200
    """How much a screen is filled."""
    memory: int = 1024 * 1024 * 1024
    """Bytes of addresses for a visitor's process, of which it uses a tenth."""
    file: int = 4 * 1024 * 1024
    """Bytes in a file that it writes."""
    history: int = 1024 * 1024
    """Bytes of finished matches that are kept for one visitor."""
    nice: int = 5
    """By how much the server goes before it."""
    homes: int = 1000
    """Visitors who are remembered; the one who was away longest is forgotten first."""
