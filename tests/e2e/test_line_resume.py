"""Lost connections and killed processes: every seat is found again, and nothing is played twice."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from protocol.link import parse_link
from tests.e2e.line import LineClient, line_client
from tests.e2e.process import ServerProcess, serving

PROMPT = "Enter the territory number to claim: "


async def two_clients(
    stack: AsyncExitStack, home: Path, is_terminal: bool = False
) -> tuple[ServerProcess, LineClient, LineClient]:
    """A dedicated server, and Ann and Bob at a match on it, with Ann to move."""
    server = await stack.enter_async_context(serving(home / "server", "--tls"))
    flags = ("--at", f"127.0.0.1:{server.port}", "--first", "creator", "--name", "Ann")
    ann = await stack.enter_async_context(
        line_client(home / "ann", "host", "conquer", *flags, is_terminal=is_terminal)
    )
    bob = await stack.enter_async_context(
        line_client(home / "bob", "join", await ann.link(), "--name", "Bob", is_terminal=is_terminal)
    )
    await bob.until("You are Player 2.")
    await ann.until(PROMPT)
    return server, ann, bob


@pytest.mark.parametrize("is_terminal", [False, True])
async def test_both_carry_on_after_the_server_was_killed_and_started_again(
    tmp_path: Path, is_terminal: bool
) -> None:
    async with AsyncExitStack() as stack:
        server, ann, bob = await two_clients(stack, tmp_path, is_terminal)
        await ann.answer("4")
        await bob.answer("7")
        await ann.until(PROMPT)
        await server.kill()
        for client in (ann, bob):
            await client.until("Connection lost, trying again (")
        await server.start()
        for client in (ann, bob):
            await client.until("Connected again.\n")
            await client.until("Back in the match.")
        await ann.until("Available territories: 1, 2, 3, 5, 6\n")
        await ann.answer("3")
        await bob.answer("5")
        await ann.answer("2")
        for client in (ann, bob):
            await client.until("Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n")
            client.type("/quit")
            assert await client.ended() == 0


async def test_a_move_made_while_the_server_is_away_is_played_once_it_is_back(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server, ann, bob = await two_clients(stack, tmp_path)
        await server.kill()
        await ann.until("Connection lost, trying again (")
        ann.type("4")
        await server.start()
        await bob.until("Player 1 claims territory 4.\n")
        await ann.until("Player 2's turn.\n")
        assert ann.transcript.count("Player 1 claims territory 4.\n") == 1


async def test_a_client_that_was_killed_finds_its_seat_again(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, ann, bob = await two_clients(stack, tmp_path)
        ann.type("4")
        await bob.until(PROMPT)
        await bob.killed()
        await ann.until("Bob has lost the connection.")
        back = await stack.enter_async_context(line_client(tmp_path / "bob", "join", "--resume"))
        await back.until("Conquer, match ")
        await back.until("You are Player 2.\nSo far:\nPlayer 1 claims territory 4.\n")
        await back.until(PROMPT)
        await ann.until("Bob is back.")
        back.type("7")
        await ann.until("Player 2 claims territory 7.\n")
        # And once more: the token is a new one each time.
        await back.killed()
        again = await stack.enter_async_context(line_client(tmp_path / "bob", "join", "--resume"))
        await again.until("Player 1's turn.\n")


async def test_server_and_client_killed_at_once_are_no_harder(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server, ann, bob = await two_clients(stack, tmp_path)
        ann.type("4")
        await bob.until(PROMPT)
        await asyncio.gather(server.kill(), bob.killed(), ann.killed())
        await server.start()
        back = [
            await stack.enter_async_context(line_client(tmp_path / name, "join", "--resume"))
            for name in ("ann", "bob")
        ]
        await back[1].until(PROMPT)
        back[1].type("7")
        await back[0].until(PROMPT)


async def test_a_window_that_was_replaced_says_so_and_does_not_fight(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, ann, bob = await two_clients(stack, tmp_path)
        ann.type("4")
        await bob.until(PROMPT)
        other = await stack.enter_async_context(line_client(tmp_path / "bob", "join", "--resume"))
        await other.until(PROMPT)
        assert await bob.ended() == 1
        assert bob.errors.startswith("conquest: You connected again from elsewhere")


async def test_a_host_that_was_killed_starts_again_and_the_guest_carries_on(tmp_path: Path) -> None:
    flags = ("--bind", "127.0.0.1", "--port", "0", "--first", "creator", "--name", "Ann")
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "conquer", *flags))
        bob = await stack.enter_async_context(
            line_client(tmp_path / "bob", "join", await ann.link(), "--name", "Bob")
        )
        await ann.until(PROMPT)
        ann.type("4")
        await bob.until(PROMPT)
        await ann.killed()
        await bob.until("Connection lost, trying again (")
        back = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "--resume"))
        await back.until("So far:\nPlayer 1 claims territory 4.\n")
        await bob.until("Connected again.\n")
        bob.type("7")
        await back.until(PROMPT)


@pytest.mark.parametrize(("player", "command"), [("ann", "host"), ("bob", "host"), ("bob", "join")])
async def test_a_match_on_a_server_elsewhere_is_gone_back_to_by_either_command(
    tmp_path: Path, player: str, command: str
) -> None:
    async with AsyncExitStack() as stack:
        _, ann, bob = await two_clients(stack, tmp_path)
        await {"ann": ann, "bob": bob}[player].killed()
        back = await stack.enter_async_context(line_client(tmp_path / player, command, "--resume"))
        await back.until("Player 1's turn.\n")


async def test_a_hosted_match_is_gone_back_to_by_either_command_and_by_its_code(tmp_path: Path) -> None:
    flags = ("--bind", "127.0.0.1", "--port", "0", "--first", "creator", "--name", "Ann")
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "conquer", *flags))
        link = await ann.link()
        code = (parse_link(link).code or "").lower()
        bob = await stack.enter_async_context(line_client(tmp_path / "bob", "join", link, "--name", "Bob"))
        await ann.until(PROMPT)
        await ann.killed()
        for arguments in (("join", "--resume"), ("host", "--resume", code[:4], code[4:])):
            back = await stack.enter_async_context(line_client(tmp_path / "ann", *arguments))
            await back.until(PROMPT)
            await bob.until("Connected again.\n")
            await back.killed()


@pytest.mark.parametrize("arguments", [(), ("host",)])
async def test_the_menu_and_the_choice_of_a_game_offer_the_way_back(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        _, _, bob = await two_clients(stack, tmp_path)
        await bob.killed()
        back = await stack.enter_async_context(line_client(tmp_path / "bob", *arguments))
        await back.until("0. Go back to your match (Conquer, ")
        await back.until("\n1. ")
        await back.until("Enter a number from 0 to ")
        back.type("0")
        await back.until("Player 1's turn.\n")


@pytest.mark.parametrize("is_by_link", [False, True])
async def test_who_goes_back_is_not_asked_for_a_name(tmp_path: Path, is_by_link: bool) -> None:
    async with AsyncExitStack() as stack:
        _, _, bob = await two_clients(stack, tmp_path)
        await bob.killed()
        way = bob.arguments[1] if is_by_link else "--resume"
        back = await stack.enter_async_context(line_client(tmp_path / "bob", "join", way, is_terminal=True))
        await back.until("Player 2 is Bob. You are Player 2.")
        assert "Your name" not in back.transcript


async def test_a_guest_that_was_killed_comes_back_by_the_link(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, ann, bob = await two_clients(stack, tmp_path)
        link = bob.arguments[1]
        await bob.killed()
        await ann.until("Bob has lost the connection.")
        back = await stack.enter_async_context(line_client(tmp_path / "bob", "join", link))
        await back.until("You are Player 2.")
        await ann.until("Bob is back.")


async def test_two_windows_of_one_person_can_still_play_each_other(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(tmp_path / "server"))
        at = ("--at", f"127.0.0.1:{server.port}")
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "conquer", *at))
        other = await stack.enter_async_context(line_client(tmp_path / "ann", "join", await ann.link()))
        await other.until("You are Player ")
        await ann.until("You are Player ")


@pytest.mark.parametrize("moves", [(), ("4", "7", "3", "5", "2")])
async def test_who_comes_back_to_a_match_that_is_over_sees_its_end(
    tmp_path: Path, moves: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        _, ann, bob = await two_clients(stack, tmp_path)
        ann.type(*moves[::2])
        bob.type(*moves[1::2])
        if not moves:
            bob.type("/resign")
        await ann.until("Score: ")
        await bob.until("Score: ")
        await ann.killed()
        back = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "--resume"))
        said = await back.until("/rematch plays again")
        assert "Territories (" in said
        assert "Player 1 wins!\n" in said if moves else "You win!\n" in said
        assert "Score: You 1, Bob 0.\n" in said
        assert "turn." not in said
