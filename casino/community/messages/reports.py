"""Reports to staff by mail: the figures of yesterday in the morning, and the alarms of their role.

Each member of staff asks for their own; a role that was lost since gets nothing.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.community.messages.models import ReportMail, Sending
from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import words_of
from casino.office.alarms.models import Alarm
from casino.office.reports.columns import Column
from casino.office.reports.facts import Span
from casino.office.reports.figures import Figures
from casino.office.reports.office_reports.revenue import Revenue
from casino.office.reports.report import READ
from wallets.models import Currency
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.days import day_of, with_zone
from wallets.values.errors import Refused
from wallets.values.house import house_name
from wallets.values.player import Player as PlayerLike
from wallets.values.player import Viewer

# Managers, auditors and technicians have an overview to report.
SET: Final = journal.register(
    "report_mail.set",
    _("Chose reports by mail"),
    needs_reason=False,
    permission=READ,
    also=condition_checks.SEE,
)
WEEK: Final = timedelta(days=7)
ONE_DAY: Final = timedelta(days=1)
# An alarm that is older than this when it is found is no news.
ALARMS_BACK: Final = timedelta(hours=1)
FIGURES: Final = (
    ("hands", _n("Hands"), "count"),
    ("players", _n("Players"), "count"),
    ("gross", _n("Gross revenue"), "money"),
    ("from_people", _n("From people"), "money"),
    ("net", _n("Net revenue"), "money"),
)


@under(SET)
def choose(
    member: PlayerLike, address: str, language: str, kinds: set[str], now: datetime
) -> ReportMail:
    """Get these reports at this address from now on; without any, none."""
    for kind, permission in (("yesterday", READ), ("alarms", condition_checks.SEE)):
        if kind in kinds and not member.has_perm(permission):
            raise Refused("not_permitted", _("Your role cannot do this."))
    with transaction.atomic():
        rows = ReportMail.objects.select_for_update(no_key=True)
        row = rows.filter(member=member.pk).first() or ReportMail(member_id=member.pk)
        before = {"yesterday": row.yesterday, "alarms": row.alarms}
        row.address, row.language, row.since = address, language, now
        row.yesterday, row.alarms = "yesterday" in kinds, "alarms" in kinds
        row.save()
        journal.write(
            journal.by(member),
            SET,
            f"player:{member.pk}",
            before=before,
            after={"yesterday": row.yesterday, "alarms": row.alarms},
            reason="",
            now=now,
        )
    return row


def enqueue_yesterday(now: datetime) -> int:
    """Set the figures of yesterday on their way, once to each who wants them."""
    day = day_of(now) - ONE_DAY
    return _enqueue(
        (row, f"day:{day}") for row in ReportMail.objects.filter(yesterday=True).order_by("pk")
    )


def enqueue_alarms(now: datetime) -> int:
    """Set new alarms on their way, each once to each who may see it."""
    rows = ReportMail.objects.filter(alarms=True).select_related("member").order_by("pk")
    return _enqueue((row, f"alarm:{alarm.pk}") for row in rows for alarm in _news_of(row, now))


def _news_of(row: ReportMail, now: datetime) -> Iterator[Alarm]:
    seen = condition_checks.visible_to(row.member)
    yield from seen.filter(raised_at__gt=max(row.since, now - ALARMS_BACK))


def _enqueue(mails: Iterator[tuple[ReportMail, str]]) -> int:
    # Their key says what has been set on its way already.
    rows = [
        Sending(
            key=f"{about}:staff:{row.member_id}",
            channel=Sending.Channel.MAIL,
            report_mail=row,
            about=about,
            next_at=row.since,
        )
        for row, about in mails
    ]
    keys = [row.key for row in rows]
    known = set(Sending.objects.filter(key__in=keys).values_list("key", flat=True))
    fresh = [row for row in rows if row.key not in known]
    Sending.objects.bulk_create(fresh, ignore_conflicts=True)
    return len(fresh)


def letter_of(row: ReportMail, about: str, now: datetime) -> EmailMessage | None:
    """The mail about a day or an alarm, as far as the member's role goes today."""
    member = row.member
    kind, _colon, value = about.partition(":")
    if not member.is_active or not member.is_staff:
        return None
    with translation.override(row.language):
        if kind == "day" and row.yesterday and member.has_perm(READ):
            title, lines = yesterday(date.fromisoformat(value), member)
        elif kind == "alarm" and row.alarms:
            alarm = condition_checks.visible_to(member).filter(pk=value).first()
            if alarm is None:
                return None
            title, sentence = words_of(alarm)
            title, lines = f"[{alarm.reference}] {title}", [sentence, with_zone(alarm.raised_at)]
        else:
            return None
    return EmailMessage(" ".join(title.split()), "\n".join(lines), to=[row.address])


def yesterday(day: date, member: Viewer) -> tuple[str, list[str]]:
    """The figures of a day beside those of the same day a week before."""
    figures = Figures(Span(day - WEEK, day))
    rows = {(row["day"], row.currency): row for row in Revenue().rows(figures, "day")}
    codes = sorted({code for on, code in rows if on in (day, day - WEEK)})
    currencies = Currency.objects.in_bulk(codes)
    title = _t("{day}: {house}").format(day=date_format(day, "DATE_FORMAT"), house=house_name())
    lines = [title, ""]
    for code in codes:
        lines.append(currencies[code].name)
        for name, words, unit in FIGURES:
            column = Column(name, "", unit)  # type: ignore[arg-type]
            now, then = (
                column.shown(row[name] if (row := rows.get((on, code))) else 0, currencies[code])
                for on in (day, day - WEEK)
            )
            lines.append(
                _t("  {words}: {now} (a week before: {then})").format(
                    words=_t(words), now=now, then=then
                )
            )
        lines.append("")
    if not codes:
        lines += [_t("No hand was played."), ""]
    waiting = condition_checks.visible_to(member).filter(cleared_at=None).count()
    lines.append(_t("Open alarms: {count}").format(count=waiting))
    return title, lines
