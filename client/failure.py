"""How a command ends when it cannot do what it was asked, besides being misused (`protocol.usage`)."""


class CouldNot(Exception):
    """It was asked well, but it could not be done: exit code 1, after the sentence that this carries."""
