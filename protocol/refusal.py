"""The closed lists of reasons for which a server says no, or ends a connection.

The code is for programs; the sentence that travels beside it is for people.
"""

from enum import StrEnum


class RefusalCode(StrEnum):
    """Why a lawful request was not carried out."""

    BAD_NAME = "bad_name"
    BAD_TEXT = "bad_text"
    BAD_MOVE = "bad_move"
    """It is not a move of this game at all."""
    ILLEGAL_MOVE = "illegal_move"
    """It is a move of this game, but not one that may be made now."""
    STALE_TURN = "stale_turn"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_BEGUN = "not_begun"
    NOT_OVER = "not_over"
    MATCH_OVER = "match_over"
    MATCH_FULL = "match_full"
    MATCH_FROZEN = "match_frozen"
    """A fault of the server's own stopped this match."""
    NO_SUCH_GAME = "no_such_game"
    NO_SUCH_MATCH = "no_such_match"
    BAD_OPTION = "bad_option"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    ALREADY_WELCOMED = "already_welcomed"
    NO_OFFER = "no_offer"
    NOT_ABSENT = "not_absent"
    ONE_AT_A_TIME = "one_at_a_time"
    """The record that was asked for before is still being read."""
    NOT_WATCHABLE = "not_watchable"
    """The match was opened without spectators."""
    TOO_MANY_MATCHES = "too_many_matches"
    TOO_MANY_SPECTATORS = "too_many_spectators"
    TOO_MANY_GUESSES = "too_many_guesses"
    TOO_MUCH_CHAT = "too_much_chat"
    CANNOT_SAVE = "cannot_save"
    """The journal cannot be written; the server takes nothing that it could not keep."""


class CloseCode(StrEnum):
    """Why a connection ends."""

    BAD_FRAME = "bad_frame"
    TOO_BIG = "too_big"
    NOT_OURS = "not_ours"
    """The first bytes were no frame of this protocol: a browser, a TLS hello, noise."""
    BAD_VERSION = "bad_version"
    BAD_TOKEN = "bad_token"
    HELLO_EXPECTED = "hello_expected"
    HELLO_LATE = "hello_late"
    FRAME_LATE = "frame_late"
    TOO_FAST = "too_fast"
    SILENT = "silent"
    SLOW_READER = "slow_reader"
    REPLACED = "replaced"
    DEPARTED = "departed"
    """The player has said goodbye."""
    FULL = "full"
    STOPPING = "stopping"
    HOST_LEFT = "host_left"
    """The player on the server's own machine has left, and the server stops too."""
    FAULT = "fault"
    """The server made a mistake of its own; connecting again may help."""
