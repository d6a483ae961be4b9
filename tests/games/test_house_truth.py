"""House tables tell the truth: the balance, each bet's result, a bust dealer, and insurance."""

import re
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from games.boards.table_version import VERSIONS
from games.boards.table_view import TableView, table_view
from games.families.blackjack.tags import is_bust
from games.models import Hand, Table
from games.rules.cards import parse_cards
from games.tables.hand_state import game_of
from games.tables.table_cache import TABLE_CACHE
from games.views.board_facts import house_view
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.games.viewers import board_of
from tests.people import HTMX, client_of

STACK = 50_000


@pytest.fixture
def deal(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the next shoe begin with these cards."""
    return partial(deal_first, monkeypatch)


def seen(house: House, table: Table, name: str = "alice") -> TableView:
    table.refresh_from_db()
    return table_view(house.person(name), table, house.now)


def shown_stack(house: House, table: Table) -> tuple[int, int | None]:
    [seat] = [seat for seat in seen(house, table).seats if seat.mine]
    return seat.free, seat.stood


def results(house: House, table: Table) -> dict[int, list[tuple[str, int]]]:
    snapshot = seen(house, table)
    assert snapshot.hand is not None
    view = house_view(game_of(snapshot.hand), snapshot)
    assert view is not None
    return {
        box: [(part.part, part.net) for part in result.parts] for box, result in view.boxes.items()
    }


def bet(house: House, table: Table, *bets: dict[str, int]) -> None:
    for bet in bets:
        house.act(table, "alice", {"do": "bet", **bet})
    house.act(table, "alice", {"do": "done"})


def test_the_balance_falls_with_a_bet_and_rises_with_the_result(house: House, deal: Any) -> None:
    # Twenty against nineteen.
    deal("TcTdKcTh9s")
    table = house.dealt_in("blackjack", "alice")
    bet(house, table, {"box": 1, "amount": 700})
    assert shown_stack(house, table) == (STACK - 700, None)
    page = board_of(client_of(house.person("alice")), table)
    assert re.search(r'class="stack-size number">\s*493<', page)
    # No decision is the filled button before the strategy has been asked.
    assert 'id="act-hit-1-0"' in page
    assert 'class="main"' not in page[page.index('id="moves"') : page.index('id="after"')]
    house.act(table, "alice", {"do": "stand", "box": 1, "hand": 0})
    # What lay there is shown until the dealer's cards are.
    assert shown_stack(house, table)[1] == STACK - 700
    assert shown_stack(house, table)[0] == house.stack(table, "alice")


@pytest.mark.always
def test_each_bet_of_a_box_tells_its_own_result(house: House, deal: Any) -> None:
    # Box 1 has twenty and a lost bonus, box 2 nineteen; the dealer has nineteen.
    deal("Kc9dTdKdTh9s")
    table = house.dealt_in("blackjack", "alice", options={"wheel": False, "bonus_card": False})
    bet(house, table, {"box": 1, "amount": 500, "bonus": 100}, {"box": 2, "amount": 500})
    for box in (1, 2):
        house.act(table, "alice", {"do": "stand", "box": box, "hand": 0})
    by_box = results(house, table)
    assert by_box[1][0] == ("main", 500)
    assert by_box[1][1][0] == "bonus"
    assert by_box[2] == [("main", 0)]
    page = board_of(client_of(house.person("alice")), table)
    assert "push" in page[page.index('id="box-2"') :]
    assert 'id="dealer-bust"' not in page
    assert sum(net for parts in by_box.values() for _part, net in parts) == seen(house, table).won


def test_a_dealer_above_21_is_bust_in_words(house: House, deal: Any) -> None:
    assert [is_bust(parse_cards(cards)) for cards in ("", "Tc9d2h", "Tc9d3h")] == [
        False,
        False,
        True,
    ]
    deal("TcTdKc6sTs")
    table = house.dealt_in("blackjack", "alice")
    bet(house, table, {"box": 1, "amount": 500})
    house.act(table, "alice", {"do": "stand", "box": 1, "hand": 0})
    page = board_of(client_of(house.person("alice")), table)
    assert re.search(r'id="dealer-bust">\s*bust', page)


# Insurance.


@pytest.fixture
def insurable(house: House, deal: Any) -> Table:
    """alice has bet on two boxes, and the dealer shows an ace."""
    deal("TcTdAsKc9c")
    table = house.dealt_in("blackjack", "alice")
    bet(house, table, {"box": 1, "amount": 500}, {"box": 2, "amount": 1_000})
    return table


def answer(house: House, table: Table, **values: str) -> Any:
    table.refresh_from_db()
    fields = {"played_hand": table.hand_id, "turn": table.turns["1"], **values}
    alice = client_of(house.person("alice"))
    return alice.post(f"/tables/{table.pk}/act/", fields, headers=HTMX)


def insured(table: Table) -> list[tuple[str, int | None, int | None]]:
    moves = Hand.objects.get(table=table).moves.filter(seat=1).order_by("number")
    made = [move.action for move in moves if move.action["do"] in ("insure", "decline")]
    return [(action["do"], action.get("box"), action.get("amount")) for action in made]


def test_insurance_is_one_strip_and_nothing_is_chosen_beforehand(
    house: House, insurable: Table
) -> None:
    page = board_of(client_of(house.person("alice")), insurable)
    strip = page[page.index('id="insurance"') :]
    strip = strip[: strip.index("</form>")]
    assert re.findall(r'<button name="insurance" value="(\w+)"[^>]*>', strip) == [
        "all",
        "none",
        "chosen",
    ]
    assert "checked" not in strip
    assert not re.search(r'name="insured-\d"[^>]*value=', strip)
    assert 'class="main"' not in page[page.index('id="moves"') :]
    assert 'id="act-insure"' not in page


def test_one_press_answers_for_all_boxes(house: House, insurable: Table) -> None:
    both = {"full-1": "2.50", "full-2": "5"}
    decline = ("decline", None, None)
    for values, moves in (
        (both | {"insurance": "all"}, [("insure", 1, 250), ("insure", 2, 500)]),
        (both | {"insurance": "chosen", "insured-2": "4"}, [("insure", 2, 400), decline]),
        ({"insurance": "none", "full-1": "2.50"}, [decline]),
    ):
        with transaction.atomic():
            TABLE_CACHE.clear()
            VERSIONS.clear()
            assert answer(house, insurable, **values).status_code == 200
            assert insured(insurable) == moves
            insurable.refresh_from_db()
            assert 'id="act-hit-1-0"' in board_of(client_of(house.person("alice")), insurable)
            transaction.set_rollback(True)
    TABLE_CACHE.clear()
    VERSIONS.clear()


@pytest.mark.always
def test_an_answer_that_chooses_nothing_is_refused(house: House, insurable: Table) -> None:
    refused = answer(house, insurable, insurance="chosen", **{"full-1": "2.50"})
    assert refused.status_code == 409
    assert 'data-code="nothing_insured"' in refused.text
    assert insured(insurable) == []
