"""Tables are played by the newest edition, stored hands by theirs; seats, boxes and edges."""

import json
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from msgspec import to_builtins

from games.models import Hand, Table
from games.rules.catalogue import EDITIONS
from games.rules.contract import most_seats, refused_options
from games.tables import demo
from games.tables.hand_state import game_from, game_of, state_of
from games.tables.settings import gifts, problems, seat_bounds
from games.tables.settle import settlement_payload
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.games.test_back_office import operator  # noqa: F401 - a fixture
from tests.people import client_of
from wallets.models import Jackpot
from wallets.models.staff_models import Proposal
from wallets.money import jackpots

# Editions


def bets(key: str) -> dict[str, Any]:
    if key == "blackjack":
        return {"do": "bet", "box": 1, "amount": 500}
    return {"do": "ante", "box": 1, "amount": 500}


@pytest.mark.parametrize("key", EDITIONS)
def test_a_hand_says_by_which_edition_it_is_played(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With them no edition makes an offer that another does not know.
    deal_first(monkeypatch, "5s6d9h5h6c")
    table = house.dealt_in(key, "alice", options={"edition": 1})
    house.act(table, "alice", bets(key))
    house.until(table, lambda table: table.hand_id is None)
    hand = Hand.objects.get()
    assert hand.options["edition"] == EDITIONS[key] >= 2
    assert game_of(hand) == game_from(key, hand.options)
    # A hand of before there were several says nothing, and replays by the first.
    Hand.objects.update(options={k: v for k, v in hand.options.items() if k != "edition"})
    old = Hand.objects.get()
    game: Any = game_of(old)
    assert game.edition == 1
    state = state_of(old, game, old.moves.order_by("number"))
    assert settlement_payload(game.settle(state)) == old.settlement


# Seats and boxes


def test_fewer_boxes_are_fewer_seats(house: House) -> None:
    table = house.table("blackjack", places=4)
    values = {field: getattr(table, field) for field in ("game", "currency", "places", "stack_min")}
    values |= {f: getattr(table, f) for f in ("buy_in_min", "buy_in_max", "pause_seconds")}
    values |= {f: getattr(table, f) for f in ("decision_seconds", "betting_seconds")}
    assert list(problems(table, values | {"options": {"boxes": 4}})) == []
    refused = list(problems(table, values | {"options": {"boxes": 3}}))
    assert refused == [("places", "This game has 1 to 3 seats.")]
    for key in EDITIONS:
        boxes = most_seats(game_from(key, {}))
        assert seat_bounds(key, {}) == (1, boxes)


@pytest.mark.django_db
def test_no_demo_table_has_more_seats_than_boxes() -> None:
    demo.seed()
    for table in Table.objects.all():
        assert table.places == most_seats(game_from(table.game, table.options))


# Options that pay players must be confirmed


@pytest.mark.parametrize(
    ("key", "options", "said"),
    [
        ("russian_poker", '{"bonus_card": true, "bonus_card_count": 5}', "81.32% of each bet"),
        ("blackjack", '{"third_card": "dealer_up"}', "3.86% of each bet"),
        ("baccarat", '{"banker_note_literal": true}', "4.19% of each bet"),
        (
            "casino_holdem",
            '{"wheel_segments": [{"weight": 1, "multiple": 30}]}',
            "% of each bet",
        ),
    ],
)
def test_a_bet_that_gives_players_an_edge_is_said(key: str, options: str, said: str) -> None:
    table = Table(game=key)
    assert gifts(table, {"options": {}}) == []
    (sentence, *_others) = gifts(table, {"options": json.loads(options)})
    assert said in sentence


def test_what_pools_give_back_counts(house: House) -> None:
    table = house.table("blackjack", places=7)
    values: dict[str, Any] = {"game": "blackjack", "options": {}}
    progressive = jackpots.create(
        "one", Jackpot.Kind.PROGRESSIVE, house.currency, actor="test", share_bp=1_000
    )
    assert gifts(table, values | {"jackpots": [progressive]}) == []
    progressive.share_bp = 2_000
    (words,) = gifts(table, values | {"jackpots": [progressive]})
    assert words == "On average players would win 8.28% of each bet of this kind: bonus."


def test_what_the_house_puts_into_a_pool_counts(house: House) -> None:
    """A tenth of each bet, and a seed of 50 for a prize of 300, are more than the bonus leaves."""
    table = house.table("blackjack", places=7)
    values: dict[str, Any] = {"game": "blackjack", "options": {}}
    prize = jackpots.create(
        "one", Jackpot.Kind.MYSTERY, house.currency, actor="test", share_bp=1_000
    )
    assert gifts(table, values | {"jackpots": [prize]}) == []
    prize.seed = 5_000
    (words,) = gifts(table, values | {"jackpots": [prize]})
    assert words == "On average players would win 0.33% of each bet of this kind: bonus."


def test_the_form_of_a_jackpot_asks_twice(
    house: House,
    operator: Client,  # noqa: F811
) -> None:
    """As the form of a table does: the edge at a table also depends on its jackpots."""
    prize = jackpots.create(
        "one", Jackpot.Kind.MYSTERY, house.currency, actor="test", share_bp=1_000
    )
    address = f"/admin/wallets/jackpot/{prize.pk}/change/"
    form = {"seed": "50", "reserve": "0", "share_bp": "10", "lowest": "300", "highest": "300"}
    form |= {"active": "on", "reason": "for the spring"}
    # No table plays for it yet.
    assert operator.post(address, form | {"seed": "1"}).status_code == 302
    house.table("blackjack", places=7, name="Sevens").jackpots.add(prize)
    answer = operator.post(address, form)
    words = "Sevens: On average players would win 0.33% of each bet of this kind: bonus."
    assert words in answer.text
    assert 'type="checkbox" name="gives_away"' in answer.text
    # The house would keep its edge, but a colleague approves what tables state in their rules.
    outlook = operator.get(address, form | {"share_bp": "5", "part": "outlook"}).text
    assert "Sevens" in outlook
    assert "A colleague must approve this change." in outlook
    assert operator.post(address, form | {"share_bp": "5"}).status_code == 302
    prize.refresh_from_db()
    assert prize.share_bp == 1_000
    assert Proposal.objects.get().arguments["share_bp"] == 500
    # Or no bet would feed the prize.
    assert operator.post(address, form | {"active": ""}).status_code == 302
    assert "0.33%" in operator.post(address, form).text
    assert operator.post(address, form | {"gives_away": "on"}).status_code == 302
    proposed = [proposal.arguments for proposal in Proposal.objects.order_by("pk")[1:]]
    assert (proposed[0]["active"], proposed[1]["seed"]) == (False, 5_000)
    prize.refresh_from_db()
    assert (prize.seed, prize.active) == (100, True)


@pytest.mark.parametrize(
    ("edge", "percent"),
    [
        (Fraction(1, 10**9), "0.01"),
        # As floats, these two come out a hundredth away from where they belong.
        (Fraction(29, 20_000) + Fraction(1, 10**30), "0.15"),
        (1 + Fraction(1, 20_000) + Fraction(1, 10**30), "100.01"),
        (Fraction(7, 3), "233.33"),
    ],
)
def test_an_edge_is_rounded_from_its_exact_value(
    house: House, monkeypatch: pytest.MonkeyPatch, edge: Fraction, percent: str
) -> None:
    table = house.table("blackjack", places=7)
    monkeypatch.setattr(
        "games.tables.settings.players_edges", lambda _game, _terms: {"bonus": edge}
    )
    (words,) = gifts(table, {"game": "blackjack", "options": {}})
    assert f" win {percent}% of " in words


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({"spades_bp": 1999}, True),
        ({"suited_bp": 0}, True),
        ({"spades_bp": 2500, "suited_bp": 1500}, False),
    ],
)
def test_shares_for_sevens_below_the_printed_ones_are_refused(
    options: dict[str, Any], refused: bool
) -> None:
    illegal = refused_options(game_from("blackjack", options))
    assert ("at least 20% of the jackpot" in illegal.sentence if illegal else False) is refused


# The lucky game at a table


def test_a_player_picks_a_prize_and_the_clock_the_middle_one(house: House) -> None:
    """With a bonus on each of four boxes, a player holds the lucky card every third round."""
    prizes = [{"weight": 1, "multiple": 3}, {"weight": 1, "multiple": 3}]
    table = house.dealt_in(
        "russian_poker", "alice", options={"lucky_game": True, "lucky_prizes": prizes}
    )
    picked: list[Any] = []
    while len(picked) < 2:
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        for box in range(1, 5):
            ante = {"do": "ante", "box": box, "amount": 100, "bonus": 100, "blind": box > 1}
            house.act(table, "alice", ante)
        house.act(table, "alice", {"do": "done"})
        while table.hand_id is not None:
            hand, state = house.state(table)
            view: Any = game_of(hand).view(state, 1)
            if view.phase != "pick":
                house.act(table, "alice", to_builtins(game_of(hand).fallback(state, 1)))
                table.refresh_from_db()
                continue
            (choice,) = game_of(hand).choices(state, 1)
            board = client_of(house.person("alice")).get(f"/tables/{table.pk}/").text
            assert [f'value="{place}"' in board for place in (1, 2, 3)] == [True] * 3
            if picked:
                house.until_due(table)
            else:
                house.act(table, "alice", {"do": "pick", "box": choice.box, "place": 3})
            table.refresh_from_db()
            last = hand.moves.order_by("-number").first()
            hand.refresh_from_db()
            assert last is not None
            assert hand.settlement is not None
            (line,) = [line for line in hand.settlement["lines"] if line["key"] == "lucky_game"]
            assert line["amount"] == 300
            picked.append((last.action["place"], last.by))
        table.refresh_from_db()
    assert picked == [(3, "player"), (2, "timeout")]
