"""What a house finds in its environment: the keys of tests, and no variable of another house."""

import os
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[2]

# The keys of every house that is opened here, unless it makes its own as `make run` does.
KEYS: Final = {
    "SECRET_KEY": "a key for tests alone",
    "SEALING_KEYS": "dGVzdHMgYWxvbmUgdXNlIHRoaXMga2V5LCBub2JvZHk=",
    "SIGNING_KEYS": "dGVzdHMgYWxvbmUgc2lnbiB3aXRoIHRoaXMga2V5ISE=",
}
# An address where no Redis listens: the house must do without.
NO_REDIS: Final = "redis://127.0.0.1:1/0"
REMOVED: Final = {
    *KEYS,
    "DATABASE_URL",
    "DEMO",
    "DEMO_LIFE",
    "DJANGO_SETTINGS_MODULE",
    "PORT",
    "REDIS_URL",
    "REPLICA_URL",
    "TASKS_REDIS_URL",
}


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """The environment of a fresh shell, plus the folder of the house."""
    bare = {name: value for name, value in os.environ.items() if name not in REMOVED}
    # A test that wants bots at play says so.
    return {**bare, "DEMO_LIFE": "0", "DATA_DIR": str(folder), **variables}
