"""The tree of tests is the mirror of the tree of code: a module is tested in the file of its name.

What is tested elsewhere is named here, and so is every test of a subject that no single module has.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("protocol", "server", "client")

TESTED_IN = {
    # What travels has no behaviour of its own but to be read, packed and written down.
    "tests/protocol/test_codec.py": [
        "protocol/client_frame.py",
        "protocol/field.py",
        "protocol/server_frame.py",
        "protocol/limit.py",
        "protocol/refusal.py",
    ],
    "tests/protocol/test_games.py": [
        *(f"protocol/games/{name}.py" for name in ("conquer", "digit", "duel", "galaxy", "grid", "view")),
        *("protocol/model.py", "protocol/outcome.py"),
    ],
    "tests/sixth/test_sixth.py": ["protocol/catalogue.py"],
    "tests/e2e/test_relay.py": ["server/relay_command.py"],
    # What is small stands in one test with what uses it.
    "tests/client/command/test_argument.py": [
        "client/command/shape.py",
        "protocol/process/usage.py",
        "protocol/version.py",
    ],
    "tests/server/test_config.py": ["server/command.py"],
    "tests/server/test_copying.py": ["client/command/journal.py"],
    "tests/server/io/test_shell.py": ["server/io/peer.py"],
    "tests/server/io/test_writer.py": ["server/io/opening.py"],
    "tests/server/io/test_postgres.py": ["server/io/database.py", "server/io/lease.py"],
    "tests/client/core/test_hint.py": ["client/core/advice.py", "client/bots/solver.py"],
    "tests/client/core/test_report.py": ["client/core/review.py"],
    "tests/client/core/test_state.py": ["client/core/news.py"],
    # The past of a game is what its rules have shown, so one test holds all to them.
    "tests/client/core/test_step.py": [
        f"client/core/past/{name}.py" for name in ("conquer", "digit", "duel", "galaxy", "grid", "past")
    ],
    "tests/client/core/games/test_renderer.py": [
        "client/core/games/answer.py",
        "client/core/games/phrase.py",
    ],
    "tests/client/line/test_terminal.py": ["client/line/input.py", "client/line/hidden.py"],
    "tests/client/net/test_session.py": ["client/net/backoff.py"],
    "tests/client/net/test_hostile.py": ["client/core/possible.py"],
    "tests/client/net/test_lan.py": ["client/net/survey.py"],
    "tests/client/flow/test_two.py": ["client/net/two.py"],
    "tests/client/flow/test_link.py": ["client/net/place.py"],
    "tests/client/ssh/test_service.py": ["client/ssh/front.py", "client/local/edge.py"],
    "tests/client/local/test_advice.py": ["client/local/advice_process.py"],
    # Examples in docstrings are all that there is to say.
    "tests/test_docstring.py": [
        *("client/core/games/wording.py", "client/core/nearest.py", "client/core/people.py"),
        "client/tui/answering.py",
    ],
    # The kernel's parts are tested through it, each by the subject.
    "tests/server/core/test_order.py": [
        *("server/core/effect.py", "server/core/input.py", "server/core/kernel.py", "server/core/tell.py"),
        *("server/core/world.py",),
    ],
    "tests/server/core/test_restart.py": [
        *("server/core/entry.py", "server/core/match.py"),
    ],
    "tests/server/core/test_clock.py": ["server/core/upkeep.py"],
    "tests/server/core/test_lobby.py": [
        *("server/core/lifecycle.py", "server/core/refuse.py", "server/core/terms.py"),
    ],
    # What a command does is seen in what it says.
    "tests/client/command/test_main.py": [
        *("client/command/menu.py", "client/command/rules.py", "client/core/catalogue.py"),
        *("client/core/failure.py", "client/flow/errand.py", "client/line/run.py"),
    ],
    "tests/client/command/test_player.py": [
        *("client/command/bot.py", "client/command/example.py", "client/flow/name.py"),
    ],
    "tests/client/command/test_read.py": ["client/flow/wanted.py"],
    "tests/client/flow/test_host.py": [
        *(
            "client/flow/person.py",
            "client/local/hosting.py",
            "client/local/listening.py",
            "client/local/option.py",
        ),
    ],
    "tests/client/command/test_arena.py": ["client/local/contest.py", "client/local/contestant.py"],
    "tests/client/flow/test_play.py": ["client/local/pause.py"],
    "tests/client/command/test_replay.py": ["client/local/saved.py"],
    "tests/e2e/test_start.py": ["client/command/serve.py", "server/__main__.py"],
    "tests/e2e/test_line_editing.py": ["client/line/editing.py"],
    # A page is seen only when the application runs.
    "tests/client/tui/test_page.py": [
        *("client/tui/app.py", "client/tui/run.py", "client/tui/route.py", "client/tui/start.py"),
        *("client/tui/setup.py", "client/tui/join.py", "client/tui/rules.py", "client/tui/settings.py"),
        *(
            "client/tui/errand.py",
            "client/tui/preference.py",
            "client/tui/checkbox.py",
            "client/tui/segments.py",
            "client/local/sample.py",
            "client/tui/choices.py",
            "client/tui/theme.py",
        ),
    ],
    "tests/client/tui/test_history.py": ["client/tui/table.py"],
    "tests/client/core/test_history.py": ["client/core/table.py"],
    "tests/client/net/test_ongoing.py": ["client/core/ongoing.py"],
    "tests/client/tui/test_replay.py": ["client/tui/graph.py"],
    "tests/client/tui/test_around_board.py": [
        *("client/tui/play.py", "client/tui/result.py", "client/tui/dialog.py", "client/tui/log.py"),
        *("client/tui/banner.py", "client/tui/letter.py", "client/tui/haste.py"),
    ],
    "tests/client/tui/games/test_drawing.py": [
        *("client/tui/canvas.py", "client/tui/scene.py", "client/tui/sketch.py"),
        *("client/tui/games/figure.py", "client/tui/games/piece.py"),
    ],
    "tests/client/tui/games/test_grid.py": ["client/tui/games/pick.py"],
    "tests/client/tui/test_window.py": ["client/tui/layout.py"],
}
"""Each test file that also tests other modules than the one of its name."""

SUBJECTS = {
    "tests/protocol": ["fuzz", "games", "hostile", "leak", "page", "size"],
    "tests/server/core": ["clock", "fault", "limit", "order", "room", "secrecy", "stall", "stop", "token"],
    "tests/server/games": ["contract", "deck", "ruling", "solved", "transcript"],
    "tests/server/io": ["flood", "return"],
    "tests/client": ["portable"],
    "tests/client/line": ["command", "connection", "leaving", "typing"],
    "tests/client/net": ["hostile"],
    "tests/client/tui": ["architecture", "around_board", "lan", "mode", "past", "window"],
    "tests/client/tui/games": ["drawing"],
}
"""The subjects that have a test of their own, by folder."""


def files(folder: Path, pattern: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in folder.rglob(pattern)}


MODULES = {
    path for package in PACKAGES for path in files(ROOT / package, "*.py") if not path.endswith("__init__.py")
}
TESTS = {path for package in PACKAGES for path in files(ROOT / "tests" / package, "test_*.py")}
ELSEWHERE = [module for modules in TESTED_IN.values() for module in modules]
OF_SUBJECTS = {f"{folder}/test_{name}.py" for folder, names in SUBJECTS.items() for name in names}


def mirrored(module: str) -> str:
    """Say where a module's own test is: server/core/play.py has tests/server/core/test_play.py."""
    path = Path("tests", module)
    return path.with_name(f"test_{path.name}").as_posix()


def test_every_module_is_tested_in_the_file_of_its_name_or_where_the_table_says():
    assert sorted(module for module in MODULES - set(ELSEWHERE) if mirrored(module) not in TESTS) == []


def test_every_test_is_of_a_module_or_of_a_subject_of_its_own():
    assert sorted(TESTS - OF_SUBJECTS - {mirrored(module) for module in MODULES}) == []


def test_the_tables_name_what_is_there_and_nothing_twice():
    assert sorted(set(ELSEWHERE) - MODULES) == []
    assert sorted(OF_SUBJECTS - TESTS) == []
    assert [test for test in TESTED_IN if not (ROOT / test).exists()] == []
    assert sorted(ELSEWHERE) == sorted(set(ELSEWHERE))
    assert [module for module in ELSEWHERE if mirrored(module) in TESTS] == []
