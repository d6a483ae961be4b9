"""The lines of a rehearsal: what has happened in a tournament since the last call.

The rows are read in the order in which the event acts on them: hands, places, levels, seats,
prizes. Most looks find that the event's row has not changed, and read only the hands.
"""

from collections import defaultdict
from collections.abc import Iterator

from games.models import HandSeat
from tournaments.event import stakes
from tournaments.models import Entry, HandEnded, Payout, TableChange, Tournament
from tournaments.rehearsal.checks import LogLine


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
    options = stakes.options_at(row)
    point = {"point": options.get("point")}
    if point["point"] is not None:
        return point
    return {**point, "bet_min": options["bet_min"], "bet_max": options["bet_max"]}
