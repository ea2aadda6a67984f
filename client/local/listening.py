"""How a server inside this process is to listen; a value, so that wanting a server does not import one."""

from dataclasses import dataclass

IN_MEMORY = ":memory:"
"""The journal of a server that keeps nothing."""


@dataclass(frozen=True, slots=True)
class Listening:
    """How a server inside this process is to listen."""

    bind: str | None = None
    port: int | None = None
    """None for the usual port, or any other when that is taken."""
    db: str | None = None
    """The journal's file; None to keep nothing."""
    tls: bool | None = None
    ssh: int | None = None
    """The port on which whoever has only ssh is let in; None where nobody is."""

    @property
    def keeps(self) -> bool:
        """Whether there will be something to go back to."""
        return self.db is not None and self.db != IN_MEMORY
