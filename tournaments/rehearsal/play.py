"""A tournament of bots from its announcement to its last prize, and the lines that tell of it.

Every step uses the verbs that pages and sweeps call: `entries`, `mixing`, `clock` and `progress`.
Time passes from one deadline to the next. The seed determines the players' decisions (late entry,
re-entry, add-on, mixing the shoe).

The rows are read in the order in which the event acts on them: hands, places, levels, seats,
prizes. Most looks find that the event's row has not changed, and read only the hands.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Min
from django.utils.translation import gettext_noop as _n

from games.models import HandSeat, Table
from games.rules.event_shoe import EventProtocol
from games.tables import clock, play_money
from tournaments.event import mixing, organiser
from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, HandEnded, Payout, TableChange, Tournament
from tournaments.rehearsal.checks import LogLine
from tournaments.rehearsal.entropy import Stream
from tournaments.rehearsal.variant import Unfit
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
        rows = Entry.objects.filter(tournament=self.number, state=state)
        return list(rows.select_related("player").order_by("number"))

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


class Watcher:
    """Looks at one event; each event is reported once."""

    def __init__(self, tournament_id: int) -> None:
        self._number = tournament_id
        self._version = self._hand = self._move = self._level = 0
        self._stage = 1
        self._lowest: int | None = None
        self._paid: set[int] = set()
        self._ended = False
        self._names: dict[int, str] = {}
        self._tables: dict[int, int] = {}

    def news(self) -> Iterator[LogLine]:
        row = Tournament.objects.get(pk=self._number)
        yield from self._hands()
        if row.version == self._version:
            return
        self._version = row.version
        yield from self._outs()
        yield from self._levels(row)
        yield from self._moves()
        if row.state in (Tournament.State.PAYING, *Tournament.OVER):
            yield from self._payouts()
            yield from self._end(row)

    def _name(self, player_id: int) -> str:
        if player_id not in self._names:
            entries = Entry.objects.filter(tournament=self._number)
            self._names = dict(entries.values_list("player_id", "player__username"))
        return self._names[player_id]

    def _table(self, table_id: int | None) -> int | None:
        """The number of a table in its event."""
        if table_id is None:
            return None
        if table_id not in self._tables:
            rows = Tournament.objects.filter(pk=self._number)
            self._tables = dict(rows.values_list("tables__table_id", "tables__number"))
        return self._tables[table_id]

    def _hands(self) -> Iterator[LogLine]:
        endeds = HandEnded.objects.filter(tournament=self._number, pk__gt=self._hand)
        rows = list(
            endeds.order_by("pk").values_list("pk", "hand", "hand__number", "table", "void")
        )
        if not rows:
            return
        self._hand = rows[-1][0]
        nets: dict[int, dict[str, int]] = defaultdict(dict)
        dealt = HandSeat.objects.filter(hand__in=[row[1] for row in rows])
        for hand, player, net in dealt.order_by("hand", "number").values_list(
            "hand_id", "player_id", "net"
        ):
            nets[hand][self._name(player)] = net
        for _row, hand, number, table, void in rows:
            if not void:
                where = {"table": self._table(table), "hand": number}
                yield {"event": "hand", **where, "net": nets[hand]}

    def _outs(self) -> Iterator[LogLine]:
        """Final places, from the last one up: who may still enter again has none."""
        placed = Entry.objects.filter(tournament=self._number, place__isnull=False)
        if self._lowest is not None:
            placed = placed.filter(place__lt=self._lowest)
        for player, place in placed.order_by("-place").values_list("player_id", "place"):
            self._lowest = place
            yield {"event": "out", "player": self._name(player), "place": place}

    def _levels(self, row: Tournament) -> Iterator[LogLine]:
        if row.stage != self._stage:
            self._stage, self._level = row.stage, row.level - 1
        while self._level < row.level:
            self._level += 1
            yield {"event": "level", "number": self._level, **_played_for(row, self._level)}

    def _moves(self) -> Iterator[LogLine]:
        changes = TableChange.objects.filter(tournament=self._number, pk__gt=self._move)
        for move in changes.select_related("entry").order_by("pk"):
            self._move = move.pk
            source, target = self._table(move.from_table_id), self._table(move.to_table_id)
            who: dict[str, object] = {"player": self._name(move.entry.player_id)}
            if source is None:
                yield {"event": "seated", **who, "table": target, "seat": move.to_seat}
            else:
                line = {"event": "moved", **who, "from": source, "to": target}
                yield line if target is None else {**line, "seat": move.to_seat}

    def _payouts(self) -> Iterator[LogLine]:
        payouts = Payout.objects.filter(tournament=self._number, paid_at__isnull=False)
        for payout in payouts.order_by("place").select_related("entry"):
            if payout.pk not in self._paid:
                self._paid.add(payout.pk)
                name = self._name(payout.entry.player_id)
                amount = {"place": payout.place, "amount": payout.amount}
                yield {"event": "paid", "player": name, **amount}

    def _end(self, row: Tournament) -> Iterator[LogLine]:
        if not row.is_over or self._ended:
            return
        self._ended = True
        paid = Payout.objects.filter(tournament=self._number, paid_at__isnull=False)
        yield {
            "event": "ended",
            "entries": row.stakes + row.fees,
            "fees": row.fees,
            "guarantee": row.added or 0,
            "prizes": sum(paid.values_list("amount", flat=True)),
            "seconds": _seconds(row),
        }


def _seconds(row: Tournament) -> int:
    """How long an event has lasted by its own clock; 0 where it never began."""
    if row.started_at is None or row.ended_at is None:
        return 0
    return round((row.ended_at - row.started_at).total_seconds())


def _played_for(row: Tournament, level: int) -> dict[str, int | None]:
    """Return the stakes of a level: the point, or the bets at games with a banker."""
    row.level = level
    options = organiser.options_at(row)
    point = {"point": options.get("point")}
    if point["point"] is not None:
        return point
    return {**point, "bet_min": options["bet_min"], "bet_max": options["bet_max"]}


def require_own() -> None:
    """Refuse the database of a house: secrets that follow from a seed have no place in it."""
    there = set(connection.introspection.table_names())
    players = get_user_model()
    if not there:
        return
    if not {model._meta.db_table for model in (players, Table, Tournament)} <= there:
        raise Unfit("This database holds something else: give one that is empty.")
    people = players.objects.filter(is_bot=False).exists()
    if people or Table.objects.filter(organiser="").exists():
        raise Unfit("A house plays in this database: give one that is empty.")
    over = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    if Tournament.objects.exclude(state__in=over).exists():
        raise Unfit("A tournament in this database has not ended: give one that is empty.")
