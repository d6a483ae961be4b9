"""Report the end of a hand to its event: one row, in the transaction that pays the hand."""

from games.models import Hand
from games.rules.settlement import Settlement
from tournaments.event.organiser import structure_of
from tournaments.event.stakes import stage_of
from tournaments.mathematics.structure import Structure
from tournaments.models import EventTable, HandEnded, Tournament


def note_ended(event: EventTable, hand: Hand, settlement: Settlement | None) -> bool:
    """Insert the row; whether the event has to act on it."""
    tournament = event.tournament
    assert hand.ended_at is not None
    follows = _follows(event, hand, settlement)
    HandEnded.objects.create(
        tournament=tournament,
        table_id=event.table_id,
        hand=hand,
        level=tournament.level,
        round=tournament.round,
        void=settlement is None,
        at=hand.ended_at,
        acted_at=None if follows else hand.ended_at,
    )
    return follows


def _follows(event: EventTable, hand: Hand, settlement: Settlement | None) -> bool:
    """Whether anything depends on this end: after most hands no player is out and none moves."""
    tournament = event.tournament
    if tournament.state != Tournament.State.RUNNING:
        return False
    if tournament.moves_due or event.held or event.hands_allowed is not None:
        return True
    if settlement is None:
        return False
    structure = structure_of(tournament)
    least = stage_of(tournament).least_to_stay(tournament.level)
    fell = any(stake["purse"] + settlement.net[stake["seat"]] < least for stake in hand.stakes)
    return fell or _ends_level(event, structure)


def _ends_level(event: EventTable, structure: Structure) -> bool:
    """Whether the table has now finished as many hands as the level lasts."""
    hands = hands_of_level(event.tournament, structure)
    if hands is None:
        return False
    return hands_in_level(event.tournament, event.table_id) + 1 >= hands


def hands_of_level(tournament: Tournament, structure: Structure) -> int | None:
    """Return the length of the present level in hands; None if hands do not end it."""
    if tournament.on_break or not 1 <= tournament.level < len(structure.levels):
        return None
    return structure.levels[tournament.level - 1].hands


def hands_in_level(tournament: Tournament, table_id: int) -> int:
    """Return how many hands a table has finished in the present level."""
    ended = HandEnded.objects.filter(
        tournament=tournament, level=tournament.level, table=table_id, void=False
    )
    return ended.count()
