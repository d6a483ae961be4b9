"""The order of the entrants of an event, and their places when the level, round or deal began."""

from typing import Any

from django.db.models import Case, F, IntegerField, OrderBy, QuerySet, Value, When
from django.db.models.functions import Coalesce

from tournaments.event.organiser import stage_of
from tournaments.models import Entry, Tournament

# Rows that one statement changes.
SOME = 500


def entries_ranked(tournament: Tournament) -> QuerySet[Any]:
    """All participants, the first place first."""
    took_part = tournament.all_entries.exclude(state=Entry.State.WITHDRAWN)
    ranked = took_part.annotate(
        chips=F("chips_won")
        if stage_of(tournament).compares_deals
        else Coalesce("seat__stack__balance", 0) + F("account__balance"),
        group=Case(
            When(state__in=Entry.LEFT, then=Value(0)),
            When(state=Entry.State.DISQUALIFIED, then=Value(2)),
            default=Value(1),
            output_field=IntegerField(),
        ),
    )
    return ranked.order_by(*order_of(tournament))


def order_of(tournament: Tournament) -> list[OrderBy | str]:
    by_points = ["-points"] if stage_of(tournament).compares_deals else []
    return [
        F("place").asc(nulls_first=True),
        "group",
        *by_points,
        "-chips",
        F("out_sequence").desc(nulls_last=True),
        F("drawn").asc(nulls_last=True),
        "number",
    ]


def note_places(tournament: Tournament) -> None:
    """Remember the places of all who are still in, to show later how many they have gained."""
    moved = []
    ranked = entries_ranked(tournament).filter(state__in=Entry.LEFT).only("place_before")
    for place, entry in enumerate(ranked, 1):
        if entry.place_before != place:
            entry.place_before = place
            moved.append(entry)
    Entry.objects.bulk_update(moved, ["place_before"], batch_size=SOME)


def places_gained(entry: Entry, place: int) -> int:
    """Return how many places a player who is still in has gained since; below zero, lost."""
    if entry.place_before is None or entry.state not in Entry.LEFT:
        return 0
    return entry.place_before - place
