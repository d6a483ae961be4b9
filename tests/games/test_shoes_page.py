"""Road maps, shoes and good roads: who may see what, and in how many queries."""

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from games.families.baccarat.roads import marks_of, results_at, results_of
from games.models import Hand, Shoe, Table
from games.rules.baccarat.coup import deal_coup
from games.rules.baccarat.roads import result_of
from games.shoes.custody import cards
from games.words.refusals import NOT_DEALT, NOT_REVEALED
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.people import client_of


def play_five(house: House) -> Table:
    """Alice has played five rounds of a shoe."""
    table = house.dealt_in("baccarat", "alice")
    house.until(table, lambda one: one.phase == Table.Phase.PAUSE and one.hands_dealt >= 5)
    return table


evening = played_once(play_five)


@pytest.fixture
def played(tonight: Evening[Table]) -> Table:
    return tonight.made


def test_results_are_those_of_the_cards_that_were_dealt(played: Table) -> None:
    shoe = played.shoe
    assert shoe
    hands = Hand.objects.filter(shoe=shoe).order_by("number")
    order = cards(shoe)
    coups = [deal_coup(order[hand.first_card :][:6], False) for hand in hands]
    assert results_of([shoe])[shoe.code] == tuple(map(result_of, coups))
    assert [len(coup.player) + len(coup.banker) for coup in coups] == [
        hand.cards_dealt for hand in hands
    ]


@pytest.mark.always
def test_a_round_that_runs_or_was_not_dealt_or_taken_back_is_on_no_map(
    house: House, played: Table
) -> None:
    shoe = played.shoe
    assert shoe
    house.until(played, lambda table: table.phase == Table.Phase.PLAY)
    assert len(results_of([shoe])[shoe.code]) == 5
    # No player bets: the round ends without a card.
    house.nobody_bets(played)
    assert len(results_of([shoe])[shoe.code]) == 5
    first = Hand.objects.filter(shoe=shoe).order_by("number").first()
    assert first
    Hand.objects.filter(pk=first.pk).update(status=Hand.Status.VOID)
    assert len(results_of([shoe])[shoe.code]) == 4


def test_the_shoes_of_a_table_are_for_everybody_and_proofs_for_those_who_played(
    house: House, played: Table
) -> None:
    house.player("bob")
    shoe = played.shoe
    assert shoe
    address = f"/tables/{played.pk}/shoes/"
    hand = Hand.objects.filter(shoe=shoe).first()
    for client, sees_proofs in (
        (client_of(house.person("alice")), True),
        (client_of(house.person("bob")), False),
        (Client(), False),
    ):
        text = client.get(address).text
        assert shoe.code in text
        assert shoe.seal in text
        assert "5 rounds" in text
        assert (f"/history/{hand.pk}/" in text) == sees_proofs  # type: ignore[union-attr]
        assert shoe.secret not in text


def test_finished_shoe_gives_its_reason_and_no_forecast(house: House, played: Table) -> None:
    shoe = played.shoe
    assert shoe
    client = Client(headers={"accept-language": "zh-hans"})
    address = f"/tables/{played.pk}/shoes/"
    assert 'class="asks"' in client.get(address).text
    Shoe.objects.filter(pk=shoe.pk).update(status=Shoe.Status.SPENT)
    assert 'class="asks"' not in client.get(address).text
    for reason, sentence in (
        (NOT_REVEALED.format(seats="1, 3"), "1, 3 号座位未公开"),
        (NOT_DEALT, "无法发给参与混洗的人"),
        ("a spilt drink", "a spilt drink"),
    ):
        Shoe.objects.filter(pk=shoe.pk).update(status=Shoe.Status.VOID, void_reason=reason)
        assert f" · {sentence}</p>" in client.get(address).text


@pytest.mark.always
def test_many_shoes_cost_no_more_queries(
    house: House, played: Table, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        Shoe.objects.create(
            code=f"T{played.pk}-9{number}", table=played, decks=8, jokers=False, secret="",
            seal="00", key="00", x_0="00", sealed_at=house.now, status=Shoe.Status.VOID,
        )  # fmt: skip
    with django_assert_max_num_queries(6):
        Client().get(f"/tables/{played.pk}/shoes/")


def test_the_maps_are_a_part_of_their_own(house: House, played: Table) -> None:
    text = Client().get(f"/tables/{played.pk}/roads/").text
    assert "<html" not in text
    assert text.count("<svg") == 7
    assert "5 rounds" in text
    fresh = house.table("baccarat_commission")
    assert "begin with the first round" in Client().get(f"/tables/{fresh.pk}/roads/").text


def test_roads_of_many_tables_take_two_queries(
    house: House,
    played: Table,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    others = [house.table("baccarat"), house.table("doudizhu")]
    tables = list(Table.objects.filter(pk__in=[played.pk, *(table.pk for table in others)]))
    with django_assert_num_queries(2):
        results = results_at(tables, house.now)
    assert list(results) == [played.pk]


def test_the_lobby_names_a_good_road_and_shows_it(house: House, played: Table) -> None:
    def named() -> list[str]:
        with override("en"):
            return marks_of(results_at([played], timezone.now())[played.pk])

    # One shoe in three hundred has no good road even after twenty-five rounds.
    house.until(played, lambda table: table.phase == Table.Phase.PAUSE and bool(named()))
    text = Client().get("/lobby/").text
    assert f'<span class="mark">{named()[0]}</span>' in text
    results = results_at([played], timezone.now())[played.pk]
    (winner,) = {result.winner for result in results[-1:]}
    assert 'aria-label="Big road: ' in text
    assert winner == "tie" or f'<path class="{winner}"' in text


def test_hidden_tables_and_games_without_roads_answer_404(house: House) -> None:
    hidden = house.table("baccarat", private=True)
    other = house.table("blackjack")
    shown = house.table("baccarat")
    for part in ("roads", "shoes"):
        for number in (hidden.pk, other.pk, 999_999):
            assert Client().get(f"/tables/{number}/{part}/").status_code == 404
        assert Client().post(f"/tables/{shown.pk}/{part}/").status_code == 405
        assert Client().get(f"/tables/{shown.pk}/{part}/").status_code == 200
