"""Check the lines of a rehearsal, from the lines alone."""

from collections.abc import Iterator
from typing import Any

LogLine = dict[str, Any]


class Check:
    """Reads the lines of a tournament, and says what in them does not add up."""

    def __init__(self) -> None:
        self.findings: list[str] = []
        self._paid_in = 0
        self._fees = 0
        self._places: dict[str, int] = {}
        self._tables: dict[str, int | None] = {}
        self._prizes: dict[str, int] = {}
        self._ended = False
        self._checks = {
            "entered": self._entered,
            "seated": self._seated,
            "moved": self._moved,
            "level": self._level,
            "hand": self._hand,
            "out": self._out,
            "paid": self._paid,
            "ended": self._end,
        }

    def read(self, line: LogLine) -> None:
        self.findings += self._checks[line["event"]](line)

    def close(self) -> list[str]:
        """All findings, once the lines have ended."""
        if not self._ended:
            self.findings.append("the tournament did not end")
        return self.findings

    def _entered(self, line: LogLine) -> Iterator[str]:
        self._paid_in += line["stake"] + line["fee"]
        self._fees += line["fee"]
        self._tables.setdefault(line["player"], None)
        yield from ()

    def _seated(self, line: LogLine) -> Iterator[str]:
        yield from self._sits(line["player"], None, line["table"])

    def _moved(self, line: LogLine) -> Iterator[str]:
        yield from self._sits(line["player"], line["from"], line["to"])

    def _sits(self, player: str, source: int | None, target: int | None) -> Iterator[str]:
        if player not in self._tables:
            yield f"{player} has a seat and has not entered"
        # A player who re-entered has left the table without a line.
        elif source is not None and self._tables[player] != source:
            yield f"{player} moved from table {source} and sat at {self._tables[player]}"
        self._tables[player] = target

    def _level(self, line: LogLine) -> Iterator[str]:
        if line["number"] < 1:
            yield f"there is no level {line['number']}"

    def _hand(self, line: LogLine) -> Iterator[str]:
        where = f"hand {line['hand']} of table {line['table']}"
        if total := sum(line["net"].values()):
            yield f"{where} moved {total} chips out of nowhere"
        for player in line["net"]:
            if self._tables.get(player) != line["table"]:
                yield f"{player} played {where} and sat elsewhere"

    def _out(self, line: LogLine) -> Iterator[str]:
        player, place = line["player"], line["place"]
        if player in self._places:
            yield f"{player} has the places {self._places[player]} and {place}"
        self._places[player] = place

    def _paid(self, line: LogLine) -> Iterator[str]:
        player, place = line["player"], line["place"]
        if self._places.get(player) != place:
            yield f"{player} was paid for place {place} and has {self._places.get(player)}"
        if player in self._prizes:
            yield f"{player} was paid twice"
        self._prizes[player] = line["amount"]

    def _end(self, line: LogLine) -> Iterator[str]:
        self._ended = True
        players = len(self._tables)
        if sorted(self._places.values()) != list(range(1, players + 1)):
            yield f"the places of {players} players are not 1 to {players}, each once"
        prizes = sum(self._prizes.values())
        due = {"entries": self._paid_in, "fees": self._fees, "prizes": prizes}
        for name, amount in due.items():
            if line[name] != amount:
                yield f"the {name} come to {amount}, and {line[name]} is said at the end"
        if line["prizes"] + line["fees"] != line["entries"] + line["guarantee"]:
            yield "prizes and fees are not what entries and the house have paid"
