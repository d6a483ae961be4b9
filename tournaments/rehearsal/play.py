"""A tournament of bots from its announcement to its last prize.

Every step uses the verbs that pages and sweeps call: `entries`, `mixing`, `clock` and `progress`.
Time passes from one deadline to the next. The seed determines the players' decisions (late entry,
re-entry, add-on, mixing the shoe).
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Min
from django.utils.translation import gettext_noop as _n

from games.models import Table
from games.rules.event_shoe import EventProtocol
from games.tables import clock, play_money
from tournaments.event import mixing
from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, Tournament
from tournaments.rehearsal.checks import LogLine
from tournaments.rehearsal.entropy import Stream
from tournaments.rehearsal.progress_lines import Watcher
from tournaments.running import announcing, entries, progress
from wallets.models import Currency
from wallets.money.cashier import HOUSE
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.player import Player

# When the clock of the first rehearsal of a database begins; each further one begins later.
BEGINNING: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
APART: Final = timedelta(days=30)
AHEAD: Final = timedelta(hours=1)
# Of a hundred players, so many come late, mix the shoe themselves, and withhold their part of it.
LATE: Final = 10
MIXING: Final = 30
WITHHOLDING: Final = 5


class Stuck(Exception):
    """The tournament is stuck: no step is due, and it is not over."""


class Rehearsal:
    """One tournament with its players and its clock."""

    @verb("setup:rehearsal")
    def __init__(self, structure: Structure, players: int, seed: str) -> None:
        self.structure = structure
        self._chances = Stream(f"players {seed}")
        self._currency, _ = Currency.objects.get_or_create(
            code=structure.currency,
            defaults={"name": _n("Play money"), "kind": Currency.Kind.PLAY},
        )
        self.now = BEGINNING + Tournament.objects.count() * APART
        template = announcing.store_template(structure, HOUSE, self.now)
        starts_at = None if structure.kind == "sit_and_go" else self.now + AHEAD
        row = announcing.announce(template, self.now, by=HOUSE, starts_at=starts_at)
        self.number = row.pk
        self._watcher = Watcher(row.pk)
        self._bots = _bots(players)
        self._late: list[Player] = []
        self._reveals: dict[int, bytes] = {}
        self._offered: set[tuple[str, int, int]] = set()

    @property
    def row(self) -> Tournament:
        return Tournament.objects.get(pk=self.number)

    def lines(self) -> Iterator[LogLine]:
        """Play, and tell everything that happens."""
        yield from self.enter()
        while not (row := self.row).is_over:
            yield from self.step(row)
        yield from self._watcher.news()

    def enter(self) -> Iterator[LogLine]:
        """Enter all players who are there before the start."""
        early = len(self._bots)
        if self.structure.late_registration_level:
            early = max(self.structure.field_min, early - early * LATE // 100)
        self._late = self._bots[early:]
        # A sit-and-go begins with the last entry, and all entrants reveal from then on.
        for number, player in enumerate(self._bots[:early], 1):
            yield self._enter(player)
            if number < early:
                self._commit(player)

    def step(self, row: Tournament) -> Iterator[LogLine]:
        """Advance the time to the next due step, run it, and let the players act."""
        self._pass_time(row)
        due = Table.objects.filter(organiser=row.reference, due_at__lte=self.now)
        for table in due.order_by("due_at", "pk").values_list("pk", flat=True):
            clock.tick(table, self.now)
        progress.step(self.number, self.now)
        self._reveal()
        yield from self._watcher.news()
        yield from self._decide()

    def _pass_time(self, row: Tournament) -> None:
        tables = Table.objects.filter(organiser=row.reference)
        times = [tables.aggregate(at=Min("due_at"))["at"], row.due_at]
        due = min((time for time in times if time is not None), default=None)
        if due is None:
            raise Stuck(f"Nothing is due, and the tournament is {row.state}.")
        self.now = max(self.now, due)

    # Acts of players.

    def _enter(self, player: Player) -> LogLine:
        entries.register(player, self.number, self.now)
        return self._entered(player, self.structure.stake, self.structure.fee)

    def _entered(self, player: Player, stake: int, fee: int) -> LogLine:
        return {"event": "entered", "player": str(player), "stake": stake, "fee": fee}

    def _chance(self, percent: int) -> bool:
        return self._chances.below(100) < percent

    def _commit(self, player: Player) -> None:
        """Some commit to bytes of their own; a few of these never reveal."""
        if not self._chance(MIXING):
            return
        octets = self._chances.octets()
        entry = Entry.objects.get(tournament=self.number, player=player.pk)
        protocol = EventProtocol(self.row.shoe.code)
        commitment = protocol.commitment(entry.number, octets)
        mixing.commit(player, self.number, commitment.hex())
        if not self._chance(WITHHOLDING):
            self._reveals[player.pk] = octets

    def _reveal(self) -> None:
        """While the shoe is locked, show what was committed to."""
        if not self._reveals or self.row.state == Tournament.State.ANNOUNCED:
            return
        for player in self._bots:
            if octets := self._reveals.pop(player.pk, b""):
                self._try(mixing.reveal, player, self.number, octets.hex(), self.now)

    def _try(self, verb: Callable[..., object], *given: object) -> bool:
        """Whether the house let a player do something; it may be too late for it."""
        try:
            verb(*given)
        except Refused:
            return False
        return True

    def _decide(self) -> Iterator[LogLine]:
        """Have those who come late enter, and others enter again or buy the add-on."""
        row = self.row
        if row.state != Tournament.State.RUNNING or row.registration_closed_at is not None:
            return
        last_call = row.level >= self.structure.late_registration_level
        while self._late and (last_call or self._chance(LATE)):
            yield self._enter(self._late.pop(0))
        if self.structure.reentries is not None:
            yield from self._enter_again()
        if self.structure.add_on is not None:
            yield from self._add_on(row.level)

    def _enter_again(self) -> Iterator[LogLine]:
        for entry in self._entries(Entry.State.OUT):
            if self._was_offered("again", entry.pk, entry.entries):
                continue
            given = (entry.player, self.number, self.now)
            if self._chance(50) and self._try(entries.enter_again, *given):
                yield self._entered(entry.player, self.structure.stake, self.structure.fee)

    def _add_on(self, level: int) -> Iterator[LogLine]:
        offer = self.structure.add_on
        assert offer is not None
        if not offer.from_level <= level <= offer.until_level:
            return
        for entry in self._entries(Entry.State.PLAYING):
            if entry.added_on or self._was_offered("add-on", entry.pk, level):
                continue
            given = (entry.player, self.number, self.now)
            if self._chance(50):
                self._fund(entry.player, offer.stake + offer.fee)
                if self._try(entries.add_on, *given):
                    yield self._entered(entry.player, offer.stake, offer.fee)

    def _fund(self, player: Player, amount: int) -> None:
        """Give a bot what an add-on costs; what an entry costs the house gives by itself."""
        occasion = f"{self.row.reference} add-on {self.row.version}"
        reason = play_money.FOR_A_BOT
        play_money.grant(player, self._currency, amount, occasion=occasion, reason=reason)

    def _entries(self, state: Entry.State) -> list[Entry]:
        found = Entry.objects.filter(tournament=self.number, state=state)
        return list(found.select_related("player").order_by("number"))

    def _was_offered(self, *offer: Any) -> bool:
        """Whether a player has decided about an offer before."""
        known = offer in self._offered
        self._offered.add(offer)
        return known


def _bots(count: int) -> list[Player]:
    """So many bots of the house; those of earlier rehearsals play again."""
    players: Any = get_user_model()
    names = [bot_name(number) for number in range(1, count + 1)]
    there = {player.username: player for player in players.objects.filter(is_bot=True)}
    return [there.get(name) or players.objects.create_bot(name) for name in names]


def bot_name(number: int) -> str:
    return f"player-{number}"
