"""Messages as notifications, in a house that has them."""

import json
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import translation

from casino.community.messages.models import Sending
from casino.community.messages.outbox import Channel, Result, quiet_from
from casino.community.push.models import Subscription
from casino.community.push.sending import Outcome, reached, tell
from wallets.values import house

# A browser that is off gets it for so long, and not in the quiet hours; the inbox keeps it.
LASTS: Final = timedelta(hours=12)


def _send(sending: Sending, now: datetime) -> Result:
    recipient = sending.recipient
    assert recipient is not None, "reports to staff are mails"
    message = recipient.message

    def words_for(subscription: Subscription) -> bytes:
        language = recipient.player.language or subscription.language or settings.LANGUAGE_CODE
        page = reverse("message-read", args=[message.pk])
        with translation.override(house.current().language(language)):
            return json.dumps({"words": message.title, "page": page}, ensure_ascii=False).encode()

    quiet = quiet_from(now)
    lasts = min(LASTS, quiet - now) if quiet else LASTS
    outcomes = tell(recipient.player_id, words_for, lasts, now)
    if Outcome.ARRIVED in outcomes:
        return Result.ARRIVED
    return Result.REFUSED if Outcome.LATER in outcomes else Result.IMPOSSIBLE


PUSH: Final = Channel(reached, _send)
