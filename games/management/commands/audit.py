"""Replay finished hands and compare them with what is stored: settlement, ledger and shoe."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.models import Day, Hand
from games.records import audit_house, closed_days, registered_audits
from games.records.audit import Auditor
from games.records.search import NAMES, chosen
from wallets.staff import journal
from wallets.staff.staff_command import RUN, StaffCommand

BAR = 30


def _in_words(total: int, wrong: int) -> str:
    """The result of an audit as an English sentence; commands are not translated."""
    hands = "1 hand" if total == 1 else f"{total:,} hands"
    if not wrong:
        return f"{hands} audited: no differences"
    return f"{hands} audited, {wrong:,} of them with differences"


class Command(StaffCommand):
    verb = journal.register("command:audit", _("Rebuilt days from their hands"), permission=RUN)
    # Without `--mend-days` it only reads.
    always = False
    help = (
        "Replays finished hands and compares results, ledger, shoes, the public chain and its "
        "anchors; exits with 1 where something does not fit."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "hands", nargs="*", metavar="NAME", help=f"{NAMES}; all hands by default"
        )
        parser.add_argument("--after", default="", metavar="HAND", help="go on behind this hand")
        parser.add_argument(
            "--mend-days",
            action="store_true",
            help="make wrong results of days anew, where nothing else is wrong",
        )
        for further in registered_audits.registered():
            parser.add_argument(f"--{further.name}", action="store_true", help=further.summary)

    def handle(self, *_arguments: object, **options: Any) -> None:
        some = bool(options["hands"] or options["after"])
        further = [audit for audit in registered_audits.registered() if options[audit.name]]
        if further and (some or options["mend_days"]):
            raise CommandError(f"--{further[0].name} audits nothing else.")
        if further:
            self._further(further)
            return
        if options["mend_days"] and some:
            raise CommandError("Days are made anew only after all hands have been audited.")
        if options["mend_days"]:
            # Refused now, and not only when the hands have been gone through.
            with self.acting(options):
                self.options = options
        self.auditor, self.others = Auditor(), 0
        hands = chosen(Hand.objects.exclude(status=Hand.Status.LIVE), options)
        total, wrong = self._hands(list(hands.order_by("pk").values_list("pk", flat=True)))
        if not some:
            for code, findings in self.auditor.other_shoes():
                self._shoe(code, findings)
        self._house()
        for audit in registered_audits.registered() if not some else ():
            self._report(audit.sentences())
        days = self._days(mend=options["mend_days"], refused=bool(wrong or self.others))
        self.stdout.write(f"\r{_in_words(total, wrong)}")
        if wrong or self.others or days:
            sys.exit(1)

    def _further(self, audits: Iterable[registered_audits.FurtherAudit]) -> None:
        """Run nothing but these audits."""
        self.others = 0
        for audit in audits:
            before = self.others
            self._report(audit.sentences())
            count = self.others - before
            self.stdout.write(f"\r{audit.name}: {count} {'finding' if count == 1 else 'findings'}")
        if self.others:
            sys.exit(1)

    def _hands(self, numbers: list[int]) -> tuple[int, int]:
        """Return how many hands were audited, and how many of them do not add up."""
        wrong, last = 0, 0
        try:
            for done, (number, hand, differences) in enumerate(self.auditor.hands(numbers), 1):
                last = number
                wrong += bool(differences)
                name = f"hand {number} {hand}" if hand else f"hand {number}"
                for difference in differences:
                    self.stdout.write(self.style.ERROR(f"\r{name}: {difference}"))
                for code, findings in self.auditor.shoes():
                    self._shoe(code, findings)
                self._bar(done, len(numbers))
        except KeyboardInterrupt:
            self.stderr.write(f"\nstopped; go on with --after {last}")
            sys.exit(130)
        return len(numbers), wrong

    def _house(self) -> None:
        """Run the checks across hands."""
        self._report(audit_house.tables())
        self._report(audit_house.strangers())
        self._report(audit_house.postings())
        self._report(audit_house.triggers())
        self._report(audit_house.published(lambda done: self._bar(done, 0)))

    def _shoe(self, code: str, found: list[str]) -> None:
        self._report(f"shoe {code}: {sentence}" for sentence in found)

    def _report(self, findings: Iterable[str]) -> None:
        for finding in findings:
            self.others += 1
            self.stdout.write(self.style.ERROR(f"\r{finding}"))

    def _days(self, *, mend: bool, refused: bool) -> bool:
        """Whether results of closed days are wrong and remain so."""
        wrong: dict[Day, list[str]] = {}
        lost = False
        for day, difference in audit_house.days():
            self.stdout.write(self.style.ERROR(f"\r{difference}"))
            lost |= day is None
            if day is not None:
                wrong.setdefault(day, []).append(str(difference))
        if not mend:
            return lost or bool(wrong)
        if refused and wrong:
            # Falsified hands would give a day that fits them.
            self.stdout.write(
                self.style.ERROR("no day is made anew: hands, chain and ledger do not agree")
            )
            return True
        if wrong:
            with self.acting(self.options) as who:
                self._mend(who, wrong)
        return lost

    def _mend(self, who: journal.By, wrong: Mapping[Day, list[str]]) -> None:
        for day, differences in wrong.items():
            with transaction.atomic():
                closed_days.mend_day(day)
                before = {"day": day.day, "differences": differences}
                self.note(who, self.options, before=before, after={"day": day.day})
            self.stdout.write(f"day {day}: made anew from its hands")

    def _bar(self, done: int, total: int) -> None:
        """A bar for hands, whose number is known, and a count for entries of the chain."""
        if not self.stderr.isatty() or done % 50:
            return
        if total:
            text = f"[{'#' * (BAR * done // total):{BAR}}] {done:,}/{total:,} hands"
        else:
            text = f"{done:,} entries of the public chain".ljust(BAR + 30)
        self.stderr.write(f"\r{text}", ending="")
