"""Rehearsals for the back office: a worker plays them in a process and a database of their own.

The process gets no keys and no address of the house, so nothing that it does can reach the house.
If a worker falls silent, the rehearsal can be started again.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from msgspec import Struct, convert, to_builtins

from tournaments.event.organiser import stored
from tournaments.mathematics.problems import require_sound
from tournaments.mathematics.structure import Structure, write
from tournaments.models import Rehearsal
from tournaments.rehearsal.checks import Check, LogLine
from tournaments.running.control import require_permission
from wallets.staff import claimed_rows, journal
from wallets.staff.claimed_rows import RUNNING, SILENT, WAITING
from wallets.values.errors import Refused
from wallets.values.player import Viewer

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
        values: dict[str, object] = to_builtins(result)
        return values


log = logging.getLogger(__name__)

TASK: Final = "tournaments.tasks.rehearse"
PLAYERS_MAX: Final = 60
BUSY_MAX: Final = 3
SECONDS_MAX: Final = 900.0
ERROR_MAX: Final = 300

# Why one failed, where its process did not say so itself; pages have the words.
TOO_LONG: Final = "too_long"
STOPPED: Final = "stopped"
IN_THE_LOG: Final = "in_the_log"


class Ended(Exception):
    """The rehearsal has stopped, for one of these reasons or with its process's message."""


def players_of(structure: Structure) -> tuple[int, int]:
    """With how few and with how many bots a structure can be rehearsed."""
    return structure.field_min, max(structure.field_min, min(structure.field_max, PLAYERS_MAX))


def ask(member: Viewer, structure: Structure, players: int, now: datetime) -> Rehearsal:
    """Have bots play a structure. It changes nothing in the house, so it asks for no reason."""
    require_permission(member)
    require_sound(structure)
    least, most = players_of(structure)
    if not least <= players <= most:
        raise Refused(
            "rehearsal_players",
            _n("This event is rehearsed with {least} to {most} players."),
            least=least,
            most=most,
        )
    with transaction.atomic():
        if Rehearsal.objects.filter(state__in=Rehearsal.BUSY).count() >= BUSY_MAX:
            raise Refused(
                "rehearsals_busy", _n("Other rehearsals are still running. Try again later.")
            )
        row = Rehearsal.objects.create(
            name=structure.name,
            structure=stored(structure),
            players=players,
            seed=now.isoformat(),
            requested_by=journal.by(member).reference,
            requested_at=now,
        )
        transaction.on_commit(lambda: send(row.pk))
    return row


def send(number: int) -> None:
    claimed_rows.send(TASK, number)


def is_left(row: Rehearsal, now: datetime) -> bool:
    """Whether no worker seems to be at it, nor at one that it waits for."""
    return claimed_rows.is_left(row, now) and not waits_for_another(row, now)


def waits_for_another(row: Rehearsal, now: datetime) -> bool:
    """Whether the worker plays another rehearsal: it plays one at a time."""
    played = Rehearsal.objects.filter(state=RUNNING, seen_at__gte=now - SILENT)
    return row.state == WAITING and played.exists()


def result_of(row: Rehearsal) -> Result:
    """The present or the final result."""
    return convert(row.result, Result)


def perform(number: int, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Play one rehearsal, unless another worker has claimed it."""
    claimed = claimed_rows.claim(Rehearsal, number, clock, result={}, error="")
    if claimed is None:
        return False
    row, mine = claimed
    try:
        summary = _play(row, mine)
    except claimed_rows.Lost:
        return False
    except Ended as reason:
        return mine.end(state=Rehearsal.State.FAILED, error=str(reason)[:ERROR_MAX])
    except Exception:
        log.exception("rehearsal %s failed", number)
        return mine.end(state=Rehearsal.State.FAILED, error=IN_THE_LOG)
    return mine.end(state=Rehearsal.State.DONE, result=summary.close())


def _play(row: Rehearsal, mine: claimed_rows.Claim) -> Summary:
    summary, begun = Summary(), time.monotonic()
    with _process(row) as (process, complaints):
        assert process.stdout is not None
        for text in process.stdout:
            summary.read(json.loads(text))
            mine.note(result=summary.so_far())
        if process.wait():
            if time.monotonic() - begun >= SECONDS_MAX:
                raise Ended(TOO_LONG)
            complaints.seek(0)
            raise Ended(complaints.read(ERROR_MAX).decode(errors="replace") or STOPPED)
    return summary


@contextmanager
def _process(row: Rehearsal) -> "Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]":
    """The process that plays, with what it complains about; it has ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
        file = Path(folder) / "structure.json"
        file.write_bytes(write(convert(row.structure, Structure)))
        given = {"--players": row.players, "--seed": row.seed, "--structure": file}
        words = [str(word) for pair in given.items() for word in pair]
        # An environment without the house's keys and addresses.
        environment = {"PATH": os.environ.get("PATH", ""), "TMPDIR": folder}
        with tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(  # noqa: S603 # our own program # nosec B603
                [sys.executable, "-m", "tournaments.rehearsal.rehearse", *words],
                cwd=settings.BASE_DIR,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
            # It is stopped in time even if it prints nothing any more.
            deadline = threading.Timer(SECONDS_MAX, process.kill)
            deadline.start()
            try:
                yield process, complaints
            finally:
                deadline.cancel()
                process.kill()
                process.wait()
                if process.stdout is not None:
                    process.stdout.close()
