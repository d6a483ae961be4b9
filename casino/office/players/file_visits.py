"""Record in the journal who opens a player's file, once per gaming day."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.office.players import permissions
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.values.days import day_of, start_of
from wallets.values.player import Viewer

LOOKED: Final = journal.register(
    "player.look",
    _("Looked at the file of a player"),
    needs_reason=False,
    permission=permissions.SEE,
)


def note(member: Viewer, player: Player, now: datetime) -> None:
    """Write the first look of a gaming day; pages opened simultaneously write one."""
    day = day_of(now)
    if _has_looked(member, player, now):
        return
    with transaction.atomic():
        own = Player.objects.select_for_update(no_key=True).filter(pk=member.pk)
        own.values_list("pk").first()
        if not _has_looked(member, player, now):
            journal.write(
                journal.by(member),
                LOOKED,
                player_reference(player.pk),
                before={},
                after={"day": day},
                reason="",
                now=now,
            )


def _has_looked(member: Viewer, player: Player, now: datetime) -> bool:
    """The newest look of this member decides: times of entries never run backwards."""
    begins = start_of(day_of(now))
    looks = JournalEntry.objects.filter(
        subject=player_reference(player.pk), actor=journal.by(member).reference, verb=LOOKED
    )
    last = looks.order_by("-position").values_list("at", flat=True).first()
    return last is not None and last >= begins


def looks_at(player: Player, most: int) -> list[JournalEntry]:
    """Return who has opened the file, the latest first."""
    looks = JournalEntry.objects.filter(subject=player_reference(player.pk), verb=LOOKED)
    return list(looks.order_by("-position")[:most])


def acts_on(player: Player, most: int) -> list[tuple[JournalEntry, str | Promise]]:
    """Return the actions of staff about the player except visits, the latest first."""
    about = JournalEntry.objects.filter(subject=player_reference(player.pk))
    acts = about.exclude(verb=LOOKED).order_by("-position")[:most]
    return [(entry, journal.words_of(entry.verb)) for entry in acts]
