"""Write the records of finished hands as JSON Lines, with their proofs, for auditors."""

import json
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Q

from games.history import AUDITOR, record
from games.models import Hand


class Command(BaseCommand):
    help = "Writes the records of finished hands to standard output, one JSON object a line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--after", type=int, default=0, metavar="HAND", help="behind this hand")
        parser.add_argument("--table", type=int, help="of one table")
        parser.add_argument("--since", type=date.fromisoformat, help="ended on this day or later")
        parser.add_argument("--until", type=date.fromisoformat, help="ended before this day")

    def handle(self, *_: Any, **told: Any) -> None:
        # Those that were taken back after they had been paid are records too, and say so.
        paid = Q(status=Hand.Status.FINISHED) | Q(reversed_at__isnull=False)
        hands = Hand.objects.filter(paid, pk__gt=told["after"])
        if told["table"]:
            hands = hands.filter(table_id=told["table"])
        if told["since"]:
            hands = hands.filter(ended_at__date__gte=told["since"])
        if told["until"]:
            hands = hands.filter(ended_at__date__lt=told["until"])
        for hand in hands.select_related("shoe", "table").order_by("pk").iterator(chunk_size=200):
            self.stdout.write(json.dumps(record(hand, AUDITOR), ensure_ascii=False))
