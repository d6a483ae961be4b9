"""Replay finished hands and hold them against what is stored: settlement, ledger and shoe."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import accounting, chain
from games.books.audit import audit
from games.models import Hand

BAR = 30


class Command(BaseCommand):
    help = "Replays finished hands and compares results, ledger and shoe; reads the public chain."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("hands", nargs="*", type=int, help="the hands, all by default")
        parser.add_argument(
            "--after", type=int, default=0, metavar="HAND", help="go on behind this hand"
        )
        parser.add_argument(
            "--mend-days", action="store_true", help="make wrong results of days anew"
        )

    def handle(self, *_: Any, **told: Any) -> None:
        hands = Hand.objects.exclude(status=Hand.Status.LIVE).filter(pk__gt=told["after"])
        if told["hands"]:
            hands = hands.filter(pk__in=told["hands"])
        total, wrong, last = hands.count(), 0, told["after"]
        try:
            for done, (hand, found) in enumerate(audit(hands.order_by("pk")), 1):
                last = hand.pk
                wrong += bool(found)
                for difference in found:
                    self.stdout.write(self.style.ERROR(f"\rhand {hand.pk} {hand}: {difference}"))
                self._bar(done, total)
        except KeyboardInterrupt:
            self.stderr.write(f"\nstopped; go on with --after {last}")
            sys.exit(130)
        broken = chain.differences()
        for difference in broken:
            self.stdout.write(self.style.ERROR(f"the public chain: {difference}"))
        days = self._days(mend=told["mend_days"])
        self.stdout.write(f"\r{total} hands, {wrong} of them do not add up")
        if wrong or broken or days:
            sys.exit(1)

    def _days(self, *, mend: bool) -> bool:
        """Whether the results of closed days are wrong, and stay so."""
        wrong = list(accounting.wrong_days())
        for day, difference in wrong:
            self.stdout.write(self.style.ERROR(f"day {day}: {difference}"))
        if not mend:
            return bool(wrong)
        for day in {day.pk: day for day, _difference in wrong}.values():
            accounting.mend_day(day)
            self.stdout.write(f"day {day}: made anew from its hands")
        return False

    def _bar(self, done: int, total: int) -> None:
        if not self.stderr.isatty() or done % 20:
            return
        filled = BAR * done // total
        self.stderr.write(f"\r[{'#' * filled:{BAR}}] {done}/{total}", ending="")
