"""How long to wait before a lost connection is tried again."""

FIRST_S = 1.0
LONGEST_S = 15.0


def delay(failures: int, fraction: float) -> float:
    """Return the seconds before the next try; `fraction`, drawn from 0 to 1, keeps clients from lockstep.

    >>> [delay(failures, 1.0) for failures in range(6)]
    [1.0, 2.0, 4.0, 8.0, 15.0, 15.0]
    """
    longest = min(LONGEST_S, FIRST_S * float(1 << min(failures, 10)))
    return longest * (0.5 + 0.5 * fraction)
