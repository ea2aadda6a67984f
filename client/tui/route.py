"""Where choices lead: to a page of its own, or to one that asks what is still open in what is wanted."""

from client.core.catalogue import TITLES
from client.flow.visit import server_of
from client.flow.wanted import (
    GoBack,
    GoOn,
    Host,
    HostAt,
    JoinAt,
    LookBack,
    PlayHere,
    PlayTwo,
    ShowAgain,
    Wanted,
    WatchAt,
)
from client.net.place import Place
from client.net.visit import Visit
from client.tui.history import HistoryPage
from client.tui.join import JoinPage
from client.tui.matches import MatchesPage
from client.tui.page import Page
from client.tui.settings import SettingsPage
from client.tui.setup import SetupPage


def page_of(choice: str, visit: Visit | None = None) -> Page:
    """Make the page that a choice of the menu leads to; a visitor's are all about the one server."""
    match choice:
        case game if game in TITLES:
            return SetupPage(Host(game) if visit else PlayHere(game))
        case "two":
            return SetupPage(PlayTwo())
        case "host":
            return SetupPage(Host())
        case "settings":
            return SettingsPage()
        case "matches":
            return MatchesPage()
        case "history":
            return HistoryPage()
        case _:
            return JoinPage(choice, Place(server_of(visit)) if visit else None)


def page_asking(wanted: Wanted) -> Page | None:
    """Make the page that asks what is open in what is wanted; None where nothing is."""
    match wanted:
        case Host(game="") | HostAt(game=""):
            return SetupPage(wanted)
        case JoinAt(place=None, code=None):
            return JoinPage("join")
        case JoinAt(place=place) if place is not None and place.code is None:
            return JoinPage("join", place)
        case GoOn():
            return MatchesPage()
        case LookBack(game=game, opponent=opponent):
            return HistoryPage(game, opponent)
        case ShowAgain(record=record, is_review=is_review):
            from client.tui.replay import ReplayPage

            return ReplayPage(record, is_review)
        case WatchAt(place=None, code=None):
            return JoinPage("watch")
        case WatchAt(place=place) if place is not None and place.code is None:
            return JoinPage("watch", place)
        case _:
            return None


def may_be_left(wanted: Wanted) -> bool:
    """Tell whether so much is open that the match that was left last could be meant."""
    return wanted == JoinAt() or (isinstance(wanted, Host | HostAt) and not wanted.game)


def shows_qr(wanted: Wanted) -> bool:
    """Tell whether the link is to be shown as a QR code at once."""
    return isinstance(wanted, Host | HostAt | GoBack) and wanted.display.is_qr
