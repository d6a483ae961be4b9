"""A player's traces, sign-ins and chat, and the notes of staff: checks, flags, notes."""

from datetime import date, datetime
from typing import Final, NamedTuple

from django.contrib.sessions.models import Session
from django.db.models import F

from casino.accounts import devices
from casino.accounts.models import Player
from casino.accounts.user_agents import in_words
from casino.office.players.models import Check, Flag, Note
from games.chat.models import ChatLine
from games.chat.phrases import PHRASES
from games.words.naming import table_title

DEVICES: Final = 6
LINES: Final = 6
NOTES: Final = 6
CHECKS: Final = 8
FLAGS_BEFORE: Final = 3


class SignIn(NamedTuple):
    """A browser or a program, from where, and whether it is signed in now."""

    words: str
    address: str
    since: datetime
    seen: datetime | None
    now: bool


class Said(NamedTuple):
    at: datetime
    table: str
    text: str
    hidden: bool


class Seen(NamedTuple):
    """A check, and whether its document is still valid."""

    check: Check
    expired: bool


def sign_ins(player: Player, now: datetime) -> list[SignIn]:
    """Browsers, the latest first, then programs."""
    known = list(player.devices.order_by("-seen_at")[:DEVICES])
    keys = [one.session_key for one in known if one.session_key]
    running = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    live = set(running.values_list("session_key", flat=True))
    browsers = [
        SignIn(
            in_words(one.user_agent),
            one.address,
            one.signed_in_at,
            one.seen_at,
            one.session_key in live,
        )
        for one in known
    ]
    programs = [
        SignIn(in_words(one.user_agent), one.address, one.made_at, one.seen_at, now=True)
        for one in devices.tokens_of(player)[:DEVICES]
    ]
    return browsers + programs


def said(player: Player) -> list[Said]:
    """The newest lines of chat, hidden ones too."""
    lines = ChatLine.objects.filter(player=player).order_by("-pk")
    values = lines.values_list("said_at", "table__name", "text", "phrase", "hidden")
    return [
        Said(at, table_title(table), text or str(PHRASES.get(phrase, phrase)), hidden)
        for at, table, text, phrase, hidden in values[:LINES]
    ]


def checks(player: Player, today: date) -> list[Seen]:
    """The newest checks: what they proved, and by what."""
    found = Check.objects.filter(player=player).order_by("-pk")[:CHECKS]
    return [Seen(one, one.valid_until is not None and one.valid_until < today) for one in found]


def flags(player: Player) -> list[Flag]:
    """All that are up, of each kind one at most; then those that were lowered last."""
    found = Flag.objects.filter(player=player)
    newest = found.order_by(F("lowered_at").desc(nulls_first=True), "-pk")
    return list(newest[: len(Flag.Kind) + FLAGS_BEFORE])


def notes(player: Player, before: int | None = None, most: int = NOTES) -> list[Note]:
    found = Note.objects.filter(player=player).order_by("-pk")
    if before is not None:
        found = found.filter(pk__lt=before)
    return list(found[:most])
