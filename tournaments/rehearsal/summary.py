"""The summary of a rehearsal's lines: how far it is, and in the end its result."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, to_builtins

from tournaments.rehearsal.checks import Check, LogLine

# So many places are named.
PLACES_MAX: Final = 40


class Place(Struct, frozen=True):
    """A player who was paid."""

    place: int
    player: str
    amount: int


class Result(Struct, frozen=True, kw_only=True):
    """The sums of a rehearsal. Money is in minor units."""

    entries: int = 0
    out: int = 0
    hands: int = 0
    level: int = 0
    # From the first hand to the end by the event's own clock; 0 before that.
    seconds: int = 0
    paid_in: int = 0
    fees: int = 0
    added: int = 0
    prizes: int = 0
    places: Sequence[Place] = ()
    # The contradictions; empty unless the house has a fault.
    findings: Sequence[str] = ()


class Summary:
    """Reads the lines one after the other, and checks them."""

    def __init__(self) -> None:
        self._check = Check()
        self._counts = {"entered": 0, "out": 0, "hand": 0}
        self._level = 0
        self._places: list[Place] = []
        self._end: LogLine = {}

    def read(self, line: LogLine) -> None:
        self._check.read(line)
        event = line["event"]
        if event in self._counts:
            self._counts[event] += 1
        match event:
            case "level":
                self._level = line["number"]
            case "paid" if len(self._places) < PLACES_MAX:
                self._places.append(Place(line["place"], line["player"], line["amount"]))
            case "ended":
                self._end = line

    def so_far(self) -> dict[str, object]:
        """The sums up to now, as a row keeps them."""
        return self._result(())

    def close(self) -> dict[str, object]:
        """The result, once the lines have ended."""
        return self._result(self._check.close())

    def _result(self, findings: Sequence[str]) -> dict[str, object]:
        end = self._end
        result = Result(
            entries=self._counts["entered"],
            out=self._counts["out"],
            hands=self._counts["hand"],
            level=self._level,
            seconds=end.get("seconds", 0),
            paid_in=end.get("entries", 0),
            fees=end.get("fees", 0),
            added=end.get("guarantee", 0),
            prizes=end.get("prizes", 0),
            places=self._places,
            findings=findings,
        )
        found: dict[str, object] = to_builtins(result)
        return found
