"""What people and scripts do to a line client: end their input, press Ctrl-C, close their end, look away."""

import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from tests.e2e.line import ROOT, LineClient, line_client, shell

PROMPT = "Enter the territory number to claim: "
HOST = ("host", "conquer", "--bind", "127.0.0.1", "--port", "0", "--first", "creator", "--name", "Ann")
HOSTILE_NAME = "[b]Bob[/b]"
HOSTILE_CHAT = "[red]<b>%s {0}[/red]"


async def two_clients(
    stack: AsyncExitStack,
    home: Path,
    is_terminal: bool = False,
    name: str = "Bob",
    host: tuple[str, ...] = HOST,
) -> tuple[LineClient, LineClient]:
    """Ann hosts and Bob joins."""
    ann = await stack.enter_async_context(line_client(home / "ann", *host, is_terminal=is_terminal))
    arguments = ("join", await ann.link(), "--name", name)
    bob = await stack.enter_async_context(line_client(home / "bob", *arguments, is_terminal=is_terminal))
    await bob.until("You are Player 2.")
    await ann.until("You are Player 1.")
    return ann, bob


async def test_the_end_of_input_keeps_the_seat_and_says_the_way_back(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann, bob = await two_clients(stack, tmp_path)
        bob.end_input()
        await ann.until(PROMPT)
        ann.type("4")
        assert await bob.ended() == 0
        assert bob.transcript.endswith("Your seat is kept. The way back: conquest join --resume\n")
        await ann.until("Bob has left. The seat is kept")


async def test_a_game_with_the_computer_that_runs_out_of_input_has_failed(tmp_path: Path) -> None:
    async with line_client(tmp_path, "play", "conquer", "--first", "creator", "--name", "Ann") as ann:
        ann.type("4")
        ann.end_input()
        assert await ann.ended() == 1
        assert ann.transcript.endswith("The game with the computer ends here.\n")
        assert ann.errors == "conquest: The input ended before the game did.\n"


async def test_who_leaves_a_game_with_the_computer_has_not_failed(tmp_path: Path) -> None:
    async with line_client(tmp_path, "play", "conquer", "--first", "creator", "--name", "Ann") as ann:
        ann.type("4", "/quit")
        ann.end_input()
        assert await ann.ended() == 0
        assert ann.errors == ""


async def test_ctrl_d_at_a_terminal_leaves_at_once(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, bob = await two_clients(stack, tmp_path, is_terminal=True)
        await bob.until("Player 1's turn.\n")
        bob.press("\x04")
        assert await bob.ended() == 0
        assert "The way back: conquest join --resume\n" in bob.transcript


async def test_ctrl_c_asks_once_and_leaves_the_second_time(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann, _ = await two_clients(stack, tmp_path, is_terminal=True)
        await ann.until(PROMPT)
        ann.press("\x03")
        await ann.until("Press Ctrl-C again to leave")
        await ann.until(PROMPT)
        ann.type("4")
        await ann.until("Player 2's turn.\n")
        ann.press("\x03")
        await ann.until("Press Ctrl-C again to leave")
        ann.press("\x03")
        assert await ann.ended() == 0
        assert "The way back: conquest host --resume\n" in ann.transcript


async def test_being_terminated_leaves_politely(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, bob = await two_clients(stack, tmp_path)
        bob.signal(signal.SIGTERM)
        assert await bob.ended() == 0
        assert bob.transcript.endswith("The way back: conquest join --resume\n")
        assert bob.errors == ""


async def test_a_host_who_is_terminated_while_waiting_keeps_the_open_match(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", *HOST))
        link = await ann.link()
        await ann.until("Waiting for your friend")
        ann.signal(signal.SIGTERM)
        assert await ann.ended() == 0
        assert ann.transcript.endswith("The way back: conquest host --resume\n")
        back = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "--resume"))
        assert await back.link() == link
        bob = await stack.enter_async_context(line_client(tmp_path / "bob", "join", link))
        await bob.until("You are Player 2.")


async def test_one_interrupt_ends_a_menu_in_a_pipe_that_waits_for_a_friend(tmp_path: Path) -> None:
    async with line_client(tmp_path) as ann:
        ann.type("4", "3", "2", "1", "2", "1")
        await ann.until("Waiting for your friend")
        ann.signal(signal.SIGINT)
        assert await ann.ended() == 0
        assert ann.transcript.count("Waiting for your friend") == 1
        assert ann.errors == ""


async def test_ctrl_c_in_the_menu_is_no_traceback(tmp_path: Path) -> None:
    async with line_client(tmp_path, "--name", "Ann", is_terminal=True) as ann:
        await ann.until("Enter a number from 1 to 7: ")
        ann.press("\x03")
        assert await ann.ended() == 0
        assert "Traceback" not in ann.transcript


async def test_ctrl_c_while_looking_around_ends_it(tmp_path: Path) -> None:
    async with line_client(tmp_path, "join", "--name", "Ann", is_terminal=True) as ann:
        await ann.until("Looking for matches on this network…\n")
        ann.press("\x03")
        assert await ann.ended() == 1
        assert "Traceback" not in ann.transcript


async def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    script = (
        "exec 3>&1; yes | ("
        '"$PYTHON" -m client.command.main play conquer --name Ann 2>&3; echo code $? >&3'
        ") | head -c 10 >/dev/null"
    )
    process = await asyncio.create_subprocess_shell(
        script,
        cwd=ROOT,
        env={**os.environ, "CONQUEST_HOME": str(tmp_path), "PYTHON": sys.executable},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert output.decode().splitlines() == ["code 1"]


async def test_what_is_being_typed_survives_news(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann, bob = await two_clients(stack, tmp_path, is_terminal=True)
        await ann.until(PROMPT)
        ann.press("/chat half a sen")
        bob.type("/chat hello")
        await ann.until(f"Bob: hello\n{PROMPT}")
        ann.press("tence\n")
        await bob.until("Ann: half a sentence\n")


async def test_hidden_picks_are_not_on_the_screen(tmp_path: Path) -> None:
    host = (*HOST[:1], "grid", *HOST[2:], "--hide-picks")
    async with AsyncExitStack() as stack:
        ann, bob = await two_clients(stack, tmp_path, is_terminal=True, host=host)
        await ann.answer("claim", "5")
        await bob.answer("claim", "1")
        await ann.answer("challenge", "1")
        prompt = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: "
        await ann.until(prompt)
        ann.type("4")
        said = await ann.until("You have selected a challenge number.\n")
        assert said == "\nYou have selected a challenge number.\n"
        await bob.answer("3")
        # What is typed afterwards can be seen again.
        await ann.until("It's Player 2's turn.\n")
        ann.type("/moves")
        await ann.until("/moves\n")


async def test_a_hidden_pick_stays_hidden_over_ctrl_z_and_fg(tmp_path: Path) -> None:
    host = (
        sys.executable,
        "-m",
        "client.command.main",
        HOST[0],
        "grid",
        *HOST[2:],
        "--hide-picks",
        "--plain",
    )
    async with shell(tmp_path / "ann") as ann:
        ann.type(" ".join(host))
        async with line_client(tmp_path / "bob", "join", await ann.link(), "--name", "Bob") as bob:
            await ann.answer("claim 5")
            await bob.answer("claim 1")
            await ann.answer("challenge 1")
            prompt = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: "
            await ann.until(prompt)
            for _ in range(2):
                ann.press("\x1a")
                await ann.until("Stopped")
                await ann.until("ready> ")
                ann.type("fg")
                await ann.until(prompt)
            ann.type("4")
            said = await ann.until("You have selected a challenge number.\n")
            assert said == "\nYou have selected a challenge number.\n"
            await bob.answer("3")
            await ann.until("You win the challenge")


async def test_a_name_and_chat_full_of_markup_arrive_as_they_are(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann, bob = await two_clients(stack, tmp_path, name=HOSTILE_NAME)
        assert f"Player 2 is {HOSTILE_NAME}." in ann.transcript
        bob.type(f"/chat {HOSTILE_CHAT}")
        await ann.until(f"{HOSTILE_NAME}: {HOSTILE_CHAT}\n")


async def test_a_name_that_would_steer_a_terminal_is_refused_at_home(tmp_path: Path) -> None:
    async with line_client(tmp_path, "play", "conquer", "--name", "Bob\x1b[2J") as bob:
        assert await bob.ended() == 2
        assert bob.errors == "conquest: A name can hold letters, digits, signs and spaces only.\n"


async def test_a_script_that_quits_behind_the_last_move_sees_the_end(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann, bob = await two_clients(stack, tmp_path)
        ann.type("4", "3", "2", "/quit")
        bob.type("7", "5")
        bob.end_input()
        for client in (ann, bob):
            assert await client.ended() == 0
            assert "Player 1 wins!\n" in client.transcript
            assert "The way back" not in client.transcript
        assert "Score: You 1, Bob 0.\n" in ann.transcript
        assert "Score: You 0, Ann 1.\n" in bob.transcript


async def test_a_script_plays_the_computer_to_the_end(tmp_path: Path) -> None:
    async with line_client(tmp_path, "play", "duel", "--bot", "easy", "--name", "Ann") as ann:
        ann.type(*["attack"] * 40, "/quit")
        ann.end_input()
        assert await ann.ended() == 0
        assert "Wins the game.\n" in ann.transcript
        assert ann.errors == ""


async def test_who_watches_is_told_so_from_the_start_and_keeps_the_record(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", *HOST))
        link = await ann.link()
        eve = await stack.enter_async_context(line_client(tmp_path / "eve", "watch", link, "--name", "Eve"))
        await eve.until("You are watching a match that has not begun yet. /quit leaves.\n")
        bob = await stack.enter_async_context(line_client(tmp_path / "bob", "join", link, "--name", "Bob"))
        await eve.until("You are watching.\n")
        await eve.until("Player 1's turn.\n\n/help lists what you can type while you watch; /quit leaves.\n")
        await ann.answer("4")
        await bob.until(PROMPT)
        bob.type("/resign")
        await eve.until("Ann wins!\n")
        record = tmp_path / "match.jsonl"
        eve.type(f"/save {record}", "/review")
        await eve.until(f"Saved as {record}. Look at it again with: conquest replay {record}")
        await eve.until("Nobody made a mistake.\n")
