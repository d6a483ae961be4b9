"""Fill a demo server: its players, and whatever the other packages add to it."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.players import demo as players
from games.tables import demo as tables

# The steps, in order. Each creates what is missing and returns how much that was.
STEPS: Final[tuple[tuple[str, Callable[[], int]], ...]] = (
    ("players", players.seed),
    ("tables", tables.seed),
)


class Command(BaseCommand):
    help = "Fill a demonstration house with players and staff. Repeating it changes nothing."

    def handle(self, *_args: object, **_options: object) -> None:
        if not settings.DEMO:
            raise CommandError(
                "This is not a demonstration house: DEMO is not set, and nothing was made."
            )
        for room, seed in STEPS:
            made = seed()
            self.stdout.write(f"{room}: {made} made" if made else f"{room}: all there")
