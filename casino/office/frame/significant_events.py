"""Significant events in one list: what alarms, the journal and sign-ins have noted, by day.

Nothing is stored for it. Of a failed sign-in the name that was typed is not shown: it may be a
password.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from heapq import merge
from itertools import islice
from typing import Any, Final, NamedTuple

from axes.models import AccessAttempt
from django.contrib.auth import get_user_model
from django.forms import ChoiceField
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.accounts.sign_ins import locked_until
from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import words_of
from casino.office.alarms.models import Alarm
from casino.office.frame.journal_words import links
from games.models import Hand
from games.records.record import AUDIT
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.money.references import Link
from wallets.office.staff_pages import DEEDS, Menu, office_page, staff_page
from wallets.pages.views import Days, near
from wallets.staff import journal
from wallets.values.days import ONE_DAY, day_of, in_house_zone, start_of
from wallets.values.player import Player, player_of

# How many events a page shows, and of how many days where none are chosen.
SHOWN: Final = 200
DAYS: Final = timedelta(days=30)
# The member of staff who voided a hand, as hands store it; the journal tells of those.
BY_STAFF: Final = "operator"


class Span(NamedTuple):
    since: datetime
    until: datetime


class Event(NamedTuple):
    at: datetime
    words: str
    detail: str
    subject: str
    # What leads to the row that it was read from.
    source: Link
    by: str = ""


class Kind(NamedTuple):
    """A kind of events: which alarms and which verbs of staff belong to it."""

    words: str | Promise
    alarms: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    sign_ins: bool = False
    # Hands that the house voided by its rules; of others the journal tells.
    voids: bool = False


KINDS: Final[dict[str, Kind]] = {
    "wins": Kind(_("Large wins and jackpots"), ("large_win", "jackpot")),
    "reversals": Kind(
        _("Hands voided and reversed"), (), ("hand.reverse", "hand.void"), voids=True
    ),
    "sign_ins": Kind(_("Failed sign-ins"), ("sign_ins",), ("accessattempt.delete",), sign_ins=True),
    "changes": Kind(
        _("Changes of rules, limits and money"),
        ("halt",),
        (
            "profile.publish", "table.add", "table.change", "limit.change", "jackpot.open",
            "jackpot.change", "jackpot.drain", "desk.correct", "currency.add", "currency.change",
            "house.close", "house.open", "house.halt", "house.lift", "maintenance.on",
            "maintenance.off", "command:appoint", "command:dismiss", "staff.appoint",
            "staff.dismiss", "staff.first_password", "command:reseal", "command:release",
        ),
    ),
    "people": Kind(
        _("Changes of players' accounts"),
        (),
        (
            "player.freeze", "player.unfreeze", "player.close", "player.erase",
            "player.end_sessions", "player.forget_codes", "command:forget_codes",
        ),
    ),
    "clock": Kind(_("Clock drift"), ("drift",)),
    "mismatches": Kind(
        _("Mismatches and missing checks"),
        (
            "audit", "reconciliation", "check_missed", "anchor", "anchor_unsent", "witness_late",
            "witness_disagrees", "code", "release", "rights", "hold",
        ),
        ("command:audit", "command:check_code"),
    ),
    "looks": Kind(
        _("Cards opened and evidence packed"),
        (),
        (
            "hand.open_cards", "hands.search_cards", "evidence.pack", "command:evidence",
            "command:export",
        ),
    ),
}  # fmt: skip


class Filters(Days):
    kind = ChoiceField(required=False, label=_("What"), widget=UnfoldAdminSelectWidget)
    field_order = ("kind",)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        choices = [("", _("everything")), *((name, kind.words) for name, kind in KINDS.items())]
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]
        for name in ("first_day", "last_day"):
            self.fields[name].widget.attrs["class"] = UnfoldAdminTextInputWidget().attrs["class"]

    def kinds(self) -> list[Kind]:
        chosen = self.cleaned_data.get("kind", "")
        return [KINDS[chosen]] if chosen else list(KINDS.values())

    def span(self, now: datetime) -> Span:
        last = near(self.cleaned_data.get("last_day")) or day_of(now)
        first = near(self.cleaned_data.get("first_day")) or last - DAYS
        return Span(start_of(first), start_of(last + ONE_DAY))


@staff_page("events", "events/", _("Significant events"), AUDIT, menu=Menu(DEEDS, "event_note", 20))
@require_safe
def events_page(request: HttpRequest) -> HttpResponse:
    form = Filters(request.GET)
    form.is_valid()
    shown_events = events(player_of(request), form.kinds(), form.span(timezone.now()))
    known = links(event.subject for event in shown_events)
    return office_page(
        request,
        "events.html",
        _("Significant events"),
        form=form,
        rows=[(event, known.get(event.subject)) for event in shown_events],
        full=len(shown_events) == SHOWN,
    )


def events(reader: Player, kinds: list[Kind], span: Span) -> list[Event]:
    """The newest events of these kinds, the latest first."""
    alarms = [name for kind in kinds for name in kind.alarms]
    verbs = [name for kind in kinds for name in kind.verbs]
    sources = [_of_alarms(reader, alarms, span), _of_journal(verbs, span)]
    if any(kind.sign_ins for kind in kinds):
        sources.append(_of_sign_ins(span))
    if any(kind.voids for kind in kinds):
        sources.append(_of_voids(span))
    newest = merge(*sources, key=lambda event: -event.at.timestamp())
    return list(islice(newest, SHOWN))


def _of_alarms(reader: Player, kinds: list[str], span: Span) -> Iterator[Event]:
    alarms = condition_checks.visible_to(reader).filter(
        kind__in=kinds, raised_at__gte=span.since, raised_at__lt=span.until
    )
    for alarm in alarms.order_by("-raised_at", "-pk")[:SHOWN]:
        yield _of_alarm(alarm)


def _of_alarm(alarm: Alarm) -> Event:
    words, sentence = words_of(alarm)
    source = Link(reverse("alarm", args=[alarm.pk]), _t("alarm"))
    return Event(alarm.raised_at, words, sentence, alarm.subject, source)


def _of_journal(verbs: list[str], span: Span) -> Iterator[Event]:
    entries = JournalEntry.objects.filter(verb__in=verbs, at__gte=span.since, at__lt=span.until)
    for entry in entries.order_by("-at", "-position")[:SHOWN]:
        address = f"{reverse('journal')}?subject={entry.subject}#entry-{entry.position}"
        yield Event(
            entry.at,
            journal.words_of(entry.verb),
            _outcome(entry),
            entry.subject,
            Link(address, _t("journal")),
            entry.actor_name,
        )


def _outcome(entry: JournalEntry) -> str:
    """The reason of an entry; of a check, how many problems it found, and the first, as well."""
    problems = entry.after.get("found")
    if not isinstance(problems, list):
        return entry.reason
    if not problems:
        # `make messages` finds no text inside an f-string.
        words = _t("No problem found")
        return f"{words} · {entry.reason}"
    words = ngettext("{number} problem found", "{number} problems found", len(problems))
    return f"{words.format(number=len(problems))}: {problems[0]} · {entry.reason}"


def _of_sign_ins(span: Span) -> Iterator[Event]:
    """Failures by account; a name without an account may be a password, and is not shown."""
    access_attempts = AccessAttempt.objects.filter(
        attempt_time__gte=span.since, attempt_time__lt=span.until
    )
    attempts = list(access_attempts.order_by("-attempt_time", "-pk")[:SHOWN])
    people = get_user_model().objects.filter(
        username_key__in={attempt.username for attempt in attempts}
    )
    accounts = {key: player_reference(pk) for key, pk in people.values_list("username_key", "pk")}
    for attempt in attempts:
        until = locked_until(attempt)
        words = _t("A name is locked there") if until else _t("A sign-in failed")
        detail = _t("{failures} failures from {address}").format(
            failures=attempt.failures_since_start, address=attempt.ip_address or "?"
        )
        if until is not None:
            detail += " · " + _t("locked until {time}").format(
                time=f"{in_house_zone(until):%H:%M:%S}"
            )
        source = Link(reverse("admin:axes_accessattempt_changelist"), _t("sign-ins"))
        account = accounts.get(attempt.username or "", "")
        yield Event(attempt.attempt_time, words, detail, account, source)


def _of_voids(span: Span) -> Iterator[Event]:
    """The house voids an unfinishable hand without staff."""
    ended = Hand.objects.filter(ended_at__gte=span.since, ended_at__lt=span.until)
    hands = ended.filter(status=Hand.Status.VOID).exclude(void_by=BY_STAFF)
    for hand in hands.order_by("-ended_at", "-pk")[:SHOWN]:
        assert hand.ended_at is not None, "the filter asks for it"
        source = Link(reverse("office-hand", args=[hand.code]), _t("hand"))
        words = _t("The house voided a hand")
        yield Event(hand.ended_at, words, hand.why_void, hand.reference, source)
