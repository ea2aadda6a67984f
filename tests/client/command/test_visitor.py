"""The program that runs for a visitor, before it is the ordinary client."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.command.visitor import point_here
from client.net.store import SavedSession, Store
from client.net.visit import VARIABLE, Visit

VISIT = Visit(7000, "example.org", 7717, None, 2222, memory=2**30, file=1234567, nice=7)
BOUND = """
import os, resource
from client.command.visitor import bound
from client.net.visit import visiting
bound(visiting())
print(os.nice(0), *(resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)))
print(resource.getrlimit(resource.RLIMIT_AS)[0])
"""


def test_all_ways_back_lead_to_the_port_of_this_visit_and_stay_as_old_as_they_are(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for at, code in ((1_000.0, "7K3M9QXZ"), (2_000.0, "2222222A")):
        file = store.new_session_file()
        file.save(SavedSession("127.0.0.1", 6000, None, True, "token", "Ann", code, "duel"))
        file.date(at)
    point_here(store, VISIT)
    found = [(saved.port, saved.match, file.written_at()) for file, saved in store.sessions()]
    assert found == [(7000, "2222222A", 2_000.0), (7000, "7K3M9QXZ", 1_000.0)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not know every limit")
def test_it_takes_from_itself_what_it_does_not_need() -> None:
    environment = {**os.environ, VARIABLE: VISIT.text()}
    done = subprocess.run([sys.executable, "-c", BOUND], env=environment, capture_output=True, check=True)
    nice, size, core, memory = done.stdout.split()
    assert int(nice) >= 7
    assert (int(size), int(core), int(memory)) == (1234567, 0, 2**30)


def test_without_a_visit_it_does_not_run() -> None:
    command = [sys.executable, "-m", "client.command.visitor"]
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.decode() == "This runs for visitors by ssh only.\n"
