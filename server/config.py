"""What can be chosen about a server: by flag, or in a TOML file whose keys are the flags' names."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from protocol.limit import DEFAULT_PORT, Limits, RelayLimits, SshLimits
from server.io.journal import IN_MEMORY, is_url

LARGEST = 2**31 - 1
"""The largest number that a limit can be: some of them travel, and this is the largest that does."""


FLAG = "--"
Some = TypeVar("Some", Limits, RelayLimits, SshLimits)
TABLES = ("limits", "ssh_limits")
"""What a TOML file has in tables of their own."""


class BadConfig(ValueError):
    """A setting that cannot be; the message names it."""


@dataclass(frozen=True, slots=True)
class Config:
    """How a server is to run."""

    bind: str | None = None
    """The address to listen on; None for all of them."""
    port: int = DEFAULT_PORT
    db: str = IN_MEMORY
    """The journal: a file, the URL of a database, or ":memory:" to keep nothing."""
    tls: bool | None = None
    """Whether to encrypt; None: on all addresses but a loopback one."""
    certificate_folder: Path | None = None
    """Where the certificate is; None for the home folder."""
    local_listener: bool = False
    """Whether to open a plain port for this machine too: for the host's own client."""
    status: str | None = None
    """A port on this machine that answers with counts, or a file to write them to."""
    metrics: int | None = None
    """A port on this machine that answers Prometheus."""
    log_json: bool = False
    limits: Limits = field(default_factory=Limits)
    ssh: int | None = None
    """The port on which visitors by ssh are let in, if they are."""
    ssh_limits: SshLimits = field(default_factory=SshLimits)


_TYPES: dict[str, tuple[type, ...]] = {
    "bind": (str,),
    "port": (int,),
    "journal": (str,),
    "tls": (bool,),
    "status": (str, int),
    "metrics": (int,),
    "log_json": (bool,),
    "ssh": (int,),
}


def with_file(config: Config, path: Path) -> Config:
    """Take over what a TOML file says; raise `BadConfig`, naming the key, when it cannot be."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path} is not TOML: {error}.") from error
    if "db" in settings:
        # As the journal was called when it could only be a file.
        settings.setdefault("journal", settings.pop("db"))
    tables = {name: settings.pop(name, {}) for name in TABLES}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise BadConfig(f"{path}: {name} must be a table.")
    for key, value in settings.items():
        allowed = _TYPES.get(key)
        if allowed is None:
            known = ", ".join([*_TYPES, *(f"[{name}]" for name in TABLES)])
            raise BadConfig(f"{path}: {key} is not a setting; there are {known}.")
        if type(value) not in allowed:
            raise BadConfig(f"{path}: {key} cannot be {value!r}; it must be {_kinds(allowed)}.")
    if "journal" in settings:
        settings["db"] = settings.pop("journal")
    if "status" in settings:
        settings["status"] = str(settings["status"])
    changed = {
        name: with_limits(getattr(config, name), table, f"{path}: {name}.") for name, table in tables.items()
    }
    return checked(replace(config, **settings, **changed))


def with_limits(limits: Some, settings: Mapping[str, Any], where: str) -> Some:
    """Change some limits; raise `BadConfig` for one that does not exist or cannot be."""
    known = {each.name: each.type for each in fields(limits)}
    for key, value in settings.items():
        if key not in known:
            raise BadConfig(f"{where}{key} is not a limit; there are {', '.join(known)}.")
        is_whole = known[key] in ("int", int)
        right = type(value) is int or (type(value) is float and not is_whole)
        if not right or not 0 < value <= LARGEST:
            kind = "whole number" if is_whole else "number"
            name = key.replace("_", "-") if where == FLAG else key
            raise BadConfig(
                f"{where}{name} cannot be {value!r}; it must be a {kind} above 0 and at most {LARGEST}."
            )
    return replace(limits, **settings)


def checked(config: Config) -> Config:
    """Return the configuration; raise `BadConfig` when it makes no sense."""
    checked_port(config.port)
    if is_url(config.db) and _holds_password(config.db):
        raise BadConfig(
            "The journal's URL holds a password, and others can read it there; change it, and give the new "
            "one by ~/.pgpass or PGPASSWORD."
        )
    if config.metrics is not None and not 0 <= config.metrics <= 65535:
        raise BadConfig(f"metrics cannot be {config.metrics}; ports are 0 to 65535.")
    if config.ssh is not None and not 0 <= config.ssh <= 65535:
        raise BadConfig(f"ssh cannot be {config.ssh}; ports are 0 to 65535.")
    if config.status is not None:
        is_port = config.status.isdecimal() and int(config.status) <= 65535
        if not is_port and (config.status.isdecimal() or not Path(config.status).name):
            raise BadConfig(f"status cannot be {config.status!r}; it is a port up to 65535, or a file.")
    return config


def _holds_password(url: str) -> bool:
    """Tell whether a database's URL tells more than where it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        # The database's own library will say that it is none.
        return False
    return parts.password is not None or bool(parse_qs(parts.query).keys() & {"password", "sslpassword"})


def checked_port(port: int) -> int:
    """Return a port to listen on; raise `BadConfig` when there is none like that."""
    if not 0 <= port <= 65535:
        raise BadConfig(f"port cannot be {port}; ports are 0 to 65535.")
    return port


def _kinds(allowed: tuple[type, ...]) -> str:
    names = {str: "a text", int: "a whole number", bool: "true or false"}
    return " or ".join(names[kind] for kind in allowed)
