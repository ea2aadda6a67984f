"""Every command that a page names is there: of make, of Python and of `conquest`."""

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from client.command.argument import parse
from server import command

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
ALL = "\n".join(path.read_text("utf-8") for path in PAGES)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"(?:`|^    |\n)make ([a-z]+)", ALL))))
def test_make_has_the_target(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("module", sorted(set(re.findall(r"python -m ([\w.]+)", ALL)) - {"pip", "venv"}))
def test_python_can_run_the_module(module):
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    main = (
        Path(found.origin).with_name("__main__.py")
        if found.submodule_search_locations
        else Path(found.origin)
    )
    assert "__main__" in main.read_text() or main.name == "__main__.py"


def lines():
    """Find the command lines of `conquest` on the pages: in the text, and in blocks of their own."""
    said = r"`(conquest [^-`][^`]*)`"
    typed = r"^(?:    |\$ )?(?:.*\| )?(conquest .+)$"
    for found in re.findall(f"{said}|{typed}", ALL, re.MULTILINE):
        yield found[0] or found[1]


@pytest.mark.parametrize("line", sorted(set(lines())))
def test_the_command_line_is_understood(line):
    typed = re.split(r" {2,}", line)[0].replace("GAME", "galaxy").replace("$(tailscale ip -4)", "100.64.0.1")
    words = shlex.split(typed)[1:]
    if words[0] == "serve":
        assert command.parser().parse_args(words[1:])
    else:
        assert parse(words)
