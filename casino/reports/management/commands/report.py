"""Print a report: `manage.py report revenue --from 2026-11-01 --to 2026-11-22 --by game`."""

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.reports import writing
from casino.reports.registry import REPORTS, query_of
from casino.reports.report import BYS
from wallets.errors import Refused


class Command(BaseCommand):
    help = f"Print a report for a range of days (UTC, both included): {', '.join(REPORTS)}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help=", ".join(REPORTS))
        parser.add_argument("--from", dest="first", required=True, metavar="DAY")
        parser.add_argument("--to", dest="last", required=True, metavar="DAY")
        parser.add_argument("--by", default="", metavar="|".join(BYS))
        parser.add_argument("--format", default="csv", metavar="|".join(writing.FORMATS))

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["format"] not in writing.FORMATS:
            raise CommandError(f"A report is written as {' or '.join(writing.FORMATS)}.")
        try:
            query = query_of(
                options["name"],
                options["first"],
                options["last"],
                options["by"],
                timezone.now().date(),
            )
        except Refused as refusal:
            raise CommandError(refusal.sentence) from None
        pieces = writing.csv_lines if options["format"] == "csv" else writing.json_pieces
        # The second piece is the first row, or what follows the rows where there is none.
        lines = pieces(query)
        head, second = next(lines), next(lines, "")
        self.stdout.write(head, ending="")
        for line in chain((second,), lines):
            self.stdout.write(line, ending="")
        if second.startswith((writing.COMMENT, "\n]")):
            self.stderr.write(
                f"Nothing happened from {query.span.first} to {query.span.last}: no rows."
            )
