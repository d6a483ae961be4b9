"""Lists of hands: filters, pages, sums, and whose hands one finds."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.accounts import staff
from casino.accounts.models import Player
from games.models import Hand, HandSeat, Seat, Shoe, Table
from games.records.closed_days import close_days, recount
from games.records.search import Edge, hands_of_player, page_of, page_of_player, sums_of
from games.records.search_filters import Search
from tests.games.evenings import played_once
from tests.games.house import START, House
from tests.people import client_of
from wallets.models import Currency
from wallets.money.accounts import account
from wallets.values.days import day_of


def play(house: House) -> list[Table]:
    """Alice has played three hands of baccarat, one of blackjack two days later; one was void."""
    alice = house.player("alice")
    tables = []
    for game, hands in (("baccarat", 3), ("blackjack", 1)):
        table = house.table(game, name=f"The {game}")
        house.sit(alice, table, 1)
        house.until(table, lambda table, hands=hands: table.hands_dealt == hands + 1)
        if game == "blackjack":
            house.void(table, "a test")
        house.leave(alice, table)
        tables.append(table)
        house.pass_time(2 * 24 * 3600)
    return tables


evening = played_once(play)


def codes(client: Client, **filters: str) -> list[str]:
    page = client.get("/history/", filters, follow=True)
    assert page.status_code == 200
    return [row.code for row in page.context["rows"]]


def test_a_seat_row_repeats_what_its_hand_says(tables: list[Table]) -> None:
    for row in HandSeat.objects.exclude(hand__status=Hand.Status.LIVE):
        hand = row.hand
        copied = (row.game, row.table_id, row.currency_id, row.status, row.ended_at)
        assert copied == (
            hand.game,
            hand.table_id,
            hand.table.currency_id,
            hand.status,
            hand.ended_at,
        )


def test_every_filter_narrows(house: House, tables: list[Table]) -> None:
    client = client_of(house.person("alice"))
    baccarat, blackjack = tables
    everything = codes(client)
    played = HandSeat.objects.filter(status=Hand.Status.FINISHED, player__username="alice")
    last = played.filter(table=baccarat).latest("ended_at")
    assert last.ended_at
    day, most = day_of(last.ended_at), max(abs(row.net) for row in played)
    void_hand = Hand.objects.get(status=Hand.Status.VOID)
    for filters, expected in (
        ({"game": "baccarat"}, {row.hand.code for row in played.filter(game="baccarat")}),
        ({"game": "all-baccarat"}, {row.hand.code for row in played.filter(game="baccarat")}),
        ({"table": str(blackjack.pk)}, {row.hand.code for row in played.filter(table=blackjack)}),
        ({"currency": "PLAY"}, set(everything)),
        ({"last_day": f"{day}"}, {row.hand.code for row in played.filter(table=baccarat)}),
        ({"result": "won"}, {row.hand.code for row in played.filter(net__gt=0)}),
        ({"result": "lost"}, {row.hand.code for row in played.filter(net__lt=0)}),
        ({"result": "even"}, {row.hand.code for row in played.filter(net=0)}),
        ({"result": "void"}, {void_hand.code}),
        ({"least": f"{most / 100}"}, {row.hand.code for row in played if abs(row.net) == most}),
        ({"least": "9999999"}, set()),
        ({"code": last.hand.code}, {last.hand.code}),
        ({"code": last.hand.reference}, {last.hand.code}),
        ({"code": "hand:999999"}, set()),
        ({"code": "T999-H1"}, set()),
        ({"code": "garbage"}, set()),
    ):
        got = set(codes(client, **filters))
        if "table" in filters or "last_day" in filters:
            got.discard(void_hand.code)
        assert got == expected, filters


@pytest.mark.always
def test_a_longer_list_asks_the_database_no_more(house: House, tables: list[Table]) -> None:
    client = client_of(house.person("alice"))
    client.get("/history/")
    counts = []
    for search in ({"game": "blackjack"}, {}):
        with CaptureQueriesContext(connection) as queries:
            rows = codes(client, **search)
        counts.append((len(rows), len(queries)))
    (few, first), (more, second) = counts
    assert few < more
    assert second <= first


@pytest.mark.always
def test_unreadable_filters_are_reported_beside_their_fields(
    house: House, tables: list[Table]
) -> None:
    client = client_of(house.person("alice"))
    for query in (
        {"game": "chess"},
        {"table": "nonsense"},
        {"currency": "GOLD"},
        {"first_day": "yesterday"},
        {"first_day": "2026-02-02", "last_day": "2026-01-01"},
        {"result": "maybe"},
        {"least": "lots"},
        {"least": "-5"},
    ):
        page = client.get("/history/", query, follow=True)
        assert (page.status_code, 'class="wrong"' in page.text) == (200, True), query


def test_odd_addresses_lead_to_the_list(house: House, tables: list[Table]) -> None:
    client = client_of(house.person("alice"))
    everything = codes(client)
    for query in (
        {"before": "x"},
        {"before": "9" * 40},
        {"after": "-1"},
        {"before": "0", "after": "0"},
        {"first_day": "0001-01-01", "last_day": "9999-12-31"},
        {"player": "bob"},
    ):
        assert codes(client, **query) == everything, query


def test_paging_back_and_forth_shifts_nothing(house: House, tables: list[Table]) -> None:
    alice = house.person("alice")
    seats = hands_of_player(alice.pk, Search())
    whole = page_of(seats, Edge(), "hand_id").hand_ids
    assert len(whole) == 5
    first = page_of(seats, Edge(), "hand_id", 2)
    assert (first.hand_ids, first.newer) == (whole[:2], None)
    second = page_of(seats, Edge(first.older), "hand_id", 2)
    assert second.hand_ids == whole[2:4]
    third = page_of(seats, Edge(second.older), "hand_id", 2)
    assert (third.hand_ids, third.older) == (whole[4:], None)
    back = page_of(seats, Edge(third.newer, newer=True), "hand_id", 2)
    assert back.hand_ids == whole[2:4]
    start = page_of(seats, Edge(back.newer, newer=True), "hand_id", 2)
    assert (start.hand_ids, start.newer) == (whole[:2], None)
    assert start.older == whole[1]


def test_sums_are_the_same_before_and_after_days_are_closed(
    house: House, tables: list[Table]
) -> None:
    alice = house.person("alice")
    rows = HandSeat.objects.filter(player=alice, status=Hand.Status.FINISHED)
    searches = [Search(), Search(game="baccarat"), Search(table=tables[1].pk), Search(result="won")]
    before = [sums_of(alice.pk, search) for search in searches]
    assert before[0] == [(house.currency, rows.count(), sum(row.net for row in rows))]
    close_days(house.now)
    assert [sums_of(alice.pk, search) for search in searches] == before
    assert sums_of(alice.pk, Search(first_day=day_of(house.now) + timedelta(days=9))) == []


@pytest.mark.always
def test_currencies_are_never_added(house: House, tables: list[Table]) -> None:
    euro = Currency.objects.create(code="EUR", name="Euro")
    HandSeat.objects.filter(table=tables[1], status=Hand.Status.FINISHED).update(currency=euro)
    sums = sums_of(house.person("alice").pk, Search())
    assert [currency_sum.currency.code for currency_sum in sums] == ["EUR", "PLAY"]


def test_players_find_their_own_hands_and_auditors_find_all(
    house: House, tables: list[Table]
) -> None:
    house.player("eve")
    assert codes(client_of(house.person("eve"))) == []
    staff.appoint(house.player("ann", 0), "auditors")
    ann, alice = client_of(house.person("ann")), client_of(house.person("alice"))
    everything = codes(alice)
    assert codes(ann) == everything
    assert codes(ann, player="alice", result="won") == codes(alice, result="won")
    assert codes(ann, result="won") == codes(alice, result="won")
    assert codes(ann, result="void") == codes(alice, result="void")
    assert codes(ann, player="eve") == []
    assert codes(ann, code=everything[0]) == everything[:1]
    assert codes(ann, table=str(tables[0].pk), least="0.01") == codes(
        alice, table=str(tables[0].pk), least="0.01"
    )
    unknown = ann.get("/history/", {"player": "nobody"}, follow=True).text
    assert "There is no player nobody." in unknown
    assert "/players/sign-in/" in Client().get("/history/")["Location"]


@pytest.mark.django_db
def test_a_seat_in_a_hand_has_few_indexes() -> None:
    """Each is written for every seat of every hand: once where it is of results, else twice."""
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, HandSeat._meta.db_table)
    indexes = {
        tuple(constraint["columns"])
        for constraint in constraints.values()
        if constraint["index"] or constraint["unique"]
    }
    assert len(indexes - {("id",)}) == 6


def scattered(house: House, seed: int) -> Player:
    """Hands of one player scattered over two months, at four tables; many days have none."""
    chance, player = Random(seed), house.player("zoe")
    euro = Currency.objects.create(code="EUR", name="Euro")
    for number in range(4):
        currency = euro if number == 3 else house.currency
        game = ("doudizhu", "baccarat")[number % 2]
        table = house.table(game, name=f"Table {number}", currency=currency)
        shoe = Shoe.objects.create(
            code=f"T{table.pk}-9", table=table, decks=1, jokers=False, secret="-", sealed_at=START
        )
        stack = account("stack", f"seat:{number}", currency)
        seat = Seat.objects.create(
            table=table, number=1, player=player, stack=stack, seen_at=START, sat_down_at=START
        )
        for hand_number in range(chance.choice((3, 40, 90))):
            day = chance.choice((chance.randrange(60), 7, 50))
            void = chance.random() < 0.1
            ended = house.now + timedelta(days=day, seconds=chance.randrange(86_400))
            status = Hand.Status.VOID if void else Hand.Status.FINISHED
            same: dict[str, Any] = {
                "game": game, "table": table, "status": status, "ended_at": ended,
            }  # fmt: skip
            hand = Hand.objects.create(
                number=hand_number + 1, rules_version=1, options={}, stakes=[], shoe=shoe,
                first_card=0, round_number=1, started_at=ended, **same,
            )  # fmt: skip
            HandSeat.objects.create(
                hand=hand, number=1, seat=seat, player=player, starting_stack=1_000,
                net=0 if void else chance.choice((0, 10, -10, 500, -700)), currency=currency,
                **same,
            )  # fmt: skip
    return player


# Of all combinations of filters, so many are tried with each seed.
SEARCHES = 12


def every_search(tables: list[int]) -> Iterator[Search]:
    larges = (None, {"PLAY": 500, "EUR": 500}, {"PLAY": 10**9})
    firsts, lasts = (None, date(2026, 3, 11)), (None, date(2026, 4, 15))
    results = ("", "won", "lost", "even", "void")
    for game, table in ((("", None)), ("baccarat", None), ("", tables[0]), ("doudizhu", tables[3])):
        for currency, result, least in product(("", "EUR"), results, larges):
            for first, last in zip(firsts, lasts, strict=True):
                yield Search(game, table, currency, first, last, result, least)


@pytest.mark.always
@pytest.mark.parametrize(
    "seed",
    [0, *(pytest.param(release_seed, marks=pytest.mark.release) for release_seed in (1, 2, 3))],
)
def test_closed_days_show_where_to_look_and_nothing_is_missed(house: House, seed: int) -> None:
    """Every page of a filter, there and back, is as if all hands had been gone through."""
    player, size = scattered(house, seed), 7
    tables = list(Table.objects.order_by("pk").values_list("pk", flat=True))
    searches = Random(seed).sample(list(every_search(tables)), SEARCHES)
    for days in (0, 51):
        close_days(house.now + timedelta(days=days))
        # A hand that is reversed afterwards is no longer found under its result.
        for hand in Hand.objects.filter(status=Hand.Status.FINISHED).order_by("number", "pk")[:5]:
            hand.status, hand.reversed_at = Hand.Status.VOID, house.now + timedelta(days=90)
            hand.save()
            hand.seats.update(status=hand.status)
            recount(hand)
        for search in searches:
            due = list(
                hands_of_player(player.pk, search)
                .order_by("-ended_at", "-hand_id")
                .values_list("hand_id", flat=True)
            )
            pages, edge = [], Edge()
            while True:
                page = page_of_player(player.pk, search, edge, size)
                pages.append(page)
                if page.older is None:
                    break
                edge = Edge(page.older)
            assert [number for page in pages for number in page.hand_ids] == due, search
            for before, page in pairwise(pages):
                back = page_of_player(player.pk, search, Edge(page.newer, newer=True), size)
                assert back.hand_ids == before.hand_ids, search
            rows = hands_of_player(player.pk, search).exclude(status=Hand.Status.VOID)
            sums = sums_of(player.pk, search)
            assert sum(currency_sum.hands for currency_sum in sums) == rows.count(), search
            assert sum(currency_sum.net for currency_sum in sums) == sum(row.net for row in rows), (
                search
            )
