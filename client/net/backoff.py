"""Whether a lost connection is worth another try, and how long to wait before it."""

from protocol.refusal import CloseCode

FIRST_S = 1.0
LONGEST_S = 15.0

PASSING = frozenset(
    {
        CloseCode.FAULT,
        CloseCode.FRAME_LATE,
        CloseCode.FULL,
        CloseCode.HELLO_LATE,
        CloseCode.HOST_LEFT,
        CloseCode.SILENT,
        CloseCode.SLOW_READER,
        CloseCode.STOPPING,
        CloseCode.TOO_FAST,
    }
)
"""Reasons to close that may be gone at the next try. All others would only come again."""


def delay(failures: int, fraction: float) -> float:
    """Return the seconds before the next try; `fraction`, drawn from 0 to 1, keeps clients from lockstep.

    >>> [delay(failures, 1.0) for failures in range(6)]
    [1.0, 2.0, 4.0, 8.0, 15.0, 15.0]
    """
    longest = min(LONGEST_S, FIRST_S * float(1 << min(failures, 10)))
    return longest * (0.5 + 0.5 * fraction)
