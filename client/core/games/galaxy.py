"""Galaxy Conquest in line mode, in the words of its book."""

from functools import partial

from client.core.games.answer import read_number, values_of
from client.core.games.phrase import Phrases
from client.core.games.renderer import Answer, Lines, Move, Question, Renderer, Tally
from client.core.games.wording import counted, listed, player
from protocol.choice import Choice
from protocol.games.galaxy import ID, PLANETS, TITLE, Attacked, Event, View, Won
from protocol.model import SEATS, Owner, other

PHRASES = Phrases({"attack": "attack planet {planet} with ship {ship}"})


def welcome(view: View) -> Lines:
    return (f"Welcome to {TITLE}!",)


def board(view: View) -> Lines:
    ships = (f"{player(seat)} Ships Available: {listed(view.ships[seat - 1])}" for seat in SEATS)
    return ("Planets:", *_planets(view), "", *ships)


def _planets(view: View) -> Lines:
    planets = tuple(f"[{number}] {_status(owner)}" for number, owner in enumerate(view.planets, start=1))
    # The book opens with all planets in one line and lists them one below the other from then on.
    return planets if any(view.planets) else ("  ".join(planets),)


def _status(owner: Owner) -> str:
    return f"Conquered by {player(owner)}" if owner else "Unconquered"


def turn(view: View) -> Lines:
    return tuple(f"{player(seat)}'s Turn:" for seat in view.to_act)


def ask(view: View, choices: tuple[Choice, ...], answers: tuple[Answer, ...]) -> Question | Move:
    if not answers:
        return Question((), "Enter the planet number to attack: ", partial(_read_planet, view, choices))
    if len(answers) == 1:
        return Question((), "Enter the ship number to deploy: ", partial(_read_ship, choices))
    planet, ship = answers
    return {"kind": "attack", "planet": planet, "ship": ship}


def _read_planet(view: View, choices: tuple[Choice, ...], text: str) -> int:
    unconquered = values_of(choices, "attack", "planet")
    conquered = {number: owner for number, owner in enumerate(view.planets, start=1) if owner}

    def complain(number: int | None) -> str:
        if number is not None and number in conquered:
            return (
                f"Planet {number} has already been conquered by {player(conquered[number])}. Choose another."
            )
        return f"Invalid choice. Please enter the number of an unconquered planet: {listed(unconquered)}."

    # A ship typed on the same line is looked at too: what is wrong with the line may be the ship.
    typed, _, ship = text.strip().partition(" ")
    planet = read_number(typed, "planet", unconquered, complain)
    if ship:
        _read_ship(choices, ship)
    return planet


def _read_ship(choices: tuple[Choice, ...], text: str) -> int:
    available = values_of(choices, "attack", "ship")

    def complain(number: int | None) -> str:
        if number in range(1, PLANETS + 1):
            return f"Ship {number} has already been expended. Choose an available ship."
        return f"Invalid choice. Please enter the number of an available ship: {listed(available)}."

    return read_number(text, "ship", available, complain)


def announce(event: Event, viewer: Owner) -> Lines:
    match event:
        case Attacked():
            # Who sent the ship has just typed its number; the others read it here.
            sent = f"{player(event.seat)} attacks Planet {event.planet} with Ship {event.ship}."
            return (_result(event),) if viewer == event.seat else (sent, _result(event))
        case Won():
            return _won(event)


def _result(event: Attacked) -> str:
    if event.conquered:
        return f"Attack successful! Planet {event.planet} is now conquered by {player(event.seat)}."
    return f"Attack failed! Planet {event.planet} remains unconquered. Ship {event.ship} is expended."


def _won(event: Won) -> Lines:
    winner = player(event.seat)
    held, theirs = event.planets[event.seat - 1], event.planets[other(event.seat) - 1]
    spent = "All ships have been expended, and neither player has conquered four planets."
    match event.reason:
        case "four_planets":
            return (f"{winner} wins the game by conquering four planets!",)
        case "most_planets":
            count = f"{len(held)} to {len(theirs)}"
            return (spent, f"{winner} wins the game by conquering the most planets, {count}!")
        case "highest_planet":
            return (
                spent,
                f"Both players have conquered {counted(len(held), 'planet')}.",
                f"{winner} wins the game by holding the highest planet, Planet {max(held, default=0)}!",
            )


def tally(view: View) -> Tally:
    first, second = view.ships
    return (
        ("Planets", (view.planets.count(1), view.planets.count(2))),
        ("Ships left", (listed(first), listed(second))),
    )


RENDERER = Renderer(
    id=ID,
    welcome=welcome,
    board=board,
    turn=turn,
    ask=ask,
    announce=announce,
    tally=tally,
    describe=PHRASES.describe,
    parse_line=PHRASES.parse_line,
    any_of={"attack": "attack any planet with any ship"},
)
