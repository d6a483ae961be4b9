"""What a draft would have cost: its facts are those of the last weeks, played through the engine.

A worker computes it day by day. No name is kept: the page shows deciles, the largest award and the
sum, and what a player could expect who plays only to exploit the promotion.
"""

import logging
from datetime import datetime, timedelta
from math import pi, sqrt
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from casino.accounts.models import Player
from casino.community.promotions.books import facts, task_sums
from casino.community.promotions.books.stored_runs import CALENDAR
from casino.community.promotions.models import Preview, PromotionVersion
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.bonuses import PERCENT, RAKE_TIMES, Bonus, share_of
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.engine import EXPIRED, Award, Room, Run
from casino.community.promotions.rules.facts import HandFact
from casino.community.promotions.rules.kinds import BASIS_POINTS
from casino.community.promotions.rules.ladders import Race
from casino.community.promotions.rules.levels import EDGE, EDGES, Points
from casino.community.promotions.rules.shares import CashBack, Friend, Mission
from games.rules.catalogue import GAMES, against_house
from wallets.staff.claimed_rows import send
from wallets.values.days import ONE_DAY, day_of, start_of

log = logging.getLogger(__name__)
State = Preview.State

TASK: Final = "casino.community.promotions.tasks.preview"
DAYS: Final = 30
DECILES: Final = 10
# The deviation of one flat bet, in bets.
SPREAD: Final = 1.15
PER_EDGE: Final = 100_000
# The smallest bet of a player who wants only the reward, in minor units.
FLAT_BET: Final = 100
BETS_MAX: Final = 5_000
# A bet is at most so many times as large.
DOUBLINGS: Final = 20


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
    room = Room({0: run_of_month}, Points(), People())
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


def figures(terms: Declaration, awards: list[Award], hands: int, revenue: int) -> dict[str, Any]:
    """The sums of a month of awards, as they are stored."""
    counted = [award for award in awards if award.state != EXPIRED]
    by_player: dict[int, int] = {}
    for award in counted:
        by_player[award.player] = by_player.get(award.player, 0) + award.amount
    amounts = sorted(by_player.values())
    cost = sum(amounts)
    exploiter = exploited(terms)
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
        "spent": cost >= terms.budget,
    }


def deciles(amounts: list[int]) -> list[int]:
    """What the player at each tenth got, the smallest first."""
    if not amounts:
        return []
    last = len(amounts) - 1
    return [amounts[last * tenth // DECILES] for tenth in range(1, DECILES + 1)]


class Exploited(NamedTuple):
    """The expected gain of a player who wants only the reward, with its deviation."""

    gain: int
    deviation: int
    bets: int


def exploited(terms: Declaration) -> Exploited:
    """Flat bets at the counted game where the reward costs least, until it is earned.

    At a card table friends play for nothing among themselves, but for the rake.
    """
    kind = terms.kind
    counted = kind.games or tuple(GAMES)
    edges = {game: EDGES.get(game, EDGE) for game in counted if against_house(game)}
    if isinstance(kind, Bonus):
        ways = [_bonus(kind, edge, share_of(game)) for game, edge in edges.items()]
        if len(edges) < len(counted):
            ways.append(_bonus(kind, PER_EDGE // RAKE_TIMES, PERCENT)._replace(deviation=0))
        return max(ways)
    if isinstance(kind, CashBack):
        edge, sizes = min(edges.values()), [FLAT_BET << times for times in range(DOUBLINGS)]
        several = (_cash_back(kind, edge, FLAT_BET, bets) for bets in range(10, BETS_MAX, 10))
        return max(*several, *(_cash_back(kind, edge, size, 1) for size in sizes))
    return _flat(*_reward(kind), min(edges.values()) if len(edges) == len(counted) else 0)


def _reward(kind: AnyKind) -> tuple[int, int]:
    """What an exploiter gets who is paid for a number of hands, and that number."""
    if isinstance(kind, Friend):
        return kind.pay + kind.pay_inviter, kind.goal
    if isinstance(kind, Mission):
        return kind.pay, kind.goal
    if isinstance(kind, Race):
        return kind.prizes[0], max(kind.hands_min, 1) * DECILES
    return 0, 0


def _flat(reward: int, bets: int, edge: int) -> Exploited:
    cost = bets * FLAT_BET * edge // PER_EDGE
    return Exploited(reward - cost, round(FLAT_BET * SPREAD * sqrt(bets)), bets)


def _bonus(kind: Bonus, edge: int, share: int) -> Exploited:
    to_bet = kind.most * kind.times * PERCENT // share
    bets = max(1, to_bet // kind.bet_max)
    deviation = round(kind.bet_max * SPREAD * sqrt(bets))
    return Exploited(kind.most - to_bet * edge // PER_EDGE, deviation, bets)


def _cash_back(kind: CashBack, edge: int, bet: int, bets: int) -> Exploited:
    """A share of the losses comes back, and winnings stay: half of the deviation, in effect."""
    deviation = bet * SPREAD * sqrt(bets)
    back = min(kind.most, deviation / sqrt(2 * pi) * kind.share_bp / BASIS_POINTS)
    if deviation < kind.loss_min:
        back = 0
    return Exploited(round(back - bets * bet * edge / PER_EDGE), round(deviation), bets)
