"""The stored sums of closed days: written by the closing, compared by the audit, and rebuilt."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from typing import Any, Final

from django.db import transaction
from django.db.models import Model

from casino.office.reports.counting import count_day
from casino.office.reports.models import (
    GameSettings,
    HeldDay,
    PlayerDay,
    PoolDay,
    SummedDay,
    TableDay,
)
from casino.office.reports.past_balances import held_after
from casino.office.reports.sums import TEXTS, Place
from games.models import Day

_BATCH: Final = 1_000


class Summaries:
    """The sums that reports keep of each closed day (`games.records.closed_days`)."""

    def write(self, day: date) -> None:
        with transaction.atomic():
            SummedDay.objects.filter(day=day).delete()
            summed = SummedDay.objects.create(day=day)
            settings, rows = _rows_of(day, summed)
            GameSettings.objects.bulk_create(settings, ignore_conflicts=True)
            for kind, some in rows.items():
                kind._default_manager.bulk_create(some, batch_size=_BATCH)

    def differences(self, day: date) -> Iterator[str]:
        summed = SummedDay.objects.filter(day=day).first()
        if summed is None:
            return
        _settings, rows = _rows_of(day, summed)
        for kind, due in rows.items():
            stored = kind._default_manager.filter(day=summed)
            if sorted(map(_values, stored)) != sorted(map(_values, due)):
                yield f"its sums for reports, {kind._meta.model_name}, are not what the hands give"

    def strangers(self) -> list[date]:
        others = SummedDay.objects.exclude(day__in=Day.objects.values("day"))
        found = set(others.values_list("day", flat=True))
        for kind in TableDay, PlayerDay, PoolDay, HeldDay:
            lost = kind._default_manager.exclude(day__in=SummedDay.objects.values("pk"))
            found.update(lost.values_list("on", flat=True))
        return sorted(found)

    def lacking(self) -> list[date]:
        days = Day.objects.exclude(day__in=SummedDay.objects.values("day"))
        return list(days.order_by("-day").values_list("day", flat=True))


SUMMARIES: Final = Summaries()


def _values(row: Model) -> tuple[str, ...]:
    """All columns but the row's own number."""
    return tuple(str(getattr(row, one.attname)) for one in row._meta.concrete_fields[1:])


def _rows_of(
    day: date, summed: SummedDay
) -> tuple[list[GameSettings], dict[type[Model], list[Any]]]:
    counted = count_day(day)
    settings = [
        GameSettings(profile=profile, game=game, options=dict(options))
        for profile, (game, options) in sorted(counted.settings.items())
    ]
    tables = [
        TableDay(**_place(one.place, summed), bet=one.bet, **_of(one.sums))
        for one in counted.table_figures()
    ]
    players = [
        PlayerDay(**_place(one.place, summed), player_id=one.player, **_of(one.sums))
        for one in counted.player_figures()
    ]
    pools = [
        PoolDay(**_place(one.place, summed), jackpot_id=one.jackpot, **_of(one.sums))
        for one in counted.pool_figures()
    ]
    held = [
        HeldDay(day=summed, on=day, currency_id=currency, kind=kind, amount=amount)
        for (currency, kind), amount in held_after(day).items()
        if amount
    ]
    return settings, {TableDay: tables, PlayerDay: players, PoolDay: pools, HeldDay: held}


def _place(place: Place, summed: SummedDay) -> dict[str, object]:
    return {
        "day": summed,
        "on": place.on,
        "table_id": place.table,
        "profile": place.profile,
        "game": place.game,
        "currency_id": place.currency,
    }


def _of(sums: Any) -> dict[str, object]:
    return {
        one.name: str(getattr(sums, one.name)) if one.name in TEXTS else getattr(sums, one.name)
        for one in fields(sums)
    }
