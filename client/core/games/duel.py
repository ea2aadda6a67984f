"""Command Line Conquer in line mode, in the words of its book."""

from functools import partial

from client.core.games.answer import is_legal, read_word
from client.core.games.phrase import Phrases
from client.core.games.renderer import Answer, Invalid, Lines, Move, Question, Renderer, Tally
from client.core.games.wording import either, player
from protocol.choice import Choice
from protocol.games.duel import FULL_HP, ID, TITLE, Attacked, Defended, Event, Healed, Stance, View, Won
from protocol.model import SEATS, Owner, other

ACTIONS = ("attack", "defend", "heal")
PHRASES = Phrases({action: action for action in ACTIONS})
PREPARED_FOR = "to block the next attack"

STANCES: dict[Stance, str] = {
    "none": "has not acted yet",
    "attacking": "attacked last; not defending",
    "defending": "defending; cannot attack on their next turn",
    "healing": "healing; an attack deals double damage",
    "guarded": "healed after defending; an attack does not deal double damage",
}


def welcome(view: View) -> Lines:
    return (f"Welcome to {TITLE}!", f"Each player begins with {FULL_HP} HP.")


def board(view: View) -> Lines:
    return tuple(
        f"{player(seat)} HP: {view.hp[seat - 1]} ({STANCES[view.stances[seat - 1]]})" for seat in SEATS
    )


def turn(view: View) -> Lines:
    return tuple(f"{player(seat)}'s turn." for seat in view.to_act)


def ask(view: View, choices: tuple[Choice, ...], answers: tuple[Answer, ...]) -> Question | Move:
    if answers:
        return {"kind": answers[0]}
    offered = (
        f"[{number}] {action.capitalize()}"
        for number, action in enumerate(ACTIONS, start=1)
        if is_legal(choices, action)
    )
    note = "" if is_legal(choices, "attack") else " (Note: Cannot attack after defending)"
    return Question(
        lead=(f"Available actions: {', '.join(offered)}{note}",),
        prompt="Enter your action: ",
        accept=partial(_read_action, choices),
    )


def _read_action(choices: tuple[Choice, ...], text: str) -> str:
    legal = either([action.capitalize() for action in ACTIONS if is_legal(choices, action)])
    numbered = {str(number): action for number, action in enumerate(ACTIONS, start=1)}
    typed = text.strip()
    action = read_word(numbered.get(typed, typed), ACTIONS, f"Invalid action. Please enter {legal}.")
    if not is_legal(choices, action):
        raise Invalid(f"You cannot {action} straight after defending. Choose {legal}.")
    return action


def announce(event: Event, viewer: Owner) -> Lines:
    doer = player(event.seat)
    match event:
        case Attacked():
            return _attacked(event)
        case Defended():
            return (
                f"{doer} prepares {PREPARED_FOR}.",
                f"{doer} cannot attack on their next turn.",
                f"{doer} is now defending.",
            )
        case Healed():
            return _healed(event)
        case Won():
            loser = other(event.seat)
            hp = event.hp[loser - 1]
            return (f"{player(loser)}'s HP is {hp}, which is 0 or below.", f"{doer} Wins the game.")


def _attacked(event: Attacked) -> Lines:
    target = other(event.seat)
    name, hp = player(target), event.hp[target - 1]
    attack = f"{player(event.seat)} attacks {name}."
    updated = f"{name} HP: {hp + event.damage} - {event.damage} = {hp}"
    match event.met:
        case "none" | "attacking":
            return (attack, f"{name} is not defending.", f"{name} takes {event.damage} damage.", updated)
        case "defending":
            blocked = f"Attack is blocked; {name} takes no damage."
            return (attack, f"{name} is defending.", blocked, f"{name} HP: {hp}")
        case "healing":
            doubled = f"{name} takes double damage ({event.damage} damage)."
            return (attack, f"{name} is healing.", doubled, updated)
        case "guarded":
            # D2: the book's "not defending or healing" is a heal straight after a defence.
            return (
                attack,
                f"{name} is not defending or healing.",
                f"{name} takes {event.damage} damage.",
                "(A heal straight after defending does not double the damage.)",
                updated,
            )


def _healed(event: Healed) -> Lines:
    name, hp = player(event.seat), event.hp[event.seat - 1]
    heals = f"{name} heals for {event.gained} HP."
    if event.gained:
        return (heals, f"{name}'s HP increases from {hp - event.gained} to {hp}.", f"{name} HP: {hp}")
    return (heals, f"{name}'s HP cannot exceed {FULL_HP}.", f"{name} HP: {hp}")


def tally(view: View) -> Tally:
    return (("HP", view.hp),)


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
)
