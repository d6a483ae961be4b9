"""The environment variables of the house, each read in one place.

A variable that is set to nothing is as one that is not set: compose files and units pass on such.
Nothing here has a default that would be unsafe in front of players: without `DEMO` the keys and
the host names must be given.
"""

import os
import re
from base64 import urlsafe_b64decode
from typing import Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured


def text(name: str) -> str:
    return os.environ.get(name, "").strip()


def flag(name: str, default: bool = False) -> bool:
    """A switch: 1, true, yes and on are on."""
    value = text(name).lower()
    return value in ("1", "true", "yes", "on") if value else default


def number(name: str, default: int, *, among: range | None = None) -> int:
    """A whole number; with `among`, one of these."""
    value = text(name)
    if not value:
        return default
    try:
        whole_number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None
    if among is not None and whole_number not in among:
        bounds = f"{among[0]} to {among[-1]}"
        raise ImproperlyConfigured(f"{name} must be a number from {bounds}, not {whole_number}.")
    return whole_number


def zone(name: str) -> str:
    """The name of a time zone, such as Asia/Macau; UTC unless another is given."""
    value = text(name) or "UTC"
    try:
        ZoneInfo(value)
    except (KeyError, OSError, ValueError):
        raise ImproperlyConfigured(
            f"{name} must be a time zone such as Asia/Macau, not {value!r}."
        ) from None
    return value


def words(name: str) -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def pairs(name: str) -> dict[str, str]:
    """A list of `key:value`, separated by commas."""
    pairs = dict[str, str]()
    for word in words(name):
        key, colon, value = word.rpartition(":")
        if not colon or not key or not value:
            raise ImproperlyConfigured(f"{name} has {word!r}; write KEY:VALUE.")
        pairs[key] = value
    return pairs


def witnesses(name: str) -> list[str]:
    """Addresses of outside witnesses, each with the public key of the witness."""
    addresses = words(name)
    for address in addresses:
        if not re.fullmatch(r"https?://[^#\s]+#[0-9a-f]{64}", address):
            raise ImproperlyConfigured(
                f"{name} has {address!r}; write https://witness.example/#KEY with 64 digits."
            )
    return addresses


def choice(name: str, *allowed: str) -> str:
    """One of some words; the first unless another is given."""
    value = text(name) or allowed[0]
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")
    return value


def hours(name: str, default: tuple[int, int]) -> tuple[int, int]:
    """From an hour of the day until another, as in `22-8`; the same hour twice is no time."""
    value = text(name)
    if not value:
        return default
    match_of_hours = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", value)
    first, last = (int(hour) for hour in match_of_hours.groups()) if match_of_hours else (24, 24)
    if max(first, last) > 23:
        raise ImproperlyConfigured(f"{name} must be two hours such as 22-8, not {value!r}.")
    return first, last


DEMO: Final = flag("DEMO")
# The hour in the house at which another gaming day begins.
GAMING_DAY_HOUR: Final = number("GAMING_DAY_HOUR", 6, among=range(24))


def secret(name: str) -> str:
    """A key that must be given; a demonstration house makes its own when it is first started."""
    value = text(name)
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set. Set it in the environment, or start a demonstration house "
            "with `make run`, which makes one."
        )
    return value


def sealing_keys() -> list[str]:
    """The keys that encrypt the secrets of shoes, the newest first."""
    return _keys("SEALING_KEYS")


def signing_keys() -> list[str]:
    """The private keys that sign receipts and anchors (Ed25519), the newest first."""
    return _keys("SIGNING_KEYS")


def push_key() -> str:
    """The private key that push services know the house by; without one nothing is sent."""
    return next(iter(_checked("PUSH_KEY", words("PUSH_KEY"))), "")


def contact(name: str) -> str:
    """An address at which a person reads what is written: an e-mail address or a page, or none."""
    value = text(name)
    if not value or value.startswith(("mailto:", "https://")):
        return value
    if "@" not in value:
        raise ImproperlyConfigured(f"{name} must be an e-mail address or an https:// address.")
    return f"mailto:{value}"


def _keys(name: str) -> list[str]:
    """Keys separated by commas, each 32 bytes in base64."""
    return _checked(name, [key.strip() for key in secret(name).split(",") if key.strip()])


def _checked(name: str, keys: list[str]) -> list[str]:
    for key in keys:
        try:
            good = len(urlsafe_b64decode(key)) == 32
        except ValueError:
            good = False
        if not good:
            raise ImproperlyConfigured(f"{name} must each be 32 bytes in URL-safe base64.")
    return keys
