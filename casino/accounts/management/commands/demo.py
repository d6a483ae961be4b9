"""Fill a demo server: its players, and what the other packages add to it."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.accounts import demo as players
from games.tables import demo as tables
from wallets.of_record.verbs import verb


class Command(BaseCommand):
    help = "Fill a demonstration house with players and staff. Repeating it changes nothing."

    @verb("setup:demo")
    def handle(self, *_args: object, **_options: object) -> None:
        if not settings.DEMO:
            raise CommandError(
                "This is not a demonstration house: DEMO is not set, and nothing was made."
            )
        steps = {"players": players.seed, "tables": tables.seed, **players.STEPS}
        for room, seed in steps.items():
            made = seed()
            self.stdout.write(f"{room}: {made} made" if made else f"{room}: all there")
