"""What the player has chosen for good, as the store keeps it."""

from dataclasses import dataclass

from client.net.store import Store


@dataclass(frozen=True, slots=True)
class Preferences:
    """How the full screen looks and behaves."""

    light: bool = False
    animations: bool = True
    ascii: bool = False
    confirm: bool = True
    """Whether a secret number that was chosen is to be confirmed."""
    call: bool = True
    """Whether the terminal calls when it is the player's turn."""


def kept_preferences(store: Store) -> Preferences:
    """Read what was chosen; the usual where nothing was."""
    return Preferences(
        light=store.setting("light") is True,
        animations=store.setting("animations") is not False,
        ascii=store.setting("ascii") is True,
        confirm=store.setting("confirm") is not False,
        call=store.setting("call") is not False,
    )
