"""A few cases for the staff of a demonstration: complaints, notes, a flag, and what waits.

The verbs of the office do the work, so that journal, approvals and lists have them.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth import get_user_model

from casino.office.alarms.gauges import check_rights
from casino.office.desk import cash
from casino.office.desk.models import Till
from casino.office.players import complaints, verbs
from casino.office.players.models import Complaint, Flag
from games.models import HandSeat
from games.records import audit_house
from games.tables.demo import CURRENCY
from wallets.audit import reconciliation
from wallets.audit.check_reports import report
from wallets.staff import approvals
from wallets.values.days import ONE_DAY, day_of

DAYS: Final = timedelta(days=7)
# What players complained of, and the answer, if they have one.
COMPLAINTS: Final = (
    (
        "The clock played my hand although I had pressed a card in time.",
        "The press reached us two seconds after the deadline; the log was shown to the player.",
    ),
    ("I see a rake of 5 % on a hand that I won by one point. Is that right?", ""),
)
NOTES: Final = (
    "Asked at the desk for a printed statement of October; was shown where to find it.",
    "Plays most evenings at the same table and likes to be greeted by name.",
)
WATCHED: Final = "Two long nights in a row: say hello, and mention the limits."
TO_THE_VAULT: Final = 500_000
END_OF_DAY: Final = "more than the till needs tonight"


def make(now: datetime) -> None:
    """Make them once, about players who have lost most, and let the nightly checks run."""
    if Complaint.objects.exists():
        return
    players: Any = get_user_model().objects
    floor, cashier = (players.get(username=name) for name in ("floor", "cashier"))
    for seat, (text, answer) in zip(_seats(), COMPLAINTS, strict=False):
        due = day_of(now + DAYS)
        code = seat.hand.code
        found = complaints.take(floor, seat.player_id, text, hand=code, due_on=due, now=now)
        if answer:
            complaints.answer(floor, found.pk, Complaint.Outcome.DISMISSED, answer, now)
    for seat, text in zip(_seats(), NOTES, strict=False):
        verbs.note(floor, seat.player_id, text, now)
        verbs.flag(floor, seat.player_id, Flag.Kind.WATCH, WATCHED, now)
    till = Till.objects.filter(is_vault=False).order_by("pk").first()
    if till is not None:
        # It waits for a manager.
        moved = {"source": till.pk, "target": cash.vault().pk, "currency": CURRENCY}
        transfer = moved | {"amount": TO_THE_VAULT}
        approvals.submit(
            cashier, "desk.transfer", transfer, reason=END_OF_DAY, key=uuid4(), now=now
        )


def check_all(now: datetime) -> None:
    """Run the checks of a night, so that the overview says what they found."""
    for name, found in (
        ("audit", list(audit_house.audit_day(day_of(now) - ONE_DAY))),
        ("reconciliation", [one.sentence for one in reconciliation.reconcile(rows=True)]),
    ):
        report(name, len(found), next(iter(found), ""), now)
    check_rights(now)


def _seats() -> Iterator[HandSeat]:
    """The largest losses of different people."""
    seen: set[int] = set()
    lost = HandSeat.objects.filter(player__is_bot=False, player__is_staff=False, net__lt=0)
    for seat in lost.select_related("hand").order_by("net", "pk")[:50]:
        if seat.player_id not in seen:
            seen.add(seat.player_id)
            yield seat
