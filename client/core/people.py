"""Who is who at a match: how the two players are called, and on which side each is shown, whoever looks."""

from dataclasses import dataclass

from client.core.games.wording import naming
from protocol.model import Owner, Seat, other


@dataclass(frozen=True, slots=True)
class People:
    """Both players, as one of them sees it, or somebody who watches."""

    names: tuple[str, str] = ("", "")
    reader: Owner = 0
    """Who is called "You"; 0 for nobody."""
    left: Seat = 1
    """The seat that has the first side, colour and mark."""

    @property
    def sides(self) -> tuple[Seat, Seat]:
        """Both seats, in the order in which they are shown."""
        return self.left, other(self.left)

    def side(self, owner: Owner) -> Owner:
        """Tell on which side a seat is shown: 1 or 2, and 0 for nobody.

        >>> People(left=2).side(2), People(left=2).side(1)
        (1, 2)
        """
        return 0 if owner == 0 else 1 if owner == self.left else 2

    def called(self, seat: Seat, verb: str = "") -> str:
        """Name a player, and say what they do."""
        return naming(self.names, self.reader)(seat, verb)
