"""Count the hands of the boards again, and compare.

The boards follow from hands, which their own audit proves. Some players or tables may have changed
since a hand was counted: who works for the house now is on no board, and hands at a table that has
become private have no points. All is read at one moment, so that the worker may go on counting.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from django.db.models import Count, Q
from django.utils import timezone

from casino.community.returning import reward_audit
from casino.community.returning.counting import KEPT, finished, rows_of
from casino.community.returning.models import CountedHand, Counting, DayPlayed
from games.records.audit_rows import chunks
from games.rules.house.notable_results import FEATS
from wallets.storage.replica import snapshot
from wallets.values.days import ONE_DAY, day_of, start_of

AT_ONCE: Final = 300
# By how much the clocks of two machines may differ.
CLOCKS_DIFFER: Final = timedelta(hours=1)
_COMPARED: Final = ("table", "game", "day", "week", "won", "points", "feats")


def findings(_since: date | None = None) -> Iterator[str]:
    """The differences between the boards' rows and the hands that they are about."""
    with snapshot():
        findings = list(_differing())
    yield from findings


def _differing() -> Iterator[str]:
    counted = Counting.objects.filter(pk=1).first()
    if counted is None:
        yield from reward_audit.findings(date.max)
        if CountedHand.objects.exists():
            yield "boards: hands were counted, and how far is not noted"
        return
    if counted.reversed_until > timezone.now() + CLOCKS_DIFFER:
        yield f"boards: hands are taken out until {counted.reversed_until}, which is still to come"
    # Older hands may be forgotten by now.
    start = day_of(timezone.now() - KEPT) + ONE_DAY
    past = Q(ended_at__lt=counted.ended_at) | Q(ended_at=counted.ended_at, pk__lte=counted.hand)
    hands = finished().filter(past, ended_at__gte=start_of(start)).order_by("pk")
    rows = CountedHand.objects.filter(day__gte=start)
    known: set[tuple[int, int]] = set()
    for numbers in chunks(hands.values_list("pk", flat=True).iterator(), AT_ONCE):
        counted_hands = {(row.hand, row.player_id): row for row in rows.filter(hand__in=numbers)}
        for due in rows_of(numbers):
            known.add((due.hand, due.player_id))
            yield from _differences(due, counted_hands.get((due.hand, due.player_id)))
    for row in rows.exclude(player__is_staff=True).order_by("pk").iterator():
        if (row.hand, row.player_id) not in known:
            yield f"boards: player {row.player_id} did not play hand {row.hand} for a board"
    yield from _days(start)
    yield from reward_audit.findings(start)


def _differences(due: CountedHand, row: CountedHand | None) -> Iterator[str]:
    whose = f"boards: hand {due.hand} of player {due.player_id}"
    if row is None:
        yield f"{whose} is missing"
        return
    for name in _COMPARED:
        stored, two = getattr(row, name), getattr(due, name)
        if name == "feats":
            # Hands that were counted before the house's games had feats lack them.
            two = [feat for feat in two if feat in stored or feat not in FEATS]
        if stored != two and not (name == "points" and two is None):
            yield f"{whose}: {name} is {stored!r}, and should be {two!r}"


def _days(start: date) -> Iterator[str]:
    """Days that are not made of the single hands that are there."""
    counts: Any = CountedHand.objects.filter(day__gte=start).values_list("player_id", "day")
    due = {(player, day): hands for player, day, hands in counts.annotate(Count("pk")).order_by()}
    days = DayPlayed.objects.filter(day__gte=start)
    there = {(row.player_id, row.day): row.hands for row in days}
    for player, day in sorted(due.keys() | there.keys()):
        hands, counted = there.get((player, day), 0), due.get((player, day), 0)
        if hands != counted:
            yield f"boards: player {player} has {hands} hands on {day}, and {counted} are counted"
