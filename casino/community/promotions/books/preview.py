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

from casino.community.promotions.books import facts, stored_runs, task_sums
from casino.community.promotions.books.earners import Earners
from casino.community.promotions.books.stored_runs import CALENDAR
from casino.community.promotions.books.taking_facts import players_of
from casino.community.promotions.models import PointsMonth, Preview, PromotionVersion
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.engine import GONE, Award, Room, Run
from casino.community.promotions.rules.exploiting import FLAT_BET, exploited
from casino.community.promotions.rules.facts import HandFact
from casino.community.promotions.rules.kinds import BASIS_POINTS
from casino.community.promotions.rules.levels import Points, month_before, month_of
from casino.community.promotions.rules.shares import HappyHour, RakeBack
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
INSTANT: Final = timedelta(microseconds=1)


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


def run(number: int) -> bool:
    """Compute one row, unless another worker has begun."""
    waits = Preview.objects.filter(pk=number, state=State.WAITING)
    claimed = waits.update(state=State.RUNNING)
    if not claimed:
        return False
    row = Preview.objects.select_related("version").get(pk=number)
    try:
        result = cost(row.version, day_of(timezone.now()) - DAYS * ONE_DAY, DAYS, row)
    except Exception:
        log.exception("preview %s failed", number)
        Preview.objects.filter(pk=number).update(state=State.FAILED)
        return False
    Preview.objects.filter(pk=number).update(state=State.DONE, result=result)
    return True


def cost(
    version: PromotionVersion, first: date, days: int, row: Preview | None = None
) -> dict[str, Any]:
    """The figures of a version over so many days; a row tells how far they are."""
    terms = version.declared
    begin, end = start_of(first), start_of(first + days * ONE_DAY)
    moved = replace(terms, starts=begin, ends=end)
    draft, earners = Run(moved, CALENDAR), Earners()
    by_level = isinstance(moved.kind, RakeBack)
    points, happy_hours = points_before(first), _happy_hours(version, end) if by_level else []
    room = Room({version.pk: draft}, points, earners, happy_hours)
    hands = revenue = 0
    # What is paid by level depends on the days of the month before the first one, too.
    read = month_of(first) if by_level else first
    while read < first + days * ONE_DAY:
        since, until = start_of(read), start_of(read + ONE_DAY)
        events = facts.events(since - INSTANT, until - INSTANT)
        earners.assume({player for event in events for player in players_of(event)}, end)
        for event in events if read >= first else ():
            if isinstance(event, HandFact) and event.currency == terms.currency:
                hands += 1
                revenue += event.rake - (event.net + event.rake if event.wagered else 0)
        room.take(events)
        read += ONE_DAY
        if row is not None:
            done = max(0, (read - first).days)
            Preview.objects.filter(pk=row.pk).update(total=days, done=done)
    room.close(end)
    awards = list(draft.awards.values())
    if isinstance(moved.kind, DailyTasks):
        awards = task_sums.would_have_brought(moved, begin, end)
    return figures(moved, awards, hands, revenue)


def _happy_hours(draft: PromotionVersion, until: datetime) -> list[Run]:
    """The others that count points several times: levels depend on it."""
    published = stored_runs.published(until)
    runs = [
        stored_runs.run_of(version)
        for version in published
        if version.promotion_id != draft.promotion_id
    ]
    return [run for run in runs if isinstance(run.kind, HappyHour)]


def points_before(day: date) -> Points:
    """What players had in the month before that of a day."""
    rows = PointsMonth.objects.filter(month=month_before(month_of(day)))
    return Points({(row.player_id, row.currency_id, row.month): row.kept for row in rows})


def figures(terms: Declaration, awards: list[Award], hands: int, revenue: int) -> dict[str, Any]:
    """The sums of a month of awards, as they are stored."""
    counted = [award for award in awards if award.state not in GONE]
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
