"""What goes wrong in a world, and when: planned from its seed, before anything happens."""

from collections.abc import Callable
from typing import Any


def plan(world: Any) -> None:
    """Put a world's troubles on its agenda."""
    random = world.random
    world.host.is_rough = random.random() < 0.7
    kinds = random.sample(FAULTS, k=random.randint(0, len(FAULTS)))
    for _ in range(random.choice((0, 1, 3, 8)) if kinds else 0):
        world.agenda.after(random.uniform(0.2, 12.0), _strike, world, random.choice(kinds))


def _strike(world: Any, trouble: Callable[[Any], None]) -> None:
    if not world.is_peaceful:
        world.note(trouble.__name__)
        trouble(world)


def crash(world: Any) -> None:
    """Cut the power, and start the server again soon."""
    world.host.crash()
    down_s = world.random.choice((0.0, 0.1, 1.0, 7.0))
    if world.random.random() < 0.3:
        world.host.clock.wrong_s += world.random.choice((3600.0, 30.0, 5.0, -5.0, -30.0, -3600.0))
    world.agenda.after(down_s, _start, world)


def _start(world: Any) -> None:
    if world.host.server is None:
        world.note("start")
        world.host.start()


def crash_twice(world: Any) -> None:
    """Cut the power, and again as soon as the server runs."""
    crash(world)
    world.agenda.after(world.random.uniform(0.0, 1.5), crash, world)


def break_disk(world: Any) -> None:
    """Let the disk be full for a while."""
    world.disk.is_broken = True
    world.agenda.after(world.random.choice((0.1, 0.6, 3.0)), _repair, world)


def _repair(world: Any) -> None:
    world.disk.is_broken = False


def fail_disk(world: Any) -> None:
    """Let the next few operations of the disk fail, each once."""
    world.disk.fail_next(world.random.choice((1, 1, 2, 5)))


def slow_disk(world: Any) -> None:
    """Let the disk be slow for a while."""
    world.disk.latency_s = world.random.choice((0.05, 0.5, 2.0))
    world.agenda.after(world.random.uniform(0.5, 4.0), _hasten, world)


def _hasten(world: Any) -> None:
    world.disk.latency_s = 0.002


def reset(world: Any) -> None:
    """Tear a connection down."""
    if world.host.links:
        world.random.choice(world.host.links).reset()


def reset_all(world: Any) -> None:
    """Tear all connections down."""
    for link in list(world.host.links):
        link.reset()


def stall(world: Any) -> None:
    """Hold up what some connections carry."""
    for link in world.host.links:
        if world.random.random() < 0.6:
            link.stall(world.random.choice((0.5, 2.0, 8.0)))


def half_close(world: Any) -> None:
    """Let a client close its half of a connection."""
    if world.host.links:
        world.random.choice(world.host.links).finish()


def abandon(world: Any) -> None:
    """Let a client give up a connection and come back, while the old one's bytes are still on their way."""
    player = world.random.choice(world.players)
    if player.link is not None:
        player.link.stall(world.random.uniform(0.0, 2.0))
        for request in list(player.pending.values()):
            # A frame says that the welcome has arrived, so none may be sent before it has.
            if player.is_welcomed:
                player.post(request)
        player.drop(is_quiet=True)


def greet_twice(world: Any) -> None:
    """Let a client say hello on two connections at once, the first of which is slower."""
    player = world.random.choice(world.players)
    player.drop()
    player.connect()
    if player.link is not None:
        player.link.stall(world.random.uniform(0.0, 1.0))
        player.drop(is_quiet=True)


def repeat(world: Any) -> None:
    """Let a client send once more what it waits for an answer to."""
    for player in world.players:
        for request in list(player.pending.values()):
            if player.is_welcomed:
                player.post(request)


def sleep(world: Any) -> None:
    """Put the machine to sleep; its clock may stand still meanwhile."""
    slept_s = world.random.choice((1.0, 7.0, 40.0))
    world.agenda.now += slept_s
    if world.random.random() < 0.5:
        world.host.clock.slept_s += slept_s


def forget(world: Any) -> None:
    """Let a client be killed and started again: of all that it knew it has the token."""
    world.random.choice(world.players).restart()


def die(world: Any) -> None:
    """Let a player go for good."""
    player = world.random.choice(world.players)
    player.drop()
    player.is_gone = True


FAULTS: tuple[Callable[[Any], None], ...] = (
    crash,
    crash,
    crash_twice,
    break_disk,
    break_disk,
    fail_disk,
    slow_disk,
    reset,
    reset_all,
    stall,
    half_close,
    abandon,
    abandon,
    greet_twice,
    greet_twice,
    repeat,
    sleep,
    forget,
    die,
)
