"""Editing a line while it is typed: cursor keys, history, Tab, and news that leave it whole.

GNU readline does it, one key at a time, on the event loop. Python's module does not offer that, so the
library behind it is called by ctypes; where there is none that is fit, the terminal's own editing stays.
Output goes on being append-only, but for the row on which a person types. A secret never gets to the
library: while one is asked for, the terminal itself collects the line, unseen.
"""

import asyncio
import atexit
import codecs
import contextlib
import locale
import os
import select
import signal
from collections.abc import Callable

from client.core import slash
from client.line import hidden
from client.line.input import CHUNK, LINE_MAX
from protocol.process.supervision import OnFault, guarded

try:
    import ctypes
    import readline
    import termios
except ImportError:
    IS_THERE = False
else:
    IS_THERE = "libedit" not in (readline.__doc__ or "")

OLDEST = 0x0700
"""The first version that lets a program own the mode of the terminal."""
NO_KEY = -1
CTRL_X = b"\x18"
"""A key that makes the library (8.2) crash in the middle of a search. What is behind it nobody needs here."""
HISTORY_MAX = 500
READS_MAX = 100
"""Reads in one go: a terminal that sends without end must not keep the loop from everything else."""

Deliver = Callable[[str | None], None]


def open_editor(
    encoding: str, write: Callable[[str], None], deliver: Deliver, on_fault: OnFault
) -> "Editor | None":
    """Edit what is typed at this process's own terminal, if that can be done; needs a running event loop."""
    if not (IS_THERE and _is_echoing() and _is_of_the_locale(encoding)):
        return None
    try:
        library = ctypes.CDLL(getattr(readline, "__file__", None))
        library.rl_get_termcap.restype = ctypes.c_char_p
        version = ctypes.c_int.in_dll(library, "rl_readline_version").value
    except (OSError, AttributeError, ValueError):
        # This build of Python hides the library.
        return None
    # Where one cannot go up a row (TERM=dumb, or unknown), a line cannot be drawn again.
    is_fit = version >= OLDEST and library.rl_get_termcap(b"up") is not None
    return Editor(library, encoding, write, deliver, on_fault) if is_fit else None


def _is_echoing() -> bool:
    """Tell whether what is typed is to be seen: a program that drives this one may not want it."""
    try:
        return bool(termios.tcgetattr(0)[3] & termios.ECHO)
    except termios.error:
        return False


def _is_of_the_locale(encoding: str) -> bool:
    """Tell whether the library, which goes by the locale, means the same characters as we do."""
    return codecs.lookup(encoding) == codecs.lookup(locale.getencoding())


class Editor:
    """The row on which a person types: a prompt, and a line behind it."""

    def __init__(
        self,
        library: "ctypes.CDLL",
        encoding: str,
        write: Callable[[str], None],
        deliver: Deliver,
        on_fault: OnFault,
    ) -> None:
        self._library = library
        self._encoding = encoding
        self._write = write
        self._deliver = deliver
        self._length = ctypes.c_int.in_dll(library, "rl_end")
        self._cursor = ctypes.c_int.in_dll(library, "rl_point")
        self._prompt = b""
        self._is_drawn = False
        """Whether something stands on the row of the cursor."""
        self._is_hidden = False
        self._unseen = ""
        self._lines: list[str] = []
        self._keys = bytearray()
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._is_over = False
        self._loop = asyncio.get_running_loop()
        # The library keeps no more than addresses, so the functions must be kept here.
        self._on_line = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(guarded(self._take_line, on_fault))
        self._on_key = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self._next_key)
        self._on_look = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: len(self._keys))
        self._set_up()
        self._loop.add_reader(0, guarded(self.read, on_fault))
        self._loop.add_signal_handler(signal.SIGWINCH, guarded(self._resize, on_fault))

    def _set_up(self) -> None:
        library = self._library
        library.rl_free.argtypes = [ctypes.c_void_p]
        for name in ("rl_catch_signals", "rl_catch_sigwinch"):
            ctypes.c_int.in_dll(library, name).value = 0
        # Else the mode of the terminal would change at each line, and show what is typed just then twice.
        for name in ("rl_prep_term_function", "rl_deprep_term_function"):
            ctypes.c_void_p.in_dll(library, name).value = None
        for name, function in (
            ("rl_getc_function", self._on_key),
            ("rl_input_available_hook", self._on_look),
        ):
            ctypes.c_void_p.in_dll(library, name).value = ctypes.cast(function, ctypes.c_void_p).value
        # The first sends codes to the terminal, the second waits for a key.
        for option in (b"enable-bracketed-paste", b"page-completions"):
            library.rl_variable_bind(option, b"off")
        library.stifle_history(HISTORY_MAX)
        readline.set_completer(_completion)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")
        library.rl_callback_handler_install(b"", self._on_line)
        atexit.register(self.pause)
        self.go_on()

    def pause(self) -> None:
        """Leave the terminal as it was found, for now or for good."""
        self._library.rl_deprep_terminal()

    def go_on(self) -> None:
        """Take the terminal back; what stood there has scrolled away."""
        self._library.rl_prep_terminal(1)
        self._library.rl_on_new_line()
        self._is_drawn = False

    def close(self) -> None:
        """Read no more, and leave the terminal as it was found."""
        self.step_below()
        self._end()
        self._loop.remove_signal_handler(signal.SIGWINCH)
        self.pause()

    def show(self, prompt: str) -> None:
        """Show a prompt, and behind it what is half typed."""
        if self._is_hidden:
            self._write(prompt)
            self._is_drawn = True
            return
        self._set_prompt(self._encoded(prompt))
        self.redraw()

    def redraw(self) -> None:
        """Show what is half typed again, where news has parted it from the cursor."""
        if not self._is_hidden:
            self._library.rl_redisplay()
            self._note_drawn()

    def step_below(self) -> None:
        """Go to the next row, if something stands on this one."""
        if not self._is_drawn:
            return
        self._is_drawn = False
        if not self._is_hidden:
            # A search in the history ends with what it has found; news can be longer than a row.
            self._library.rl_callback_sigcleanup()
            cursor, self._cursor.value = self._cursor.value, self._length.value
            self._library.rl_redisplay()
            self._cursor.value = cursor
            self._library.rl_restore_prompt()
            self._set_prompt(b"")
            self._library.rl_on_new_line()
        self._write("\n")

    def discard(self) -> None:
        """Drop what is half typed."""
        self.step_below()
        self._unseen = ""
        self._library.rl_kill_full_line(1, 0)

    def hide(self) -> Callable[[], None] | None:
        """Let the terminal collect lines unseen, if it can; return how to come back.

        What was half typed before stays away from the secret, and is there again afterwards.
        """
        self.step_below()
        self.pause()
        show = hidden.hide(0)
        if show is None:
            self.go_on()
            return None
        self._is_hidden = True

        def reveal() -> None:
            # What was typed unseen and not entered is for nobody to see.
            with contextlib.suppress(termios.error):
                termios.tcflush(0, termios.TCIFLUSH)
            self._unseen = ""
            show()
            self._is_hidden = False
            self.go_on()

        return reveal

    def read(self) -> None:
        """Take the keys that were pressed, and deliver the lines that they complete."""
        for _ in range(READS_MAX):
            if self._is_over or not select.select([0], [], [], 0)[0]:
                return
            try:
                data = os.read(0, CHUNK)
            except OSError:
                # The terminal was closed; what is half typed is no line.
                data = b""
            if not data:
                self._end()
            elif self._is_hidden:
                self._collect(self._decoder.decode(data))
            else:
                # Whole characters only: in the middle of one the library would wait for the rest.
                self._edit(self._encoded(self._decoder.decode(data)))
            while self._lines:
                self._deliver(self._lines.pop(0)[:LINE_MAX])
            if self._is_over:
                self._deliver(None)

    def _edit(self, keys: bytes) -> None:
        self._keys += keys.replace(CTRL_X, b"")
        while self._keys and not self._is_over:
            self._library.rl_callback_read_char()
        self._note_drawn()

    def _collect(self, text: str) -> None:
        *lines, self._unseen = (self._unseen + text.replace("\r", "\n")).split("\n")
        self._lines += lines
        self._is_drawn = self._is_drawn and not lines

    def _next_key(self, stream: int | None) -> int:
        """Give the library a key; nothing may make it wait for one."""
        return self._keys.pop(0) if self._keys else NO_KEY

    def _take_line(self, address: int | None) -> None:
        """Take a line from the library, or None at Ctrl-D."""
        if address is None:
            self._end()
            return
        line = ctypes.string_at(address)
        self._library.rl_free(address)
        self._lines.append(line.decode(self._encoding, "replace"))
        self._set_prompt(b"")
        if line.strip():
            self._library.add_history(line)
        self._library.using_history()

    def _end(self) -> None:
        self._is_over = True
        self._loop.remove_reader(0)
        self._library.rl_callback_handler_remove()

    def _resize(self) -> None:
        if not self._is_hidden:
            self._library.rl_resize_terminal()

    def _encoded(self, text: str) -> bytes:
        return text.encode(self._encoding, "replace")

    def _set_prompt(self, prompt: bytes) -> None:
        self._prompt = prompt
        self._library.rl_set_prompt(prompt)

    def _note_drawn(self) -> None:
        self._is_drawn = bool(self._prompt) or self._length.value > 0


def _completion(begun: str, number: int) -> str | None:
    """Give the commands that the first word can become, one after the other."""
    is_first = slash.is_command(begun) and readline.get_begidx() == 0
    commands = [f"/{name}" for name in slash.COMMANDS if is_first and f"/{name}".startswith(begun)]
    return commands[number] if number < len(commands) else None
