"""The bar of an offer that stands: what is offered, by whom, and the keys that answer it.

It knows no offer by name: what an offer is for is said by the wording, and what answers it by the command.
"""

from textual.content import Content
from textual.widgets import Static

from client.core import wording
from client.core.state import MatchState


class OfferBar(Static):
    """Shown only while an offer stands that this player may answer or take back."""

    def __init__(self) -> None:
        super().__init__(id="offer", markup=False)

    def show(self, match: MatchState) -> None:
        """Say what is offered, the opponent's offer first."""
        standing = sorted(match.offers, key=lambda offer: (offer[1] == match.seat, offer[0]))
        is_shown = bool(standing and match.seat and not match.is_shared)
        self.set_class(is_shown, "-shown")
        if not is_shown:
            return
        offer, seat = standing[0]
        is_ours = seat == match.seat
        keys = (("D", "take it back"),) if is_ours else (("A", "accept"), ("D", "decline"))
        answers = (part for key, label in keys for part in ((f"   {key} ", "bold $accent"), label))
        self.update(Content.assemble(wording.offered(match, offer, seat), *answers))
