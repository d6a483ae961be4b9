"""Players, staff and the machine act on an event in any order: chips and money add up."""

from contextlib import suppress
from functools import partial
from typing import Any, Final

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.rules.event_shoe import EventProtocol
from games.tables import seating
from tests.games.house import MONEY, House
from tests.tournaments.events import Event, structure
from tests.tournaments.test_crashes import Killed, killed_after
from tournaments.event import closing, mixing
from tournaments.event.organiser import locked
from tournaments.models import Entry, Tournament
from tournaments.running import control, entries
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS: Final = 5
WHO: Final = st.integers(0, PLAYERS - 1)
WHY: Final = "a test"
State = Tournament.State


class Machine(RuleBasedStateMachine):
    """One event, its players, a member of staff, and a machine that may be switched off."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self.house, self.event = house, Event(house)

    @initialize(
        size=st.sampled_from([2, 4]),
        late=st.sampled_from([0, 1]),
        guarantee=st.integers(0, 9_000),
        entered=st.integers(2, PLAYERS),
    )
    def announce(self, size: int, late: int, guarantee: int, entered: int) -> None:
        again = {"reentries": {"most": 1, "until_level": 1}} if late else {}
        self.event.announce(
            structure(
                table_size=size,
                levels=[{"point": 250, "seconds": 90}, {"point": 500}],
                late_registration_level=late,
                guarantee=guarantee,
                **again,
            )
        )
        self.players = self.event.people(PLAYERS)
        self.event.enter(self.players[:entered])
        self.staff = self.house.player(f"staff of {self.event.number}", money=0)
        appoint(self.staff, "managers")
        self.staff = Player.objects.get(pk=self.staff.pk)

    @property
    def state(self) -> str:
        return self.event.row.state

    def entry(self, who: int) -> Entry | None:
        own = Entry.objects.filter(tournament=self.event.number, player=self.players[who])
        return own.exclude(state=Entry.State.WITHDRAWN).first()

    # Players.

    @rule(who=WHO)
    def register(self, who: int) -> None:
        before, row = self.entry(who), self.event.row
        try:
            entries.register(self.players[who], self.event.number, self.house.now)
        except Refused:
            assert before is not None or not row.registration_open
        else:
            assert before is None

    @rule(who=WHO)
    def unregister(self, who: int) -> None:
        before, state = self.entry(who), self.state
        try:
            entries.unregister(self.players[who], self.event.number, self.house.now)
        except Refused:
            assert before is None or state != State.ANNOUNCED
        else:
            assert before is not None
            assert self.house.wallet(self.players[who]).balance == MONEY

    @rule(who=WHO)
    def enter_again(self, who: int) -> None:
        with suppress(Refused):
            entries.enter_again(self.players[who], self.event.number, self.house.now)
            assert self.event.row.registration_open

    @rule(who=WHO)
    def commit(self, who: int) -> None:
        """To a part of the mix; an absent player then withholds it."""
        own = self.entry(who)
        if own is not None:
            protocol = EventProtocol(self.event.row.shoe.code)
            commitment = protocol.commitment(own.number, bytes([who]) * 32).hex()
            with suppress(Refused):
                mixing.commit(self.players[who], self.event.number, commitment)

    @rule(who=WHO)
    def come_or_go(self, who: int) -> None:
        self.house.away ^= {self.players[who].username}

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        """A seat of an event is not left."""
        own = self.entry(who)
        if own is not None and own.seat is not None:
            with pytest.raises(Refused):
                seating.leave(self.players[who], own.seat.table_id, self.house.now)

    # Time, staff, and the machine.

    @rule(steps=st.integers(1, 15))
    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.act()
            if self.event.next_time() is None:
                return
            self.event.step()

    @rule(statements=st.integers(1, 120))
    def kill(self, statements: int) -> None:
        """The machine is switched off somewhere in what it does next."""
        if self.event.next_time() is not None:
            with suppress(Killed), killed_after(statements):
                self.event.step()

    @rule()
    def pause_or_resume(self) -> None:
        verb = control.pause if self.event.row.paused_at is None else control.resume
        with suppress(Refused):
            verb(self.staff, self.event.number, WHY, self.house.now)

    @rule(who=WHO)
    def disqualify(self, who: int) -> None:
        with suppress(Refused):
            player = self.players[who].pk
            control.disqualify(self.staff, self.event.number, player, WHY, self.house.now)

    # No precondition: what can be done must not depend on cards, which differ from run to run.
    @rule(really=st.integers(0, 3))
    def cancel(self, really: int) -> None:
        """Not often, or else nothing would ever be played to its end."""
        if not really and self.state in Tournament.ALIVE:
            with transaction.atomic():
                closing.begin(locked(self.event.number), "player:1", WHY, self.house.now)

    def act(self) -> None:
        """Those who are there reveal what is due from them, and play."""
        row = self.event.row
        if row.state == State.SEATING:
            for who, player in enumerate(self.players):
                own = self.entry(who)
                if own is not None and player.username not in self.house.away:
                    octets = (bytes([who]) * 32).hex()
                    with suppress(Refused):
                        mixing.reveal(player, row.pk, octets, self.house.now)
        self.event.people_act()

    # What is always true.

    @invariant()
    def adds_up(self) -> None:
        self.event.check()

    def teardown(self) -> None:
        """After all these acts it comes to an end."""
        if self.event.number == 0:
            return
        # One that was cancelled while it was paused does not go on.
        if self.event.row.paused_at is not None and self.state in Tournament.ALIVE:
            control.resume(self.staff, self.event.number, WHY, self.house.now)
        while not self.event.is_over():
            self.act()
            # The last hand may have ended with what a player did.
            if self.event.next_time() is not None:
                self.event.step()
        self.event.check()
        row = self.event.row
        left = sum(self.house.wallet(player).balance for player in self.players)
        if row.state == State.CANCELLED:
            assert left == PLAYERS * MONEY
        else:
            assert left == PLAYERS * MONEY - row.fees + (row.added or 0)


def test_any_order_of_what_happens_adds_up(house: House) -> None:
    steps: dict[str, Any] = {
        "max_examples": max(2, settings().max_examples // 50),
        "stateful_step_count": 12,
        "deadline": None,
    }
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    machine: Any = partial(Machine, house)
    run_state_machine_as_test(machine, settings=settings(**steps, suppress_health_check=checks))
