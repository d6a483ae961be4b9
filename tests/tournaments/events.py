"""Events for tests: announced, entered and played to their end by a clock that tests set.

Everybody is out of sight unless a test says otherwise: the house then plays for them at once, by
the games' fallbacks, which is quick.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import transaction
from django.db.models import Min, Q, Sum
from django.utils import timezone
from msgspec import convert

from casino.accounts.models import Player
from games.models import Hand, Seat, Table
from games.tables import clock
from tests.games.house import House
from tests.repeating import repeat_draws
from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, HandEnded, Payout, Tournament
from tournaments.office.editor.event_form import EventForm
from tournaments.office.editor.from_structure import data_of
from tournaments.running import announcing, entries
from wallets.models import Account, Currency

SECRET = bytes(range(32))
STACK = 1_000


def plain(text: str) -> str:
    """What a page says, without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def structure(**given: Any) -> Structure:
    """A freeze-out of Chinese poker, quick to be played."""
    fields: dict[str, Any] = {
        "name": "Evening",
        "kind": "freeze_out",
        "game": "chinese_poker",
        "field_min": 2,
        "field_max": 12,
        "table_size": 4,
        "stake": 1_000,
        "fee": 100,
        "payouts": {"by": "percentage", "shares": [{"share": 7_000}, {"share": 3_000}]},
        "starting_chips": STACK,
        "levels": [{"point": 100, "seconds": 600}, {"point": 200, "seconds": 600}, {"point": 400}],
        "pause_seconds": 2,
    }
    return convert(fields | given, Structure)


def sit_and_go(game: str = "chinese_poker", seats: int = 2, **given: Any) -> Structure:
    fields = {
        "kind": "sit_and_go",
        "game": game,
        "field_min": seats,
        "field_max": seats,
        "table_size": min(seats, 3 if game == "doudizhu" else 4),
        "payouts": {"by": "percentage", "shares": [{"share": 10_000}]},
    }
    return structure(**(fields | given))


def sent(made: Structure, **changes: Any) -> dict[str, Any]:
    """A structure as the form sends it, with some fields changed; lists are columns of rows."""
    data = dict(data_of(made).lists())
    return {
        **data,
        "game_before": made.game,
        "reason": "the autumn programme",
        **{name: value if isinstance(value, list) else [value] for name, value in changes.items()},
    }


def form_of(made: Structure, **changes: Any) -> EventForm:
    data = data_of(made)
    for name, value in {"reason": "why not", **changes}.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    form = EventForm(data)
    form.is_valid()
    return form


class Event:
    """One event of a house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.number = 0

    @property
    def row(self) -> Tournament:
        return Tournament.objects.get(pk=self.number)

    def announce(self, played: Structure, **given: Any) -> Tournament:
        template = announcing.store_template(played, "player:1", self.house.now)
        if played.kind != "sit_and_go":
            given.setdefault("starts_at", self.house.now + timedelta(hours=1))
        with patch("secrets.token_bytes", return_value=SECRET):
            row = announcing.announce(template, self.house.now, by="player:1", **given)
        self.number = row.pk
        return row

    def people(self, count: int, **given: Any) -> list[Player]:
        """So many players who are out of sight, with money."""
        there = Player.objects.count()
        names = [f"player {number}" for number in range(there + 1, there + count + 1)]
        self.house.away |= set(names)
        return [self.house.player(name, **given) for name in names]

    def enter(self, players: Iterable[Player]) -> list[Entry]:
        return [entries.register(player, self.number, self.house.now) for player in players]

    def open(self, played: Structure, count: int, **given: Any) -> list[Player]:
        """Announce an event that so many players enter."""
        self.announce(played, **given)
        players = self.people(count)
        self.enter(players)
        return players

    def entry(self, player: Player) -> Entry:
        return Entry.objects.get(tournament=self.number, player=player)

    # Time.

    def next_time(self) -> datetime | None:
        """When anything is next due at the event or at one of its tables."""
        tables = Table.objects.filter(organiser=f"tournament:{self.number}")
        times = [tables.aggregate(at=Min("due_at"))["at"], self.row.due_at]
        return min((time for time in times if time is not None), default=None)

    def step(self) -> None:
        """Let the time pass until something is due, and do that."""
        due = self.next_time()
        assert due is not None, "nothing will ever happen here"
        self.house.now = max(self.house.now, due)
        clock.sweep(self.house.now)
        announcing.sweep(self.house.now)

    def people_act(self) -> None:
        """Those who are there play as bots would."""
        for table in Table.objects.filter(organiser=self.row.reference, hand__isnull=False):
            self.house.be_seen(table)
            while self.house.let_people_act(table):
                table.refresh_from_db()

    def until(self, reached: Callable[[], bool], steps: int = 5_000) -> None:
        for _ in range(steps):
            if reached():
                return
            self.step()
        raise AssertionError(f"the condition never held: {self.row.state}")

    def is_over(self) -> bool:
        return self.row.is_over

    def play(self) -> None:
        """Play it to its end."""
        self.until(self.is_over)

    def play_closely(self) -> None:
        """Play it to its end, and check it after every hand."""
        ended = -1
        while not self.is_over():
            self.step()
            if (now := HandEnded.objects.filter(tournament=self.number).count()) != ended:
                self.check()
                ended = now
        self.check()

    def is_running(self) -> bool:
        return self.row.state == Tournament.State.RUNNING

    # What is true of every event at every time.

    def chips(self) -> int:
        """All chips that any player has, at tables and away from them."""
        seats = Seat.objects.filter(table__organiser=self.row.reference)
        mine = Q(pk__in=seats.values("stack")) | Q(owner__startswith=f"entry:{self.number}-")
        return Account.objects.filter(mine).aggregate(sum=Sum("balance"))["sum"] or 0

    def check(self) -> None:
        """Chips are conserved, no player sits twice, and all accounts balance."""
        row = self.row
        assert self.chips() == row.chips
        seated = Seat.objects.filter(left_at=None, table__organiser=row.reference).values_list(
            "player", flat=True
        )
        assert len(seated) == len(set(seated))
        for currency in Currency.objects.all():
            total = Account.objects.filter(currency=currency).aggregate(sum=Sum("balance"))["sum"]
            assert not total
        if row.state == Tournament.State.FINISHED:
            self.check_end()

    def check_end(self) -> None:
        """Everybody has one place; what was paid in was paid out; no chip is left."""
        row = self.row
        took_part = Entry.objects.filter(tournament=row).exclude(state=Entry.State.WITHDRAWN)
        places = took_part.values_list("place", flat=True)
        assert sorted(place or 0 for place in places) == list(range(1, row.entrants + 1))
        paid = Payout.objects.filter(tournament=row)
        assert not paid.filter(paid_at=None).exists()
        prizes = paid.aggregate(sum=Sum("amount"))["sum"] or 0
        paid_in = took_part.aggregate(sum=Sum("stake_paid") + Sum("fee_paid"))["sum"]
        assert prizes + row.fees == paid_in + (row.added or 0)
        assert row.prize_account.balance == 0
        assert row.guarantee_account.balance == 0
        assert row.fee_account.balance == row.fees
        assert row.chips == self.chips() == 0
        assert not Table.objects.filter(organiser=row.reference).exclude(status="closed").exists()

    def sizes(self) -> list[int]:
        """How many sit at each open table."""
        rows = self.row.tables.filter(broken_at=None).select_related("table")
        return [row.table.seats.filter(left_at=None).count() for row in rows]

    def hands(self) -> int:
        return Hand.objects.filter(table__organiser=self.row.reference).count()


@contextmanager
def lasting(blocker: Any, seed: str) -> Iterator[Event]:
    """An event that lasts for the tests of a module, each of which undoes what it changes."""
    with pytest.MonkeyPatch.context() as patched, blocker.unblock(), transaction.atomic():
        repeat_draws(patched, seed)
        event = Event(House())
        patched.setattr(timezone, "now", lambda: event.house.now)
        yield event
        transaction.set_rollback(True)


def resumed(lasted: Event, monkeypatch: pytest.MonkeyPatch) -> Event:
    """A lasting event for one test, with a clock of its own."""
    event = Event(copy(lasted.house))
    event.house.away, event.number = set(lasted.house.away), lasted.number
    monkeypatch.setattr(timezone, "now", lambda: event.house.now)
    return event
