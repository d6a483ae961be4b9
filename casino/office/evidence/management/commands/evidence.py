"""Pack evidence: `manage.py evidence hand T1-H20 --out hand.zip --by NAME --why TEXT`."""

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.office.evidence.packing import note, packed
from casino.office.evidence.scope import KINDS, Wanted, scope_of
from games.records.record import AUDIT
from wallets.staff import journal
from wallets.staff.staff_command import StaffCommand
from wallets.values.errors import Refused


class Command(StaffCommand):
    verb = journal.register(
        "command:evidence", _("Packed evidence with all cards"), permission=AUDIT
    )
    help = "Packs the evidence of a hand, a player, a gaming day or a tournament into a zip."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=list(KINDS), help="what it is about")
        parser.add_argument(
            "name", help="a code, a player's name, a day, a tournament's number or name"
        )
        for option, name in (("--from", "first"), ("--to", "last")):
            parser.add_argument(
                option,
                dest=name,
                type=date.fromisoformat,
                metavar="DAY",
                help=f"of a player: the {name} day",
            )
        parser.add_argument("--out", type=Path, required=True, metavar="FILE")

    def handle(self, *_arguments: object, **options: Any) -> None:
        if options["out"].exists():
            raise CommandError(f"--out: {options['out']} exists already.")
        now = timezone.now()
        wanted = Wanted(options["kind"], options["name"], options["first"], options["last"])
        try:
            scope = scope_of(wanted, now)
        except Refused as refusal:
            raise CommandError(refusal.sentence) from None
        with self.acting(options) as who:
            made = note(self.verb, scope, who, options["why"], now)
        with options["out"].open("xb") as file:
            for piece in packed(scope, made):
                file.write(piece)
        self.stdout.write(f"{options['out']}: {options['out'].stat().st_size} bytes")
