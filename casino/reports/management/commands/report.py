"""Print a report: `manage.py report revenue --from 2026-11-01 --to 2026-11-22 --by game`, or
`manage.py report liability --at 2026-11-22T18:30`."""

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.reports import exporting, writing
from casino.reports.registry import REPORTS, query_at, query_of
from casino.reports.report import BYS
from wallets import journal
from wallets.errors import Refused
from wallets.staff_command import account_here


class Command(BaseCommand):
    help = f"Print a report for a range of days (UTC, both included): {', '.join(REPORTS)}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help=", ".join(REPORTS))
        parser.add_argument("--from", dest="first", default=None, metavar="DAY")
        parser.add_argument("--to", dest="last", default=None, metavar="DAY")
        parser.add_argument("--at", default="", metavar="INSTANT", help="of liability: an instant")
        parser.add_argument("--by", default="", metavar="|".join(BYS))
        parser.add_argument("--format", default="csv", metavar="|".join(writing.FORMATS))

    def handle(self, *_args: object, **options: Any) -> None:
        if options["format"] not in writing.FORMATS:
            raise CommandError(f"A report is written as {' or '.join(writing.FORMATS)}.")
        at, days = options["at"], [options["first"], options["last"]]
        named = [one for one in days if one is not None]
        if len(named) != (0 if at else 2):
            raise CommandError("Name two days with --from and --to, or an instant with --at.")
        now = timezone.now()
        try:
            if at:
                query = query_at(options["name"], at, now)
            else:
                query = query_of(options["name"], days[0], days[1], options["by"], now.date())
        except Refused as refusal:
            raise CommandError(refusal.sentence) from None
        with journal.coming_from(f"command line: {account_here()}"):
            exporting.note(exporting.COMMAND, query, options["format"])
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
