"""How a command ends when it cannot do what it was asked. Each carries the one sentence that is printed."""


class CouldNot(Exception):
    """It was asked well, but it could not be done: exit code 1."""


class Misused(Exception):
    """It was asked in a way that makes no sense: exit code 2."""
