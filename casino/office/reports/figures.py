"""The figures of a range of days: stored facts of closed days, all others counted from their hands.

A day without stored facts is read from its hands, so a report is right whether or not a day has
been closed, and only slower. The closing writes the facts, the audit compares them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import chain
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Min, Model, Sum
from django.utils.translation import gettext as _

from casino.office.reports.balances import held_after
from casino.office.reports.columns import By, Row
from casino.office.reports.counting import OWN, DayCount, count_day
from casino.office.reports.facts import (
    EVERY,
    HOUSE,
    STORED,
    SUBJECTS,
    TEXTS,
    Fact,
    Group,
    Kind,
    Only,
    Place,
    Span,
    Sums,
    bots,
    bounds,
    group_of,
    player_sums,
)
from casino.office.reports.models import (
    GameSettings,
    HeldDay,
    PlayerDay,
    PoolDay,
    SummedDay,
    TableDay,
)
from games.models import Day, Hand, HandSeat, Table
from games.models.profiles import ProfileVersion
from wallets.models import Currency
from wallets.values.days import ONE_DAY, day_of, end_of

Counted = dict[tuple[date, datetime | None], DayCount]
# The columns of a place that a grouping keeps, besides the game and the currency.
_KEPT: Final[dict[By | None, tuple[str, ...]]] = {
    None: ("on", "table", "profile"),
    "day": ("on",),
    "game": (),
    "table": ("table",),
    "profile": ("profile",),
    "player": (),
}
_BATCH: Final = 1_000


class Figures:
    """All figures of a range, or of its beginning `until` an instant of its last day.

    With `stored_only` days that have no facts yet are left out. `over` gives the figures of another
    range: what does not depend on a range is read once for all of them.
    """

    def __init__(
        self,
        span: Span,
        *,
        stored_only: bool = False,
        until: datetime | None = None,
        beside: "Figures | None" = None,
    ) -> None:
        self.span, self.until = span, until
        self._stored_only, self._beside = stored_only, beside
        self._counted: Counted = {} if beside is None else beside._counted
        self._found: dict[tuple[Kind, By, Only], list[Fact]] = {}
        # What a reader computes from it once, by name.
        self.derived: dict[str, Any] = {}

    def over(self, span: Span) -> "Figures":
        """Return the figures of other whole days."""
        return Figures(span, stored_only=self._stored_only, beside=self)

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """From when to when it lasts, the end not included."""
        since, until = bounds(self.span)
        return since, until if self.until is None else self.until

    @cached_property
    def bots(self) -> frozenset[int]:
        return bots() if self._beside is None else self._beside.bots

    @cached_property
    def counted_days(self) -> dict[date, DayCount]:
        """The days without stored facts, counted now."""
        if self._stored_only:
            return {}
        stored = SummedDay.objects.filter(day__range=self.span)
        if self.until is not None:
            stored = stored.filter(day__lt=self.span.last)
        closed = frozenset(stored.values_list("day", flat=True))
        return {day: self._count(day) for day in self._played_days() if day not in closed}

    def _count(self, day: date) -> DayCount:
        until = self.until if day == self.span.last else None
        if (day, until) not in self._counted:
            self._counted[day, until] = count_day(day, until)
        return self._counted[day, until]

    def _played_days(self) -> Iterator[date]:
        """The days of the range between the first hand and today."""
        first = Hand.objects.exclude(ended_at=None).order_by("ended_at").first()
        if first is None or first.ended_at is None:
            return
        day = max(self.span.first, day_of(first.ended_at))
        last = min(self.span.last, day_of(datetime.now(UTC)))
        while day <= last:
            yield day
            day += ONE_DAY

    def facts(self, kind: Kind, by: By, only: Only = EVERY) -> Iterable[Fact]:
        """The facts of a kind, those of closed days added up by the database as far as grouped.

        What a grouping does not tell apart is empty in their places. All parts of a page read one
        answer, except that of players, which may have as many rows as the house has players.
        """
        if kind is PlayerDay:
            return self._read(kind, by, only)
        key = (kind, by, only)
        if key not in self._found:
            self._found[key] = list(self._read(*key))
        return self._found[key]

    def bets(self) -> Iterator[Fact]:
        """Each day, table and bet against the house, with squares, which no database adds up."""
        return self._read(TableDay, None, Only(bet=None, against=HOUSE))

    def _read(self, kind: Kind, by: By | None, only: Only) -> Iterator[Fact]:
        counted = self.counted_days
        return chain(
            self._stored(kind, by, only),
            *(of_day.facts(kind, only) for of_day in counted.values()),
        )

    def _stored(self, kind: Kind, by: By | None, only: Only) -> Iterator[Fact]:
        measures = [name for name in STORED[kind] if by is None or name not in TEXTS]
        kept = (*_KEPT[by], "game", "currency")
        stored_days = kind._default_manager.filter(on__range=self.span, **only.filters(kind))
        stored_days = stored_days.exclude(on__in=list(self.counted_days)).order_by()
        columns = (*kept, SUBJECTS[kind])
        rows: Any = stored_days.values_list(*columns, *measures)
        if by is not None:
            rows = stored_days.values_list(*columns).annotate(*map(Sum, measures))
        blank, width = Place(self.span.first, 0, "", "", ""), len(kept)
        for row in rows.iterator(chunk_size=5_000):
            place = blank._replace(**dict(zip(kept, row, strict=False)))
            of, amounts = row[width], map(int, row[width + 1 :])
            values = dict(zip(measures, amounts, strict=True))
            if kind is PlayerDay:
                yield Fact(place, of, player_sums(place.game, is_bot=of in self.bots, **values))
            else:
                yield Fact(place, of, Sums(**values))

    def earnings(self, by: By, only: Only = EVERY) -> Iterable[Fact]:
        """What the house earned at each table, or from each player."""
        return self.facts(PlayerDay if by == "player" else only.kind, by, only)

    def settings(self) -> dict[str, tuple[str, Any]]:
        """By profile: the game and its options."""
        rows = GameSettings.objects.values_list("profile", "game", "options")
        settings = {profile: (game, options) for profile, game, options in rows}
        for day in self.counted_days.values():
            settings |= day.settings
        return settings

    @cached_property
    def first_days(self) -> dict[int, date]:
        """On which day each player first played for money, or for play money."""
        if self._beside is not None:
            return self._beside.first_days
        stored = PlayerDay.objects.filter(hands__gt=0).values("player_id").annotate(first=Min("on"))
        days = {row["player_id"]: row["first"] for row in stored.order_by()}
        last = PlayerDay.objects.order_by("-on").values_list("on", flat=True).first()
        rows = HandSeat.objects.filter(status=Hand.Status.FINISHED, ended_at__isnull=False)
        rows = rows.exclude(currency__kind=Currency.Kind.CHIPS)
        if last is not None:
            # Closed days without facts of their own are older than the last one, and are completed.
            rows = rows.filter(ended_at__gte=end_of(last))
        for row in rows.values("player_id").annotate(first=Min("ended_at")).order_by():
            days.setdefault(row["player_id"], day_of(row["first"]))
        return days


def people_and_bots(figures: Figures, by: By) -> dict[Group, tuple[set[int], set[int]]]:
    """By group: the people who played, and the bots; no player is counted twice in one.

    A day with reversals alone has facts, but no players.
    """
    by_group: dict[Group, tuple[set[int], set[int]]] = {}
    for place, player, mine in figures.facts(PlayerDay, by):
        if mine.hands:
            of_group = by_group.setdefault(group_of(place, by), (set(), set()))
            of_group[player in figures.bots].add(player)
    return by_group


def described(groups: Iterable[Group], by: By) -> Callable[[Group], Row]:
    """Begin a row for each group: its first columns, and what selects the hands behind it."""
    names = _names([key[0] for key in groups], by)
    events = _("Tournaments")

    def row(group: Group) -> Row:
        of, currency = group
        cells: dict[str, Any] = {"currency": currency}
        only: dict[str, Any] = {"currency": currency}
        if by == "day":
            cells["day"] = of
            only |= {"from": of, "to": of}
        elif by == "game":
            cells["game"] = only["game"] = of
        elif by == "table":
            # A fee of an event belongs to no table and to no profile.
            title = names.get(of[0], "") if of[0] else events
            cells |= {"table": title, "number": of[0] or "", "game": of[1]}
            only |= {"table": of[0], "game": of[1]}
        elif by == "profile":
            cells |= {"profile": _profile_in_words(of[0]) if of[0] else events, "game": of[1]}
            only |= {"profile": of[0], "game": of[1]}
        else:
            cells |= {"player": names.get(of, ""), "number": of}
            only["player"] = of
        return Row(cells, only)

    return row


def _names(keys: list[Any], by: By) -> Mapping[int, str]:
    if by == "table":
        rows = Table.objects.filter(pk__in={number for number, _game in keys})
        return {row.pk: row.title for row in rows}
    if by == "player":
        # All at once: so many numbers do not fit into one statement.
        players = get_user_model().objects.values_list("pk", "username")
        return dict(players) if keys else {}
    return {}


def _profile_in_words(profile: str) -> str:
    kind, _dash, rest = profile.partition("-")
    if kind == OWN:
        return _("own settings {digest}").format(digest=rest)
    return str(ProfileVersion.objects.select_related("profile").get(pk=rest))


class Summaries:
    """The facts that reports keep of each closed day (`games.records.closed_days`)."""

    def write(self, day: date) -> None:
        with transaction.atomic():
            SummedDay.objects.filter(day=day).delete()
            counted, summed = count_day(day), SummedDay.objects.create(day=day)
            settings = [
                GameSettings(profile=profile, game=game, options=dict(options))
                for profile, (game, options) in sorted(counted.settings.items())
            ]
            GameSettings.objects.bulk_create(settings, ignore_conflicts=True)
            for kind, rows in _rows_of(counted, summed).items():
                kind._default_manager.bulk_create(rows, batch_size=_BATCH)

    def differences(self, day: date) -> Iterator[str]:
        summed = SummedDay.objects.filter(day=day).first()
        if summed is None:
            return
        for kind, due in _rows_of(count_day(day), summed).items():
            stored = kind._default_manager.filter(day=summed)
            if sorted(map(_values, stored)) != sorted(map(_values, due)):
                yield f"its sums for reports, {kind._meta.model_name}, are not what the hands give"

    def strangers(self) -> list[date]:
        others = SummedDay.objects.exclude(day__in=Day.objects.values("day"))
        dates = set(others.values_list("day", flat=True))
        for kind in TableDay, PlayerDay, PoolDay, HeldDay:
            lost = kind._default_manager.exclude(day__in=SummedDay.objects.values("pk"))
            dates.update(lost.values_list("on", flat=True))
        return sorted(dates)

    def lacking(self) -> list[date]:
        days = Day.objects.exclude(day__in=SummedDay.objects.values("day"))
        return list(days.order_by("-day").values_list("day", flat=True))


SUMMARIES: Final = Summaries()


def _values(row: Model) -> tuple[str, ...]:
    """All columns but the row's own number."""
    return tuple(str(getattr(row, field.attname)) for field in row._meta.concrete_fields[1:])


def _rows_of(counted: DayCount, summed: SummedDay) -> dict[Kind, list[Any]]:
    rows: dict[Kind, list[Any]] = {kind: [] for kind in SUBJECTS}
    for kind, subject in SUBJECTS.items():
        for place, of, sums in counted.facts(kind, Only(bet=None)):
            measures = {name: getattr(sums, name) for name in STORED[kind]}
            measures |= {name: str(measures[name]) for name in TEXTS if name in measures}
            keys = {"table_id": place.table, "currency_id": place.currency, subject: of}
            of_place = {"on": place.on, "profile": place.profile, "game": place.game}
            rows[kind].append(kind(day=summed, **of_place, **keys, **measures))
    rows[HeldDay] = [
        HeldDay(day=summed, on=summed.day, currency_id=currency, kind=kind, amount=amount)
        for (currency, kind), amount in held_after(summed.day).items()
        if amount
    ]
    return rows
