"""Write the records of finished hands as JSON Lines, with their proofs, for auditors."""

import json
from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Hand
from games.records.record import AUDIT, AUDITOR, handed_out
from games.records.search import NAMES, chosen
from wallets.staff import journal
from wallets.staff.staff_command import StaffCommand
from wallets.values.days import start_of


class Command(StaffCommand):
    verb = journal.register("command:export", _("Exported hands with all cards"), permission=AUDIT)
    help = "Writes the records of finished hands to standard output, one JSON object a line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "hands", nargs="*", metavar="NAME", help=f"{NAMES}; all hands by default"
        )
        parser.add_argument("--after", default="", metavar="HAND", help="behind this hand")
        parser.add_argument("--table", type=int, help="of one table")
        parser.add_argument("--since", type=date.fromisoformat, help="ended on this day or later")
        parser.add_argument("--until", type=date.fromisoformat, help="ended before this day")

    def handle(self, *_arguments: object, **options: Any) -> None:
        # Noted before the first record is out: the command may be stopped after the last one.
        wanted = {name: options[name] for name in ("hands", "after", "table", "since", "until")}
        with self.acting(options) as who:
            self.note(who, options, before={}, after=wanted)
        # Reversed hands are records too, and say so.
        paid = Q(status=Hand.Status.FINISHED) | Q(reversed_at__isnull=False)
        hands = chosen(Hand.objects.filter(paid), options)
        if options["table"]:
            hands = hands.filter(table_id=options["table"])
        if options["since"]:
            hands = hands.filter(ended_at__gte=start_of(options["since"]))
        if options["until"]:
            hands = hands.filter(ended_at__lt=start_of(options["until"]))
        for hand in hands.select_related("shoe", "table").order_by("pk").iterator(chunk_size=200):
            self.stdout.write(json.dumps(handed_out(hand, AUDITOR), ensure_ascii=False))
