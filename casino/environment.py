"""What the house is told by its environment, each variable read in one place.

Nothing here has a default that would be unsafe in front of players: without `DEMO` the two keys and
the host names must be given.
"""

import os
from base64 import urlsafe_b64decode
from typing import Final

from django.core.exceptions import ImproperlyConfigured


def text(name: str) -> str:
    return os.environ.get(name, "").strip()


def flag(name: str, default: bool = False) -> bool:
    """A switch: 1, true, yes and on are on."""
    told = os.environ.get(name)
    return default if told is None else told.strip().lower() in ("1", "true", "yes", "on")


def number(name: str, default: int) -> int:
    told = text(name)
    if not told:
        return default
    try:
        return int(told)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {told!r}.") from None


def words(name: str) -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


DEMO: Final = flag("DEMO")


def secret(name: str) -> str:
    """A key that must be given; a demonstration house makes its own when it is first started."""
    told = os.environ.get(name, "")
    if not told:
        raise ImproperlyConfigured(
            f"{name} is not set. Set it in the environment, or start a demonstration house "
            "with `make run`, which makes one."
        )
    return told


def sealing_keys() -> list[str]:
    """The keys that encrypt the secrets of shoes, the newest first; each 32 bytes in base64."""
    keys = [key.strip() for key in secret("SEALING_KEYS").split(",") if key.strip()]
    for key in keys:
        try:
            good = len(urlsafe_b64decode(key)) == 32
        except ValueError:
            good = False
        if not good:
            raise ImproperlyConfigured("SEALING_KEYS must each be 32 bytes in URL-safe base64.")
    return keys
