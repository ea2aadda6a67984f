"""Looking at a finished match again in full screen: every step on its board, the course, what was better."""

import random

import pytest

from client.core.record import Header, Record, dump
from client.core.step import Step
from client.flow.wanted import ShowAgain
from client.tui.dialog import Sentence
from client.tui.graph import Graph
from client.tui.replay import ReplayPage
from protocol.catalogue import TITLES
from protocol.choice import spelled_out
from protocol.games import parse_move
from protocol.outcome import RESIGNED, Outcome
from protocol.server_frame import Turned
from server.games import GAMES
from server.games.chance import Drawn
from tests.client.core.test_record import HEADER, record
from tests.client.tui.application import LARGE, SMALL, new_app, page, text_of, until

MISTAKE = record(1, 4, 7, 3, header=HEADER.model_copy(update={"seat": 2}))
"""A match of Conquer in which Player 1's second move, the third of all, gave everything away."""


def random_match(game, most=12):
    """Make the record of a match of moves drawn by lot, which was given up if it was not over."""
    rules, luck, drawn = GAMES[game], random.Random(3), []
    chance = Drawn(lambda count: drawn.append(luck.randrange(count)) or drawn[-1])
    state, _ = rules.setup(rules.agree({}), chance)
    dealt, turns = tuple(drawn), []
    while rules.to_act(state) and len(turns) < most:
        drawn.clear()
        seat = min(rules.to_act(state))
        move = luck.choice(list(spelled_out(rules.legal_moves(state, seat))))
        state, _ = rules.apply(state, seat, parse_move(game, move), chance)
        turns.append(Turned(seat=seat, move=move, chance=tuple(drawn), at=len(turns)))
    outcome = rules.outcome(state) or Outcome(winner=1, reason=RESIGNED)
    fields = {"match": "7K3M9QXZ", "game": game, "options": rules.agree({}), "names": ("Ann", "Bob")}
    return Record(Header(**fields, chance=dealt, outcome=outcome, seat=1), tuple(turns))


async def showing(pilot, match, is_review=False):
    """Open the page of a match; wait for the review if there is to be one."""
    pilot.app.show_again(match, is_review)
    shown = await until(pilot, lambda: page(pilot.app, ReplayPage))
    if is_review:
        await until(pilot, lambda: not shown.is_working)
    await pilot.pause()
    return shown


@pytest.mark.parametrize("game", TITLES)
async def test_every_step_of_every_game_is_shown_and_what_was_better(tmp_path, game):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        shown = await showing(pilot, random_match(game), is_review=True)
        for number in range(shown._last + 1):
            assert f"({number} of {shown._last})" in text_of(app)
            if shown.check_action("better", ()):
                await pilot.press("b")
                assert shown.query_one("#board").scene.legal
                await pilot.press("b")
                assert not shown.query_one("#board").scene.legal
            await pilot.press("right")


async def test_keys_step_and_jump_and_stop_at_both_ends(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        shown = await showing(pilot, random_match("conquer"))
        last = shown._last
        for key, at in {"left": 0, "l": 1, "down": 2, "h": 1, "end": last, "right": last, "3": 3}.items():
            await pilot.press(key)
            assert shown._at == at
        await pilot.press("home", "pagedown")
        assert shown._at == min(10, last)
        await pilot.press("pageup", "escape")
        assert not page(app, ReplayPage)


async def test_numbers_of_two_digits_are_typed_digit_by_digit(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        shown = await showing(pilot, random_match("duel"))
        await pilot.press("1", "2")
        assert shown._at == 12
        await pilot.press("9")
        assert shown._at == 9


async def test_a_review_is_told_from_the_seat_of_the_one_whose_record_it_is(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        shown = await showing(pilot, MISTAKE, is_review=True)
        assert "Your chance to win" in text_of(app)
        assert "Ann against You" in text_of(app)
        await pilot.press("n")
        assert shown._at == 3
        told = "Your chance to win: 0 % → 100 %; it cost 100 points; better: claim territory 2"
        assert told in text_of(app)
        await pilot.press("b")
        assert shown.query_one("#board").scene.cursor == ("territory", 2)
        await pilot.press("n")
        assert [item.message for item in app._notifications] == ["There is no mistake further on."]
        await pilot.press("end", "p")
        assert shown._at == 3


async def test_a_replay_becomes_a_review_by_a_key_and_clicks_go_to_a_move(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        shown = await showing(pilot, MISTAKE)
        assert not shown.query_one(Graph).display
        await pilot.press("r")
        await until(pilot, lambda: not shown.is_working)
        await pilot.pause()
        graph = shown.query_one(Graph)
        # The line above the bars has the title.
        await pilot.click(graph, offset=(graph.drawn().spots["move", 3].x, 1))
        assert shown._at == 3
        await pilot.click("#moves", offset=(6, 3))
        assert shown._at == 2


async def test_an_end_from_outside_the_game_is_a_step_of_its_own(tmp_path):
    app = new_app(tmp_path)
    resigned = HEADER.model_copy(update={"outcome": Outcome(winner=2, reason=RESIGNED)})
    async with app.run_test(size=SMALL) as pilot:
        shown = await showing(pilot, record(4, header=resigned), is_review=True)
        await pilot.press("end")
        assert shown._at == 2
        assert "resigned" in text_of(app)
        assert "100 % → 0 %" in text_of(app)


async def test_a_record_that_breaks_the_rules_is_a_sentence(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        app.show_again(record(4, 4), is_review=False)
        await until(pilot, lambda: isinstance(app.screen, Sentence) and text_of(app).strip())
        assert "Territory 4 is claimed already." in " ".join(text_of(app).split())


async def test_a_command_shows_a_file_and_ends_with_the_page(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_text(dump(MISTAKE))
    app = new_app(tmp_path, "replay", str(path))
    assert app._wanted == ShowAgain(MISTAKE)
    async with app.run_test(size=SMALL) as pilot:
        shown = await until(pilot, lambda: page(app, ReplayPage))
        assert isinstance(shown._steps[0], Step)
        await pilot.press("escape")
        await until(pilot, lambda: app._exit)
