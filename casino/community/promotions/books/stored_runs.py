"""The stored state of versions, as the engine takes it up and gives it back."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q, Sum

from casino.community.promotions.books.facts import HouseCalendar
from casino.community.promotions.models import (
    PointsMonth,
    PromotionAward,
    PromotionProgress,
    PromotionVersion,
)
from casino.community.promotions.rules.engine import HELD, Award, Event, Reversal, Run
from casino.community.promotions.rules.facts import ForfeitFact
from casino.community.promotions.rules.kinds import Progress, window_of
from casino.community.promotions.rules.levels import Months, Points

CALENDAR: Final = HouseCalendar()
AT_ONCE: Final = 500


def run_of(version: PromotionVersion) -> Run:
    """A published version with nothing counted yet."""
    return Run(version.effective, CALENDAR)


def published(until: datetime) -> list[PromotionVersion]:
    """The versions whose facts may have begun by then."""
    versions = PromotionVersion.objects.filter(
        state=PromotionVersion.State.PUBLISHED, published_from__lte=until
    )
    return list(versions.select_related("promotion").order_by("pk"))


def linked(versions: Iterable[PromotionVersion], runs: dict[int, Run]) -> dict[int, Run]:
    """Let each version know those of the same promotion before it."""
    before: defaultdict[int, list[Run]] = defaultdict(list)
    for version in versions:
        runs[version.pk].earlier = [*before[version.promotion_id]]
        before[version.promotion_id].append(runs[version.pk])
    return runs


def loaded(version: PromotionVersion, events: Sequence[Event], players: set[int]) -> Run:
    """A version with the part of its state that these events need."""
    run = run_of(version)
    facts = [event.fact if isinstance(event, Reversal) else event for event in events]
    windows = {
        window_of(run.kind.window, fact) for fact in facts if not isinstance(fact, ForfeitFact)
    }
    rows = PromotionProgress.objects.filter(version=version)
    if run.kind.pays_when == "at_end":
        reversed_windows = {
            window_of(run.kind.window, event.fact)
            for event in events
            if isinstance(event, Reversal)
        }
        rows = rows.filter(Q(is_closed=False) | Q(window__in=reversed_windows))
    else:
        rows = rows.filter(window__in=windows, player__in=players)
    stored = list(rows)
    run.closed = {row.window for row in stored if row.is_closed}
    awards = PromotionAward.objects.filter(version=version)
    needed = awards.filter(Q(state=HELD) | Q(player__in=players))
    run.load(map(progress_of, stored), map(award_of, needed))
    run.spent = awards.aggregate(sum=Sum("amount"))["sum"] or 0
    if run.declaration.day_max:
        for day, amount in awards.values_list("day").annotate(Sum("amount")).order_by():
            run.spent_on[day] = amount
    if run.declaration.player_max:
        for player, amount in awards.values_list("player").annotate(Sum("amount")).order_by():
            run.spent_by[player] = amount
    run.stopped_at = version.stopped_at
    return run


def progress_of(row: PromotionProgress) -> Progress:
    return Progress(*(getattr(row, column) for column in _columns(Progress._fields)))


def award_of(row: PromotionAward) -> Award:
    return Award(*(getattr(row, column) for column in _columns(Award._fields)))


def _columns(fields: Iterable[str]) -> Iterator[str]:
    """The columns of a value's fields, which have the same names."""
    return ("player_id" if field == "player" else field for field in fields)


def save(version: PromotionVersion, run: Run) -> None:
    """Store what has changed."""
    changed = map(run.progress.__getitem__, sorted(run.changed_progress))
    PromotionProgress.objects.bulk_create(
        [
            PromotionProgress(
                version=version,
                is_closed=row.window in run.closed,
                **dict(zip(_columns(row._fields), row, strict=True)),
            )
            for row in changed
        ],
        AT_ONCE,
        update_conflicts=True,
        unique_fields=["version", "window", "player", "entry"],
        update_fields=["points", "hands", "reached_at", "is_closed"],
    )
    if run.closed:
        ended = version.progress.filter(window__in=run.closed, is_closed=False)
        ended.update(is_closed=True)
    awards = map(run.awards.__getitem__, sorted(run.changed_awards))
    PromotionAward.objects.bulk_create(
        [
            PromotionAward(
                version=version,
                currency_id=run.declaration.currency,
                **dict(zip(_columns(award._fields), award, strict=True)),
            )
            for award in awards
        ],
        AT_ONCE,
        update_conflicts=True,
        unique_fields=["version", "player", "fact"],
        update_fields=["state", "wagered", "is_debt"],
    )
    if run.stopped_at != version.stopped_at:
        version.stopped_at = run.stopped_at
        version.save(update_fields=["stopped_at"])


def points_of(players: Iterable[int]) -> Points:
    rows = PointsMonth.objects.filter(player__in=set(players))
    months: Months = {(row.player_id, row.currency_id, row.month): row.kept for row in rows}
    return Points(months)


def save_points(points: Points, before: Months) -> None:
    changed = {key: kept for key, kept in points.months.items() if before.get(key) != kept}
    PointsMonth.objects.bulk_create(
        [
            PointsMonth(player_id=player, currency_id=currency, month=month, kept=kept)
            for (player, currency, month), kept in sorted(changed.items())
        ],
        AT_ONCE,
        update_conflicts=True,
        unique_fields=["player", "currency", "month"],
        update_fields=["kept"],
    )
