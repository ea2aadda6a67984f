"""News in sentences: everything that is said around a game and not by its rule book.

Pure: a match and a piece of news in, lines out. All faces use it.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import NamedTuple

from client.core import news
from client.core.catalogue import GO_BACK, TITLES
from client.core.games import end_lines
from client.core.games.renderer import Lines, Move
from client.core.news import News
from client.core.state import MatchState
from protocol.choice import spelled_out
from protocol.field import Offer
from protocol.link import CODE_LEN
from protocol.model import SEATS, Seat
from protocol.refusal import CloseCode
from protocol.server_frame import OpenMatch

MOVES_LISTED = 12

OVER = "The match is over."
NOT_YOUR_TURN = "It is not your turn."
PUT_AWAY = "The server has put this match away."
NOT_THERE = "That match is not there any more; it may have been put away."
WATCHING = "/help lists what you can type while you watch; /quit leaves."
NOT_BEGUN_YET = "You are watching a match that has not begun yet. /quit leaves."
CONNECTED_AGAIN = "Connected again."
WAITING = "Waiting for your friend to join."
NO_CONNECTION = "There is no connection to the server just now; try again when it is back."
MOVE_WAITS = "There is no connection to the server just now; your move is sent when it is back."
FROM_FRIEND = "The link or the code from your friend"
ANSWER = "/accept or /decline it"


_OFFERS: Mapping[Offer, str] = {"calloff": "to call the match off", "rematch": "a rematch"}
"""What a player offers."""
_PURPOSES: Mapping[Offer, str] = {"calloff": "to call the match off", "rematch": "of a rematch"}
"""The same after "the offer"."""


class _End(NamedTuple):
    """What is said of a server that is gone."""

    waiting: str
    over: str
    kept: str = ""
    not_kept: str = ""


_LOST = _End("Connection lost", "The match is over, and the server is gone.")
_ENDS: Mapping[object, _End] = {
    CloseCode.HOST_LEFT: _End(
        waiting="Waiting for the host",
        over="The match is over, and the host has left.",
        kept="The host has left. The match is kept, and goes on when the host is back"
        " (conquest host --resume). /quit leaves.",
        not_kept="The host has left. The match was not kept, so it has ended.",
    ),
    CloseCode.STOPPING: _End(
        waiting="Waiting for the server",
        over="The match is over, and the server has stopped.",
        kept="The server is stopping. The match is kept, and goes on when the server is back. /quit leaves.",
        not_kept="The server has stopped. The match was not kept, so it has ended.",
    ),
}
"""By why the server has ended the connection."""


def unknown_game(game: str) -> str:
    """Say that a match cannot be shown here."""
    return f"This client does not know the game {game!r}; update it to play that."


def spaced_code(code: str) -> str:
    """Write a join code so that it can be read out.

    >>> spaced_code("7K3M9QXZ")
    '7K3M-9QXZ'
    """
    half = CODE_LEN // 2
    return f"{code[:half]}-{code[half:]}"


def ssh_command(host: str, port: int, who: str = "") -> str:
    """Write what somebody types who comes by ssh.

    >>> ssh_command("192.0.2.7", 2222, "7K3M-9QXZ")
    'ssh -p 2222 7K3M-9QXZ@192.0.2.7'
    """
    return f"ssh -p {port} {who}@{host}" if who else f"ssh -p {port} {host}"


def going_back(game: str, code: str) -> str:
    """Offer the way back to a match."""
    return f"{GO_BACK} ({TITLES.get(game, game)}, {spaced_code(code)})"


def called(match: MatchState, seat: Seat, verb: str = "") -> str:
    """Name a player by name, or as "You", and say what they do."""
    return match.people.called(seat, verb)


def title(game: str, code: str, names: tuple[str, str], options: Mapping[str, str]) -> str:
    """Say which match it is and who plays."""
    players = ", ".join(f"Player {seat} is {names[seat - 1]}" for seat in SEATS)
    chosen = "".join(f", {key} {value}" for key, value in options.items())
    return f"{TITLES.get(game, game)}{chosen}, match {spaced_code(code)}. {players}."


def header(match: MatchState) -> Lines:
    """Say what is played and by whom."""
    you = f" You are Player {match.seat}." if match.seat else " You are watching."
    you = "" if match.is_shared else you
    lines = [title(match.game, match.code, match.names, match.options) + you]
    if match.clock_s is not None:
        lines.append(f"Each move must be made within {seconds(match.clock_s)}.")
    if match.hints:
        lines.append("Hints are on: /hint says what to play." if match.seat else "Hints are on.")
    if any(match.score):
        lines.append(score(match))
    return tuple(lines)


def look_away(match: MatchState) -> str:
    """Ask the other player not to look while a number is typed that only one may know."""
    typing, other = (called(match, seat) for seat in (match.seat, match.opponent) if seat)
    return f"{other}, look away. {typing}, what you type now is not shown."


def score(match: MatchState) -> str:
    """Tell the score of the series."""
    counted = (f"{called(match, seat)} {match.score[seat - 1]}" for seat in match.people.sides)
    return f"Score: {', '.join(counted)}."


def seconds(count: float) -> str:
    """Say a length of time.

    >>> seconds(90), seconds(1), seconds(600)
    ('90 seconds', '1 second', '10 minutes')
    """
    whole = round(count)
    if whole >= 120 and whole % 60 == 0:
        return f"{whole // 60} minutes"
    return f"{whole} second{'s' if whole != 1 else ''}"


def clock_line(match: MatchState, left_s: float | None) -> str:
    """Say how much time is left for the move that is due, and whose it is."""
    if match.outcome is not None:
        return OVER
    if left_s is None or match.view is None:
        return "This match has no clock."
    owing = [seat for seat in match.view.to_act if seat == match.reader] or match.view.to_act
    if len(owing) == 1:
        return f"{called(match, owing[0], 'has')} {seconds(left_s)}."
    return f"{' and '.join(called(match, seat) for seat in owing)} have {seconds(left_s)}."


def connection_lines(item: News) -> Lines:
    """Say what happened to the connection; nothing for news about something else."""
    match item:
        case news.ConnectionLost():
            return _connection_lost(item)
        case news.SessionOver(text=text) | news.Notice(text=text) | news.Refusal(text=text):
            return (text,)
        case news.CertificateRemembered(address=address, fingerprint=fingerprint):
            return (
                f"This is the first time at {address}; its certificate will be known from now on.",
                f"(To be quite sure, compare it with the end of the host's link: {fingerprint})",
            )
        case news.NotEncrypted(address=address):
            return (f"{address} does not encrypt: others on the network could read along.",)
        case news.RequestLost():
            return ("The connection broke while your message was on its way; it may not have arrived.",)
        case _:
            return ()


TRUST_QUESTION = "Is the link from your friend, and was the server set up anew?"


def certificate_changed(address: str, known: str, named: str) -> Lines:
    """Say that a link names another certificate than the one that its server is known by."""
    return (
        f"STOP: {address} is known by another certificate than this link names.",
        f"Known: {known}",
        f"Link:  {named}",
        "If the server was not set up anew, somebody may be pretending to be it.",
    )


def not_trusted(address: str, known: str, named: str, file: str) -> str:
    """Say that nothing was changed, and how a person can change it who is not asked."""
    return (
        f"{address} is known by the certificate {known}, and this link names {named}. Nothing was sent, and"
        f" nothing was changed. If the server was set up anew, remove its line from {file} and try again."
    )


def _connection_lost(item: news.ConnectionLost) -> Lines:
    """Say why there is no connection, once, and when it is tried again, each time."""
    said = _ENDS.get(item.why, _LOST)
    why = (said.kept,) if said.kept and not item.waited_s else ()
    return (*why, f"{said.waiting}, trying again ({max(1, round(item.retry_in_s))} s)…")


def not_kept(code: CloseCode, text: str) -> str:
    """Say why a match has ended with its server; in the server's own words for a reason without others."""
    return _ENDS[code].not_kept if code in _ENDS else text


def gone(item: news.ConnectionLost | news.SessionOver) -> str:
    """Say, after a match, that nothing more can come from its server."""
    if isinstance(item, news.SessionOver):
        return _ENDS[item.code].over if item.code in _ENDS else item.text
    return _ENDS.get(item.why, _LOST).over


def match_lines(match: MatchState, item: News) -> Lines:
    """Say what happened around a match; nothing for what its game has words for."""
    match item:
        case news.PlayerLost():
            return _lost_lines(match, item)
        case news.PlayerBack(seat=seat):
            return (f"{called(match, seat)} is back.",)
        case news.ClaimDue():
            return ("You can /claim the win now.",)
        case news.TimeShort(left_s=left_s):
            return (f"{seconds(left_s).capitalize()} left.",)
        case news.OfferMade(offer=offer, seat=seat):
            return (_offer_line(match, offer, seat),)
        case news.OfferGone(offer=offer, seat=seat):
            whose = "Your offer" if seat == match.seat else f"The offer of {called(match, seat)}"
            return (f"{whose} {_PURPOSES[offer]} no longer stands.",)
        case news.ChatArrived(seat=seat, text=text):
            return (f"{called(match, seat)}: {text}",)
        case news.SpectatorsChanged(count=count):
            return (f"{count} {'person is' if count == 1 else 'people are'} watching.",)
        case news.MatchEnded(outcome=outcome):
            return (*end_lines(outcome, match.names, match.reader), score(match))
        case news.MatchLeft(is_ours=False):
            return (PUT_AWAY,)
        case _:
            return ()


def _lost_lines(match: MatchState, item: news.PlayerLost) -> Lines:
    who = called(match, item.seat)
    if match.outcome is not None or item.on_purpose:
        line = f"{who} has left."
    elif item.was_there:
        line = f"{who} has lost the connection."
    else:
        line = f"{who} is not back yet."
    if item.claim_in_s is None or not match.seat:
        return (line,)
    when = f"in {seconds(item.claim_in_s)}" if item.claim_in_s else "now"
    return (f"{line} The seat is kept; you can /claim the win {when}.",)


def offered(match: MatchState, offer: Offer, seat: Seat) -> str:
    """Say what is offered, and by whom."""
    return f"{called(match, seat, 'offers')} {_OFFERS[offer]}."


def _offer_line(match: MatchState, offer: Offer, seat: Seat) -> str:
    if seat == match.seat:
        return f"{offered(match, offer, seat)} /decline takes it back."
    answer = f" {ANSWER}." if match.seat else ""
    return f"{offered(match, offer, seat)}{answer}"


def move_lines(match: MatchState, describe: Callable[[Move], str]) -> Lines:
    """List what may be played now."""
    if not match.legal:
        return (NOT_YOUR_TURN,) if match.outcome is None else (OVER,)
    moves = list(islice(spelled_out(match.legal), MOVES_LISTED + 1))
    if len(moves) <= MOVES_LISTED:
        return tuple(describe(move) for move in moves)
    return tuple(
        f"{choice.kind}: "
        + "; ".join(f"{field} {', '.join(map(str, values))}" for field, values in choice.values.items())
        for choice in match.legal
    )


def open_match_line(found: OpenMatch, address: str = "") -> str:
    """Describe an open match in a list, or one that goes on."""
    if found.names is not None:
        parts = [f"{TITLES.get(found.game, found.game)}, {' against '.join(found.names)}"]
        parts += [f"{found.names[seat - 1]} to move" for seat in found.to_act[:1]]
    else:
        parts = [f"{TITLES.get(found.game, found.game)} against {found.creator}"]
    if address:
        parts.append(f"at {address}")
    parts.extend(f"{key} {value}" for key, value in found.options.items())
    if found.clock_s is not None:
        parts.append(f"{seconds(found.clock_s)} a move")
    if found.hints:
        parts.append("with hints")
    return ", ".join(parts)
