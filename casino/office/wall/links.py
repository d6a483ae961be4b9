"""The links of the wall screen: whoever has one sees the room, until staff end it."""

import secrets
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.office.models import WALL_NAME_MAX, WallLink
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.storage.sealed_columns import digest_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

PERMISSION: Final = "backoffice.manage_wall"
MADE: Final = journal.register(
    "wall.make", _("Made a link to the wall screen"), permission=PERMISSION
)
ENDED: Final = journal.register(
    "wall.end", _("Ended a link to the wall screen"), permission=PERMISSION
)
CODE_BYTES: Final = 24
OPEN_MAX: Final = 20


def opened_by(code: str) -> WallLink | None:
    """The link that has this code and has not ended."""
    return WallLink.objects.filter(code_digest=digest_of(code), ended_at=None).first()


@under(MADE)
def make(
    member: Viewer, name: str, language: str, *, with_money: bool, reason: str, now: datetime
) -> WallLink:
    _require(member)
    name = " ".join(name.replace("\0", " ").split())
    if not 1 <= len(name) <= WALL_NAME_MAX:
        raise Refused(
            "wall_name", _("A link has a name of 1 to {most} characters."), most=WALL_NAME_MAX
        )
    if language not in dict(settings.LANGUAGES):
        raise Refused("wall_language", _("Choose the language of the screen."))
    with transaction.atomic():
        if WallLink.objects.filter(ended_at=None).count() >= OPEN_MAX:
            raise Refused(
                "too_many_walls", _("{most} links are open. End one first."), most=OPEN_MAX
            )
        link = WallLink(name=name, language=language, with_money=with_money, made_at=now)
        link.code = secrets.token_urlsafe(CODE_BYTES)
        link.save(force_insert=True)
        journal.write(
            journal.by(member),
            MADE,
            link.reference,
            before={},
            after={"name": name, "language": language, "with_money": with_money},
            reason=reason,
            now=now,
        )
    return link


@under(ENDED)
def end(member: Viewer, number: int, *, reason: str, now: datetime) -> WallLink:
    """The link opens nothing from now on, on screens that show it, too."""
    _require(member)
    with transaction.atomic():
        rows = WallLink.objects.select_for_update(no_key=True)
        link = rows.filter(pk=number, ended_at=None).first()
        if link is None:
            raise Refused("no_such_wall", _("There is no such link."))
        link.ended_at = now
        link.save(update_fields=["ended_at"])
        journal.write(
            journal.by(member),
            ENDED,
            link.reference,
            before={"name": link.name},
            after={"ended_at": now},
            reason=reason,
            now=now,
        )
    return link


def _require(member: Viewer) -> None:
    if not member.has_perm(PERMISSION):
        raise Refused("not_permitted", _("Your role cannot do this."))
