"""Mails: what they say, the headers of their way out (RFC 8058), and what became of them."""

import smtplib
from collections.abc import Mapping
from datetime import datetime
from email.utils import parseaddr
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.messages import reports
from casino.community.messages.models import ADDRESS_MAX, Kind, Message, Sending
from casino.community.messages.outbox import Result, who_want_mail
from wallets.values import house
from wallets.values.errors import Refused

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
        return reports.letter_of(sending.report_mail, sending.about, now)
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
