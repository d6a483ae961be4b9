"""What a draft would have cost: its facts are those of the last weeks, played through the engine.

A worker computes it day by day. No name is kept: the page shows deciles, the largest award and the
sum, and what a player could expect who plays only to exploit the promotion.
"""

import logging
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from casino.accounts.models import Player
from casino.community.promotions.books import facts, stored_runs, task_sums
from casino.community.promotions.books.stored_runs import CALENDAR
from casino.community.promotions.models import PointsMonth, Preview, PromotionVersion
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.engine import EXPIRED, Award, Room, Run
from casino.community.promotions.rules.exploiting import FLAT_BET, exploited
from casino.community.promotions.rules.facts import HandFact
from casino.community.promotions.rules.kinds import BASIS_POINTS
from casino.community.promotions.rules.levels import Points, month_before, month_of
from casino.community.promotions.rules.shares import HappyHour
from games.models import Table
from games.rules.catalogue import against_house
from games.tables.hand_state import game_from
from wallets.staff.claimed_rows import send
from wallets.values.days import ONE_DAY, day_of, start_of

log = logging.getLogger(__name__)
State = Preview.State

TASK: Final = "casino.community.promotions.tasks.preview"
DAYS: Final = 30
DECILES: Final = 10


def ask(version: PromotionVersion, now: datetime) -> Preview:
    """Have a version's cost computed, unless it is known or under way."""
    row, is_new = Preview.objects.get_or_create(
        version=version, revision=version.revision, defaults={"asked_at": now}
    )
    if is_new or row.state == State.FAILED:
        Preview.objects.filter(pk=row.pk).update(state=Preview.State.WAITING)
        transaction.on_commit(lambda: send(TASK, row.pk))
    return row


def of_version(version: PromotionVersion) -> Preview | None:
    return Preview.objects.filter(version=version, revision=version.revision).first()


class People:
    """Who would have earned: all but bots, staff and guests, as they are known today."""

    def __init__(self) -> None:
        people = Player.objects.filter(is_bot=False, is_staff=False, is_guest=False)
        self._numbers = frozenset(people.values_list("pk", flat=True))

    def may_earn(self, player: int, _at: datetime) -> bool:
        return player in self._numbers

    may_be_paid = may_earn


def run(number: int) -> bool:
    """Compute one row, unless another worker has begun."""
    waits = Preview.objects.filter(pk=number, state=State.WAITING)
    claimed = waits.update(state=State.RUNNING)
    if not claimed:
        return False
    row = Preview.objects.select_related("version").get(pk=number)
    try:
        result = _result(row)
    except Exception:
        log.exception("preview %s failed", number)
        Preview.objects.filter(pk=number).update(state=State.FAILED)
        return False
    Preview.objects.filter(pk=number).update(state=State.DONE, result=result)
    return True


def _result(row: Preview) -> dict[str, Any]:
    terms = declaration.read(row.version.terms)
    last = day_of(timezone.now())
    first = last - DAYS * ONE_DAY
    begin, end = start_of(first), start_of(last)
    moved = replace(terms, starts=begin, ends=end)
    run_of_month = Run(moved, CALENDAR, end)
    room = Room({0: run_of_month, **_happy_hours(row.version, end)}, points_before(first), People())
    Preview.objects.filter(pk=row.pk).update(total=DAYS, done=0)
    hands = revenue = 0
    # Progress would be spread over the month; the end of the last day belongs to it.
    for number in range(DAYS):
        since = start_of(first + number * ONE_DAY)
        until = start_of(first + (number + 1) * ONE_DAY) - timedelta(microseconds=1)
        events = facts.events(since - timedelta(microseconds=1), until)
        for event in events:
            if isinstance(event, HandFact) and event.currency == terms.currency:
                hands += 1
                revenue += event.rake - (event.net + event.rake if event.wagered else 0)
        room.take(events)
        Preview.objects.filter(pk=row.pk).update(done=number + 1)
    room.close(end)
    awards = list(run_of_month.awards.values())
    if isinstance(moved.kind, DailyTasks):
        awards = task_sums.would_have_brought(moved.kind, begin, end)
    return figures(moved, awards, hands, revenue)


def _happy_hours(draft: PromotionVersion, until: datetime) -> dict[int, Run]:
    """The others that count points several times: levels, and what follows them, depend on it."""
    published = stored_runs.published(until)
    others = [version for version in published if version.promotion_id != draft.promotion_id]
    runs = {version.pk: stored_runs.run_of(version) for version in others}
    return {number: run for number, run in runs.items() if isinstance(run.kind, HappyHour)}


def points_before(day: date) -> Points:
    """What players had in the month before that of a day."""
    rows = PointsMonth.objects.filter(month=month_before(month_of(day)))
    return Points({(row.player_id, row.currency_id, row.month): row.kept for row in rows})


def figures(terms: Declaration, awards: list[Award], hands: int, revenue: int) -> dict[str, Any]:
    """The sums of a month of awards, as they are stored."""
    counted = [award for award in awards if award.state != EXPIRED]
    by_player: dict[int, int] = {}
    for award in counted:
        by_player[award.player] = by_player.get(award.player, 0) + award.amount
    amounts = sorted(by_player.values())
    cost = sum(amounts)
    exploiter = exploited(terms, largest_bet(terms.currency))
    return {
        "hands": hands,
        "awards": len(counted),
        "players": len(amounts),
        "cost": cost,
        "revenue": revenue,
        "share_bp": BASIS_POINTS * cost // revenue if revenue > 0 else None,
        "largest": max((award.amount for award in counted), default=0),
        "deciles": deciles(amounts),
        "gain": exploiter.gain,
        "deviation": exploiter.deviation,
        "bets": exploiter.bets,
        "bet": exploiter.bet,
        "spent": cost >= terms.budget,
    }


def deciles(amounts: list[int]) -> list[int]:
    """What the player at each tenth got, the smallest first."""
    if not amounts:
        return []
    last = len(amounts) - 1
    return [amounts[last * tenth // DECILES] for tenth in range(1, DECILES + 1)]


def largest_bet(currency: str) -> int:
    """The largest bet against the house that a table takes."""
    tables = Table.objects.filter(currency=currency).exclude(status=Table.Status.CLOSED)
    rules = {
        game_from(game, options)
        for game, options in tables.values_list("game", "options")
        if against_house(game)
    }
    return max((getattr(game, "max", 0) for game in rules), default=FLAT_BET)
