"""From what is wanted to a match: each thing that can be wanted is carried out by the file named after it.

What is not needed is not imported: a player who joins needs no server.
"""

from client.flow.person import Person
from client.flow.wanted import GoBack, Host, HostAt, JoinAt, PlayHere, PlayTwo, Wanted, WatchAt


async def carry_out(person: Person, wanted: Wanted) -> None:
    """Bring a player to the match that is wanted, and stay until it is left; nothing may be open any more."""
    match wanted:
        case PlayHere():
            from client.flow.play import play

            await play(person, wanted)
        case PlayTwo():
            from client.flow.two import play_two

            await play_two(person, wanted)
        case Host():
            from client.flow.host import host

            await host(person, wanted)
        case HostAt():
            from client.flow.host import host_elsewhere

            await host_elsewhere(person, wanted)
        case JoinAt(place=place) if place is not None:
            from client.flow.join import join

            await join(person, place)
        case JoinAt(code=code) if code is not None:
            from client.flow.join import join_by_code

            await join_by_code(person, code)
        case WatchAt(place=place) if place is not None:
            from client.flow.watch import watch

            await watch(person, place)
        case WatchAt(code=code) if code is not None:
            from client.flow.join import located
            from client.flow.watch import watch

            await watch(person, await located(person, code))
        case GoBack():
            from client.flow.back import go_back

            await go_back(person, wanted)
        case _:
            raise ValueError(f"It is still open what is wanted: {wanted}")
