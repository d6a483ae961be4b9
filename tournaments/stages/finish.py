"""The end of an event: places, prizes, and clearing up.

The places and what is owed for them are written in one transaction. Then each prize is paid in a
separate one (`paying`), and tables and chips are cleared. The sweep continues interrupted steps.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from tournaments.event import closing, registration
from tournaments.event.floor import chips_of
from tournaments.event.organiser import least_players, save, stage_of, structure_of
from tournaments.mathematics import payouts
from tournaments.models import Entry, Payout, Tournament
from tournaments.stages import duplicate_stage
from tournaments.stages.stage_steps import turns_of

FIELDS: Final = ("state", "due_at", "level_ends_at", "hand_for_hand", "moves_due", "players_left")


def is_due(tournament: Tournament) -> bool:
    """Whether so few are left that nothing more can be played, or all rounds have been."""
    structure = structure_of(tournament)
    if tournament.registration_closed_at is None:
        return False
    if tournament.players_left < least_players(structure):
        return True
    return turns_of(tournament).is_over(tournament)


def begin(tournament: Tournament, now: datetime) -> None:
    """Give all entrants a place, and store the prizes; nothing is played from now on."""
    groups = _groups(tournament)
    by_place = registration.prizes(tournament)
    won = payouts.prizes_of(by_place, [[entry.number for entry in group] for group in groups])
    entries = [entry for group in groups for entry in group]
    for place, entry in enumerate(entries, 1):
        entry.place, entry.prize = place, won[entry.number]
        if entry.state in (Entry.State.PLAYING, Entry.State.WAITING):
            entry.state = Entry.State.PLACED
    Entry.objects.bulk_update(entries, ["place", "prize", "state"], batch_size=500)
    Payout.objects.bulk_create(
        [
            Payout(
                tournament=tournament,
                entry=entry,
                kind=Payout.Kind.PRIZE,
                place=entry.place,
                amount=entry.prize,
                made_at=now,
            )
            for entry in entries
            if entry.prize
        ],
        batch_size=500,
    )
    tournament.state, tournament.due_at = Tournament.State.PAYING, now
    tournament.level_ends_at, tournament.hand_for_hand = None, False
    tournament.moves_due = False
    save(tournament, FIELDS)


def _groups(tournament: Tournament) -> list[list[Entry]]:
    """All participants, best first; those who finished level are in one group."""
    took_part = tournament.all_entries.exclude(state=Entry.State.WITHDRAWN)
    entries = list(took_part.select_related("seat__stack"))
    left = {entry.number: entry for entry in entries if entry.state in Entry.LEFT}
    if stage_of(tournament).compares_deals:
        ranked = duplicate_stage.ranked(tournament, list(left.values()))
    else:
        drawn = {number: entry.drawn or number for number, entry in left.items()}
        ranked = payouts.ranking({number: chips_of(entry) for number, entry in left.items()}, drawn)
    groups = [[left[number] for number in group] for group in ranked]
    gone: Sequence[Entry] = sorted(
        (entry for entry in entries if entry.number not in left),
        key=lambda entry: (
            entry.state == Entry.State.DISQUALIFIED,
            -(entry.out_sequence or 0),
        ),
    )
    return [*groups, *([entry] for entry in gone)]


def step(tournament: Tournament, now: datetime) -> bool:
    """Clear the next tables or chips when all is paid; False when the event is closed."""
    return closing.close_tables(tournament, now) or closing.burn(tournament, now)


def close(tournament: Tournament, state: Tournament.State, now: datetime) -> None:
    """Everything is paid and cleared: the event is over."""
    tournament.state, tournament.due_at = state, None
    tournament.ended_at = tournament.ended_at or now
    save(tournament, ["state", "due_at", "ended_at"])
