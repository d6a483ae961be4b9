"""`manage.py forget_codes NAME`: a user has lost phone and recovery codes."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from casino.accounts import freezing
from casino.accounts.models import Player
from wallets.staff.staff_command import StaffCommand
from wallets.values.errors import Refused


class Command(StaffCommand):
    verb = freezing.FORGET
    help = "Forgets the codes of a player who has lost the phone, and ends the player's sessions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="whose codes")

    def handle(self, *_arguments: object, **options: Any) -> None:
        try:
            player = Player.objects.get_by_natural_key(options["name"])
        except Player.DoesNotExist:
            raise CommandError(f"No player has the name {options['name']!r}.") from None
        with self.acting(options) as who:
            try:
                freezing.forget(player, who, options["why"])
            except Refused as refusal:
                raise CommandError(str(refusal.sentence)) from None
        self.stdout.write(f"{player.username} signs in with the password, and sets up new codes.")
