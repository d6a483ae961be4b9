"""The parts that several models share."""

import secrets
from uuid import UUID

from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.functional import Promise

from games.words.naming import GAME_NAMES

AMOUNT = [MinValueValidator(1), MaxValueValidator(10**15)]


def new_token() -> str:
    """A token that cannot be guessed."""
    return secrets.token_urlsafe(16)


def new_sealed_token() -> str:
    """Nothing yet: a token is sealed when its row is known. The first migration has this name."""
    return ""


def seat_reference(code: UUID) -> str:
    """Return the ledger's name of a seat; it is known before the seat is taken."""
    return f"seat:{code}"


def game_choices() -> list[tuple[str, str | Promise]]:
    return list(GAME_NAMES.items())
