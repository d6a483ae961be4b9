"""Messages for tests: drafts, messages under way, and mail servers that fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from casino.accounts.models import Player
from casino.community.messages import outbox
from casino.community.messages.models import MailWish, Message, Sending
from casino.community.messages.office import drafts, publishing
from casino.community.messages.office.drafts import Content
from casino.community.messages.segments import Segment
from wallets.staff import approvals

TEXTS = {
    "en": {"title": "Tonight", "text": "At eight."},
    "zh-hans": {"title": "今晚", "text": "八点。"},
    "zh-hant": {"title": "今晚", "text": "八點。"},
}


def content(**changes: Any) -> Content:
    given = Content("Evening", "events", TEXTS, Segment(), "lobby")
    return given._replace(**changes)


def drafted(member: Player, now: datetime, **changes: Any) -> Message:
    return drafts.save(member, content(**changes), reason="x", now=now)


def submitted(member: Player, message: Message, now: datetime) -> Any:
    arguments = {"message": message.pk}
    return approvals.submit(
        member, publishing.VERB, arguments, reason="x", key=uuid4(), now=now
    ).proposal


def sent(member: Player, now: datetime, **changes: Any) -> Message:
    """A message that one person may send, taken down and in the outbox."""
    message = drafted(member, now, **changes)
    assert submitted(member, message, now) is None
    outbox.gather(now)
    message.refresh_from_db()
    return message


def reads_mail(player: Player) -> None:
    player.email = f"{player.username}@example.org"
    player.save()
    MailWish.objects.create(player=player)


def run(now: datetime) -> int:
    """One run of a worker."""
    return outbox.send_due(now)


def states() -> list[str]:
    return list(Sending.objects.order_by("pk").values_list("outcome", flat=True))


@contextmanager
def server_that_raises(problem: BaseException) -> Iterator[Any]:
    with patch("django.core.mail.EmailMessage.send", side_effect=problem) as sending:
        yield sending


HOUR = timedelta(hours=1)
