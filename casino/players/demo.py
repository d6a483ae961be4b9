"""The people of a demonstration house, and how they sign in: the one list of them.

Whoever starts such a house prints `SIGN_INS`. Their passwords stand in the source, so they are only
ever made where `DEMO` is set.
"""

from typing import Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction


class SignIn(NamedTuple):
    name: str
    password: str
    group: str = ""


SIGN_INS: Final = (
    SignIn("alice", "demo-alice"),
    SignIn("bob", "demo-bob"),
    SignIn("carol", "demo-carol"),
    SignIn("dave", "demo-dave"),
    SignIn("operator", "demo-operator", "operators"),
    SignIn("cashier", "demo-cashier", "cashiers"),
    SignIn("auditor", "demo-auditor", "auditors"),
)


def seed() -> int:
    """Make those who are missing and say how many; whoever is there is left as they are."""
    # Whoever only prints the list need not have set up the models.
    from casino.players.models import Player  # noqa: PLC0415
    from casino.players.staff import appoint  # noqa: PLC0415

    if not settings.DEMO:
        raise ImproperlyConfigured("Demonstration players have passwords that everybody knows.")
    missing = [each for each in SIGN_INS if not Player.name_is_taken(each.name)]
    for each in missing:
        with transaction.atomic():
            player = Player.objects.create_user(each.name, password=each.password)
            if each.group:
                appoint(player, each.group)
    return len(missing)
