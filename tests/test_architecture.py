"""The direction of the imports: client and server know the protocol, which knows neither of them.

Files are read, not imported, so that nothing can hide behind a condition or in a function.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.games import TITLES

ROOT = Path(__file__).parents[1]
OUTSIDE_WORLD = {
    "asyncio",
    "datetime",
    "io",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "threading",
    "time",
}
"""What pure rules must not know: clocks, luck of their own, disks, sockets and other threads."""


STARTERS = {
    "create_task",
    "ensure_future",
    "gather",
    "run_in_executor",
    "to_thread",
    "Process",
    "ProcessPoolExecutor",
    "TaskGroup",
    "Thread",
    "ThreadPoolExecutor",
    "Timer",
}
"""What starts something in the background, whose end somebody has to notice."""
AWAITED = {
    ("client/guest.py", "gather"),
    ("server/door.py", "gather"),
}
"""Where what is gathered is awaited in the same breath, and raises there."""


def sources(folder: str) -> list[Path]:
    """List the Python files of a folder, with those below it."""
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Name everything that a file imports, anywhere in it: the modules, and what is taken from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; name the package"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def packages_of(path: Path) -> set[str]:
    """Name the top-level packages that a file imports."""
    return {name.split(".")[0] for name in imported(path)}


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources("protocol"), ids=short)
def test_the_protocol_imports_pydantic_msgpack_and_itself(path):
    allowed = {"protocol", "pydantic", "pydantic_core", "msgpack"}
    assert packages_of(path) - allowed - sys.stdlib_module_names == set()


@pytest.mark.parametrize("path", sources("server"), ids=short)
def test_the_server_never_imports_the_client(path):
    assert packages_of(path).isdisjoint({"client", "tests", "bench"})


@pytest.mark.parametrize("path", sources("client"), ids=short)
def test_the_client_imports_the_server_in_one_file_only(path):
    forbidden = {"tests", "bench"} if short(path) == "client/embedded.py" else {"server", "tests", "bench"}
    assert packages_of(path).isdisjoint(forbidden)


@pytest.mark.parametrize("path", sources("protocol/games") + sources("server/games"), ids=short)
def test_the_rules_know_no_clock_no_luck_of_their_own_and_no_outside_world(path):
    assert packages_of(path).isdisjoint(OUTSIDE_WORLD)


@pytest.mark.parametrize(
    "path",
    [path for folder in ("protocol", "server", "client") for path in sources(folder) if path.stem in TITLES],
    ids=short,
)
def test_no_game_imports_another(path):
    other_games = TITLES.keys() - {path.stem}
    for name in imported(path):
        if name.startswith(("protocol.", "server.", "client.")):
            assert other_games.isdisjoint(name.split("."))


@pytest.mark.parametrize("folder", ["protocol/games", "server/games", "client/games"])
def test_every_game_has_its_file_in_each_folder_of_games(folder):
    assert {path.stem for path in sources(folder)} >= TITLES.keys()


def test_every_folder_of_tests_is_a_package():
    folders = {path.parent for path in sources("tests")}
    assert {folder for folder in folders if not (folder / "__init__.py").exists()} == set()


def started(path: Path) -> Iterator[tuple[int, str]]:
    """Find what a file starts in the background: the line and the name of the call."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in STARTERS:
                yield node.lineno, name


@pytest.mark.parametrize("path", sources("protocol") + sources("server") + sources("client"), ids=short)
def test_tasks_and_threads_are_started_by_the_supervisor_only(path):
    if short(path) == "protocol/supervision.py":
        assert {name for _, name in started(path)} == {"create_task", "Thread", "TaskGroup"}
        return
    unowned = [
        f"{short(path)}:{line} calls {name}"
        for line, name in started(path)
        if (short(path), name) not in AWAITED
    ]
    assert unowned == []
