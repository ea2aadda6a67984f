"""The direction of the imports: client and server know the protocol, which knows neither of them.

Files are read, not imported, so that nothing can hide behind a condition or in a function.
"""

import ast
import sys
from collections.abc import Callable, Iterator
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
    ("client/command/join.py", "gather"),
    ("server/io/listener.py", "gather"),
}
"""Where what is gathered is awaited in the same breath, and raises there."""


def sources(folder: str) -> list[Path]:
    """List the Python files of a folder, with those below it."""
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Name everything that a file imports, anywhere in it: line and module, and what is taken from that."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; name the package"
            yield node.lineno, node.module or ""
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """Name the folder right below the package that a file is in."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if len(parts) > 2 else ""


def lines_that_import(path: Path, forbidden: Callable[[str], bool]) -> list[str]:
    """Find the imports that a file must not have, each with its line."""
    return [f"{short(path)}:{line} imports {name}" for line, name in imported(path) if forbidden(name)]


def is_in(*packages: str) -> Callable[[str], bool]:
    """Tell of a module whether it is one of these, or in one of them."""
    return lambda name: any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("path", sources("protocol"), ids=short)
def test_the_protocol_imports_pydantic_msgpack_and_itself(path):
    allowed = {"protocol", "pydantic", "pydantic_core", "msgpack"} | sys.stdlib_module_names
    if room(path) == "process":
        allowed |= {"platformdirs"}
    assert lines_that_import(path, lambda name: name.split(".")[0] not in allowed) == []


# Until hints and reviews are worked out in the client, one file of the server asks the bots.
@pytest.mark.parametrize("path", [path for path in sources("server") if path.stem != "counsel"], ids=short)
def test_the_server_never_imports_the_client(path):
    assert lines_that_import(path, is_in("client", "tests", "bench", "tools")) == []


@pytest.mark.parametrize("path", sources("client"), ids=short)
def test_of_the_client_only_local_knows_the_server_and_only_the_bots_its_rules(path):
    allowed = {"local": is_in("server"), "bots": is_in("server.games")}.get(room(path), lambda name: False)
    assert lines_that_import(path, lambda name: is_in("server")(name) and not allowed(name)) == []
    assert lines_that_import(path, is_in("tests", "bench", "tools")) == []


PURE = ("client/core", "client/bots", "protocol/games", "server/core", "server/games")


@pytest.mark.parametrize("path", [path for folder in PURE for path in sources(folder)], ids=short)
def test_what_is_pure_knows_no_loop_socket_disk_clock_or_luck_of_its_own(path):
    assert lines_that_import(path, is_in(*OUTSIDE_WORLD)) == []


@pytest.mark.parametrize(
    "path",
    [path for folder in ("protocol", "server", "client") for path in sources(folder) if path.stem in TITLES],
    ids=short,
)
def test_no_game_imports_another(path):
    other_games = TITLES.keys() - {path.stem}

    def is_another_game(name: str) -> bool:
        return is_in("protocol", "server", "client")(name) and not other_games.isdisjoint(name.split("."))

    assert lines_that_import(path, is_another_game) == []


@pytest.mark.parametrize("folder", ["protocol/games", "server/games", "client/core/games"])
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
    if short(path) == "protocol/process/supervision.py":
        assert {name for _, name in started(path)} == {"create_task", "Thread", "TaskGroup"}
        return
    unowned = [
        f"{short(path)}:{line} calls {name}"
        for line, name in started(path)
        if (short(path), name) not in AWAITED
    ]
    assert unowned == []
