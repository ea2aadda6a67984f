"""Golden transcripts: what games tell has not changed unnoticed, and every game has one that ends.

After a change that is meant, run `make golden` and review the difference.
"""

import pytest

from server.games import GAMES
from tests.server.games.transcript import GOLDEN, SCENES, tell


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_game_is_told_as_its_golden_transcript_tells_it(scene):
    assert tell(scene).splitlines() == scene.path.read_text(encoding="utf-8").splitlines()


def test_every_game_has_a_golden_transcript():
    assert {scene.game for scene in SCENES} == set(GAMES)


def test_every_golden_transcript_belongs_to_a_scene_and_tells_a_whole_game():
    assert sorted(GOLDEN.glob("*.txt")) == sorted(scene.path for scene in SCENES)
    for scene in SCENES:
        assert "   outcome  winner=" in scene.path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("scene", "kind"),
    [
        ("galaxy-spent-fleets", "reason=highest_planet"),
        ("conquer-full-map", "reason=most_territories"),
        ("grid-sudden-death", "grid.refilled"),
        ("grid-sudden-death", "reason=sudden_death"),
        ("digit-random", "digit.discarded"),
        ("digit-random", "digit.reshuffled"),
        ("digit-choose", "digit.discarded"),
        ("duel-book", "hp=-2,6"),
    ],
)
def test_the_rare_endings_and_turns_are_told_too(scene, kind):
    assert kind in (GOLDEN / f"{scene}.txt").read_text(encoding="utf-8")
