"""A bot of the user's own: a Python file with one class that has one method, `choose`."""

import importlib.util
import inspect
from pathlib import Path
from types import ModuleType

from server.bots.mind import Bot


class BadBot(Exception):
    """A file that holds no bot; the message is a sentence that says why."""


def load(path: Path) -> type[Bot]:
    """Read the class of a bot from a Python file; raise `BadBot`.

    The file is run as any program of the user's own would be; what it raises besides is theirs to see.
    """
    module = _run(path)
    classes = [
        found
        for found in vars(module).values()
        if inspect.isclass(found) and found.__module__ == module.__name__ and hasattr(found, "choose")
    ]
    if len(classes) != 1:
        raise BadBot(
            f"{path} must hold one class with a method choose(self, view, choices); it holds {len(classes)}."
        )
    bot: type[Bot] = classes[0]
    if len(inspect.signature(bot.choose).parameters) != 3:
        raise BadBot(f"The method choose of {bot.__name__} must take self, view and choices.")
    return bot


def _run(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise BadBot(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except OSError as error:
        raise BadBot(f"{path} cannot be read: {error.strerror}.") from error
    except SyntaxError as error:
        raise BadBot(f"{path} is not Python: {error.msg}, line {error.lineno}.") from error
    return module
