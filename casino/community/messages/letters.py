"""Mails: to players, with the headers of their way out (RFC 8058), and reports to staff.

Each member of staff asks for their own reports, the figures of yesterday in the morning and the
alarms of their role; a role that was lost since gets nothing.
"""

import smtplib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from email.utils import parseaddr
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.messages.models import ADDRESS_MAX, Kind, Message, ReportMail, Sending
from casino.community.messages.outbox import Result, who_want_mail
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
from wallets.values import house
from wallets.values.days import day_of, with_zone
from wallets.values.errors import Refused
from wallets.values.house import house_name
from wallets.values.player import Player as PlayerLike
from wallets.values.player import Viewer

LEAVING: Final = "messages.leave"
ONE_CLICK: Final = "List-Unsubscribe=One-Click"
# The server has said no, or could not be reached: nothing has arrived.
REFUSALS: Final = (
    smtplib.SMTPResponseException,
    smtplib.SMTPRecipientsRefused,
    smtplib.SMTPNotSupportedError,
    ConnectionRefusedError,
)
# From these answers of a server on, another attempt is of no use.
FOR_GOOD: Final = 500


def house_address() -> str:
    """Where players reach the house, if it knows: without one no mail would have a way out."""
    return str(settings.MAIL_LINKS_TO)


def checked(address: str) -> str:
    """The address as it is stored; refused if it is none."""
    address = address.strip()
    try:
        validate_email(address)
    except Exception as problem:
        raise Refused("mail_address", _n("This is not a mail address.")) from problem
    if len(address) > ADDRESS_MAX or parseaddr(address)[1] != address:
        raise Refused("mail_address", _n("This is not a mail address."))
    return address


def read_leave_token(token: str) -> tuple[int, str]:
    """The player and the kind of a way out, which never expires."""
    try:
        player, kind = signing.loads(token, salt=LEAVING)
    except (signing.BadSignature, ValueError, TypeError) as problem:
        raise Refused("bad_link", _n("This link is not complete.")) from problem
    return int(player), str(kind)


def way_out(player: int, kind: str) -> str:
    token = signing.dumps([player, kind], salt=LEAVING)
    return house_address() + reverse("messages-leave", args=[token])


def letter_of(message: Message, player: Player, address: str, key: str) -> EmailMessage:
    """The mail of a message, with its way out in the text and in the headers."""
    out = way_out(player.pk, message.kind)
    with translation.override(house.current().language(player.language or settings.LANGUAGE_CODE)):
        page = house_address() + reverse("message-read", args=[message.pk])
        foot = _t("You asked {house} for messages by mail.").format(house=house.house_name())
        stop = _t("No more mails and messages about “{kind}”: {address}").format(
            kind=Kind(message.kind).label, address=out
        )
        text = "\n\n".join([message.text, page, f"-- \n{foot}\n{stop}"])
        letter = EmailMessage(" ".join(message.title.split()), text, to=[address])
    letter.extra_headers = dict(_headers(out, key))
    return letter


def _headers(out: str, key: str) -> Mapping[str, str]:
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">") or "localhost"
    return {
        "List-Unsubscribe": f"<{out}>",
        "List-Unsubscribe-Post": ONE_CLICK,
        "Message-ID": f"<{key.replace(':', '.')}@{host}>",
        "Precedence": "bulk",
        "Auto-Submitted": "auto-generated",
    }


def send(sending: Sending, now: datetime) -> Result:
    letter = _written(sending, now)
    if letter is None:
        return Result.IMPOSSIBLE
    return post(letter)


def _written(sending: Sending, now: datetime) -> EmailMessage | None:
    if sending.report_mail is not None:
        return report_to(sending.report_mail, sending.about, now)
    recipient = sending.recipient
    assert recipient is not None, "the database holds one of the two"
    player = recipient.player
    if not house_address() or not who_want_mail([player.pk]):
        return None
    return letter_of(recipient.message, player, player.email, sending.key)


def post(letter: EmailMessage) -> Result:
    """Send a mail, and say what is known of it."""
    try:
        sent = letter.send()
    except smtplib.SMTPRecipientsRefused as problem:
        codes = [code for code, _words in problem.recipients.values()]
        return Result.IMPOSSIBLE if min(codes, default=0) >= FOR_GOOD else Result.REFUSED
    except REFUSALS as problem:
        code = getattr(problem, "smtp_code", 0)
        return Result.IMPOSSIBLE if code >= FOR_GOOD else Result.REFUSED
    return Result.ARRIVED if sent else Result.REFUSED


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


def report_to(row: ReportMail, about: str, now: datetime) -> EmailMessage | None:
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
