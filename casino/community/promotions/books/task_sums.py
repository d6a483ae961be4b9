"""The sums of tasks: by the version in force, within its budget and its caps.

The package of tasks asks here before it pays, and its own audit asks again what was in force when a
sum was taken.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.db.models import QuerySet, Sum
from django.utils.translation import gettext_noop as _n

from casino.community.promotions.books.running import kept
from casino.community.promotions.models import PromotionVersion
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.engine import PAID, Award
from wallets.values.days import day_of, start_of
from wallets.values.errors import Refused

# The model of what was taken, in a house with tasks.
TAKEN: Final[list[Any]] = []
# The names of a day's tasks in the order of their sums.
NAMES: Final[list[Callable[[date], list[str]]]] = []


def sums_of(kind: DailyTasks) -> Sequence[int]:
    """One for each task of the day, for all three, and for the whole week."""
    return (*kind.of_tasks, kind.all_three, kind.whole_week)


class SumsOfTasks:
    """Answers the package of tasks."""

    def shown(self, at: datetime) -> Sequence[int] | None:
        """What pages show now, from what this process read a moment ago."""
        kinds = [terms.kind for _version, terms in kept(at)]
        return next((sums_of(kind) for kind in kinds if isinstance(kind, DailyTasks)), None)

    def reader(self) -> Callable[[datetime], Sequence[int] | None]:
        """What was in force at a time; None where the house's usual sums were."""
        versions = _versions()

        def due(at: datetime) -> Sequence[int] | None:
            in_force_then = in_force(at, versions)
            return sums_of(in_force_then[1]) if in_force_then else None

        return due

    def require_left(self, player: int, at: datetime) -> None:
        """Refuse what the budget or a cap no longer holds, with the row that was just written."""
        setting = in_force(at)
        if setting is None:
            return
        version = PromotionVersion.objects.select_for_update(of=("self",)).get(pk=setting[0].pk)
        terms, taken = version.declared, taken_by(version)
        today = taken.filter(taken_at__gte=start_of(day_of(at)))
        for rows, most in (
            (taken, terms.budget),
            (taken.filter(player=player), terms.player_max),
            (today, terms.day_max),
        ):
            if most and sum_of(rows) > most:
                raise Refused("task_budget", _n("The rewards of tasks are used up for now."))


Versions = list[tuple[PromotionVersion, Declaration]]


def _versions() -> Versions:
    """All versions that have ever set the sums of tasks, the newest first."""
    versions = PromotionVersion.objects.filter(
        state=PromotionVersion.State.PUBLISHED, terms__kind__type=DailyTasks.key
    )
    newest = versions.order_by("-published_from", "-pk")
    return [(version, version.effective) for version in newest]


def in_force(
    at: datetime, versions: Versions | None = None
) -> tuple[PromotionVersion, DailyTasks] | None:
    """The newest version that set the sums of tasks at a time."""
    for version, terms in _versions() if versions is None else versions:
        if terms.starts <= at < terms.ends and isinstance(terms.kind, DailyTasks):
            return version, terms.kind
    return None


def taken_by(version: PromotionVersion) -> QuerySet[Any]:
    """What players took while a version set the sums."""
    terms = version.effective
    rows: QuerySet[Any] = TAKEN[0].objects.filter(
        taken_at__gte=terms.starts, taken_at__lt=terms.ends
    )
    return rows


def would_have_brought(terms: Declaration, since: datetime, until: datetime) -> list[Award]:
    """What was taken in a month, with the sums of a draft, as far as its budget and caps go."""
    assert isinstance(terms.kind, DailyTasks), "only tasks are taken"
    awards: list[Award] = []
    spent: defaultdict[object, int] = defaultdict(int)
    for model in TAKEN:
        for row in model.objects.filter(taken_at__gte=since, taken_at__lt=until).order_by("pk"):
            place = NAMES[0](row.day).index(row.name)
            what, amount = f"task:{row.day}:{row.name}", sums_of(terms.kind)[place]
            bounds = (
                ("all", terms.budget),
                (row.player_id, terms.player_max),
                (day_of(row.taken_at), terms.day_max),
            )
            if any(most and spent[key] + amount > most for key, most in bounds):
                continue
            for key, _most in bounds:
                spent[key] += amount
            awards.append(Award(row.player_id, what, what, amount, row.taken_at, PAID, row.day))
    return awards


def sum_of(rows: QuerySet[Any]) -> int:
    return int(rows.aggregate(sum=Sum("amount"))["sum"] or 0)


def sets_sums(terms: Declaration) -> bool:
    return isinstance(terms.kind, DailyTasks) and bool(TAKEN)
