"""The players of the demo server and their passwords: the only list of them.

The command that starts a demo server prints `SIGN_INS`. The passwords are in the source, so these
players are created only if `DEMO` is set.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from wallets.values.registry import Registry

# The parts of a demonstration that other packages add: each step makes what is missing and returns
# how much that was.
STEPS: Final = Registry[Callable[[], int]]("step of a demonstration")
# Those that need its tournaments.
LATER_STEPS: Final = Registry[Callable[[], int]]("later step of a demonstration")


class SignIn(NamedTuple):
    name: str
    password: str
    group: str = ""


SIGN_INS: Final = (
    SignIn("alice", "demo-alice"),
    SignIn("bob", "demo-bob"),
    SignIn("carol", "demo-carol"),
    SignIn("dave", "demo-dave"),
    SignIn("operator", "demo-operator", "managers"),
    # A second one, who approves the first one's proposals.
    SignIn("manager", "demo-manager", "managers"),
    SignIn("floor", "demo-floor", "floor"),
    SignIn("cashier", "demo-cashier", "cashiers"),
    SignIn("auditor", "demo-auditor", "auditors"),
    SignIn("technician", "demo-technician", "technicians"),
)


def seed() -> int:
    """Create the missing players and return how many; leave existing ones unchanged."""
    # Code that only prints the list need not have loaded the models.
    from django.contrib.auth.hashers import make_password  # noqa: PLC0415

    from casino.accounts import appointing  # noqa: PLC0415
    from casino.accounts.models import Player  # noqa: PLC0415
    from wallets.staff.journal import By  # noqa: PLC0415

    if not settings.DEMO:
        raise ImproperlyConfigured("Demonstration players have well-known passwords.")
    missing = [each for each in SIGN_INS if not Player.name_is_taken(each.name)]
    # Hashing a password is slow on purpose, so all of them are hashed in parallel.
    with ThreadPoolExecutor() as hashing:
        hashes = hashing.map(make_password, [each.password for each in missing])
    for each, hashed in zip(missing, hashes, strict=True):
        with transaction.atomic():
            player = Player.objects.create_user(each.name)
            Player.objects.filter(pk=player.pk).update(password=hashed)
            if each.group:
                who = By("command:demo", "demo")
                appointing.appointed(player, each.group, who, "a demonstration")
    return len(missing)
