"""The house rules that can be read off the files: who may import whom, and who may start what.

Files are read, not imported, so that nothing can hide behind a condition or in a function.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
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


PACKAGES = ("protocol", "server", "client")
LONGEST, SHORT = 400, 250
"""The most lines that a file has, and the most that four of five files have."""

STARTERS = {
    "create_task",
    "ensure_future",
    "gather",
    "run_in_executor",
    "to_thread",
    "Popen",
    "Process",
    "ProcessPoolExecutor",
    "TaskGroup",
    "Thread",
    "ThreadPoolExecutor",
    "Timer",
}
"""What starts something in the background, whose end somebody has to notice."""
SUPERVISED = {
    "protocol/process/child.py": {"Popen"},
    "protocol/process/supervision.py": {"create_task", "Thread", "TaskGroup"},
}
"""Where that is done, and by what."""
AWAITED = {
    ("client/net/lan.py", "gather"),
    ("client/net/survey.py", "gather"),
    ("client/net/ongoing.py", "gather"),
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


@pytest.mark.parametrize("path", sources("server"), ids=short)
def test_the_server_never_imports_the_client(path):
    assert lines_that_import(path, is_in("client", "tests", "bench", "tools")) == []


@pytest.mark.parametrize("path", sources("client"), ids=short)
def test_of_the_client_only_local_knows_the_server_and_only_the_bots_its_rules(path):
    allowed = {"local": is_in("server"), "bots": is_in("server.games")}.get(room(path), lambda name: False)
    assert lines_that_import(path, lambda name: is_in("server")(name) and not allowed(name)) == []
    assert lines_that_import(path, is_in("tests", "bench", "tools")) == []


CLIENT_LAYERS = [
    {"command"},
    {"line", "tui"},
    {"flow"},
    {"ssh"},
    {"local"},
    {"bots", "net"},
    {"core"},
]
"""The folders of the client: each knows those that stand below it, and none beside or above."""


@pytest.mark.parametrize("path", sources("client"), ids=short)
def test_a_folder_of_the_client_knows_only_those_below_it(path):
    height = next((height for height, rooms in enumerate(CLIENT_LAYERS) if room(path) in rooms), 0)
    above = {f"client.{name}" for rooms in CLIENT_LAYERS[: height + 1] for name in rooms - {room(path)}}
    assert lines_that_import(path, is_in(*above)) == []


KNOWN_TO_PURE = {
    "protocol/games": ["protocol"],
    "server/games": ["protocol", "server.games"],
    "server/core": ["protocol", "server.games", "server.core"],
    "client/core": ["protocol", "client.core"],
    "client/bots": ["protocol", "server.games", "client.core", "client.bots"],
}
"""The folders that are pure, and what of ours each may import."""
PURE = [(folder, path) for folder in KNOWN_TO_PURE for path in sources(folder)]


@pytest.mark.parametrize(("folder", "path"), PURE, ids=lambda it: short(it) if isinstance(it, Path) else "")
def test_what_is_pure_knows_no_loop_socket_disk_clock_or_luck_of_its_own(folder, path):
    ours, known, edge = is_in(*PACKAGES), is_in(*KNOWN_TO_PURE[folder]), is_in("protocol.process")
    assert lines_that_import(path, is_in(*OUTSIDE_WORLD)) == []
    assert lines_that_import(path, lambda name: ours(name) and (edge(name) or not known(name))) == []


@pytest.mark.parametrize(
    "path",
    [path for folder in PACKAGES for path in sources(folder) if path.stem in TITLES],
    ids=short,
)
def test_no_game_imports_another(path):
    other_games = TITLES.keys() - {path.stem}

    def is_another_game(name: str) -> bool:
        return is_in("protocol", "server", "client")(name) and not other_games.isdisjoint(name.split("."))

    assert lines_that_import(path, is_another_game) == []


@pytest.mark.parametrize(
    "folder", ["protocol/games", "server/games", "client/core/games", "client/tui/games", "client/bots"]
)
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


@pytest.mark.parametrize("path", [path for folder in PACKAGES for path in sources(folder)], ids=short)
def test_tasks_and_threads_are_started_by_the_supervisor_only(path):
    if short(path) in SUPERVISED:
        assert {name for _, name in started(path)} == SUPERVISED[short(path)]
        return
    unowned = [
        f"{short(path)}:{line} calls {name}"
        for line, name in started(path)
        if (short(path), name) not in AWAITED
    ]
    assert unowned == []


def at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """List the statements that run when a file is imported: not those in functions, nor for type checkers."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from at_import(node.body + node.orelse)
        elif isinstance(node, ast.Try):
            yield from at_import(node.body + node.orelse + node.finalbody)
        elif isinstance(node, ast.With | ast.ClassDef):
            yield from at_import(node.body)


def module_of(path: Path) -> str:
    return short(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES = {module_of(path): path for folder in PACKAGES for path in sources(folder)}


def needs(path: Path) -> set[str]:
    """Name the modules of ours that a file imports as it is imported itself."""
    found = set()
    for node in at_import(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in inside}
    return found & MODULES.keys()


def test_no_modules_need_each_other():
    graph = TopologicalSorter({name: needs(path) for name, path in MODULES.items()})
    try:
        graph.prepare()
    except CycleError as error:
        pytest.fail(" needs ".join(reversed(error.args[1])))


def test_no_file_is_long_and_most_are_short():
    lengths = {short(path): len(path.read_text("utf-8").splitlines()) for path in MODULES.values()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
    assert sum(length <= SHORT for length in lengths.values()) > 0.8 * len(lengths)
