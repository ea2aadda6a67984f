"""What the views of all games have in common."""

from protocol.model import Many, Model, Owner, Seat


class GameView(Model):
    """What one seat, or a spectator, may know of a state."""

    viewer: Owner
    """Whose eyes these are: a seat, or 0 for a spectator."""
    to_act: Many[Seat]
    """The seats that owe a move; none when the game is over."""
