"""Each payment for a task has its row and its posting, and the hands of that day have earned it."""

from collections.abc import Iterator
from datetime import date
from typing import Final
from uuid import UUID

from casino.care.models import ErasureRequest
from casino.community.returning import rewards, weeks
from casino.community.returning.models import TaskReward
from games.models import Hand
from games.records.audit_rows import chunks
from games.tables import play_money
from wallets.models import Account, Entry, Transaction
from wallets.models.holders import player_reference
from wallets.values.days import start_of

AT_ONCE: Final = 300


def findings(start: date) -> Iterator[str]:
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
