"""Entering an event and leaving it: what it costs, and everything that is refused."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.care import exclusions
from games.rules.errors import Unreadable
from games.tables import seating
from tests.games.house import MONEY
from tests.tournaments.events import STACK, Event, sit_and_go, structure
from tournaments.models import Entry, Template, Tournament
from tournaments.running import announcing, entries
from wallets.models import Account, Currency
from wallets.values.errors import Hidden, Overdrawn, Refused

pytestmark = pytest.mark.django_db


def code_of(verb: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        verb()
    return str(getattr(caught.value, "code", ""))


def open_event(event: Event, **given: Any) -> Player:
    event.announce(structure(**given))
    return event.people(1)[0]


def register(event: Event, player: Player) -> Entry:
    return entries.register(player, event.number, event.house.now)


def test_stake_fee_and_chips_go_where_they_belong(event: Event) -> None:
    player = open_event(event)
    entry = register(event, player)
    row = event.row
    assert event.house.wallet(player).balance == MONEY - 1_100
    assert (row.prize_account.balance, row.fee_account.balance) == (1_000, 100)
    assert (row.stakes, row.fees, row.entrants, row.players_left) == (1_000, 100, 1, 1)
    entry.account.refresh_from_db()
    assert (entry.state, entry.number, entry.account.balance) == ("registered", 1, STACK)
    event.check()


def test_registering_costs_as_much_in_a_large_field(event: Event) -> None:
    event.announce(structure(), starts_at=event.house.now + timedelta(days=1))
    costs = []
    # The first one opens the event's book of the ledger.
    register(event, event.people(1)[0])
    for player in event.people(6):
        with CaptureQueriesContext(connection) as queries:
            register(event, player)
        costs.append(len(queries))
    assert len(set(costs)) == 1, costs


@pytest.mark.always
def test_a_free_event_moves_no_money(event: Event) -> None:
    player = open_event(event, stake=0, fee=0, guarantee=500)
    register(event, player)
    assert event.house.wallet(player).balance == MONEY
    entries.unregister(player, event.number, event.house.now)
    assert event.row.chips == 0


def test_whoever_unregisters_gets_everything_back_and_may_come_again(event: Event) -> None:
    player = open_event(event)
    for _ in range(2):
        register(event, player)
        entry = entries.unregister(player, event.number, event.house.now)
        assert event.house.wallet(player).balance == MONEY
        row = event.row
        assert (row.stakes, row.fees, row.chips, row.entrants, row.entries) == (0, 0, 0, 0, 0)
        assert entry.state == Entry.State.WITHDRAWN
    assert register(event, player).number == 1
    event.check()


@pytest.mark.always
def test_a_newcomer_is_given_the_welcome(event: Event) -> None:
    event.announce(structure())
    player = event.people(1, money=0)[0]
    register(event, player)
    assert event.house.wallet(player).balance == 1_000_000 - 1_100


def test_twice_is_refused(event: Event) -> None:
    player = open_event(event)
    register(event, player)
    assert code_of(lambda: register(event, player)) == "already_entered"
    assert event.house.wallet(player).balance == MONEY - 1_100


def test_without_money_nothing_is_stored(event: Event) -> None:
    player = open_event(event, stake=2 * MONEY)
    with pytest.raises(Overdrawn):
        register(event, player)
    assert not Entry.objects.exists()
    assert (event.row.entrants, event.row.chips) == (0, 0)


def test_a_frozen_player_is_refused(event: Event) -> None:
    player = open_event(event)
    Player.objects.filter(pk=player.pk).update(is_active=False)
    assert code_of(lambda: register(event, player)) == "not_active"


def test_who_excluded_themselves_is_refused(event: Event) -> None:
    player = open_event(event)
    exclusions.begin(player, "time_out", 1, event.house.now)
    player.refresh_from_db()
    assert code_of(lambda: register(event, player)) == "excluded"
    assert not Entry.objects.exists()
    assert event.house.wallet(player).balance == MONEY


def test_staff_are_refused_as_at_every_table(event: Event) -> None:
    player = open_event(event)
    appoint(player, "managers")
    assert code_of(lambda: register(event, Player.objects.get(pk=player.pk))) == "staff_do_not_play"


def test_a_full_event_is_refused(event: Event) -> None:
    event.announce(structure(field_max=2))
    *entered, late = event.people(3)
    event.enter(entered)
    assert code_of(lambda: register(event, late)) == "tournament_full"


def test_an_event_that_is_not_there(event: Event) -> None:
    player = event.people(1)[0]
    with pytest.raises(Hidden):
        entries.register(player, 99, event.house.now)


@pytest.mark.always
def test_two_events_that_overlap(event: Event) -> None:
    player = open_event(event)
    register(event, player)
    first = event.row
    assert first.starts_at is not None
    before_its_end = first.starts_at + timedelta(seconds=first.likely_seconds - 1)
    event.announce(structure(), starts_at=before_its_end)
    assert code_of(lambda: register(event, player)) == "overlaps"
    event.announce(structure(), starts_at=before_its_end + timedelta(seconds=1))
    register(event, player)


def test_whoever_is_out_may_enter_another(event: Event) -> None:
    players = event.open(sit_and_go(levels=[{"point": 1_000}]), 2)
    event.play()
    event.announce(sit_and_go())
    event.enter(players)


def test_after_the_start_nobody_unregisters_and_nobody_enters(event: Event) -> None:
    players = event.open(structure(), 3)
    event.until(event.is_running)
    late = event.people(1)[0]
    now = event.house.now
    unregister = lambda: entries.unregister(players[0], event.number, now)  # noqa: E731
    assert code_of(unregister) == "tournament_started"
    assert code_of(lambda: register(event, late)) == "registration_closed"
    stranger = lambda: entries.unregister(late, event.number, now)  # noqa: E731
    assert code_of(stranger) == "not_entered"


def test_after_the_end_nobody_does_anything(event: Event) -> None:
    players = event.open(sit_and_go(levels=[{"point": 1_000}]), 2)
    event.play()
    late, now = event.people(1)[0], event.house.now
    assert code_of(lambda: register(event, late)) == "tournament_over"
    refused = {
        entries.unregister: "tournament_started",
        entries.enter_again: "not_out" if event.entry(players[0]).place == 1 else "tournament_over",
        entries.add_on: "not_playing",
    }
    for verb, code in refused.items():
        assert code_of(lambda verb=verb: verb(players[0], event.number, now)) == code
    event.check()


def test_nobody_comes_or_goes_at_a_table_by_themselves(event: Event) -> None:
    players = event.open(structure(), 2)
    event.until(event.is_running)
    now = event.house.now
    table = event.row.tables.get().table_id
    stranger = event.people(1)[0]
    sit = lambda: seating.sit(stranger, table, 3, 1_000, now)  # noqa: E731
    assert code_of(sit) == "seated_by_tournament"
    leave = lambda: seating.leave(players[0], table, now)  # noqa: E731
    assert code_of(leave) == "stays_in_tournament"
    top_up = lambda: seating.top_up(players[0], table, 100, "once", now)  # noqa: E731
    assert code_of(top_up) == "no_top_up"
    sit_out = lambda: seating.change(players[0], table, now, sits_out=True)  # noqa: E731
    assert code_of(sit_out) == "no_sitting_out"


def test_too_few_players_are_given_everything_back(event: Event) -> None:
    player = event.open(structure(field_min=2, guarantee=5_000), 1)[0]
    event.play()
    row = event.row
    assert (row.state, row.cancelled_why) == (Tournament.State.CANCELLED, "too few players")
    assert event.house.wallet(player).balance == MONEY
    assert event.entry(player).state == Entry.State.REFUNDED
    assert (row.prize_account.balance, row.guarantee_account.balance, row.chips) == (0, 0, 0)
    event.check()


# Templates.


def test_a_changed_structure_is_the_next_version(event: Event) -> None:
    open_event(event)
    template = event.row.template
    second = announcing.store_template(structure(fee=200), "player:1", event.house.now)
    assert (second.name, second.version) == (template.name, 2)
    template.refresh_from_db()
    assert template.structure["fee"] != second.structure["fee"] == 200


def test_a_structure_with_a_problem_becomes_no_template(event: Event) -> None:
    falling = structure(levels=[{"point": 200, "seconds": 60}, {"point": 100}])
    with pytest.raises(Unreadable, match="Level 2"):
        announcing.store_template(falling, "player:1", event.house.now)
    assert not Template.objects.exists()


@pytest.mark.always
@pytest.mark.parametrize(
    ("given", "start", "code"),
    [
        ({}, timedelta(0), "starts_in_the_past"),
        ({}, None, "starts_in_the_past"),
        ({"kind": "sit_and_go", "field_max": 2}, timedelta(1), "starts_when_full"),
    ],
)
def test_a_start_has_to_fit_its_kind(
    event: Event, given: dict[str, Any], start: timedelta | None, code: str
) -> None:
    now = event.house.now
    played = sit_and_go() if given else structure()
    template = announcing.store_template(played, "player:1", now)
    starts_at = None if start is None else now + start
    announce = lambda: announcing.announce(template, now, by="house", starts_at=starts_at)  # noqa: E731
    assert code_of(announce) == code


def test_a_retired_template_announces_nothing(event: Event) -> None:
    now = event.house.now
    template = announcing.store_template(sit_and_go(), "player:1", now)
    template = announcing.retire_template(template.pk, now)
    assert code_of(lambda: announcing.announce(template, now, by="house")) == "template_retired"


# The guarantee.


def test_the_guarantee_is_set_aside_before_the_event_is_announced(event: Event) -> None:
    event.announce(structure(guarantee=5_000))
    house = Account.objects.get(kind="house", owner="house", currency="PLAY")
    assert (house.balance, event.row.guarantee_account.balance) == (-5_000, 5_000)


@pytest.mark.parametrize(("stake", "added"), [(1_000, 3_000), (2_500, 0), (3_000, 0)])
def test_the_house_adds_what_the_stakes_lack(event: Event, stake: int, added: int) -> None:
    event.open(structure(guarantee=5_000, stake=stake, levels=[{"point": 1_000}]), 2)
    event.play()
    event.check()
    assert event.row.added == added
    house = Account.objects.get(kind="house", owner="house", currency="PLAY")
    assert house.balance == -added


@pytest.mark.always
def test_chips_are_in_nobodys_wallet(event: Event) -> None:
    event.open(structure(), 2)
    event.until(event.is_running)
    assert Currency.objects.get(pk="CHIP").kind == Currency.Kind.CHIPS
    assert not Account.objects.filter(kind="player", currency="CHIP").exists()
