"""The one folder in which a player's or a server's things are kept."""

import os
from pathlib import Path


def home() -> Path:
    """Return the folder that `CONQUEST_HOME` names, else the system's usual place for a user's data."""
    if named := os.environ.get("CONQUEST_HOME"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("conquest", appauthor=False)
