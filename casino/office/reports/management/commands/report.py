"""Print a report: `manage.py report revenue --from 2026-11-01 --to 2026-11-22 --by game`, or
`manage.py report liability --at 2026-11-22T18:30`."""

from datetime import date
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.office.reports import formats
from casino.office.reports.columns import BYS
from casino.office.reports.report import REPORTS, query_at, query_of
from casino.web.spreadsheets import COMMENT
from games.records.search import SAID, read_day
from wallets.staff import journal
from wallets.staff.staff_command import account_here
from wallets.values.days import day_of
from wallets.values.errors import Refused


def _as_written(day: str | None, today: date) -> str | None:
    """`today` and `yesterday` as dates; everything else as it was typed."""
    return day if day not in SAID else str(read_day(day, today))


class Command(BaseCommand):
    help = f"Print a report for a range of the house's days (both included): {', '.join(REPORTS)}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help=", ".join(REPORTS))
        parser.add_argument("--from", dest="first", default=None, metavar="DAY")
        parser.add_argument("--to", dest="last", default=None, metavar="DAY")
        parser.add_argument("--at", default="", metavar="INSTANT", help="of liability: an instant")
        parser.add_argument("--by", default="", metavar="|".join(BYS))
        parser.add_argument("--format", default="csv", metavar="|".join(formats.FORMATS))

    def handle(self, *_args: object, **options: Any) -> None:
        if options["format"] not in formats.FORMATS:
            raise CommandError(f"A report is written as {' or '.join(formats.FORMATS)}.")
        now = timezone.now()
        at, first, last = options["at"], options["first"], options["last"]
        # One day is a range of one day.
        days = [_as_written(text, day_of(now)) for text in (first, first if last is None else last)]
        named = [day for day in days if day is not None]
        if len(named) != (0 if at else 2):
            raise CommandError(
                "Name a day with --from, a range with --from and --to, or an instant with --at."
            )
        try:
            if at:
                query = query_at(options["name"], at, now)
            else:
                query = query_of(options["name"], named[0], named[1], options["by"], day_of(now))
        except Refused as refusal:
            raise CommandError(refusal.sentence) from None
        with journal.coming_from(f"command line: {account_here()}"):
            formats.note(formats.COMMAND, query, options["format"])
        pieces = formats.csv_lines if options["format"] == "csv" else formats.json_pieces
        # The second piece is the first row, or what follows the rows where there is none.
        lines = pieces(query)
        head, second = next(lines), next(lines, "")
        self.stdout.write(head, ending="")
        for line in chain((second,), lines):
            self.stdout.write(line, ending="")
        if second.startswith((COMMENT, "\n]")):
            self.stderr.write(
                f"Nothing happened from {query.span.first} to {query.span.last}: no rows."
            )
