"""What all our command lines share: complaints that are sentences, and help that is written or fails."""

import argparse

from protocol import stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Type checkers know the name; importing `typing` for it would cost help a tenth of its time.
    from typing import NoReturn


class Misused(Exception):
    """It was asked in a way that makes no sense: exit code 2, after the sentence that this carries."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are sentences."""

    def error(self, message: str) -> "NoReturn":
        raise Misused(f"{message[:1].upper()}{message[1:]}. See {self.prog} --help.")

    def _print_message(self, message: str, file: object = None) -> None:
        # Help that could not be written is no help; argparse would keep that to itself.
        stream.write(message)

    def flags(self) -> list[str]:
        """List the flags that it knows."""
        return [flag for flag in self._option_string_actions if flag.startswith("--")]
