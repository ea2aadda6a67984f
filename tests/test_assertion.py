"""Every test asserts something: by itself, or through a function that does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RAISING = {"raises", "warns", "fail"}
"""What pytest checks with."""
WAITING = {"until", "answer"}
"""Methods of terminals, screens and processes that fail when what they wait for does not come."""
CHECKING = {"agrees_with", "assert_nothing_unsaid", "refused", "promise"}
"""Methods and arguments that are assertions by themselves."""
BY_NAME = RAISING | WAITING | CHECKING

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(body: list[ast.stmt]) -> Iterator[Function]:
    """List the functions of a file, and those of its classes."""
    for node in body:
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body)


def called(function: Function) -> Iterator[str]:
    """Name the functions that one calls, and the methods that assert."""
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Attribute(attr=name)) if name in BY_NAME:
                yield name


def asserts(function: Function, helpers: set[str]) -> bool:
    has_own = any(isinstance(node, ast.Assert) for node in ast.walk(function))
    return has_own or not helpers.isdisjoint(called(function))


def asserting_helpers(trees: list[ast.Module]) -> set[str]:
    """Name the plain functions that assert, themselves or through others."""
    helpers = [node for tree in trees for node in tree.body if isinstance(node, Function)]
    found = set(BY_NAME)
    while more := {helper.name for helper in helpers if asserts(helper, found)} - found:
        found |= more
    return found


FILES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(TESTS.rglob("*.py"))}
HELPERS = asserting_helpers(list(FILES.values()))


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.name.startswith("test_")],
    ids=lambda path: path.relative_to(TESTS).as_posix(),
)
def test_every_test_asserts_something(path):
    empty = [
        f"{path.relative_to(TESTS)}:{test.lineno} {test.name} asserts nothing"
        for test in functions(FILES[path].body)
        if test.name.startswith("test_") and not asserts(test, HELPERS)
    ]
    assert empty == []
