"""The key by which an ssh client knows this server: made once, kept, and readable by its owner alone."""

from pathlib import Path

import asyncssh

from client.core.failure import CouldNot
from protocol.process.file import write_whole

NAME = "ssh_host_key"
KIND = "ssh-ed25519"


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the key, made if there is none yet; raise `CouldNot`."""
    path = folder / NAME
    try:
        if not path.exists():
            write_whole(path, asyncssh.generate_private_key(KIND, "conquest").export_private_key())
        return asyncssh.import_private_key(path.read_text("utf-8"))
    except OSError as problem:
        raise CouldNot(f"The key for ssh in {folder} cannot be used: {problem.strerror}.") from problem
    except (asyncssh.KeyImportError, UnicodeDecodeError) as problem:
        message = f"{path} is no key; remove it, and a new one is made, which visitors will be warned of."
        raise CouldNot(message) from problem
