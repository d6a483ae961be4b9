"""Plays facts through one version of a promotion, in the order of time.

The same engine takes facts in live, reckons a draft's cost, and is replayed by the audit. Its state
is plain: a caller may load the part that some facts need. Windows that ended are closed before the
next fact, so it makes no difference in how many portions the facts come.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, Protocol

from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.facts import DepositFact, Fact, ForfeitFact, HandFact
from casino.community.promotions.rules.kinds import (
    NO_STANDING,
    Calendar,
    Payment,
    Progress,
    Standing,
    window_of,
)
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.levels import Points
from casino.community.promotions.rules.shares import HappyHour, TicketMission

# The states of an award: cash is paid; a bonus is held until one of the others.
PAID: Final = "paid"
HELD: Final = "held"
RELEASED: Final = "released"
EXPIRED: Final = "expired"
FORFEITED: Final = "forfeited"
RETURNED: Final = "returned"
# These cost nothing in the end.
GONE: Final = (EXPIRED, FORFEITED, RETURNED)


class Award(NamedTuple):
    """An award of a player, and its state."""

    player: int
    # What it is for: with promotion, version and player it makes the key of the posting.
    fact: str
    # The fact that completed it; a reversed hand takes back what it brought.
    cause: str
    amount: int
    at: datetime
    state: str
    day: date
    to_wager: int = 0
    wagered: int = 0
    expires_at: datetime | None = None
    # Paid before its hand was reversed: a loss of the promotion, not a debt of the player.
    is_debt: bool = False

    @property
    def is_held(self) -> bool:
        return self.state == HELD


Rows = dict[tuple[int, str, str], Progress]


class Earners(Protocol):
    """Who earns, and who is paid when a window ends, by what was known at a time."""

    def may_earn(self, player: int, at: datetime) -> bool: ...

    def may_be_paid(self, player: int, at: datetime) -> bool: ...


class Everybody:
    """Earners in a run that counts every player."""

    def may_earn(self, player: int, at: datetime) -> bool:
        return True

    def may_be_paid(self, player: int, at: datetime) -> bool:
        return True


class Run:
    """A version in force, with the progress and the awards that are known of it."""

    def __init__(self, declaration: Declaration, calendar: Calendar) -> None:
        self.declaration, self.kind = declaration, declaration.kind
        self.calendar, self.until = calendar, declaration.ends
        self.earners: Earners = Everybody()
        # The versions of the same promotion before this one: none pays what another has paid.
        self.earlier: list[Run] = []
        self.progress: Rows = {}
        self.awards: dict[tuple[int, str], Award] = {}
        self.closed: set[str] = set()
        self.spent = 0
        self.spent_on: defaultdict[date, int] = defaultdict(int)
        self.spent_by: defaultdict[int, int] = defaultdict(int)
        self.stopped_at: datetime | None = None
        # What ends when: windows by their names, and bonuses by player and fact.
        self._ends: list[tuple[datetime, str, int]] = []
        self._windows: defaultdict[str, set[tuple[int, str, str]]] = defaultdict(set)
        self._held: defaultdict[int, set[str]] = defaultdict(set)
        # What has changed since the state was loaded.
        self.changed_progress: set[tuple[int, str, str]] = set()
        self.changed_awards: set[tuple[int, str]] = set()

    def load(self, rows: Iterable[Progress], awards: Iterable[Award]) -> None:
        """Take up a state that was stored; it counts as unchanged."""
        for row in rows:
            self._keep(row)
        for award in awards:
            self._put(award)
        self.changed_progress.clear()
        self.changed_awards.clear()

    def is_in_force(self, at: datetime) -> bool:
        stopped = self.stopped_at is not None and at > self.stopped_at
        return self.declaration.starts <= at < self.until and not stopped

    def take(self, fact: Fact) -> None:
        """Count one fact; those before the time or after the stop count nothing."""
        kind = self.kind
        if fact.currency != self.declaration.currency:
            return
        if isinstance(kind, Bonus) and isinstance(fact, HandFact):
            self._wager(kind, fact)
        if not self.is_in_force(fact.at):
            return
        gain = kind.earns(fact)
        if gain is None:
            return
        window = window_of(kind.window, fact)
        entry = fact.key if isinstance(kind, HighHand) else ""
        key = (fact.player, window, entry)
        before = self.progress.get(key) or Progress(*key)
        points, hands = before.points + gain.points, before.hands + gain.hands
        if isinstance(kind, Bonus) and before.hands + before.points:
            # One bonus a window: what comes later brings no second one.
            return
        reached_at = fact.at if gain.points else before.reached_at
        after = Progress(*key, points, hands, reached_at)
        self._keep(after)
        if kind.pays_when == "at_once" and (payment := kind.pays(after, NO_STANDING)):
            self._award_at_once(fact, window, payment)

    def _award_at_once(self, fact: Fact, window: str, payment: Payment) -> None:
        subject = fact.key if isinstance(fact, DepositFact) else f"window:{window}"
        self._award(fact.player, subject, fact.key, payment, fact.at, fact.day)
        if isinstance(fact, HandFact) and fact.inviter and payment.to_inviter:
            thanks, friend = Payment(payment.to_inviter), f"friend:{fact.player}"
            self._award(fact.inviter, friend, fact.key, thanks, fact.at, fact.day)

    def take_back(self, fact: HandFact, points: Points) -> None:
        """A hand was reversed: its gain goes, and so does what it brought."""
        if fact.currency != self.declaration.currency:
            return
        if isinstance(self.kind, Bonus):
            self._take_back_wagers(self.kind, fact)
            brought = [each for each in self.awards.values() if each.cause == fact.key]
            for award in brought:
                if award.player == fact.player:
                    self._reverse(award)
            return
        gain = self.kind.earns(fact) if self.is_in_force(fact.at) else None
        window = window_of(self.kind.window, fact)
        key = (fact.player, window, fact.key if isinstance(self.kind, HighHand) else "")
        before = self.progress.get(key)
        if gain is None or before is None:
            return
        after = before._replace(points=before.points - gain.points, hands=before.hands - gain.hands)
        self._keep(after)
        paid = self.awards.get((fact.player, f"window:{window}"))
        if paid is None:
            return
        places = [row.player for row in self.ranked(window)]
        place = places.index(fact.player) + 1 if fact.player in places else 0
        due = self.kind.pays(after, Standing(place, self._level(points, fact.player, fact.day)))
        if due is None or due.amount < paid.amount or paid.cause == fact.key:
            self._reverse(paid)
            thanks = self.awards.get((fact.inviter, f"friend:{fact.player}"))
            if thanks is not None:
                self._reverse(thanks)

    def _take_back_wagers(self, kind: Bonus, fact: HandFact) -> None:
        for award in self._held_by(fact.player):
            if fact.at > award.at:
                self._put(award._replace(wagered=max(0, award.wagered - kind.wagers(fact))))

    def _reverse(self, award: Award) -> None:
        """A bonus that is still held goes back; what is the player's own stays theirs."""
        if award.is_held:
            self._put(award._replace(state=RETURNED))
        elif award.state in (PAID, RELEASED):
            self._put(award._replace(is_debt=True))

    def forfeit(self, fact: ForfeitFact) -> None:
        award = self.awards.get((fact.player, fact.award))
        if award is not None and award.is_held:
            self._put(award._replace(state=FORFEITED))

    def close(self, at: datetime, points: Points) -> None:
        """End what has ended by then: windows pay, and bonuses expire."""
        while self._ends and self._ends[0][0] <= at:
            moment, name, player = heappop(self._ends)
            if player:
                award = self.awards[player, name]
                if award.is_held:
                    self._put(award._replace(state=EXPIRED))
            elif name not in self.closed:
                self._close_window(name, moment, points)

    def end_of(self, window: str) -> datetime:
        if self.kind.window == "all":
            return self.until
        return min(self.until, self.calendar.ends(self.kind.window, window))

    def ranked(self, window: str) -> list[Progress]:
        """The rows of a window, the first place first."""
        least = self.kind.hands_min if isinstance(self.kind, Race) else 0
        at = self.end_of(window)
        rows = (self.progress[key] for key in self._windows[window])
        return sorted(
            (
                row
                for row in rows
                if row.hands >= max(1, least) and self.earners.may_be_paid(row.player, at)
            ),
            key=_rank,
        )

    def ending(self, at: datetime) -> set[int]:
        """The players whose windows end by then."""
        names = {name for moment, name, player in self._ends if moment <= at and not player}
        keys = (key for name in names - self.closed for key in self._windows[name])
        return {player for player, _window, _entry in keys}

    def _close_window(self, window: str, moment: datetime, points: Points) -> None:
        self.closed.add(window)
        day = self.calendar.day_of(moment - timedelta(seconds=1))
        for place, row in enumerate(self.ranked(window), 1):
            standing = Standing(place, self._level(points, row.player, day))
            payment = self.kind.pays(row, standing)
            if payment is not None:
                cause = row.entry or f"window:{window}"
                subject = f"window:{window}"
                self._award(row.player, subject, cause, payment, moment, day)

    def _level(self, points: Points, player: int, day: date) -> int:
        return points.level(player, self.declaration.currency, day)

    def _award(
        self, player: int, subject: str, cause: str, payment: Payment, at: datetime, day: date
    ) -> None:
        if (player, subject) in self.awards or self._paid_before(player, subject):
            return
        if self.stopped_at is not None and at > self.stopped_at:
            return
        amount = min(payment.amount, self._left(player, day))
        if self.spent + amount >= self.declaration.budget:
            amount = min(amount, self.declaration.budget - self.spent)
            self.stopped_at = at
        if amount <= 0 or (amount < payment.amount and isinstance(self.kind, TicketMission)):
            # A part of a ticket would enter no event.
            return
        self.spent += amount
        self.spent_on[day] += amount
        self.spent_by[player] += amount
        award = Award(player, subject, cause, amount, at, PAID, day)
        if isinstance(self.kind, Bonus):
            award = award._replace(
                state=HELD,
                to_wager=amount * self.kind.times,
                expires_at=at + timedelta(days=self.kind.days),
            )
        self._put(award)

    def _paid_before(self, player: int, subject: str) -> bool:
        """Whether an earlier version has paid for the same; ladders end with their version."""
        if self.kind.pays_when == "at_end":
            return False
        return any((player, subject) in run.awards for run in self.earlier)

    def _left(self, player: int, day: date) -> int:
        """What the caps leave for an award of a player on a day."""
        terms = self.declaration
        left = terms.budget
        if terms.player_max:
            left = min(left, terms.player_max - self.spent_by[player])
        if terms.day_max:
            left = min(left, terms.day_max - self.spent_on[day])
        return left

    def _wager(self, kind: Bonus, fact: HandFact) -> None:
        if not self._held[fact.player]:
            return
        left = kind.wagers(fact)
        for award in self._held_by(fact.player):
            if left <= 0:
                return
            if fact.at <= award.at:
                continue
            used = min(left, award.to_wager - award.wagered)
            left -= used
            wagered = award.wagered + used
            state = RELEASED if wagered >= award.to_wager else HELD
            self._put(award._replace(wagered=wagered, state=state))

    def _held_by(self, player: int) -> list[Award]:
        """The player's bonuses that are still to be wagered, the oldest first."""
        held = [self.awards[player, fact] for fact in self._held[player]]
        return sorted(held, key=lambda award: (award.at, award.fact))

    def _keep(self, row: Progress) -> None:
        key = (row.player, row.window, row.entry)
        if row.window not in self._windows and self.kind.pays_when == "at_end":
            heappush(self._ends, (self.end_of(row.window), row.window, 0))
        self._windows[row.window].add(key)
        self.progress[key] = row
        self.changed_progress.add(key)

    def _put(self, award: Award) -> None:
        key = (award.player, award.fact)
        if not award.is_held:
            self._held[award.player].discard(award.fact)
        elif award.fact not in self._held[award.player]:
            self._held[award.player].add(award.fact)
            if award.expires_at is not None:
                heappush(self._ends, (award.expires_at, award.fact, award.player))
        self.awards[key] = award
        self.changed_awards.add(key)


def _rank(row: Progress) -> tuple[Any, ...]:
    return (-row.points, row.reached_at, row.player, row.entry)


class Reversal(NamedTuple):
    """A hand's fact, taken back at a later time."""

    fact: HandFact
    at: datetime


Event = HandFact | DepositFact | ForfeitFact | Reversal


class Room:
    """All versions that facts can meet, and the points of players."""

    def __init__(
        self,
        runs: dict[int, Run],
        points: Points,
        earners: Earners | None = None,
        happy_hours: Iterable[Run] = (),
    ) -> None:
        self.runs, self.points = runs, points
        self.earners = earners or Everybody()
        for run in runs.values():
            run.earners = self.earners
        # Those by which points count several times: of these versions, and others besides them.
        self._happy_hours = [
            (run, run.kind)
            for run in (*runs.values(), *happy_hours)
            if isinstance(run.kind, HappyHour)
        ]

    def take(self, events: Iterable[Event]) -> None:
        """Take events in the order of time."""
        runs = list(self.runs.values())
        for event in events:
            self.close(event.at)
            if isinstance(event, ForfeitFact):
                if given_up := self.runs.get(event.version):
                    given_up.forfeit(event)
                continue
            fact = event.fact if isinstance(event, Reversal) else event
            if not self.earners.may_earn(fact.player, fact.at):
                continue
            if isinstance(fact, HandFact):
                if fact.inviter and not self.earners.may_earn(fact.inviter, fact.at):
                    fact = fact._replace(inviter=0)
                times = self._times(fact) if self._happy_hours else 1
                self.points.take(fact, -times if isinstance(event, Reversal) else times)
            for run in runs:
                if isinstance(event, Reversal):
                    run.take_back(event.fact, self.points)
                else:
                    run.take(fact)

    def close(self, at: datetime) -> None:
        for run in self.runs.values():
            run.close(at, self.points)

    def _times(self, fact: HandFact) -> int:
        """How many times points count: the most of all happy hours that are on."""
        on = (
            kind.points_times
            for run, kind in self._happy_hours
            if run.is_in_force(fact.at) and kind.is_on(fact)
        )
        return max(on, default=1)
