"""Closing registration: from then on the field and its prize pool are what they are."""

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import F

from tournaments.event import money
from tournaments.event.organiser import structure_of
from tournaments.mathematics import payouts
from tournaments.models import Entry, Tournament

# The columns of an event that closing changes.
FIELDS: Final = ("registration_closed_at", "added", "due_at")


def close(tournament: Tournament, now: datetime) -> None:
    """Close the registration, and settle the guarantee; the caller saves `FIELDS`."""
    if tournament.registration_closed_at is not None:
        return
    tournament.registration_closed_at = now
    money.settle_guarantee(tournament, max(0, tournament.guarantee - tournament.stakes))
    _give_places(tournament)
    # One player may be left.
    tournament.due_at = now


def _give_places(tournament: Tournament) -> None:
    """Those who went out while others could still enter have a place only now."""
    out = tournament.all_entries.filter(state=Entry.State.OUT).order_by("-out_sequence")
    entries = list(out)
    for place, entry in enumerate(entries, tournament.players_left + 1):
        entry.place = place
    Entry.objects.bulk_update(entries, ["place"], batch_size=500)
    gone = list(
        tournament.all_entries.filter(state=Entry.State.DISQUALIFIED).order_by("-out_sequence")
    )
    for place, entry in enumerate(gone, tournament.players_left + len(entries) + 1):
        entry.place = place
    Entry.objects.bulk_update(gone, ["place"], batch_size=500)


def move_up(tournament: Tournament) -> None:
    """A disqualified player takes the last place: all who are out are a place better."""
    out = tournament.all_entries.filter(
        state__in=(Entry.State.OUT, Entry.State.DISQUALIFIED), place__isnull=False
    )
    out.update(place=F("place") - 1)


class Field(NamedTuple):
    """The field: players who have entered, or would have if the payment succeeds."""

    entrants: int
    entries: int
    stakes: int


def field(tournament: Tournament) -> Field:
    """The field that prizes are worked out for.

    An event with too few entries is called off, so until then the prizes are those of the smallest
    field. A sit-and-go begins with one field only.
    """
    row = Field(tournament.entrants, tournament.entries, tournament.stakes)
    if tournament.state != Tournament.State.ANNOUNCED:
        return row
    structure = structure_of(tournament)
    least = structure.field_min
    if tournament.entrants >= least:
        return row
    return Field(least, least, structure.stake * least)


def pool(tournament: Tournament) -> int:
    """The present prize pool: with what the guarantee adds, or would add."""
    if tournament.added is not None:
        return tournament.stakes + tournament.added
    return max(field(tournament).stakes, tournament.guarantee)


def prizes(tournament: Tournament) -> tuple[int, ...]:
    """The prize of each paid place, from the first on, for the present field."""
    structure, there = structure_of(tournament), field(tournament)
    return payouts.prizes(structure.payouts, pool(tournament), there.entrants, there.entries)


def places_paid(tournament: Tournament) -> int:
    structure, there = structure_of(tournament), field(tournament)
    return payouts.places_paid(structure.payouts, there.entrants, there.entries)
