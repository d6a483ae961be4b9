"""A month under promotions in a world: what each preset would cost, and what it has paid.

The days before are the sample. At the first house day after half of the time each preset is
drafted, priced over the sample, and published by two people; from then on workers take facts,
players take what tasks brought, and friends are invited. At the end each preset is priced once
more, over the days in which it ran.
"""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

from casino.community.promotions.books import audit, inviting, preview, taking_facts
from casino.community.promotions.models import PromotionVersion
from casino.community.promotions.office import drafts, publishing
from casino.community.promotions.office.pages import spent_by
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import (
    CashBack,
    Friend,
    HappyHour,
    Mission,
    RakeBack,
    TicketMission,
)
from casino.community.returning import counting, rewards
from tests.simulation import ending
from tests.simulation.office import WHY
from tests.tournaments.events import sit_and_go
from wallets.staff import approvals
from wallets.values.days import ONE_DAY, day_of, end_of, start_of
from wallets.values.errors import Refused

if TYPE_CHECKING:
    from tests.simulation.world import World

BUDGET: Final = 10**9
# Workers take facts every so many steps, and so many players then look at their tasks.
TAKES, LOOKING = 20, 8
FRIENDS: Final = 12
# A step passes less time than this.
LAST_MINUTES: Final = timedelta(minutes=10)
ENTRY: Final = sit_and_go()
# The goals are those of a short month.
PRESETS: Final[dict[str, tuple[AnyKind, ...]]] = {
    "PLAY": (
        Race(hands_min=5),
        HighHand(window="day"),
        Mission(goal=5),
        Mission(goal=1, what="feat", feat="bomb"),
        TicketMission(goal=5, pay=ENTRY.stake + ENTRY.fee, event=ENTRY.name),
        DailyTasks(),
        HappyHour(first_hour=0, last_hour=24, rake_back_bp=1_000),
        Bonus(given_for="first_hand", times=1, bet_max=100_000),
        Friend(goal=2),
    ),
    "EUR": (CashBack(), RakeBack(), Race(by="rake", hands_min=1), Bonus(times=1, bet_max=100_000)),
}


class Cost(NamedTuple):
    """What a preset cost by the sample and by the month's own hands, and what it has paid."""

    name: str
    # Over so many hands of players in its currency.
    sample: int
    foretold: int
    hands: int
    of_month: int
    # What was paid, and what of it players gave up.
    paid: int
    given_up: int

    @property
    def is_right(self) -> bool:
        return self.of_month == self.paid + self.given_up


class Month:
    """Goes on beside a world of so many hours."""

    def __init__(self, hours: float) -> None:
        self._half, self._hours = timedelta(hours=hours / 2), hours
        self._chance = Random(f"month {hours}")
        # By version: the hands of players in the sample, and the cost.
        self._foretold: dict[int, tuple[int, int]] = {}
        self.costs: list[Cost] = []
        self.findings: list[str] = []

    def step(self, world: "World") -> None:
        """What happens besides a world's step."""
        if not self._foretold:
            next_day = end_of(day_of(world.now))
            is_near = next_day - world.now <= LAST_MINUTES
            if is_near and next_day - world.began >= self._half:
                world.house.pass_time((next_day - world.now).total_seconds())
                self._begin(world)
        if world.steps % TAKES == 0:
            taking_facts.take(world.now)
            counting.count(world.now)
            for player in self._chance.sample(world.people, LOOKING):
                _take_rewards(world, player)

    def _begin(self, world: "World") -> None:
        self._first = day_of(world.now)
        last = day_of(world.began + timedelta(hours=self._hours))
        self._days = max(1, (last - self._first).days + 1)
        self._invite(world)
        for currency, kinds in PRESETS.items():
            for number, kind in enumerate(kinds, 1):
                terms = Declaration(
                    kind=kind,
                    currency=currency,
                    starts=start_of(self._first),
                    ends=start_of(self._first + self._days * ONE_DAY),
                    budget=BUDGET,
                )
                self._publish(world, f"{kind.key} {currency} {number}", terms)

    def _publish(self, world: "World", name: str, terms: Declaration) -> None:
        """Draft, price, propose and approve, as staff do."""
        office, values = world.office, declaration.stored(terms)
        version = drafts.make(office.manager, name, values, reason=WHY, now=world.now)
        row = preview.ask(version, world.now)
        preview.run(row.pk)
        row.refresh_from_db()
        self._foretold[version.pk] = row.result["hands"], row.result["cost"]
        proposal = publishing.propose(
            office.manager, version.pk, version.revision, WHY, reason=WHY, key=uuid4()
        )
        approvals.approve(office.second, proposal.pk, reason=WHY, now=world.now)

    def _invite(self, world: "World") -> None:
        inviters = self._chance.sample(world.people, FRIENDS)
        for number, inviter in enumerate(inviters, 1):
            friend = world.house.player(f"friend {number}", 100_000_000)
            inviting.accept(friend, inviting.code_of(inviter), world.now)
            world.people.append(friend)

    def close(self, world: "World") -> None:
        """Let the month end, and look at what came of it."""
        if self._foretold:
            self.costs = list(self._compared(world))
        self.findings = list(audit.findings())

    def _compared(self, world: "World") -> Iterator[Cost]:
        ending.go_home(world)
        ends = start_of(self._first + self._days * ONE_DAY) + timedelta(hours=1)
        world.house.pass_time(max(0.0, (ends - world.now).total_seconds()))
        taking_facts.take(world.now)
        versions = PromotionVersion.objects.filter(pk__in=self._foretold).order_by("pk")
        paid = spent_by(versions, world.now)
        for version in versions.select_related("promotion"):
            result = preview.cost(version, self._first, self._days)
            yield Cost(
                version.promotion.name,
                *self._foretold[version.pk],
                result["hands"],
                result["cost"],
                paid[version.pk].in_all if version.pk in paid else 0,
                sum(version.awards.filter(state="forfeited").values_list("amount", flat=True)),
            )


def _take_rewards(world: "World", player: Any) -> None:
    day = day_of(world.now)
    for name in rewards.names_of(day):
        try:
            rewards.take(player, day, name, world.now)
        except Refused:
            continue
