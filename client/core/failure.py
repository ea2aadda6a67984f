"""How a command ends when it cannot do what was asked; see `protocol.process.usage` for misuse."""


class CouldNot(Exception):
    """It was asked well, but it could not be done: exit code 1, after the sentence that this carries."""
