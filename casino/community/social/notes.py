"""Notes on players, which only their writer reads."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.social import player_search
from casino.community.social.models import NOTE_MAX, PlayerNote
from games.rules.errors import Unreadable
from games.words.plain import one_line
from wallets.values.errors import Refused

NOTES_MAX: Final = 500


def write(player: Player, name: str, typed: str, now: datetime) -> None:
    """Write a note on a player in place of an earlier one; an empty note deletes it."""
    other = player_search.other(player, name)
    text = one_line(typed[: NOTE_MAX * 10])
    if len(text) > NOTE_MAX:
        raise Unreadable("note_long", _n("A note has at most {most} characters."), most=NOTE_MAX)
    with transaction.atomic():
        player_search.hold(player)
        notes = PlayerNote.objects.filter(player=player)
        if not text:
            notes.filter(about=other).delete()
            return
        if notes.exclude(about=other).count() >= NOTES_MAX:
            raise Refused("notes_many", _n("You can keep at most {most} notes."), most=NOTES_MAX)
        notes.update_or_create(
            player=player, about=other, defaults={"text": text, "written_at": now}
        )


def note_on(player: Player, about: Player) -> str:
    """Return a player's note about another, or nothing."""
    notes = PlayerNote.objects.filter(player=player, about=about)
    return notes.values_list("text", flat=True).first() or ""


def notes_of(player: Player) -> list[PlayerNote]:
    """All notes of a player, by the names of those whom they are about."""
    notes = PlayerNote.objects.filter(player=player).select_related("about")
    return list(notes.order_by("about__username_key"))
