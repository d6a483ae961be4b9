"""A world in a box: one house, its people and its clock, all drawn from one seed.

A step lets some time pass, sends one request, sweeps as the house does each second, and checks what
must always hold. Now and then a fault befalls the request or the sweep; the request is then sent
again, as a browser would. The same seed gives the same steps: `trace` says which.
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from random import Random
from typing import Any, Final
from unittest.mock import patch

from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from casino.care import exclusions
from games.boards.table_version import VERSIONS
from games.models import Seat, Table
from games.rules.catalogue import GAMES
from games.shoes import anchors, chain, custody
from games.tables import clock, hand_in_play
from games.tables.presence import seen, show_changes
from games.tables.table_cache import TABLE_CACHE
from tests import versions
from tests.games.house import START, House
from tests.simulation import boards, faults, frequencies, intents, invariants, office
from tests.simulation.chance import drawn_from
from tests.simulation.invariants import ERROR, ONCE, REDIS, Violated, require
from tests.simulation.office import Office
from tests.tournaments.events import Event, sit_and_go
from tournaments.running import announcing as events
from wallets.staff import approvals
from wallets.values.errors import Refused

NAMES: Final = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
FEW, MANY = len(NAMES), 200
# Tables have numbers of their own, as pauses are drawn from them.
FIRST_TABLE: Final = 900_001
# How often something fails, how often a whole page is looked at, and how often the chain is linked.
FAULTY, PAGES, LINKS = 0.15, 0.04, 40
# And how often the event that is played besides is looked at.
EVENTS: Final = 10


# How long a step may last, in seconds, and how often: a busy hour, and days that pass quickly.
SPANS: Final = (2, 12, 60, 600)
BUSY, LONG = (70, 24, 5, 1), (40, 34, 20, 6)


def names(count: int) -> list[str]:
    """So many people; the first of them have names of their own."""
    return [*NAMES, *(f"player {number}" for number in range(FEW + 1, count + 1))][:count]


class Errors(logging.Handler):
    """What the house logs as an error, other than a fault that was injected."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        if kind is None or not issubclass(kind, faults.Broken):
            self.found.append(f"{record.getMessage()}: {record.exc_info and record.exc_info[1]!r}")


class World:
    """Everything that one seed makes happen."""

    def __init__(
        self,
        seed: int,
        games: Sequence[str] = tuple(GAMES),
        weights: Sequence[int] = BUSY,
        people: int = FEW,
    ) -> None:
        self.seed, self.chance = seed, Random(seed)
        self.house, self.wire, self.errors = House(), faults.Wire(), Errors()
        self.offline: set[str] = set()
        self.steps = self.faults = self.looked_at = 0
        self.trace: list[str] = []
        self.acknowledged: list[intents.Acted] = []
        self.sent_moves: list[intents.Intent] = []
        self.top_ups: list[intents.Intent] = []
        self.keys: dict[tuple[int, int], set[str]] = {}
        self.called_off: set[int] = set()
        self.onlooker = Client()
        self.event = Event(self.house)
        self._games, self._weights, self._people = games, weights, people

    began = START

    @property
    def now(self) -> Any:
        return self.house.now

    @contextmanager
    def opened(self) -> Iterator["World"]:
        """Inside, the clock and all chance are those of this world."""
        root = logging.getLogger()
        with ExitStack() as stack:
            stack.enter_context(drawn_from(self.seed))
            stack.enter_context(patch.object(timezone, "now", lambda: self.house.now))
            stack.enter_context(faults.wired(self.wire))
            stack.enter_context(patch.object(root, "handlers", [self.errors]))
            stack.enter_context(
                patch.object(hand_in_play, "delete_round", self._spied(hand_in_play.delete_round))
            )
            caches["default"].clear()
            TABLE_CACHE.clear()
            VERSIONS.clear()
            custody.forget_opened()
            self._open()
            stack.enter_context(versions.watched())
            yield self

    def _open(self) -> None:
        self.house.bots(4)
        self.people = [self.house.player(name, 100_000_000) for name in names(self._people)]
        self.office = Office()
        for number, game in enumerate(self._games):
            # Bots play for play money alone.
            money, bots = ((self.office.euro, 0), (self.house.currency, 2))[number % 2]
            self.house.table(
                game, pk=FIRST_TABLE + number, name=game, currency=money, bots_max=bots
            )
        self.office.open(self)
        for number, table in enumerate(self.tables()):
            for place in range(1, min(table.places, 3) + 1):
                self.house.sit(self.people[(number + place) % len(self.people)], table, place)
        self.event.open(sit_and_go(), 2)

    def _spied(self, real: Any) -> Any:
        """A round without a bet is deleted with its moves, and that is right."""

        def call_off(table: Table, hand: Any, *others: Any) -> None:
            self.called_off.add(hand.pk)
            real(table, hand, *others)

        return call_off

    # Who and what is there.

    def tables(self) -> list[Table]:
        return list(Table.objects.filter(organiser="").order_by("pk"))

    def seats(self, table: Table, *, bots: bool = False) -> list[Seat]:
        """The seats of people at a table, and of bots where they are wanted."""
        taken = table.seats.filter(left_at=None).select_related("player").order_by("number")
        return list(taken if bots else taken.filter(player__is_bot=False))

    def any_seat(self, chance: Random) -> Seat | None:
        taken = Seat.objects.filter(left_at=None, player__is_bot=False, table__organiser="")
        seats = list(taken.select_related("player", "table").order_by("table", "number"))
        return chance.choice(seats) if seats else None

    # Steps.

    def step(self) -> None:
        self.steps += 1
        self._pass_time()
        fault = faults.draw(self.chance) if self.chance.random() < FAULTY else None
        on_sweep = fault is not None and self.chance.random() < 0.3
        intent = frequencies.draw(self, self.chance)
        if intent is not None:
            self._try(intent, None if on_sweep else fault)
        self._sweep(fault if on_sweep else None)
        self._check(intent)
        if self.steps % LINKS == 0:
            self.link()

    def link(self) -> None:
        """What a worker does all the while."""
        while chain.link():
            pass
        anchors.when_due(self.now)

    def _pass_time(self) -> None:
        chance = self.chance
        span = chance.choices(SPANS, self._weights)[0]
        self.house.pass_time(round(chance.uniform(0.2, span), 3))
        if chance.random() < 0.03:
            self.offline ^= {chance.choice(self.people).username}
        seen(
            [(0, person.pk) for person in self.people if person.username not in self.offline],
            self.now,
        )

    def _try(self, intent: intents.Intent, fault: faults.Fault | None) -> None:
        repeated = intent.move in self.acknowledged[-200:] if intent.move else False
        if intent.key:
            self.keys.setdefault((intent.table, intent.key[0]), set()).add(intent.key[1])
        before = self._mark(intent.table) if repeated else None
        said = self._send(intent, fault)
        if said == "broken":
            said = f"broken, {self._send(intent, None)}"
        if said.endswith("done"):
            self._done(intent)
        self._note(f"{intent.words} -> {said}{f' {fault}' if fault else ''}")
        if before is not None:
            require(before == self._mark(intent.table), ONCE, f"again it did more: {intent.words}")

    def _send(self, intent: intents.Intent, fault: faults.Fault | None) -> str:
        with faults.injected(fault, self.wire) as hit:
            try:
                intent.send()
            except faults.Broken:
                return "broken"
            except Refused as refused:
                return f"refused {getattr(refused, 'code', '')}"
            except Exception as error:
                what = REDIS if fault and fault.kind == faults.REDIS else ERROR
                raise Violated(what, f"{intent.words}: {error!r}") from error
            finally:
                self.faults += hit()
        return "done"

    def _done(self, intent: intents.Intent) -> None:
        if intent.move and intent.move not in self.acknowledged[-200:]:
            self.acknowledged.append(intent.move)
            self.sent_moves.append(intent)
        if intent.key:
            self.top_ups.append(intent)

    def _mark(self, table: int) -> tuple[Any, ...]:
        row = Table.objects.get(pk=table)
        return row.version, row.moves_made, row.hands_dealt

    def _sweep(self, fault: faults.Fault | None) -> None:
        """What workers and the sweeper do; some alarms are lost on the way."""
        with faults.injected(fault, self.wire) as hit:
            try:
                for table in self.wire.due(self.now):
                    if self.chance.random() < 0.5:
                        clock.tick(table, self.now)
                clock.sweep(self.now)
                show_changes(self.now)
                events.sweep(self.now)
                exclusions.carry_out_all(self.now)
                approvals.expire_due(self.now)
            except faults.Broken:
                pass
            except Exception as error:
                what = REDIS if fault and fault.kind == faults.REDIS else ERROR
                raise Violated(what, repr(error)) from error
            self.faults += hit()
        if fault is None:
            invariants.overdue(self)
        elif self.errors.found and fault.kind == faults.REDIS:
            raise Violated(REDIS, self.errors.found)

    def _check(self, intent: intents.Intent | None) -> None:
        require(not self.errors.found, ERROR, self.errors.found)
        invariants.money(self)
        invariants.kept(self)
        invariants.announced(self)
        office.check(self)
        if self.steps % EVENTS == 0:
            self._look_at_event()
        table = (intent and intent.table) or self.chance.choice(self.tables()).pk
        invariants.stacks(table)
        invariants.once(self, table)
        boards.check(self, table, self.chance, page=self.chance.random() < PAGES)
        rows = Table.objects.order_by("pk").values_list("name", "phase", "version")
        self._note(f"the tables: {hashlib.sha256(repr(list(rows)).encode()).hexdigest()[:12]}")

    def _look_at_event(self) -> None:
        """Chips of the event are conserved; when it is over the next one begins."""
        try:
            self.event.check()
        except AssertionError as wrong:
            raise Violated(invariants.MONEY, f"the event: {wrong}") from wrong
        if self.event.is_over():
            self.event.open(sit_and_go(), 2)

    def _note(self, words: str) -> None:
        self.trace.append(f"{self.steps} {self.now:%d %H:%M:%S.%f} {words}")

    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.trace).encode()).hexdigest()

    def again(self) -> str:
        """The command that gives the same steps again."""
        weights = " --quickly" if tuple(self._weights) == LONG else ""
        people = "" if self._people == FEW else f" --people {self._people}"
        games = "" if len(self._games) == len(GAMES) else f" --games {' '.join(self._games)}"
        given = f"--seed {self.seed} --steps {self.steps}{weights}{people}{games}"
        return f"python -m tests.simulation {given}"

    def hours(self) -> float:
        return (self.now - self.began) / timedelta(hours=1)
