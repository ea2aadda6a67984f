"""Line mode: what is typed with a slash."""

from pathlib import Path

import pytest

from client.core.seat import Arrival
from client.net.session import Session
from protocol.client_frame import CallOff, Chat, Claim, Export, Rematch, Resign, Watch
from protocol.refusal import RefusalCode
from protocol.server_frame import Offered, Refused, Told
from tests.client.frames import CODE, claimed, ended, seated, shown, welcome
from tests.client.line.line_mode import PROMPT, exported, line_mode, playing

AFTER_WATCHING = (
    "You will see the next match of these two, if there is one;"
    " /review looks back, /save keeps the record, /quit leaves.\n> "
)


@pytest.mark.parametrize(
    ("command", "kind"), [("/claim", Claim), ("/calloff", CallOff), ("/resign", Resign), ("/save x", Export)]
)
async def test_commands_become_requests(command: str, kind: type) -> None:
    async with playing() as made:
        await made.type(command)
        assert made.line.wire.last(kind).match == CODE


async def test_resigning_at_a_terminal_asks_first() -> None:
    async with playing(is_terminal=True) as made:
        assert await made.type("/resign") == "Resign the match? (y/n) "
        assert await made.type("n") == PROMPT
        assert made.line.wire.count(Resign) == 0
        await made.type("/resign")
        await made.type("y")
        assert made.line.wire.count(Resign) == 1


@pytest.mark.parametrize("agree", [True, False])
@pytest.mark.parametrize("offer", ["calloff", "rematch"])
async def test_an_offer_can_be_accepted_or_declined(offer: str, agree: bool) -> None:
    async with playing() as made:
        if offer == "rematch":
            await made.hear(ended())
        await made.hear(Offered(re=None, match=CODE, offer=offer, seat=2, standing=True))  # type: ignore[arg-type]
        await made.type("/accept" if agree else "/decline")
        asked = made.line.wire.last(CallOff if offer == "calloff" else Rematch)
        assert asked.agree is agree


async def test_there_must_be_an_offer_to_answer() -> None:
    async with playing() as made:
        assert await made.type("/accept") == f"/accept\nThere is no offer to answer.\n{PROMPT}"
        await made.hear(Offered(re=None, match=CODE, offer="calloff", seat=1, standing=True))
        assert "There is no offer to answer.\n" in await made.type("/accept")
        await made.type("/decline")
        assert made.line.wire.last(CallOff).agree is False


async def test_the_board_the_moves_the_rules_and_help_can_be_seen_at_any_prompt() -> None:
    async with playing() as made:
        assert "[7] --" in await made.type("/board")
        assert "claim territory 7\n" in await made.type("/moves")
        assert "Conquer" in await made.type("/rules")
        assert "/resign   give up\n" in await made.type("/help")
        text = await made.type("/bord")
        assert text == f"/bord\nThere is no command /bord. Did you mean 'board'? /help lists all.\n{PROMPT}"


async def test_unfit_chat_is_not_sent() -> None:
    async with playing() as made:
        assert "A message can hold letters" in await made.type("/chat \x1b[2J")
        assert "A message is 1 to 200 characters long." in await made.type("/chat")
        assert made.line.wire.count(Chat) == 0


async def test_a_record_is_fetched_once_and_saved_over_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "match.jsonl"
    async with playing() as made:
        await made.hear(ended())
        await made.type("/save match.jsonl")
        text = await made.hear(exported(made.line.wire.last(Export).id))
        again = f"Look at it again with: conquest replay {path}, or: conquest review {path}"
        assert text == f"Saved as {path}. {again}\n> "
        assert len(path.read_text().splitlines()) == 2
        text = await made.type(f"/save {path}")
        assert text.endswith(f"\n{path} exists already; give another name: /save FILE\n> ")
        text = await made.type(f"/save {tmp_path / 'no' / 'folder'}")
        assert "cannot be written: No such file or directory." in text
        text = await made.type("/save")
        (kept,) = (tmp_path / "home" / "history").iterdir()
        assert text.endswith(f"\nSaved as {kept}. Look at it again with: conquest history\n> ")
        assert made.line.wire.count(Export) == 1
        assert await made.hear(exported(1)) == ""


async def test_a_spectator_sees_both_and_may_only_look() -> None:
    def watching(session: Session) -> Arrival:
        return Arrival(request=session.send(Watch, match=CODE))

    told = Told(match=CODE, first_event=0, events=(claimed(1, 4),))
    async with line_mode(begin=watching) as made:
        text = await made.hear(
            welcome(), seated(re=made.request, seat=0), told, shown((4,), viewer=0, events=(), first_event=1)
        )
        assert "You are watching.\nSo far:\nPlayer 1 claims territory 4.\n" in text
        watching = "/help lists what you can type while you watch; /quit leaves.\n"
        assert text.endswith(f"\nPlayer 2's turn.\n\n{watching}")
        assert await made.type("/resign") == "You are watching; only the players can do that.\n"
        told = await made.type("/help")
        assert [line.split()[0] for line in told.splitlines()] == [
            "/help",
            "/board",
            "/clock",
            "/rules",
            "/review",
            "/save",
            "/quit",
        ]
        text = await made.hear(shown((4, 7), viewer=0))
        assert text == "Player 2 claims territory 7.\n\nPlayer 1's turn.\n"
        text = await made.hear(ended(2, "resigned"))
        assert text.endswith(AFTER_WATCHING)
        rematches = made.line.wire.count(Rematch)
        assert await made.type("y") == ("y\n/help lists what you can type while you watch; /quit leaves.\n> ")
        assert made.line.wire.count(Rematch) == rematches == 0
        await made.type("/review")
        assert made.line.wire.count(Export) == 1
        await made.hear(
            Refused(re=made.line.wire.last(Export).id, code=RefusalCode.NO_SUCH_MATCH, text="No.")
        )
        await made.type("/save")
        assert made.line.wire.count(Export) == 2
        await made.hear(
            Refused(re=made.line.wire.last(Export).id, code=RefusalCode.NO_SUCH_MATCH, text="No.")
        )
        await made.type("/quit")
        await made.ended()


async def test_the_clock_can_be_looked_at() -> None:
    async with line_mode() as made:
        await made.hear(welcome(), seated(re=made.request, clock_s=90), shown(left_ms=90_000))
        await made.line.time.let_pass(15)
        assert f"You have 75 seconds.\n{PROMPT}" in await made.type("/clock")
        assert f"[7] --\nYou have 75 seconds.\n{PROMPT}" in await made.type("/board")
        await made.type("4")
        await made.hear(shown((4,), re=made.played().id, left_ms=35_000))
        await made.line.time.let_pass(15)
        assert made.tty.take() == ""
        assert await made.type("/clock") == "Bob has 20 seconds.\n"
    async with playing() as made:
        assert f"This match has no clock.\n{PROMPT}" in await made.type("/clock")
