"""Saying something at a table, not hearing somebody, and what one viewer hears.

Who sits there may speak; whoever may watch may read. A line is never changed. Lines are kept for
thirty days, so that staff can look into a complaint, and then forgotten.
"""

import unicodedata
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.chat.models import LINE_MAX, ChatLine, Mute, Silence
from games.chat.phrases import PHRASES
from games.live import announce_chat
from games.models import Seat
from games.refusal import Refused
from games.rules.errors import Unreadable
from games.words.plain import one_line

SHOWN_MAX: Final = 50
KEPT: Final = timedelta(days=30)
# So many lines in so long a time are talk; more are noise.
LINES_MAX: Final = 5
LINES_WITHIN: Final = timedelta(seconds=15)
# What is written over and under a letter, and how many of it one letter may bear.
MARKS: Final = ("Mn", "Me")
MARKS_MAX: Final = 4
# Signs that look like nothing though they are letters: fillers of Hangul, the empty Braille cell.
BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


class Heard(NamedTuple):
    """A line as one viewer reads it."""

    pk: int
    player: str
    words: Any
    said_at: datetime
    mine: bool


def say(player: Any, table_id: int, told: str, now: datetime, *, phrase: str = "") -> ChatLine:
    """Say a line, or a quick phrase, at the table where one sits."""
    text = "" if phrase else _plain(told)
    if phrase and phrase not in PHRASES:
        raise Unreadable("phrase", _n("There is no such phrase."))
    with transaction.atomic():
        # Of many lines at once, at whatever tables, the limit lets only some through.
        get_user_model().objects.select_for_update(no_key=True).get(pk=player.pk)
        seats = Seat.objects.filter(player=player, left_at__isnull=True)
        if not seats.filter(table_id=table_id).exists():
            raise Refused("not_seated", _n("Only who sits at the table can speak there."))
        silence = Silence.objects.filter(player=player, until__gt=now).first()
        if silence is not None:
            raise Refused(
                "silenced", _n("You may not speak for now: {reason}"), reason=silence.reason
            )
        recent = ChatLine.objects.filter(player=player, said_at__gt=now - LINES_WITHIN)
        if recent.count() >= LINES_MAX:
            raise Refused("too_many_lines", _n("Not so fast: wait a moment before the next line."))
        line = ChatLine.objects.create(
            table_id=table_id, player=player, text=text, phrase=phrase, said_at=now
        )
        transaction.on_commit(lambda: announce_chat(table_id, line.pk))
    return line


def _plain(told: str) -> str:
    """The text without what a reader could not see, or what would turn the line around."""
    text = _unpiled(one_line(told[: LINE_MAX * 10]))
    if all(_shows_nothing(sign) for sign in text):
        raise Unreadable("chat_empty", _n("There is nothing in that line."))
    if len(text) > LINE_MAX:
        raise Unreadable("chat_long", _n("A line has at most {most} signs."), most=LINE_MAX)
    return text


def _unpiled(text: str) -> str:
    """The text with as many marks on a letter as scripts need; more would cover other lines."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in MARKS else 0
        if marks <= MARKS_MAX:
            kept.append(sign)
    return "".join(kept)


def _shows_nothing(sign: str) -> bool:
    return sign in BLANKS or unicodedata.category(sign) in ("Zs", "Cf", *MARKS)


def lines_at(table_id: int, viewer: Any) -> list[Heard]:
    """The last lines at a table, without those of whom the viewer does not want to hear."""
    lines = ChatLine.objects.filter(table_id=table_id, hidden=False).select_related("player")
    if viewer.is_authenticated:
        lines = lines.exclude(player__in=Mute.objects.filter(player=viewer).values("muted"))
    told = [
        Heard(
            line.pk,
            line.player.username,
            PHRASES.get(line.phrase, line.phrase) if line.phrase else line.text,
            line.said_at,
            line.player_id == viewer.pk,
        )
        for line in lines[:SHOWN_MAX]
    ]
    return told[::-1]


def mute(player: Any, name: str) -> None:
    """Hear no more of somebody; done twice, it is done once."""
    Mute.objects.get_or_create(player=player, muted=_other(player, name))


def unmute(player: Any, name: str) -> None:
    Mute.objects.filter(player=player, muted=_other(player, name)).delete()


def muted_by(player: Any) -> list[str]:
    """Whom a player does not want to hear."""
    names = Mute.objects.filter(player=player).order_by("muted__username")
    return list(names.values_list("muted__username", flat=True))


def _other(player: Any, name: str) -> Any:
    # PostgreSQL takes no text with a NUL in it.
    players = get_user_model().objects.filter(username=name)
    found = players.first() if name.isprintable() else None
    if found is None or found.pk == player.pk:
        raise Refused("no_such_player", _n("There is nobody of that name to be muted."))
    return found


def forget(now: datetime) -> int:
    """Delete what is older than it is kept."""
    deleted, _each = ChatLine.objects.filter(said_at__lt=now - KEPT).delete()
    return deleted
