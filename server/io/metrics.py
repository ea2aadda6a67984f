"""The counts in the text format that Prometheus reads; there are no others than `--status` gives."""

from collections.abc import Iterator
from typing import Any

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
GAUGES = {
    "up_s": ("up_seconds", "Seconds since the start."),
    "connections": ("connections", "Open connections, strangers included."),
    "sessions": ("sessions", "Players that the server remembers."),
    "spectators": ("spectators", "How many watch, over all matches."),
    "is_saving": ("is_saving", "0 while nothing can be saved."),
}
"""The name of each count that goes up and down, and what it means."""
MATCHES = "matches_"
QUANTILES = {"median": "0.5", "p99": "0.99", "longest": "1"}


def to_text(counts: dict[str, Any]) -> str:
    """Write counts down, a line each."""
    return "".join(f"{line}\n" for line in _lines(counts))


def _lines(counts: dict[str, Any]) -> Iterator[str]:
    for key, (name, about) in GAUGES.items():
        yield from _family(name, "gauge", about, {"": float(counts[key])})
    states = {key.removeprefix(MATCHES): counts[key] for key in counts if key.startswith(MATCHES)}
    yield from _family("matches", "gauge", "Matches, by how far they are.", _labelled("state", states))
    times = {QUANTILES[key]: ms / 1000 for key, ms in counts["commit_ms"].items() if ms is not None}
    about = "How long each of the last thousand commits took."
    yield from _family("commit_seconds", "gauge", about, _labelled("quantile", times))
    yield from _family("commits_total", "counter", "Commits since the start.", {"": counts["commits"]})
    families: dict[str, dict[str, float]] = {}
    for key, count in counts["since_start"].items():
        kind, _, reason = key.partition(".")
        families.setdefault(kind, {}).update(_labelled("reason", {reason: count}) if reason else {"": count})
    for kind, values in families.items():
        yield from _family(f"{kind}_total", "counter", f"Since the start: {kind.replace('_', ' ')}.", values)


def _labelled(label: str, values: dict[str, float]) -> dict[str, float]:
    return {f'{{{label}="{value}"}}': number for value, number in values.items()}


def _family(name: str, kind: str, about: str, values: dict[str, float]) -> Iterator[str]:
    if values:
        yield f"# HELP conquest_{name} {about}"
        yield f"# TYPE conquest_{name} {kind}"
    yield from (f"conquest_{name}{labels} {number}" for labels, number in values.items())
