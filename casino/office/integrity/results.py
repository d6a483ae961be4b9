"""Finished hands as detectors see them, and the protocol of detectors. No card is read.

Among players a bet is the point of the table; against the house it is what the player bet before
the cards, and the result is cleared of what the rules promise the house and of the money of pools.
Tournaments are left out, since their chips are no money; bots are left out as subjects, and so are
hands with bots where players play one another: beating a bot needs no cheating.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Protocol

from django.db.models import QuerySet
from django.utils.functional import Promise

from casino.accounts.models import Player
from casino.office.integrity.tallies import Tallies
from casino.office.reports.counting import PlayedHand, played_hands
from casino.office.reports.hold import exact_edges
from games.bots.simulate import POOL_KEYS
from games.models import Hand, HandSeat
from games.records.ledger_lines import net_flows
from games.rules.catalogue import against_house
from games.tables.formats import tables_of_operators
from wallets.values.days import day_of

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
