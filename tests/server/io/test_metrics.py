"""The counts as Prometheus reads them: every one of them, and in the form that its format asks for."""

import re

from protocol.client_frame import Join
from server.io.metrics import to_text
from server.io.status import counts
from tests.server.driver import Hall
from tests.server.io.test_status import a_journal

LINE = re.compile(
    r"# HELP conquest_\w+ \S.*|# TYPE conquest_\w+ (gauge|counter)|conquest_\w+({\w+=\"[\w.]+\"})? [\d.e-]+"
)


def text_of(*commits):
    hall = Hall()
    anna, *_ = hall.pair("duel")
    anna.refused(Join, match="00000000")
    hall.kernel.world.counts["moves"] = 12345678
    return to_text(counts(hall.kernel, a_journal(*commits), 12.345))


def test_each_line_has_the_form_that_the_format_asks_for():
    text = text_of(0.004, 0.001)
    assert text.endswith("\n")
    assert [line for line in text.splitlines() if not LINE.fullmatch(line)] == []


def test_every_count_is_there_in_full():
    values = dict(line.rsplit(" ", 1) for line in text_of(0.004, 0.001, 0.002).splitlines() if line[0] != "#")
    assert values == {
        "conquest_up_seconds": "12.3",
        "conquest_connections": "2.0",
        "conquest_sessions": "2.0",
        "conquest_spectators": "0.0",
        "conquest_is_saving": "1.0",
        'conquest_matches{state="waiting"}': "0",
        'conquest_matches{state="running"}': "1",
        'conquest_matches{state="finished"}': "0",
        'conquest_matches{state="frozen"}': "0",
        'conquest_commit_seconds{quantile="0.5"}': "0.002",
        'conquest_commit_seconds{quantile="0.99"}': "0.004",
        'conquest_commit_seconds{quantile="1"}': "0.004",
        "conquest_commits_total": "3",
        "conquest_connections_total": "2",
        "conquest_matches_begun_total": "1",
        "conquest_moves_total": "12345678",
        'conquest_refused_total{reason="no_such_match"}': "1",
    }


def test_each_family_is_named_once_and_described_before_its_values():
    text = text_of()
    families = re.findall(r"# TYPE (\w+)", text)
    assert len(families) == len(set(families))
    for family in families:
        assert text.index(f"# HELP {family} ") < text.index(f"# TYPE {family} ") < text.index(f"\n{family}")
    assert "commit_seconds" not in text, "nothing was committed, so nothing is said of it"
