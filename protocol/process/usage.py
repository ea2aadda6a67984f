"""What all our command lines share: complaints that are sentences, and help that is written or fails."""

import argparse
import re

from protocol.process import stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Type checkers know the name; importing `typing` for it would cost help a tenth of its time.
    from typing import NoReturn


_ARGUMENT = r"argument (?:-\w/)?(.+): "
SENTENCES = (
    (_ARGUMENT + r"invalid int value: (.+)", "{0} takes a whole number, not {1}"),
    (_ARGUMENT + r"invalid float value: (.+)", "{0} takes a number, not {1}"),
    (_ARGUMENT + r"invalid choice: (.+) \(choose from '?(.+?)'?\)", "{0} cannot be {1}; it can be {2}"),
    (_ARGUMENT + r"expected (?:at least )?one argument", "{0} needs a value"),
    (_ARGUMENT + r"ignored explicit argument .+", "{0} takes no value"),
    (_ARGUMENT + r"not allowed with argument (.+)", "{0} does not go together with {1}"),
    (_ARGUMENT + r"(.+)", "{0} takes {1}"),
    (r"the following arguments are required: (.+)", "Still needed: {0}"),
    (r"one of the arguments (\S+) (\S+) is required", "Still needed: {0} or {1}"),
    (r"unrecognized arguments: (.+)", "{0!r} makes no sense here"),
    (r"ambiguous option: (.+) could match (.+)", "{0} could be {1}"),
)
"""What argparse complains of, and how we say it; our own types say what an argument takes."""


class Misused(Exception):
    """The command line makes no sense: exit code 2, after the sentence that this carries."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are sentences."""

    def error(self, message: str) -> "NoReturn":
        raise Misused(f"{_sentence(message)}. See {self.prog} --help.")

    def _print_message(self, message: str, file: object = None) -> None:
        # Help that could not be written is no help; argparse would keep that to itself.
        stream.write(message)

    def flags(self) -> list[str]:
        """List the flags that it knows."""
        return [flag for flag in self._option_string_actions if flag.startswith("--")]


def _sentence(message: str) -> str:
    for pattern, sentence in SENTENCES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            # Newer interpreters list choices without quotes.
            return sentence.format(*(part.replace("', '", ", ") for part in found.groups()))
    return message[:1].upper() + message[1:]
