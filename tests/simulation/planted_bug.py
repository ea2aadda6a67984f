"""Servers that are broken on purpose. The simulator is worth as much as the mistakes that it finds.

Each is one mistake that somebody could make in the server, with the number of seeds within which the
simulator must notice. What the simulator compares with shares none of the code that is broken here.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from protocol.client_frame import Play
from protocol.codec import decode_server, encode
from protocol.limit import HEADER_LEN
from protocol.refusal import CloseCode
from protocol.server_frame import Chatted
from server.core import (
    find,
    greeting,
    kernel,
    lifecycle,
    match,
    play,
    presence,
    remember,
    restart,
    tell,
    visible,
    watch,
)
from server.core.budget import Held
from server.core.effect import Effects
from server.core.entry import MOVED, Entry
from server.core.kernel import Kernel
from server.core.match import Match
from server.core.pause import Pauses
from server.core.refuse import Refuse
from server.core.session import Sessions, hash_token
from server.core.terms import Terms
from server.core.world import World
from server.games.chance import Drawn
from server.io.gate import Gate
from server.io.outbox import Outbox

Break = AbstractContextManager[Any]


@dataclass(frozen=True)
class Mistake:
    """One mistake, and what is to be found."""

    make: Callable[[], Break]
    seeds: int
    """How many seeds it may take to find it."""


MISTAKES: dict[str, Mistake] = {}


def mistake(seeds: int) -> Callable[[Callable[[], Break]], Callable[[], Break]]:
    """Add a mistake to the list under its name."""

    def add(make: Callable[[], Break]) -> Callable[[], Break]:
        MISTAKES[make.__name__] = Mistake(make, seeds)
        return make

    return add


def around(owner: Any, name: str, instead: Callable[..., Any]) -> Break:
    """Replace a function by one that gets the real one as its first argument."""
    real = getattr(owner, name)
    return patch.object(owner, name, lambda *given, **named: instead(real, *given, **named))


@mistake(seeds=2)
def acknowledge_before_durable() -> Break:
    return patch.object(Gate, "is_open", lambda gate: True)


@mistake(seeds=30)
def release_what_a_later_write_holds() -> Break:
    return around(Gate, "durable", lambda real, gate, ticket: real(gate, gate._appended))


@mistake(seeds=30)
def a_wrong_token_touches_the_seat() -> Break:
    def greet(real: Any, world: World, connection: Any, frame: Any) -> None:
        token = getattr(frame, "token", None)
        if token is not None and world.sessions.find(token) is None:
            for played in world.matches.values():
                played.absent_since[0] = world.now
        real(world, connection, frame)

    return around(greeting, "greet", greet)


@mistake(seeds=30)
def a_token_works_for_ever() -> Break:
    return patch.object(Sessions, "rotate", lambda sessions, session, used: used)


@mistake(seeds=30)
def a_used_token_is_never_voided() -> Break:
    return patch.object(Sessions, "confirm", lambda sessions, session: None)


@mistake(seeds=5)
def a_seat_is_not_kept() -> Break:
    def seat(_: World, played: Match, session: Any) -> None:
        session.seated[played.code] = None

    return patch.object(lifecycle, "seat", seat)


@mistake(seeds=15)
def repeats_are_not_recognised() -> Break:
    def play(world: World, session: Any, request: Play) -> None:
        played = world.matches.get(request.match)
        if played is None:
            return play.play(world, session, request)
        before, played.last_ids = played.last_ids, [0, 0]
        try:
            return play.play(world, session, request)
        finally:
            played.last_ids = [new or old for new, old in zip(played.last_ids, before, strict=True)]

    return patch.dict(kernel.HANDLERS, {Play: play})


def _with_pick(data: bytes, pick: int | None) -> bytes:
    frame: Any = decode_server(data[HEADER_LEN:])
    return encode(frame.model_copy(update={"view": frame.view.model_copy(update={"pick": pick})}))


@mistake(seeds=10)
def a_spectator_sees_a_pick() -> Break:
    def shown(real: Any, played: Match, viewer: Any, *rest: Any) -> bytes:
        data: bytes = real(played, viewer, *rest)
        if viewer is not None or played.terms.game.id != "grid":
            return data
        return _with_pick(data, played.state.picks[0])

    return around(visible, "shown", shown)


@mistake(seeds=10)
def an_opponent_sees_a_pick() -> Break:
    def shown(real: Any, played: Match, viewer: Any, *rest: Any) -> bytes:
        data: bytes = real(played, viewer, *rest)
        if viewer is None or played.terms.game.id != "grid":
            return data
        return _with_pick(data, played.state.picks[viewer - 1] or played.state.picks[2 - viewer])

    return around(visible, "shown", shown)


@mistake(seeds=5)
def one_event_is_missing_after_a_return() -> Break:
    return around(visible, "told", lambda real, played, seen: real(played, seen + 1))


@mistake(seeds=5)
def one_event_comes_again_after_a_return() -> Break:
    return around(visible, "told", lambda real, played, seen: real(played, max(0, seen - 1)))


@mistake(seeds=30)
def who_remembers_nothing_is_told_nothing() -> Break:
    def told_since(real: Any, world: World, session: Any, seen: dict[str, int]) -> dict[str, int]:
        since: dict[str, int] = real(world, session, seen)
        return since if seen else {code: len(world.matches[code].events) for code in since}

    return around(greeting, "told_since", told_since)


@mistake(seeds=30)
def clocks_run_while_the_server_is_down() -> Break:
    return patch.object(Pauses, "since", lambda pauses, began: 0.0)


@mistake(seeds=30)
def clocks_begin_anew_after_a_restart() -> Break:
    def restore_match(real: Any, world: World, played: Match) -> None:
        real(world, played)
        if played.deadline is not None and played.terms.clock_s is not None:
            played.deadline = world.now + played.terms.clock_s

    return around(restart, "_restore_match", restore_match)


@mistake(seeds=60)
def clocks_run_while_nothing_can_be_saved() -> Break:
    return patch.object(Pauses, "end", lambda pauses, now: 0.0)


@mistake(seeds=15)
def an_outbox_grows_for_ever() -> Break:
    return patch.object(Outbox, "_drop_slow", lambda outbox, peer: None)


@mistake(seeds=10)
def the_second_pick_is_stale() -> Break:
    def advance(real: Any, self: Match, *given: Any) -> Any:
        turn = self.turn
        events = real(self, *given)
        self.turn = turn + 1
        return events

    return around(Match, "_advance", advance)


@mistake(seeds=2)
def the_turn_does_not_advance() -> Break:
    def advance(real: Any, self: Match, *given: Any) -> Any:
        turn = self.turn
        events = real(self, *given)
        self.turn = turn
        return events

    return around(Match, "_advance", advance)


@mistake(seeds=15)
def a_rematch_keeps_the_seats() -> Break:
    return patch.object(Terms, "with_creator_first", lambda terms: replace(terms, first="guest"))


def _with_writes(change: Callable[[list[Any]], list[Any]]) -> Break:
    def step(real: Any, self: Kernel, *given: Any) -> Effects:
        effects: Effects = real(self, *given)
        effects.writes = change(effects.writes)
        return effects

    return around(Kernel, "step", step)


def _is_fourth_move(write: Any) -> bool:
    return isinstance(write, Entry) and write.kind == MOVED and write.place == 5


@mistake(seeds=5)
def an_entry_is_forgotten() -> Break:
    return _with_writes(lambda writes: [write for write in writes if not _is_fourth_move(write)])


@mistake(seeds=5)
def an_entry_is_written_twice() -> Break:
    return _with_writes(
        lambda writes: [w for write in writes for w in [write] * (1 + _is_fourth_move(write))]
    )


@mistake(seeds=20)
def the_old_connection_still_acts() -> Break:
    def close(real: Any, world: World, connection: Any, code: CloseCode, *rest: Any) -> None:
        if code is not CloseCode.REPLACED:
            real(world, connection, code, *rest)

    return around(presence, "close", close)


@mistake(seeds=10)
def chance_is_not_recorded() -> Break:
    class Forgetful(Drawn):
        def below(self, n: int) -> int:
            return self._randbelow(n)

    return patch.object(match, "Drawn", Forgetful)


@mistake(seeds=20)
def a_refused_move_leaves_a_mark() -> Break:
    def play(real: Any, self: Match, seat: Any, move: Any, move_id: int, *rest: Any) -> Any:
        self.last_ids[seat - 1] = move_id
        return real(self, seat, move, move_id, *rest)

    return around(Match, "play", play)


@mistake(seeds=10)
def a_stranger_acts_for_a_seat() -> Break:
    def seat(real: Any, world: World, code: str, session: Any) -> Any:
        try:
            return real(world, code, session)
        except Refuse:
            return find.match(world, code), 1

    def own(real: Any, world: World, code: str, session: Any) -> Match:
        return find.match(world, code)

    stack = ExitStack()
    stack.enter_context(around(find, "seat", seat))
    stack.enter_context(around(find, "own", own))
    return stack


@mistake(seeds=15)
def spectators_hear_the_chat() -> Break:
    def chat(world: World, session: Any, request: Any) -> None:
        play.chat(world, session, request)
        played = world.matches[request.match]
        tell.send_all(
            world, played.spectators, Chatted(re=None, match=played.code, seat=1, text=request.text)
        )

    return patch.dict(kernel.HANDLERS, {play.Chat: chat})


@mistake(seeds=5)
def an_absence_is_overlooked() -> Break:
    def forget(real: Any, world: World, connection: Any, **how: Any) -> None:
        if connection.session is not None:
            connection.session.seated, kept = {}, connection.session.seated
            real(world, connection, **how)
            connection.session.seated = kept
        else:
            real(world, connection, **how)

    return around(presence, "forget", forget)


@mistake(seeds=5)
def the_last_entry_is_not_replayed() -> Break:
    def restore(real: Any, self: Kernel, facts: Any, histories: Any) -> Any:
        return real(self, facts, [history[:-1] or history for history in histories])

    return around(Kernel, "restore", restore)


@mistake(seeds=10)
def a_watcher_who_returns_is_counted_twice_over() -> Break:
    def watch_again(real: Any, world: World, session: Any, code: str, seen: int) -> None:
        real(world, session, code, seen)
        if code in world.matches:
            world.matches[code].spectators[-session.id] = None

    return around(watch, "watch_again", watch_again)


@mistake(seeds=150)
def a_late_hello_voids_the_token_in_hand() -> Break:
    def rotate(sessions: Sessions, session: Any, used: str) -> str:
        token, used_hash = sessions._new_token(), hash_token(used)
        sessions._void(session, used_hash)
        session.old_hash, session.offered, session.token_hash = used_hash, (), hash_token(token)
        sessions._by_hash[session.token_hash] = session
        return token

    return patch.object(Sessions, "rotate", rotate)


@mistake(seeds=60)
def a_clock_that_was_set_back_gives_time() -> Break:
    def set_time(world: World, alive_at: float, matches: Any) -> None:
        world.pauses.add(alive_at, world.now)
        for session in world.sessions:
            session.gone_at = world.now

    return patch.object(restart, "_set_time", set_time)


@mistake(seeds=2)
def what_was_given_back_stays_counted() -> Break:
    return patch.object(Held, "discard", lambda held, item: None)


@mistake(seeds=2)
def whoever_is_away_is_counted_as_there() -> Break:
    return patch.object(remember, "set_away", lambda world, session: None)
