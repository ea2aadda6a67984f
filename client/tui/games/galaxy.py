"""Galaxy Conquest on the screen: seven planets growing with their defence, and two fleets.

That a ship takes a planet which it matches or exceeds is the one thing about the game that is known here,
and only to mark such ships; what can be chosen comes from the server.
"""

from collections.abc import Sequence
from typing import Any

from textual.geometry import Region

from client.core.games.galaxy import RENDERER
from client.core.games.wording import listed
from client.tui.board import Board
from client.tui.canvas import Canvas, Drawing, Spot, fitted
from client.tui.games.piece import (
    draw_disc,
    finished,
    framed,
    ink_of,
    label_of,
    mark_last,
    texture_of,
    turn_ink,
)
from client.tui.scene import Scene
from protocol.games.galaxy import PLANETS, Attacked
from protocol.model import Seat

NUMBERS = range(1, PLANETS + 1)
SMALLEST_DISC = 4
FLIGHT = 6
"""How many steps a ship takes to its planet."""
NAME_WIDTH = 19
BELOW_PLANETS = 10
"""How many rows the labels, the fleets and some air need."""


def draw(scene: Scene) -> Drawing:
    """Draw the planets in a row, both fleets below them, and what is known of the planet looked at."""
    canvas = Canvas(*scene.size)
    planets = _planet_regions(scene)
    spread = (scene.size.height - planets[1].height - BELOW_PLANETS) // 3
    planets = {number: region.translate((0, max(1, spread))) for number, region in planets.items()}
    for number, region in planets.items():
        _draw_planet(canvas, scene, number, region)
    if last := scene.just(Attacked):
        region = planets[last.planet].grow((0, 1, 0, 1))
        around = (region.height - (region.width - 1) // 2) // 2
        mark_last(canvas, scene, last.seat, region.shrink((around, 0, around, 0)))
    y = planets[1].bottom + 2 + min(2, spread)
    for row, seat in enumerate(scene.people.sides):
        _draw_fleet(canvas, scene, seat, y + 3 * row)
    canvas.center(Region(0, y + 6 + min(1, spread), canvas.width, 1), 0, _remark(scene))
    _draw_flight(canvas, scene, planets, y)
    return finished(canvas, scene)


def looked_at(scene: Scene) -> int:
    """Name the planet chosen, or under the cursor; 0 if there is none."""
    if scene.answers:
        return int(scene.answers[0])
    return scene.cursor[1] if scene.cursor and scene.cursor[0] == "planet" else 0


def takers(scene: Scene, seat: Seat) -> list[int]:
    """List the ships of a seat that would take the planet looked at."""
    planet = looked_at(scene)
    if not planet or scene.view.planets[planet - 1]:
        return []
    return [ship for ship in scene.view.ships[seat - 1] if ship >= planet]


def _planet_regions(scene: Scene) -> dict[int, Region]:
    """Share the width out among the planets, in proportion to their size."""
    across = (scene.size.width - PLANETS) / sum(_units(number) for number in NUMBERS)
    down = 2 * (scene.size.height - BELOW_PLANETS - 1) / _units(PLANETS)
    scale = min(across, down, 3.6)
    widths = {number: max(SMALLEST_DISC, int(_units(number) * scale)) for number in NUMBERS}
    gap = min(4, (scene.size.width - sum(widths.values())) // PLANETS)
    x = (scene.size.width - sum(widths.values()) - gap * (PLANETS - 1)) // 2
    rows = (widths[PLANETS] + 1) // 2
    regions = {}
    for number, width in widths.items():
        regions[number] = Region(x, 0, width, rows)
        x += width + gap
    return regions


def _units(number: int) -> int:
    return SMALLEST_DISC - 1 + number


def _draw_planet(canvas: Canvas, scene: Scene, number: int, region: Region) -> None:
    is_in_flight = scene.frames_left > 1 and scene.before is not None
    owner = (scene.before if is_in_flight else scene.view).planets[number - 1]
    is_looked_at = number == looked_at(scene)
    draw_disc(canvas, region, texture_of(scene, owner), ink_of(scene, owner))
    below = Region(region.x - 1, region.bottom, region.width + 2, 2)
    ink = "bold reverse" if is_looked_at else f"{ink_of(scene, owner)} bold" if owner else "bold"
    canvas.center(below, 0, framed(str(number), is_looked_at), ink)
    held = scene.name(owner) if owner else "chosen"[: region.width] if scene.answers and is_looked_at else ""
    canvas.center(below, 1, held, ink_of(scene, owner) if owner else "focus")
    canvas.mark(("planet", number), Region(region.x, region.y, region.width, region.height + 2))


def _ship_region(canvas: Canvas, ship: int, y: int) -> Region:
    width = min(8, (canvas.width - NAME_WIDTH) // PLANETS)
    left = (canvas.width - NAME_WIDTH - width * PLANETS) // 2 + NAME_WIDTH
    return Region(left + (ship - 1) * width, y, width - width // 6, 3)


def _draw_fleet(canvas: Canvas, scene: Scene, seat: Seat, y: int) -> None:
    left = _ship_region(canvas, 1, y).x
    canvas.put(left - NAME_WIDTH, y + 1, fitted(label_of(scene, seat), NAME_WIDTH - 1), turn_ink(scene, seat))
    ready, taking, last = scene.view.ships[seat - 1], takers(scene, seat), scene.just(Attacked)
    for ship in NUMBERS:
        region = _ship_region(canvas, ship, y)
        is_own = seat == scene.seat
        is_under_cursor = is_own and scene.cursor == ("ship", ship)
        if ship in ready:
            border = "heavy" if ship in taking else "light"
            canvas.box(region, border, ink_of(scene, seat) if ship in taking else "muted")
            ink = f"{ink_of(scene, seat)} bold{' reverse' if is_under_cursor else ''}"
            canvas.center(region, 1, framed(str(ship), is_under_cursor), ink)
        elif last and (last.seat, last.ship) == (seat, ship):
            canvas.center(region, 1, f">{ship}<", f"{ink_of(scene, seat)} bold reverse")
        else:
            canvas.center(region, 1, f"[{ship}]" if is_under_cursor else f"─{ship}─", "muted strike")
        if is_own:
            canvas.mark(("ship", ship), region)


def _remark(scene: Scene) -> str:
    """Say who could take the planet looked at, or who holds it."""
    planet = looked_at(scene)
    if not planet:
        return ""
    owner = scene.view.planets[planet - 1]
    if owner:
        return f"{scene.name(owner, 'holds')} planet {planet}."
    if scene.seat:
        return f"Planet {planet}: your ships that would take it: {listed(takers(scene, scene.seat))}"
    each = "; ".join(f"{scene.name(seat)} {listed(takers(scene, seat))}" for seat in scene.people.sides)
    return f"Planet {planet}: ships that would take it: {each}"


def _draw_flight(canvas: Canvas, scene: Scene, planets: dict[int, Region], y: int) -> None:
    """Show the ship that was just sent, on its way."""
    attack = scene.last(Attacked)
    if not scene.frames_left or attack is None:
        return
    start = _ship_region(canvas, attack.ship, y + 3 * (scene.people.side(attack.seat) - 1)).center
    end = planets[attack.planet].center
    done = 1 - scene.frames_left / FLIGHT
    x, at = (round(a + (b - a) * done) for a, b in zip(start, end, strict=True))
    canvas.put(x - 1, at, f"<{attack.ship}>", f"{ink_of(scene, attack.seat)} bold reverse")


class GalaxyBoard(Board):
    """The galaxy: first a planet, then a ship."""

    RENDERER = RENDERER
    PROMPT = "choose a planet, then a ship"

    def draw(self, scene: Scene) -> Drawing:
        return draw(scene)

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        kind = "ship" if scene.answers else "planet"
        return [[(kind, number) for number in NUMBERS]]

    def prompt(self, scene: Scene) -> str:
        return f"choose a ship for planet {scene.answers[0]}" if scene.answers else self.PROMPT

    def preferred(self, scene: Scene, spots: Sequence[Spot]) -> Spot | None:
        """Offer the smallest ship that takes the planet."""
        taking = takers(scene, scene.seat) if scene.seat and scene.answers else ()
        return next((spot for spot in spots if spot[1] in taking), None)

    def frames(self, happened: Sequence[Any]) -> int:
        return FLIGHT if any(isinstance(event, Attacked) for event in happened) else 0

    def choose(self, spot: Spot) -> None:
        if spot[0] == "planet":
            # Another planet takes the place of the one chosen before.
            self._answers = ()
        elif self._legal and not self._answers:
            self._complain("Choose a planet first, then a ship.")
            return
        super().choose(spot)


BOARD = GalaxyBoard
