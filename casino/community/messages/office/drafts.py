"""Drafts of messages: written, changed, discarded, and refused where something is missing."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.community.messages import letters, segments
from casino.community.messages.models import NAME_MAX, TEXT_MAX, TITLE_MAX, Kind, Message
from casino.community.messages.outbox import CHANNELS
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Viewer

VIEW: Final = "house_messages.view_message"
PERMISSION: Final = "house_messages.send_message"
SAVED: Final = journal.register("message.save", _("Wrote a message"), permission=PERMISSION)
DISCARDED: Final = journal.register(
    "message.discard", _("Discarded the draft of a message"), permission=PERMISSION
)
State = Message.State
PLANNED_MAX: Final = timedelta(days=365)
# The pages that a message may lead to, as far as the house has them.
PAGES: Final[dict[str, str | Promise]] = {
    "lobby": _("Lobby"),
    "tournaments": _("Tournaments"),
    "rewards": _("Rewards"),
    "my-week": _("My week"),
}


class Content(NamedTuple):
    """What the form of a message says."""

    name: str
    kind: str
    texts: Mapping[str, Mapping[str, str]]
    segment: segments.Segment
    page: str = ""
    by_push: bool = False
    by_mail: bool = False
    planned_at: datetime | None = None


def pages() -> dict[str, str | Promise]:
    pages = {}
    for name, words in PAGES.items():
        try:
            reverse(name)
        except NoReverseMatch:
            continue
        pages[name] = words
    return pages


def require(member: Viewer) -> None:
    if not member.has_perm(PERMISSION):
        raise Refused("not_permitted", _n("Your role cannot write messages."))


def require_sound(content: Content, now: datetime) -> None:
    """Refuse what could not be sent as it is."""
    if not 1 <= len(content.name) <= NAME_MAX:
        raise Refused("message_name", _n("A message has a name of 1 to {most} characters."),
                      most=NAME_MAX)  # fmt: skip
    if content.kind not in Kind.values:
        raise Refused("no_such_kind", _n("There are no such messages."))
    _require_texts(content.texts)
    if content.page and content.page not in pages():
        raise Refused("message_page", _n("The house has no such page."))
    for name, is_wanted in (("push", content.by_push), ("mail", content.by_mail)):
        if is_wanted and name not in CHANNELS:
            raise Refused("no_such_channel", _n("The house cannot send messages in this way."))
    if content.by_mail and not letters.house_address():
        raise Refused(
            "no_way_out",
            _n("A mail needs a way out, and the house does not know its own address."),
        )
    if content.planned_at is not None and not now < content.planned_at <= now + PLANNED_MAX:
        raise Refused("planned_past", _n("A message is planned for a time within the next year."))
    segments.require_sound(content.segment)


def _require_texts(texts: Mapping[str, Mapping[str, str]]) -> None:
    for code, _name in settings.LANGUAGES:
        said = texts.get(code, {})
        if not said.get("title") or not said.get("text"):
            raise Refused("message_language", _n("Write the message in every language."))
        if len(said["title"]) > TITLE_MAX or len(said["text"]) > TEXT_MAX:
            raise Refused(
                "message_length",
                _n("A title has at most {title} characters, a text {text}."),
                title=TITLE_MAX,
                text=TEXT_MAX,
            )


@under(SAVED)
def save(
    member: Viewer,
    content: Content,
    *,
    number: int | None = None,
    revision: int = 0,
    reason: str,
    now: datetime,
) -> Message:
    """Store a new draft, or another version of one unless a colleague has changed it since."""
    require(member)
    require_sound(content, now)
    values: dict[str, Any] = content._asdict()
    values["segment"] = segments.stored(content.segment)
    before: dict[str, Any] = {}
    with transaction.atomic():
        if number is None:
            message = Message(made_by_id=member.pk, made_at=now)
        else:
            message = draft_of(number, revision)
            before = {name: getattr(message, name) for name in values}
            if before == values:
                return message
            message.revision += 1
        for name, value in values.items():
            setattr(message, name, value)
        message.save()
        journal.write(
            journal.by(member), SAVED, message.reference, before=before, after=values,
            reason=reason, now=now,
        )  # fmt: skip
    return message


@under(DISCARDED)
def discard(member: Viewer, number: int, *, reason: str, now: datetime) -> None:
    require(member)
    with transaction.atomic():
        message = draft_of(number)
        reference, before = message.reference, {"name": message.name}
        message.delete()
        journal.write(
            journal.by(member), DISCARDED, reference, before=before, after={}, reason=reason,
            now=now,
        )  # fmt: skip


def message_of(number: object) -> Message:
    message = Message.objects.filter(pk=number).first() if type(number) is int else None
    if message is None:
        raise Hidden("no_such_message", _n("There is no such message."))
    return message


def locked(number: int) -> Message:
    message = Message.objects.select_for_update(no_key=True).filter(pk=number).first()
    if message is None:
        raise Hidden("no_such_message", _n("There is no such message."))
    return message


def draft_of(number: int, revision: int | None = None) -> Message:
    """The draft, under its lock."""
    message = locked(number)
    if message.state != State.DRAFT:
        raise Refused("no_draft", _n("This message can no longer be changed."))
    if revision is not None and message.revision != revision:
        raise Refused(
            "draft_changed",
            _n("A colleague has changed this draft since you opened it: look at it again."),
        )
    return message


def content_of(message: Message) -> Content:
    return Content(
        message.name,
        message.kind,
        message.texts,
        segments.read(message.segment),
        message.page,
        message.by_push,
        message.by_mail,
        message.planned_at,
    )
