"""Rules from outside the games are asked before a player sits, brings money, or is dealt in."""

from collections.abc import Callable, Iterator

import pytest

from games.lobby import private_tables, seat_finder
from games.models import Seat, Table
from games.tables import admission, play_money, seating
from games.tables.admission import Occasion, Request
from games.tables.seating import seat_reserved
from tests.games.house import MONEY, House
from tests.games.program import Program
from tests.people import client_of
from wallets.values.errors import Refused

CODE = "weekly_limit"
SENTENCE = "Your limit of the week is reached."
Limit = Callable[..., list[Request]]


@pytest.fixture
def limit() -> Iterator[Limit]:
    """A rule that refuses alice on some occasions, and notes all that it was asked."""

    def begin(*occasions: Occasion) -> list[Request]:
        requests: list[Request] = []

        def rule(request: Request) -> Refused | None:
            requests.append(request)
            refused = request.player.username == "alice" and request.occasion in occasions
            return Refused(CODE, SENTENCE) if refused else None

        admission.RULES.remove("limit")
        admission.RULES.add("limit", rule)
        return requests

    yield begin
    admission.RULES.remove("limit")


@pytest.fixture
def table(house: House) -> Table:
    return house.table("chinese_poker")


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        ask()
    return caught.value.code


def test_a_rule_gets_the_player_and_the_occasion(house: House, table: Table, limit: Limit) -> None:
    requests = limit()
    alice = house.player("alice")
    house.sit(alice, table, 1, 20_000)
    seating.top_up(alice, table.pk, 500, "once", house.now)
    of_table = [request for request in requests if request.table == table]
    values = [
        (request.occasion, request.player, request.amount, request.now) for request in of_table
    ]
    assert values == [
        (Occasion.SIT, alice, 20_000, house.now),
        (Occasion.TOP_UP, alice, 500, house.now),
    ]


def test_sitting_is_refused_in_every_way(house: House, table: Table, limit: Limit) -> None:
    limit(Occasion.SIT)
    alice, now = house.player("alice"), house.now
    asks: list[Callable[[], object]] = [
        lambda: seating.sit(alice, table.pk, 1, 20_000, now),
        lambda: seat_finder.find_seat(alice, [table], now),
        lambda: seat_finder.find_or_open(alice, [table], now),
        lambda: private_tables.open_table(alice, table.pk, "usual", False, now),
    ]
    assert [refused(ask) for ask in asks] == [CODE] * len(asks)
    assert house.wallet(alice).balance == MONEY
    assert not Seat.objects.exists()


def test_pages_and_the_api_say_why_a_player_is_refused(
    house: House, table: Table, limit: Limit
) -> None:
    limit(Occasion.SIT)
    alice = house.player("alice")
    client = client_of(alice)
    for address in (f"/tables/{table.pk}/", "/lobby/", "/private/", "/play/chinese_poker/"):
        page = client.get(address)
        assert SENTENCE in page.text, address
        assert f'data-code="{CODE}"' in page.text, address
    assert 'id="sit"' not in client.get(f"/tables/{table.pk}/").text
    program = Program("alice")
    answer = program.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert (program.status, answer["code"], answer["sentence"]) == (409, CODE, SENTENCE)


def test_a_seat_that_is_taken_already_is_answered_again(
    house: House, table: Table, limit: Limit
) -> None:
    alice = house.player("alice")
    seat = house.sit(alice, table, 1, 20_000)
    limit(Occasion.SIT)
    assert house.sit(alice, table, 1, 20_000) == seat


def test_topping_up_is_refused_at_once_and_after_a_hand(
    house: House, table: Table, limit: Limit
) -> None:
    alice = house.player("alice")
    house.sit(alice, table, 1, 20_000)
    house.sit(house.player("bob"), table, 2, 20_000)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    seating.top_up(alice, table.pk, 5_000, "before", house.now)
    limit(Occasion.TOP_UP)
    assert refused(lambda: seating.top_up(alice, table.pk, 500, "after", house.now)) == CODE
    house.until(table, lambda table: table.hands_dealt == 2)
    assert house.wallet(alice).balance == MONEY - 20_000
    assert house.seat(table, "alice").top_up == 0


def test_reserved_seat_is_not_given_to_an_excluded_player(house: House, limit: Limit) -> None:
    house.bots(3)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("bob"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    alice = house.player("alice")
    assert house.sit(alice, table, 2, 30_000).player.is_bot
    limit(Occasion.SIT)
    house.until(table, lambda table: table.hand_id is None)
    seat_reserved(table.pk, house.now)
    assert not Seat.objects.filter(player=alice).exists()
    assert not Seat.objects.filter(reserved_for=alice).exists()
    assert house.wallet(alice).balance == MONEY


def test_a_player_who_is_not_admitted_is_not_dealt_in_learns_why_and_loses_the_seat(
    house: House, table: Table, limit: Limit
) -> None:
    alice = house.player("alice")
    for number, player in enumerate((alice, house.player("bob"), house.player("carol")), 1):
        house.sit(player, table, number)
    limit(Occasion.DEAL)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert SENTENCE in client_of(alice).get(f"/tables/{table.pk}/").text
    house.until(table, lambda table: table.hands_dealt == 2)
    assert not any(hand.seats.filter(player=alice).exists() for hand in table.hands.all())
    house.pass_time(table.idle_seconds)
    house.be_seen(table)
    house.until(table, lambda table: not table.seats.filter(player=alice, left_at=None).exists())
    assert house.wallet(alice).balance == MONEY


def test_play_money_is_refused_to_one_who_may_not_have_it(
    house: House, table: Table, limit: Limit
) -> None:
    limit(Occasion.GRANT)
    alice = house.player("alice", money=0)
    give = {"occasion": "a present", "reason": "a present"}
    assert refused(lambda: play_money.grant(alice, house.currency, 100, **give)) == CODE
    assert play_money.welcome_due(alice, house.currency) == 0


def test_nobody_asks_about_bots_and_strangers(house: House, limit: Limit) -> None:
    requests = limit()
    table = house.among_bots("doudizhu", "bob")
    house.until(table, lambda table: table.hands_dealt == 2)
    assert {request.player.username for request in requests} == {"bob"}


def test_the_first_refusal_counts_and_a_rule_is_replaced_by_its_name(
    house: House, table: Table, limit: Limit
) -> None:
    limit(Occasion.SIT)
    alice = house.player("alice")
    request = Request(Occasion.SIT, alice, house.now, table)
    admission.RULES.add("second", lambda _request: Refused("second", "The second."))
    try:
        refusal = admission.refusal(request)
        assert refusal is not None
        assert refusal.code == CODE
        limit()
        refusal = admission.refusal(request)
        assert refusal is not None
        assert refusal.code == "second"
    finally:
        admission.RULES.remove("second")
    assert admission.refusal(request) is None
