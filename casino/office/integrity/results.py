"""Finished hands as detectors see them, the protocol of detectors, and their sums. No card is read.

Among players a bet is the point of the table; against the house it is what the player bet before
the cards, and the result is cleared of what the rules promise the house and of the money of pools.
Tournaments are left out, since their chips are no money; bots are left out as subjects, and so are
hands with bots where players play one another: beating a bot needs no cheating.

The sums of a detector are read once a batch of hands, and written together. The scan's row, which
is of record, has the sum of the hashes of all sums. So the audit notices a sum that was set back to
hide what is in progress.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple, Protocol

from django.db.models import Q, QuerySet
from django.utils.functional import Promise

from casino.accounts.models import Player
from casino.office.integrity.chance import Shape, Total
from casino.office.integrity.models import Scan, Tally
from casino.office.reports.counting import PlayedHand, played_hands
from casino.office.reports.hold import exact_edges
from games.bots.simulate import POOL_KEYS
from games.models import Hand, HandSeat
from games.records.ledger_lines import net_flows
from games.rules.catalogue import against_house
from games.tables.formats import tables_of_operators
from wallets.of_record import digests
from wallets.storage.replica import snapshot
from wallets.values.days import day_of

_SUMS: Final = ("count", "first", "second", "third", "fourth")
_KEY: Final = ("detector", "game", "player", "other")
_AT_ONCE: Final = 500


class Tallies:
    """Rows by game and player, or pair; a row without a player is the house's."""

    def __init__(self, detector: str, players: Collection[int]) -> None:
        self._detector = detector
        nobody_else = Q(other=0) | Q(other__in=players)
        of_players = Q(player__in=players) & nobody_else
        rows = Tally.objects.filter(Q(player=0) | of_players, detector=detector)
        self._rows = {(row.game, row.player, row.other): row for row in rows}
        self._before = {key: _text(row) for key, row in self._rows.items()}

    def row(self, game: str, player: int = 0, other: int = 0) -> Tally:
        key = (game, player, other)
        if key not in self._rows:
            self._rows[key] = Tally(detector=self._detector, game=game, player=player, other=other)
        return self._rows[key]

    def of_player(self, player: int) -> Iterator[Tally]:
        return (row for row in self._rows.values() if row.player == player)

    def save(self) -> None:
        Tally.objects.bulk_create(
            self._rows.values(),
            batch_size=_AT_ONCE,
            update_conflicts=True,
            unique_fields=_KEY,
            update_fields=[*_SUMS, "looks", "place"],
        )
        scan = Scan.objects.select_for_update().get(pk=1)
        total = digests.Total(scan.tallies, int(scan.tally_sum, 16))
        for key, row in self._rows.items():
            before, after = self._before.get(key), _text(row)
            if before != after:
                total = total if before is None else total.minus("", before)
                total = total.plus("", after)
        self._before = {key: _text(row) for key, row in self._rows.items()}
        Scan.objects.filter(pk=1).update(tallies=total.rows, tally_sum=total.written)


def findings(_since: date | None = None) -> Iterator[str]:
    """Whether the sums are those that the scan has left."""
    with snapshot():
        scan, total = Scan.objects.filter(pk=1).first(), digests.Total()
        for row in Tally.objects.iterator(chunk_size=_AT_ONCE):
            total = total.plus("", _text(row))
    noted = (scan.tallies, scan.tally_sum) if scan else (0, digests.Total().written)
    if noted != (total.rows, total.written):
        yield "the sums of the detectors are not those of the last scan"


def _text(row: Tally) -> str:
    # A number that was not stored yet may be whole.
    sums = [float(getattr(row, name)) for name in _SUMS]
    key = [str(getattr(row, name)) for name in _KEY]
    return repr([*key, *sums, row.looks, row.place])


def shape_of(row: Tally) -> Shape:
    return Shape(*(getattr(row, name) for name in _SUMS))


def total_of(row: Tally) -> Total:
    return Total(*(getattr(row, name) for name in _SUMS))


def add_result(row: Tally, value: float) -> None:
    """Add a result to the sums of the house."""
    square = value * value
    row.count += 1
    row.first += value
    row.second += square
    row.third += square * value
    row.fourth += square * square


def add_weighted(row: Tally, value: float, weight: float = 1.0) -> None:
    """Add a result to the sums of a player or a pair."""
    square = weight * weight
    row.count += 1
    row.first += weight * value
    row.second += square * value * value
    row.third += square
    row.fourth += square * square


# The most hands from which evidence is drawn.
HISTORY_MAX: Final = 2_500


class Result(NamedTuple):
    """A player's winnings in a hand, in bets of this size, above the expectation."""

    player: int
    bets: float
    size: float


class Flow(NamedTuple):
    """The amount that went from one player to another in a hand, in bets."""

    source: int
    target: int
    bets: float


class Played(NamedTuple):
    number: int
    code: str
    table: int
    game: str
    ended_at: datetime
    # People, whether or not bots were there.
    players: tuple[int, ...]
    # Nothing where it says nothing about them.
    results: tuple[Result, ...]
    flows: tuple[Flow, ...]


class Span(NamedTuple):
    """The hands of one run of the scan, in the order in which they ended."""

    hands: Sequence[Played]
    since: datetime
    until: datetime
    # The sums that detectors have changed, to be stored with their findings.
    sums: list[Tallies]

    @property
    def players(self) -> frozenset[int]:
        return frozenset(player for hand in self.hands for player in hand.players)


def finished() -> QuerySet[Hand]:
    """The hands of cash tables that stand."""
    return Hand.objects.filter(tables_of_operators("table__"), status=Hand.Status.FINISHED)


def read(numbers: Sequence[int]) -> list[Played]:
    """These hands in the order in which they ended."""
    hands = Hand.objects.filter(pk__in=numbers)
    ended: dict[int, datetime] = {
        number: at or datetime.min.replace(tzinfo=UTC)
        for number, at in hands.values_list("pk", "ended_at")
    }
    rows = list(played_hands(hands, day_of(datetime.now(UTC))))
    everybody = {player for row in rows for player, _net, _rake in row.seats.values()}
    bots = set(Player.objects.filter(pk__in=everybody, is_bot=True).values_list("pk", flat=True))
    played = [_played(row, ended[row.number], bots) for row in rows]
    return sorted(played, key=lambda one: (one.ended_at, one.number))


def _played(row: PlayedHand, ended_at: datetime, bots: set[int]) -> Played:
    game, who = row.place.game, {seat: player for seat, (player, *_rest) in row.seats.items()}
    results: tuple[Result, ...] = ()
    flows: tuple[Flow, ...] = ()
    if against_house(game):
        results = tuple(result for result in _from_house(row) if result.player not in bots)
    elif bots.isdisjoint(who.values()):
        unit = max(1, int(row.options.get("point", 1)))
        results = tuple(
            Result(player, (net + rake) / unit, 1.0) for player, net, rake in row.seats.values()
        )
        flows = tuple(_flows(row.settlement, who, unit))
    return Played(
        row.number,
        f"T{row.place.table}-H{row.number_at_table}",
        row.place.table,
        game,
        ended_at,
        tuple(player for player in who.values() if player not in bots),
        results,
        flows,
    )


def _from_house(row: PlayedHand) -> Iterator[Result]:
    edges = exact_edges(row.place.game, row.options)
    least = max(1, int(row.options.get("min", 1)))
    for seat, (player, net, rake) in row.seats.items():
        placed = row.bets_of(seat)
        size = sum(placed.values())
        if not size:
            continue
        due = sum(float(edges.get(bet, 0)) * amount for bet, amount in placed.items())
        won = net + rake - _of_pools(row.settlement, seat)
        yield Result(player, (won + due) / size, size / least)


def _of_pools(settlement: Mapping[str, Any], seat: int) -> int:
    """Return what pools paid to a seat, by way of the house."""
    name = str(seat)
    lines = [line for line in settlement.get("lines", ()) if line["key"] in POOL_KEYS]
    return sum(
        line["amount"] * ((line["target"] == name) - (line["source"] == name)) for line in lines
    )


def _flows(settlement: Mapping[str, Any], who: Mapping[int, int], unit: int) -> Iterator[Flow]:
    """One net flow for each pair of the hand, also where nothing passed between them."""
    for (first, second), amount in net_flows(settlement, who).items():
        yield Flow(who[first], who[second], amount / unit)


def history(players: Iterable[int], game: str, until: datetime) -> list[Played]:
    """The last hands in which all of these played together, to be shown as evidence."""
    seats = HandSeat.objects.filter(status=Hand.Status.FINISHED, ended_at__lte=until)
    if game:
        seats = seats.filter(game=game)
    first, *others = sorted(players)
    seats = seats.filter(player=first)
    for other in others:
        seats = seats.filter(
            hand__in=HandSeat.objects.filter(player=other, ended_at__isnull=False).values("hand")
        )
    numbers = seats.order_by("-ended_at", "-hand").values_list("hand_id", flat=True)
    return read(list(numbers[:HISTORY_MAX]))


# So many hands are named as evidence, those that weigh most.
HANDS_SHOWN: Final = 20


class Finding(NamedTuple):
    """A finding: the people, the question and the evidence; never a card."""

    subjects: tuple[int, ...]
    score: float
    bound: float
    # How much was looked at: as much again is new evidence.
    weight: int
    since: datetime
    until: datetime
    game: str = ""
    table: int | None = None
    hands: tuple[str, ...] = ()
    figures: Mapping[str, Any] = {}
    by_day: Mapping[str, int] = {}

    @property
    def key(self) -> str:
        """The key of a suspicion: its one or two people, or the first of a group."""
        pair = self.subjects if len(self.subjects) <= 2 else self.subjects[:1]
        return ",".join(str(player) for player in pair)


class Detector(Protocol):
    """One question. `sentence` is filled in with the figures, in the reader's language."""

    @property
    def name(self) -> str: ...
    @property
    def words(self) -> str | Promise: ...
    @property
    def sentence(self) -> str | Promise: ...
    @property
    def measure(self) -> str | Promise:
        """The unit of score and bound."""

    @property
    def charted(self) -> str | Promise:
        """The name of what the chart shows by day."""

    def look(self, span: Span) -> Iterable[Finding]: ...


class Weighed(NamedTuple):
    """A hand, and what it adds to the suspicion."""

    hand: Played
    value: float


def evidence_of(weighed: Sequence[Weighed]) -> dict[str, Any]:
    """The hands that weigh most, all of them by day, and when they were."""
    by_day: dict[str, float] = {}
    for hand, value in weighed:
        day = hand.ended_at.date().isoformat()
        by_day[day] = by_day.get(day, 0.0) + value
    heaviest = sorted(weighed, key=lambda one: -one.value)[:HANDS_SHOWN]
    return {
        "hands": tuple(entry.hand.code for entry in heaviest),
        "by_day": {day: round(value) for day, value in by_day.items()},
        "since": min(entry.hand.ended_at for entry in weighed),
    }
