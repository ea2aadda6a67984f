"""Bots at the command line, with real processes: the arena, a bot of one's own, hints and reviews."""

import re
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.e2e.line import ROOT, LineClient, line_client

EXAMPLE = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "bots.md").read_text(), re.DOTALL)[0]
"""The bot of the documentation, which plays Galaxy Conquest."""
CLAIMER = """
class Claimer:
    def choose(self, view, choices):
        return {"kind": "claim", "territory": choices[0].values["territory"][0]}
"""
BROKEN = CLAIMER.replace('"territory"][0]', '"planet"][0]')
ENDLESS = """
class Thinker:
    def choose(self, view, choices):
        while True:
            pass
"""
CHEAT = CLAIMER.replace('choices[0].values["territory"][0]', "9")
HERE = ("--bind", "127.0.0.1", "--port", "0")
CLAIM = "Enter the territory number to claim: "


async def conquest(home: Path, *arguments: str) -> tuple[int, str, str]:
    """Run a command that takes no input to its end."""
    async with line_client(home, *arguments) as client:
        client.end_input()
        code = await client.ended()
        return code, client.transcript, client.errors


def bot_file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.py"
    path.write_text(text)
    return str(path)


async def test_levels_meet_in_the_arena(tmp_path: Path) -> None:
    code, out, err = await conquest(tmp_path, "arena", "easy", "perfect", "conquer", "-n", "20")
    assert (code, err) == (0, "")
    title, _, easy, perfect, _ = out.splitlines()
    assert title == "Conquer: 20 matches, seats alternating"
    # As Player 1 the perfect one cannot lose.
    assert perfect.split()[0] == "perfect"
    assert perfect.split()[-4:-2] == ["100.0", "%"]
    assert easy.split()[-2:] == ["0.0", "%"]


async def test_the_documented_bot_plays_in_the_arena(tmp_path: Path) -> None:
    file = bot_file(tmp_path, EXAMPLE)
    code, out, err = await conquest(tmp_path, "arena", file, "easy", "galaxy", "-n", "10")
    assert (code, err) == (0, "")
    assert "\nmine.py " in out


async def hosted_for(stack: AsyncExitStack, home: Path, game: str, *more: str) -> tuple[LineClient, str]:
    arguments = ("host", game, *HERE, "--name", "Ann", *more)
    ann = await stack.enter_async_context(line_client(home / "ann", *arguments))
    return ann, await ann.link()


async def test_the_documented_bot_plays_a_person_over_the_network_and_leaves_after_them(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as stack:
        ann, link = await hosted_for(stack, tmp_path, "galaxy", "--first", "guest")
        bot = await stack.enter_async_context(
            line_client(tmp_path / "bot", "bot", bot_file(tmp_path, EXAMPLE), "--join", link, "--no-delay")
        )
        await ann.until("Player 1 is mine, Player 2 is Ann.")
        # The bot takes planet 7 with ship 7, then 6 with 6, 5 with 5 and 4 with 4.
        await ann.answer("3", "1", "3", "2", "2", "3")
        await ann.until("Player 1 wins the game by conquering four planets!")
        ann.type("/rematch")
        await ann.until("Player 1 is Ann, Player 2 is mine.")
        ann.type("/resign", "/quit")
        assert await ann.ended() == 0
        assert await bot.ended() == 0
        assert bot.errors == ""
        assert "Player 1 attacks Planet 7 with Ship 7." in bot.transcript


async def test_a_bot_can_open_the_match_and_the_computer_can_join_it(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        file = bot_file(tmp_path, CLAIMER)
        host = await stack.enter_async_context(
            line_client(
                tmp_path / "host", "bot", file, "--host", "conquer", *HERE, "--no-delay", "--first", "guest"
            )
        )
        link = await host.link()
        guest = await stack.enter_async_context(
            line_client(tmp_path / "guest", "bot", "perfect", "--join", link, "--no-delay")
        )
        for client in (host, guest):
            await client.until("Player 1 is Computer, Player 2 is mine.")
            await client.until("Player 1 wins")
            await client.until("The bot stays 60 seconds for a rematch")
        guest.type("/quit")
        assert await guest.ended() == 0
        assert await host.ended() == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BROKEN, "conquest: mine.py raised KeyError: 'planet'\nTraceback (most recent call last):\n"),
        (
            CHEAT,
            "conquest: mine.py, as Player 1, answered {'kind': 'claim', 'territory': 9}, which is not legal.",
        ),
    ],
)
async def test_a_bot_that_does_wrong_resigns_and_its_author_is_told(
    tmp_path: Path, text: str, told: str
) -> None:
    async with AsyncExitStack() as stack:
        ann, link = await hosted_for(stack, tmp_path, "conquer", "--first", "guest")
        code, _, errors = await conquest(
            tmp_path / "bot", "bot", bot_file(tmp_path, text), "--join", link, "--no-delay"
        )
        assert code == 1
        assert errors.startswith(told)
        assert str(ROOT) not in errors
        await ann.until("mine resigned. You win!")


@pytest.mark.parametrize("typed", [("ZZZZ-ZZZZ",), ("zzzz", "zzzz")])
async def test_a_match_that_is_not_there_is_a_sentence(tmp_path: Path, typed: tuple[str, ...]) -> None:
    async with AsyncExitStack() as stack:
        _, link = await hosted_for(stack, tmp_path, "conquer")
        place = link.partition("://")[2].partition("/")[0]
        code, _, errors = await conquest(tmp_path / "bot", "bot", "easy", "--join", place, *typed)
        assert (code, errors) == (
            1,
            "conquest: There is no match with that code; check it with your friend.\n",
        )


async def test_one_can_play_against_a_bot_of_ones_own(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        arguments = (
            "play",
            "conquer",
            "--bot",
            bot_file(tmp_path, CLAIMER),
            "--first",
            "creator",
            "--name",
            "Ann",
        )
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", *arguments))
        await ann.until("Player 1 is Ann, Player 2 is mine.")
        await ann.answer("4", "3", "5")
        await ann.until("Player 1 wins")
        ann.type("/quit")
        assert await ann.ended() == 0


async def test_hints_and_reviews_in_a_game_with_the_computer_and_of_its_record(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    async with AsyncExitStack() as stack:
        arguments = ("play", "conquer", "--bot", "easy", "--first", "creator", "--name", "Ann")
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", *arguments))
        await ann.until("Hints are on: /hint says what to play.")
        await ann.until(CLAIM)
        ann.type("/hint")
        assert re.search(r"Claim .*: wins in \d moves whatever they do\.", await ann.until(CLAIM))
        ann.type("4", "/resign", "/review", f"/save {record}", "/quit")
        assert await ann.ended() == 0
        assert "Your chance to win, from the first move to the last:\n" in ann.transcript
        assert "You: gave up cost" in ann.transcript
    code, out, err = await conquest(tmp_path / "ann", "review", str(record), "--ascii")
    assert (code, err) == (0, "")
    assert out.isascii()
    assert re.search(r"^    1\. You: claim territory 4 +100 %  100 %$", out, re.MULTILINE)
    in_match = ann.transcript.partition("The greatest mistakes:\n")[2].splitlines()[0]
    assert in_match in out


async def test_hints_are_off_against_people_unless_both_can_see_them(tmp_path: Path) -> None:
    for flags, answer in (((), "played without hints"), (("--hints",), "Claim any territory")):
        async with AsyncExitStack() as stack:
            home = tmp_path / str(len(flags))
            ann, link = await hosted_for(stack, home, "conquer", "--first", "creator", *flags)
            bob = await stack.enter_async_context(line_client(home / "bob", "join", link, "--name", "Bob"))
            await bob.until("You are Player 2.")
            await ann.until(CLAIM)
            ann.type("/hint")
            await ann.until(answer)
            for client in (ann, bob):
                assert ("Hints are on" in client.transcript) is bool(flags)


async def test_a_damaged_record_is_one_sentence(tmp_path: Path) -> None:
    code, out, err = await conquest(tmp_path, "review", str(ROOT / "pyproject.toml"))
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert "The file is not the record of a match" in err


async def test_a_bot_that_never_stops_thinking_can_be_ended(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        _, link = await hosted_for(stack, tmp_path, "conquer", "--first", "guest")
        bot = await stack.enter_async_context(
            line_client(tmp_path / "bot", "bot", bot_file(tmp_path, ENDLESS), "--join", link, "--no-delay")
        )
        await bot.until("Player 1's turn.")
        bot.signal(signal.SIGINT)
        assert await bot.ended() in (0, 1)
        assert bot.errors == ""
