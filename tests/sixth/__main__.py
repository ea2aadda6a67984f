"""Run a module as `python -m` does, in a process that knows a sixth game: `python -m tests.sixth MODULE`."""

import runpy
import sys

from tests.sixth import register

register()
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
