"""Count the hands of the boards again, and compare.

The boards follow from hands, which their own audit proves. Some players or tables may have changed
since a hand was counted: who works for the house now is on no board, and hands at a table that has
become private have no points. All is read at one moment, so that the worker may go on counting.

Each payment for a task has its row and its posting, and the hands of that day have earned it.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Q
from django.utils import timezone

from casino.care.models import ErasureRequest
from casino.community.returning import rewards, weeks
from casino.community.returning.counting import KEPT, finished, rows_of
from casino.community.returning.models import CountedHand, Counting, DayPlayed, TaskReward
from games.models import Hand
from games.records.audit_rows import chunks
from games.rules.house.till import FEATS
from games.tables import play_money
from wallets.models import Account, Entry, Transaction
from wallets.models.holders import player_reference
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
        yield from _reward_findings(date.max)
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
    yield from _reward_findings(start)


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


def _reward_findings(start: date) -> Iterator[str]:
    """Compare all rows with their postings, and those from this day on with their hands."""
    matched, sources = 0, rewards.readers()
    # Their counted hands are gone.
    erased = set(ErasureRequest.objects.exclude(done_at=None).values_list("player", flat=True))
    for numbers in chunks(TaskReward.objects.order_by("pk").values_list("pk", flat=True), AT_ONCE):
        rows = {_key(row): row for row in TaskReward.objects.filter(pk__in=numbers).order_by("pk")}
        paid = _paid(rows)
        matched += len(paid)
        for key, row in rows.items():
            owner = player_reference(row.player_id)
            if paid.get(key) != (owner, row.currency_id, row.amount):
                yield f"{_named(row)} is not the posting {key}"
            if row.amount != rewards.due(row.day, row.taken_at, sources).get(row.name):
                yield f"{_named(row)} pays another sum than the task"
            elif row.day >= start and row.player_id not in erased and not _is_earned(row):
                yield f"{_named(row)} was not earned"
    posted = Transaction.objects.filter(kind="grant", reason=play_money.FOR_A_TASK).count()
    if posted != matched:
        yield f"boards: {posted} postings are for tasks, and {matched} have a row"


def _key(row: TaskReward) -> UUID:
    occasion = rewards.occasion_of(row.day, row.name)
    return play_money.grant_key(row.player_id, row.currency_id, occasion)


def _paid(rows: dict[UUID, TaskReward]) -> dict[UUID, tuple[str, str, int]]:
    entries = Entry.objects.filter(
        transaction__key__in=rows,
        transaction__kind="grant",
        transaction__reason=play_money.FOR_A_TASK,
        account__kind=Account.Kind.PLAYER,
    )
    columns = ("transaction__key", "account__owner", "account__currency", "amount")
    return {
        key: (owner, code, amount) for key, owner, code, amount in entries.values_list(*columns)
    }


def _is_earned(row: TaskReward) -> bool:
    """A hand that was reversed later was there when the player took the money."""
    reward = next(
        (
            candidate
            for candidate in rewards.of_day(row.player_id, row.day)
            if candidate.name == row.name
        ),
        None,
    )
    if reward is None:
        return False
    first = (
        row.day - (weeks.WEEK_DAYS - 1) * weeks.DAY if row.name == rewards.WHOLE_WEEK else row.day
    )
    reversed_since = Hand.objects.filter(
        seats__player=row.player_id,
        ended_at__gte=start_of(first),
        ended_at__lt=start_of(row.day + weeks.DAY),
        reversed_at__gte=row.taken_at,
    )
    return reward.is_earned or reversed_since.exists()


def _named(row: TaskReward) -> str:
    return f"boards: what player {row.player_id} took on {row.day} for {row.name}"
