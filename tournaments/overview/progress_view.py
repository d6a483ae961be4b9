"""The progress of an event's rounds, and the scores that rank its players there."""

from decimal import Decimal
from typing import NamedTuple

from django.db.models import Count
from django.utils.formats import number_format

from tournaments.event.organiser import structure_of
from tournaments.mathematics.match_points import share_bp
from tournaments.mathematics.stage import DUPLICATE, ROUNDS_STAGE
from tournaments.models import Tournament


class Progress(NamedTuple):
    """Round x of y, and in it a deal or a hand."""

    round: int
    rounds: int
    # Counted from 1; 0 before the first.
    number: int
    of: int
    # Duplicate rounds show deals, rounds of a knock-out show hands.
    of_deals: bool
    # Whether the last deal or hand has been finished by all.
    is_over: bool


def goes_out(tournament: Tournament) -> bool:
    """Whether players go out one by one: then it means something how many are left."""
    return tournament.kind != DUPLICATE and tournament.stage != ROUNDS_STAGE


def to_the_money(tournament: Tournament, paid: int) -> int:
    """Return how many eliminations are left before the money; 0 where there is no such line."""
    structure = structure_of(tournament)
    if not goes_out(tournament):
        return 0
    # Rounds follow for more players than are paid: they decide who is.
    if structure.rounds and structure.knock_out and structure.knock_out.until > paid:
        return 0
    return max(0, tournament.players_left - paid)


def progress(tournament: Tournament) -> Progress | None:
    """Return the progress of the rounds; None if the event has none, or not yet."""
    structure = structure_of(tournament)
    if structure.duplicate is not None:
        return _of_deals(tournament, structure.duplicate.rounds, structure.duplicate.deals)
    if structure.rounds is not None and tournament.stage == ROUNDS_STAGE:
        return _of_hands(tournament, structure.rounds.count, structure.rounds.hands)
    return None


def _of_deals(tournament: Tournament, rounds: int, deals: int) -> Progress:
    begun = tournament.deals.filter(began_at__isnull=False).order_by("-round", "-number").first()
    if begun is None:
        return Progress(0, rounds, 0, deals, of_deals=True, is_over=False)
    over = begun.compared_at is not None
    return Progress(begun.round, rounds, begun.number, deals, of_deals=True, is_over=over)


def _of_hands(tournament: Tournament, rounds: int, hands: int) -> Progress:
    """The hand that the slowest table plays."""
    now = tournament.round
    ended = tournament.hands_ended.filter(round=now, void=False)
    played = dict(ended.values_list("table").annotate(count=Count("pk")))
    playing = tournament.tables.filter(round=now, broken_at=None).values_list("table", flat=True)
    least = min((played.get(table, 0) for table in playing), default=hands)
    over = least >= hands
    return Progress(now, rounds, min(least + 1, hands), hands, of_deals=False, is_over=over)


def score_of(tournament: Tournament, chips: int) -> int | None:
    """Return a player's score in the rounds of a knock-out; None before the rounds."""
    rounds = structure_of(tournament).rounds
    if rounds is None or tournament.stage != ROUNDS_STAGE:
        return None
    return chips - rounds.chips


def percent(points: int, average: int) -> str:
    """Match points of the most that could be had, as readers write it: 62.5."""
    return str(number_format(Decimal(share_bp(points, average)) / 100, 1))
