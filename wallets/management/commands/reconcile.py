"""`manage.py reconcile`: check that all the money adds up."""

import sys
from functools import partial

from django.core.management.base import BaseCommand, CommandParser

from wallets.audit.reconciliation import reconcile


class Command(BaseCommand):
    help = "Check every account and every chain of the ledger; exits with 1 where one does not fit."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--everything",
            action="store_true",
            help="hash all that was ever posted, not only what was posted since the last closing,"
            " and compare all rows of record with their record",
        )

    def handle(self, *, everything: bool, **options: object) -> None:
        count = 0
        findings = reconcile(
            everything=everything,
            progress=partial(self._progress, "transactions"),
            rows_progress=partial(self._progress, "rows"),
        )
        for finding in findings:
            count += 1
            self.stdout.write(self.style.ERROR(f"{finding.check}: {finding.sentence}"))
        if count:
            self.stdout.write(self.style.ERROR(f"{count} things do not fit"))
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("all accounts and all books fit"))

    def _progress(self, what: str, done: int, total: int) -> None:
        """Show a progress bar on a terminal, but not in a file."""
        if self.stderr.isatty():
            bar = "#" * (40 * done // max(total, 1))
            end = "\n" if done >= total else ""
            self.stderr.write(f"\r[{bar:<40}] {done:,} of {total:,} {what}", ending=end)
