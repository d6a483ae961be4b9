"""Letters to players by e-mail, written and sent by a worker.

A page hands the worker numbers and an address. It takes as long whether there is a reader or not,
and never waits for the mail server; no link that opens something is in the broker.
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _n
from kombu.exceptions import OperationalError

from casino.accounts.models import Player
from casino.web.rate_limits import HOUR, count
from wallets.values import house
from wallets.values.errors import Refused

NOTICE: Final = "casino.accounts.tasks.send_notice"
# How many letters with a link one account is sent.
LINKS_AN_HOUR: Final = 5
ASK_THE_HOUSE: Final = _n("If that was not you, ask the house for help.")
PASSWORD: Final = "password"  # noqa: S105 # nosec B105
EMAIL: Final = "email"
# The letters to players: subject and paragraphs.
NOTICES: Final[Mapping[str, tuple[str, ...]]] = {
    PASSWORD: (
        _n("Your password was changed"),
        _n(
            "The password of your account {name} has just been changed, and all other sign-ins "
            "ended."
        ),
        ASK_THE_HOUSE,
    ),
    EMAIL: (
        _n("Your e-mail address was changed"),
        _n("The account {name} does not have this e-mail address any more."),
        ASK_THE_HOUSE,
    ),
}

log = logging.getLogger("casino.accounts")


def are_on() -> bool:
    """Whether this house writes to players."""
    return bool(settings.ACCOUNT_EMAILS)


def hand_over(task: str, *arguments: object) -> None:
    """Have a worker do a task, or refuse where there is no broker."""
    try:
        current_app.send_task(task, arguments)
    except (OperationalError, OSError) as problem:
        log.warning("no broker, a letter is not sent: %s", problem)
        raise Refused(
            "mail_unavailable",
            _n("The house cannot send mail right now. Try again in a few minutes."),
        ) from None


def may_send_link(player: Player) -> bool:
    """Count one more letter with a link to this account, or refuse it."""
    return count(f"letters:{player.pk}", HOUR) <= LINKS_AN_HOUR


def tell(player: Player, address: str, what: str) -> None:
    """Write to a player about a change. A broker that is away does not undo the change."""
    if are_on() and address:
        with suppress(Refused):
            hand_over(NOTICE, player.pk, address, what)


def write(player: Player, address: str, subject: str, *paragraphs: str, **values: Any) -> None:
    """Send a letter in the player's own language; what is given is not translated yet."""
    with translation.override(house.current().language(player.language)):
        values = {"name": player.username} | values
        text = "\n\n".join(gettext(paragraph).format(**values) for paragraph in paragraphs)
        title = f"{house.house_name()}: {gettext(subject)}"
    sender = house.sender(settings.DEFAULT_FROM_EMAIL)
    EmailMessage(title, f"{text}\n", sender, [address]).send()
