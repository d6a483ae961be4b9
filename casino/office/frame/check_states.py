"""The last run of each check of the house: when, over how much, and what it found."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import DatabaseError
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.office.alarms.house_conditions import CHECK_AFTER_MAX
from casino.office.alarms.models import CheckResult
from casino.office.models import AuditRun
from casino.office.reports.balances import first_day
from casino.ops import released_code
from games.models import Anchor, Day
from wallets.models import Closing, Transaction
from wallets.storage import replica
from wallets.values.days import ONE_DAY, day_of

# Anchors are made at least so often while hands are played.
ANCHOR_AFTER_MAX: Final = timedelta(days=1)


class State(NamedTuple):
    """A check: its last run, what that looked at, and what it found."""

    words: str
    at: datetime | None
    over: str
    found: str
    is_bad: bool
    address: str


def check_states(now: datetime, *, for_auditor: bool = True) -> list[State]:
    """The checks; those who audit nothing read more on the page of health."""
    found = [*_nightly(now), _anchors(now), *_replica(now), *_on_request()]
    return found if for_auditor else [one._replace(address=reverse("health")) for one in found]


def _nightly(now: datetime) -> Iterator[State]:
    known, opened = CheckResult.objects.in_bulk(), first_day()
    # A house of today has had no night.
    is_new = opened is None or opened >= day_of(now)
    for name, words, over in (
        ("audit", _("Audit of the day before"), _hands_audited),
        ("reconciliation", _("Reconciliation of the ledger"), _postings),
        ("release", _("Check of the code"), lambda _at: ""),
        ("rights", _("Check of the rights of staff"), lambda _at: ""),
    ):
        result = known.get(name)
        if result is None:
            found = _("has not run yet") if is_new else _("has never run")
            if name == "release" and not released_code.released():
                found, is_due = _("no release is noted"), False
            else:
                is_due = not is_new
            yield State(words, None, "", found, is_due, _address(name))
            continue
        overdue = result.at < now - CHECK_AFTER_MAX
        found = found_in_words(result.found) + (f": {result.first}" if result.first else "")
        bad = overdue or result.found > 0
        yield State(words, result.at, over(result.at), found, bad, _address(name))


def found_in_words(number: int) -> str:
    if not number:
        return _("no problem found")
    return ngettext("{number} problem found", "{number} problems found", number).format(
        number=number
    )


def _address(name: str) -> str:
    return {
        "audit": reverse("audits"),
        "reconciliation": reverse("admin:wallets_closing_changelist"),
    }.get(name, reverse("health"))


def _hands_audited(at: datetime) -> str:
    """The hands of the day before the audit, as that day was closed."""
    day = Day.objects.filter(day=day_of(at) - ONE_DAY).first()
    return hands_in_words(day.hands if day else 0)


def hands_in_words(number: int) -> str:
    return ngettext("{number} hand", "{number} hands", number).format(number=f"{number:,}")


def _postings(at: datetime) -> str:
    """All postings up to the closing that a clean run makes."""
    closing = Closing.objects.filter(time__lte=at).order_by("-time").first()
    if closing is None:
        return ""
    last = Transaction.objects.filter(time__lte=closing.time).order_by("-pk").first()
    number = last.pk if last else 0
    words = ngettext("{number} posting", "{number} postings", number)
    return words.format(number=f"{number:,}")


def _anchors(now: datetime) -> State:
    words, address = _("Anchors of the public chain"), reverse("health")
    last = Anchor.objects.order_by("-number").first()
    if last is None:
        return State(words, None, "", _("none was made yet"), False, address)
    entries = ngettext("{number} entry", "{number} entries", last.position)
    found = _("anchor {number} is kept") if last.written else _("anchor {number} is not written")
    return State(
        words,
        last.made_at,
        entries.format(number=f"{last.position:,}"),
        found.format(number=last.number),
        not last.written or last.made_at < now - ANCHOR_AFTER_MAX,
        address,
    )


def _replica(now: datetime) -> Iterator[State]:
    """The copy of the database, in a house that has one."""
    if replica.REPLICA not in settings.DATABASES:
        return
    try:
        age = replica.age_seconds()
    except DatabaseError:
        age = None
    words, address = _("Copy of the database"), reverse("health")
    if age is None:
        yield State(words, now, "", _("it does not answer"), True, address)
        return
    late = age > settings.REPLICA_LAG_SECONDS
    found = _("{seconds} s behind").format(seconds=f"{age:.1f}")
    yield State(words, now, "", found, late, address)


def _on_request() -> Iterator[State]:
    """The latest audit that a member of staff asked for."""
    run = AuditRun.objects.order_by("-pk").first()
    if run is not None:
        over = f"{run.done:,} / {run.wanted:,}"
        state = _("Audit on request"), run.requested_at, over, found_in_words(run.wrong)
        yield State(*state, run.wrong > 0, reverse("audit", args=[run.pk]))
