"""Time-out and self-exclusion: from now on the player signs in nowhere and plays nothing.

Sessions and tokens end with the player's own transaction. Seats and registrations are given up
after it, each in a separate transaction, because each locks a table or an event. A periodic task
does again what did not get done; until then no excluded player is dealt in.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.accounts import devices
from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member
from casino.care.models import Exclusion
from games.models import Seat
from games.tables import seating
from tournaments.models import Entry, Tournament
from tournaments.running import entries
from wallets.of_record.verbs import verb
from wallets.values.days import with_zone
from wallets.values.errors import Refused

Kind = Exclusion.Kind

# How many days each kind may last; 0 means for good.
DAYS: Final = {Kind.TIME_OUT: (1, 7, 14, 30, 42), Kind.SELF_EXCLUSION: (183, 365, 1825, 0)}


def current(player_id: int, now: datetime) -> Exclusion | None:
    """The exclusion that holds now; of several, the one that ends last."""
    rows = Exclusion.objects.filter(Q(until=None) | Q(until__gt=now), player=player_id)
    return rows.order_by(F("until").desc(nulls_first=True)).first()


@verb("player:care.exclude")
def begin(player: Player, kind: str, days: int, now: datetime) -> Exclusion:
    """Stay away from now on. The break cannot be shortened."""
    if kind not in Kind.values or days not in DAYS[Kind(kind)]:
        raise Refused("no_such_exclusion", _("Choose how long you want to stay away."))
    if is_staff_member(player):
        raise Refused("staff_do_not_play", _("Staff cannot play here."))
    with transaction.atomic():
        exclusion = Exclusion.objects.create(
            player=player,
            kind=kind,
            begins_at=now,
            until=now + timedelta(days=days) if days else None,
        )
        devices.end_everywhere(player)
        transaction.on_commit(lambda: carry_out(exclusion, now))
    return exclusion


@verb("house:care.carry_out_exclusion")
def carry_out(exclusion: Exclusion, now: datetime) -> None:
    """Give up seats, after the hands that run, and events that have not begun."""
    player = exclusion.player
    for table in _tables_of(player):
        # Seats of an event are kept: the house plays for them, as for all who are away.
        with suppress(Refused):
            seating.leave(player, table, now)
    registered = Entry.objects.filter(
        player=player,
        state=Entry.State.REGISTERED,
        tournament__state=Tournament.State.ANNOUNCED,
    )
    for tournament in registered.values_list("tournament", flat=True):
        with suppress(Refused):
            entries.unregister(player, tournament, now)
    exclusion.carried_out_at = now
    exclusion.save(update_fields=["carried_out_at"])


def not_carried_out(_now: datetime) -> QuerySet[Exclusion]:
    """Exclusions after which something is still to be done."""
    return Exclusion.objects.filter(carried_out_at=None)


def carry_out_all(now: datetime) -> int:
    """Do what a process left undone; return for how many exclusions."""
    undone = list(not_carried_out(now).select_related("player"))
    for exclusion in undone:
        carry_out(exclusion, now)
    return len(undone)


def refuse_sign_in(player: Player, now: datetime) -> Refused | None:
    """Tell who has the right password that they are staying away, and until when."""
    held = current(player.pk, now)
    if held is None:
        return None
    if held.until is None:
        return Refused("excluded", _("You have excluded yourself from this house for good."))
    return Refused(
        "excluded",
        _("You are taking a break from playing until {until}."),
        until=with_zone(held.until),
    )


def _tables_of(player: Player) -> list[int]:
    own = Q(player=player) | Q(reserved_for=player)
    seats = Seat.objects.filter(own, left_at=None)
    return list(seats.order_by("table").values_list("table", flat=True).distinct())
