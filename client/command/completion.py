"""Completion scripts for shells, made from the command line's own description."""

from client.command.argument import COMMANDS, build
from client.command.shape import SHELLS
from client.core.catalogue import LEVELS, TITLES
from protocol.process import stream

_ANSWERS: dict[str, tuple[str, ...]] = {
    "play": tuple(TITLES),
    "host": tuple(TITLES),
    "rules": tuple(TITLES),
    "arena": (*LEVELS, *TITLES),
    "bot": LEVELS,
    "completion": SHELLS,
}
"""What the arguments of a command may be, where that is a list."""

_OPTIONS = ("draw=random", "draw=choose", "size=2", "size=3", "size=4", "size=5", "size=6")
"""The options that games have."""

_VALUES: dict[str, tuple[str, ...]] = {
    "--bot": LEVELS,
    "--host": tuple(TITLES),
    "--first": ("toss", "creator", "guest"),
    "--to": ("text",),
    "--option": _OPTIONS,
}
"""What may follow a flag, where that is a list."""

_PATHS = ("--db", "--bot")
"""Flags that a file follows."""

_FILES = ("replay", "review", "arena", "bot", "journal")
"""Commands that take a file."""


def print_script(shell: str) -> None:
    """Print the completion script of a shell."""
    stream.write(script(shell))


def script(shell: str) -> str:
    """Return the completion script of a shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _words() -> dict[str, list[str]]:
    """List, for each command, the words that may follow it."""
    _, commands = build()
    return {name: [*_ANSWERS.get(name, ()), *parser.flags()] for name, parser in commands.items()}


def _bash() -> str:
    cases = "\n".join(f'        {name}) words="{" ".join(words)}" ;;' for name, words in _words().items())
    values = "\n".join(f'        {flag}) words="{" ".join(allowed)}" ;;' for flag, allowed in _VALUES.items())
    return f"""\
_conquest() {{
    local words="{" ".join(COMMANDS)} --help --version"
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}" start=""
    # Bash takes an equals sign for a word of its own.
    if [ "$word" = "=" ]; then start="${{before}}=" before="${{COMP_WORDS[COMP_CWORD - 2]}}" word=""
    elif [ "$before" = "=" ] && [ "$COMP_CWORD" -gt 2 ]; then
        start="${{COMP_WORDS[COMP_CWORD - 2]}}=" before="${{COMP_WORDS[COMP_CWORD - 3]}}"
    fi
    [ "$COMP_CWORD" -gt 1 ] && case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    case "$before" in
{values}
        {"|".join(_PATHS)}) words="" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$start$word"))
    COMPREPLY=("${{COMPREPLY[@]#"$start"}}")
    [ -n "$start" ] && return
    case "${{COMP_WORDS[1]}}:$before" in
        {"|".join(f"*:{flag}" for flag in _VALUES if flag not in _PATHS)}) ;;
        {"|".join([*(f"{name}:*" for name in _FILES), *(f"*:{flag}" for flag in _PATHS)])})
            compopt -o filenames 2>/dev/null
            local IFS=$'\\n'
            COMPREPLY+=($(compgen -f -- "$word")) ;;
    esac
}}
complete -F _conquest conquest
"""


def _zsh() -> str:
    abouts = "\n".join(f"        '{name}:{about}'" for name, about in COMMANDS.items())
    cases = "\n".join(f"        {name}) compadd -- {' '.join(words)} ;;" for name, words in _words().items())
    values = "\n".join(
        f"        {flag}) compadd -- {' '.join(allowed)}; return ;;" for flag, allowed in _VALUES.items()
    )
    return f"""\
#compdef conquest
_conquest() {{
    local -a commands=(
{abouts.replace("'s", "s")}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case "${{words[CURRENT - 1]}}" in
{values}
    esac
    case "${{words[2]}}" in
{cases}
    esac
    [[ "${{words[2]}}" == ({"|".join(_FILES)}) ]] && _files
}}
compdef _conquest conquest
"""


def _fish() -> str:
    lines = ["complete -c conquest -f"]
    for name, about in COMMANDS.items():
        quoted = about.replace("'", "\\'")
        lines.append(f"complete -c conquest -n __fish_use_subcommand -a {name} -d '{quoted}'")
    for name, words in _words().items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for word in words:
            if not word.startswith("--"):
                lines.append(f"complete -c conquest {seen} -a {word}")
                continue
            values = f" -x -a '{' '.join(_VALUES[word])}'" if word in _VALUES else ""
            lines.append(f"complete -c conquest {seen} -l {word[2:]}{values}")
    lines.append(f"complete -c conquest -n '__fish_seen_subcommand_from {' '.join(_FILES)}' -F")
    return "\n".join(lines) + "\n"
