"""`manage.py maintenance on|off --by NAME --why TEXT [--message TEXT]`."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from casino.ops.maintenance import switch
from games.models import Hand
from wallets.staff.staff_command import StaffCommand
from wallets.values.errors import Refused


class Command(StaffCommand):
    verb = switch.ON
    help = "Switches maintenance on or off: while it is on, no new hand opens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("position", choices=["on", "off"])
        parser.add_argument("--message", default="", help="what players read, on every page")

    def handle(self, *_arguments: object, **options: Any) -> None:
        now = timezone.now()
        with self.acting(options) as who:
            try:
                if options["position"] == "on":
                    switch.turn_on(who, why=options["why"], now=now, message=options["message"])
                else:
                    switch.turn_off(who, why=options["why"], now=now)
            except Refused as refusal:
                raise CommandError(str(refusal.sentence)) from None
        if options["position"] == "off":
            self.stdout.write("Maintenance is off: tables deal again.")
            return
        live = Hand.objects.filter(status=Hand.Status.LIVE).count()
        self.stdout.write(f"Maintenance is on: no new hand opens. Live hands: {live}.")
