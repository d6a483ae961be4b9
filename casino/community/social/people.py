"""The players who can be found by name, and the notes on them, which only their writer reads."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.care.rules import shown_to_others
from casino.community.social.models import NOTE_MAX, Block, PlayerNote
from games.rules.errors import Unreadable
from games.tables import admission
from games.words.plain import one_line
from wallets.values.errors import Refused


def named(name: str) -> Player | None:
    """The person of a name, in any spelling of it; neither a bot nor one of the staff."""
    # PostgreSQL takes no text with a NUL in it.
    if not name.isprintable():
        return None
    people = Player.objects.filter(is_bot=False, is_staff=False)
    return people.filter(username_key=name_key(name)).first()


def other(player: Player, name: str) -> Player:
    """Another person, also one who cannot play: existing arrangements with them can be ended."""
    person = named(name)
    if person is None or person == player:
        raise _nobody()
    return person


def reachable(player: Player, name: str, now: datetime) -> Player:
    """Another person with whom something can be arranged.

    A player who is blocked by them gets the same answer as for a name that no player has.
    """
    person = other(player, name)
    admission.require(admission.Request(admission.Occasion.MEET, player, now))
    if person.pk not in shown_to_others([person.pk], now) or blocks(person, player):
        raise _nobody()
    if blocks(player, person):
        raise Refused("blocked", _n("You have blocked this player; unblock them first."))
    return person


def blocks(player: Player, blocked: Player) -> bool:
    return Block.objects.filter(player=player, blocked=blocked).exists()


def hold(*players: Player) -> None:
    """Lock the rows of these players, by ascending number, until the transaction ends.

    So concurrent arrangements of two players have one order.
    """
    rows = Player.objects.filter(pk__in=[player.pk for player in players]).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


def _nobody() -> Refused:
    return Refused("no_such_player", _n("There is no player of that name."))


NOTES_MAX: Final = 500


def write_note(player: Player, name: str, typed: str, now: datetime) -> None:
    """Write a note on a player in place of an earlier one; an empty note deletes it."""
    about = other(player, name)
    text = one_line(typed[: NOTE_MAX * 10])
    if len(text) > NOTE_MAX:
        raise Unreadable("note_long", _n("A note has at most {most} characters."), most=NOTE_MAX)
    with transaction.atomic():
        hold(player)
        notes = PlayerNote.objects.filter(player=player)
        if not text:
            notes.filter(about=about).delete()
            return
        if notes.exclude(about=about).count() >= NOTES_MAX:
            raise Refused("notes_many", _n("You can keep at most {most} notes."), most=NOTES_MAX)
        notes.update_or_create(
            player=player, about=about, defaults={"text": text, "written_at": now}
        )


def note_on(player: Player, about: Player) -> str:
    """Return a player's note about another, or nothing."""
    notes = PlayerNote.objects.filter(player=player, about=about)
    return notes.values_list("text", flat=True).first() or ""


def notes_of(player: Player) -> list[PlayerNote]:
    """All notes of a player, by the names of those whom they are about."""
    notes = PlayerNote.objects.filter(player=player).select_related("about")
    return list(notes.order_by("about__username_key"))
