"""The line in which a player writes to the opponent; open only while something is written."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input

from protocol.text import CHAT_LEN


class ChatLine(Input):
    """The field. Sending closes it, and so does every way out of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Send", key_display="Enter"),
        Binding("escape,tab,shift+tab", "screen.board", "Back to the board", key_display="Esc"),
    ]

    def __init__(self, id: str) -> None:
        super().__init__(id=id, placeholder="What do you want to say?", max_length=CHAT_LEN, compact=True)
