"""Pages of games against the house: spots, refusals, paytables, hints, and how a visit stands."""

import re
from decimal import Decimal
from html import unescape
from math import hypot
from typing import Any

import pytest
from django.db.models import Sum
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.boards.forms import forms_for
from games.boards.rule_tables import PaytableRow, odds_in_words, share_in_words
from games.boards.wheel import drawn_wheel
from games.bots.simulate import strategies
from games.families.blackjack.tags import blackjack_total
from games.models import HandSeat, Table
from games.records.reversals import void
from games.rules.blackjack import paying as blackjack_bonus
from games.rules.blackjack.analysis.strategy import best_move, held_of, rules_of
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.totals import POINTS, total_of
from games.rules.cards import ACE, parse_cards
from games.rules.casino_holdem.calling import FOLD_VALUE, call_value
from games.rules.casino_holdem.game import CasinoHoldem, ante_odds, bonus_combination
from games.rules.contract import Choice
from games.rules.house.sides import Segment
from games.rules.poker import CODE, best_of_seven, ranking
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import bonus_combination as russian_bonus
from games.rules.russian_poker.hands import read_hand
from games.tables.hand_state import game_of
from tests.games.dealing_first import deal_first
from tests.games.families import hint, paytables
from tests.games.house import House
from tests.games.markup import Page, spot, words
from tests.games.viewers import board_of
from tests.people import HTMX, client_of
from wallets.money import jackpots

HOUSE_GAMES = ("blackjack", "russian_poker", "casino_holdem")
FIVES = {
    "royal_flush": "AsKsQsJsTs",
    "straight_flush": "9h8h7h6h5h",
    "four": "9h9c9d9s2d",
    "full_house": "9h9c9d2s2d",
    "flush": "AhJh9h5h2h",
    "straight": "9h8c7d6s5d",
    "three": "9h9c9d3s2d",
    "two_pair": "9h9c3d3s2d",
    "pair": "9h9cJd3s2d",
    "ace_king": "AhKcJd3s2d",
}


def act(client: Client, table: Table, **values: Any) -> Any:
    """Send an action as the page does, for the turn that is on it."""
    table.refresh_from_db()
    form = {"played_hand": table.hand_id, "turn": table.moves_made, **values}
    page = client.get(f"/tables/{table.pk}/board/", headers=HTMX).text
    turn = re.search(r'name="turn" value="(\d+)"', page)
    if turn:
        form["turn"] = turn[1]
    return client.post(f"/tables/{table.pk}/act/", form, headers=HTMX)


# Spots


@pytest.mark.always
@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_every_box_has_its_spots_with_their_limits(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice", options={"min": 200, "max": 5_000, "bonus_max": 900})
    text = board_of(client_of(house.person("alice")), table)
    boxes = 4 if game == "russian_poker" else 7
    for number in range(1, boxes + 1):
        main, bonus = spot(text, f"box-{number}"), spot(text, f"box-{number}-bonus")
        assert (main["data-floor"], main["data-room"]) == ("200", "5000")
        assert (bonus["data-floor"], bonus["data-room"]) == ("100", "900")
        assert main["data-large"] == "The largest bet is 50."
        # The spot is a button of the plain form; the bonus is not one before there is a bet.
        assert main["form"] == f"act-{main['data-do']}"
        assert "form" not in bonus
    assert f'id="spot-box-{boxes + 1}"' not in text
    assert "500 to bet with" in text


def test_viewer_who_cannot_bet_has_no_spots(house: House) -> None:
    table = house.dealt_in("blackjack", "alice")
    client = client_of(house.person("alice"))
    onlooker = client_of(house.player("eve"))
    assert 'id="betting"' not in board_of(onlooker, table)
    assert 'id="betting"' not in board_of(Client(), table)
    assert act(client, table, do="bet", box="2", amount="3").status_code == 200
    assert act(client, table, do="done").status_code == 200
    assert 'id="betting"' not in board_of(client, table)


def test_a_guest_finds_whose_box_it_is_and_a_full_box_has_no_spot(house: House) -> None:
    names = ("alice", "bob", "carol", "dave")
    table = house.dealt_in("blackjack", *names)
    for name in names[:3]:
        assert act(client_of(house.person(name)), table, do="bet", box="2", amount="3")
    bob = board_of(client_of(house.person("bob")), table)
    assert spot(bob, "box-2")["data-standing"] == "300"
    dave = board_of(client_of(house.person("dave")), table)
    assert 'id="spot-box-2"' not in dave
    assert "Three players are on this box." in dave
    refused = act(client_of(house.person("dave")), table, do="bet", box="2", amount="3")
    assert refused.status_code == 409
    assert 'data-code="box_full"' in refused.text


@pytest.mark.always
@pytest.mark.parametrize(("cards", "move"), [("8s6d8h", "split"), ("5s6d6h", "double")])
def test_a_guest_reads_what_there_is_to_follow(
    house: House, monkeypatch: pytest.MonkeyPatch, cards: str, move: str
) -> None:
    deal_first(monkeypatch, cards)
    table = house.dealt_in("blackjack", "alice", "bob")
    for name in ("alice", "bob"):
        house.act(table, name, {"do": "bet", "box": 2, "amount": 1_000})
    for name in ("alice", "bob"):
        house.act(table, name, {"do": "done"})
    house.act(table, "alice", {"do": move, "box": 2, "hand": 0})
    text = board_of(client_of(house.person("bob")), table)
    deciding = re.search(r'id="deciding">.*?</p>', text, re.S)
    assert deciding
    assert f"· <b>{move}</b>" in deciding[0]


def test_blind_boxes_take_the_ante_of_the_open_one(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice", "bob")
    client = client_of(house.person("alice"))
    assert act(client, table, do="ante", box="3", amount="4").status_code == 200
    text = board_of(client, table)
    blind = spot(text, "box-5")
    assert blind["form"] == "act-ante-blind"
    # What it costs is said before it is bet: ante and bet, which is twice the ante.
    assert "blind: 12" in text
    assert act(client, table, do="ante", box="5", amount="4", blind="yes").status_code == 200
    text = board_of(client, table)
    assert spot(text, "box-3")["data-room"] == "0"
    assert "Total bet 16: open box 4, played blind 12 · 484 left" in words(text)
    assert 'id="spot-box-3"' not in board_of(client_of(house.person("bob")), table)
    # The plain form says in money why another ante is refused.
    refused = act(client, table, do="ante", box="6", amount="5", blind="yes")
    assert (refused.status_code, "the ante of your open box, 4." in refused.text) == (409, True)


def test_a_bet_after_the_close_is_refused_and_said(house: House) -> None:
    table = house.dealt_in("blackjack", "alice")
    client = client_of(house.person("alice"))
    assert act(client, table, do="bet", box="2", amount="3").status_code == 200
    late = {"played_hand": table.hand_id, "turn": 1, "do": "bet", "box": "4", "amount": "3"}
    assert act(client, table, do="done").status_code == 200
    refused = client.post(f"/tables/{table.pk}/act/", late, headers=HTMX)
    assert refused.status_code == 409
    assert 'id="refused"' in refused.text
    assert 'id="box-4"' not in refused.text


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_the_last_bets_are_there_on_any_device(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice")
    client = client_of(house.person("alice"))
    assert "[]" in board_of(client, table)
    first = "bet" if game == "blackjack" else "ante"
    assert act(client, table, do=first, box="3", amount="4", bonus="2").status_code == 200
    assert act(client, table, do="done").status_code == 200
    house.until(table, lambda table: table.hand_id is None)
    house.until(table, lambda table: table.hand_id is not None)
    board = board_of(client_of(house.person("alice")), table)
    assert '[["box-3", 400], ["box-3-bonus", 200]]' in unescape(board)


# A stack that runs out


def test_unaffordable_actions_are_greyed_with_a_reason(house: House) -> None:
    table = house.table("casino_holdem", buy_in_min=500, stack_min=100)
    house.sit(house.player("alice"), table, 1, 500)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    client = client_of(house.person("alice"))
    chips = re.findall(r'name="chip" value="(\d+)"\s+(\w+)', board_of(client, table))
    assert [chip for chip, state in chips if state == "disabled"] == [
        "2500",
        "10000",
        "50000",
        "100000",
    ]
    assert act(client, table, do="ante", box="1", amount="4").status_code == 200
    act(client, table, do="done")
    text = board_of(client, table)
    assert "act-fold" in text
    assert "act-call" not in text
    assert "That needs 8, but only 1 of your stack is free." in text
    # A player with too little left reads how much to top up.
    house.void(table, "a test")
    Table.objects.filter(pk=table.pk).update(stack_min=1_000)
    house.until_due(table)
    text = words(board_of(client, table))
    assert "Top up to play on" in text
    assert "You need at least 10 to be dealt in. Top up, or leave." in text


# Paytables


def rows_of(game: Any) -> dict[tuple[str, str], PaytableRow]:
    return {(paytable.bet, row.word): row for paytable in paytables(game) for row in paytable.rows}


@pytest.mark.parametrize("jackpot_bp", [0, 1_000])
def test_the_paytable_of_blackjack_is_what_the_rules_pay(jackpot_bp: int) -> None:
    game = Blackjack(jackpot_bp=jackpot_bp, suited_bp=1_200, spades_bp=3_000)
    rows = rows_of(game)
    hands = {
        "suited_blackjack": "AsKs",
        "mixed_blackjack": "AsKh",
        "suited_678": "6h7h8h",
        "mixed_678": "6h7c8h",
        "mixed_777": "7h7c7h",
        "suited_777": "7h7h7h",
        "spade_777": "7s7s7s",
    }
    for word, cards in hands.items():
        first, second, *third = parse_cards(cards)
        combination = blackjack_bonus.combination(
            (first, second), third[0] if third else None, game.jackpot_shares
        )
        assert combination
        assert combination.name == word
        pays = (
            odds_in_words(combination.odds)
            if combination.odds
            else share_in_words(combination.share_bp)
        )
        assert rows["bonus", word].pays == pays
    assert rows["hand", "blackjack"].pays == "3:2"
    assert ("bonus", "wheel") in rows
    plain = rows_of(Blackjack(wheel=False, bonus_card=False))
    assert not {("bonus", "wheel"), ("bonus", "bonus_card")} & set(plain)


@pytest.mark.parametrize("jackpot_bp", [0, 1_000])
def test_the_paytables_of_the_pokers_are_what_the_rules_pay(jackpot_bp: int) -> None:
    russian = RussianPoker(jackpot_bp=jackpot_bp, royal_share_bp=7_000)
    holdem = CasinoHoldem(jackpot_bp=jackpot_bp, royal_share_bp=7_000)
    for word, text in FIVES.items():
        cards = parse_cards(text)
        main = read_hand(cards).main
        assert main
        assert rows_of(russian)["bet", word].pays == odds_in_words(main.odds)
        bonus = russian_bonus(cards, russian.jackpot_shares)
        if bonus:
            pays = odds_in_words(bonus.odds) if bonus.odds else share_in_words(bonus.share_bp)
            assert rows_of(russian)["bonus", word].pays == pays
        else:
            assert ("bonus", word) not in rows_of(russian)
        value = best_of_seven((*cards, *parse_cards("3c4h")))
        ante = rows_of(holdem).get(("ante", word), rows_of(holdem)["ante", "straight"])
        if word not in ("pair", "two_pair", "three"):
            assert ante.pays == odds_in_words(ante_odds(value))
    shares = holdem.shares_bp

    for word in ("royal_flush", "straight_flush", "four", "full_house", "flush", "two_pair"):
        codes = [CODE[card] for card in parse_cards(FIVES[word])]
        combination = bonus_combination(ranking().five(*codes), shares)
        assert combination
        pays = (
            odds_in_words(combination.odds)
            if combination.odds
            else share_in_words(combination.share_bp)
        )
        assert rows_of(holdem)["bonus", word].pays == pays


def test_the_page_shows_the_paytable_of_its_own_options(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice", options={"royal_share_bp": 6_000})
    text = Client().get(f"/tables/{table.pk}/").text
    # No jackpot is played for here, so no share of one is promised.
    assert "of the jackpot" not in text
    shown = dict(re.findall(r'data-row="([^"]+)">.*?<td class="number">([^<]+)</td>', text))
    rows = rows_of(CasinoHoldem(jackpot_bp=0))
    expected = {f"{bet}-{word}": row.pays for (bet, word), row in rows.items()}
    assert shown == expected
    assert "panel-paytable" not in Client().get(f"/tables/{house.table('doudizhu').pk}/").text


# Hints


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_hints_are_what_the_strategy_of_the_rules_says(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice")
    client = client_of(house.person("alice"))
    hints_read = 0
    for _ in range(150):
        table.refresh_from_db()
        if hints_read >= 4:
            break
        if table.hand_id is None or "1" not in table.turns:
            house.until_due(table)
            continue
        hand, state = house.state(table)
        rules = game_of(hand)
        view: Any = rules.view(state, 1)
        if view.phase in ("decide", "play"):
            hints_read += 1
            text = board_of(client, table, "strategy")
            said = re.search(r'id="hint-said"[^>]*data-hint="(\w+)"', text)
            assert said
            assert said[1] == best_by_odds(rules, view)
            assert said[1] == hint(rules, view).do
        house.let_people_act(table)
    assert hints_read >= 4


def best_by_odds(game: Any, view: Any) -> str:
    """The advice of the odds, computed directly."""
    if isinstance(game, CasinoHoldem):
        box = view.boxes[0]
        return "call" if call_value(box.cards, view.board) > FOLD_VALUE else "fold"
    if isinstance(game, Blackjack):
        box = next(box for box in view.boxes if box.number == view.box)
        hand, up = box.hands[view.hand], view.dealer[0]
        allowed = {"hit", "stand"}
        if len(hand.cards) == 2:
            allowed.add("double")
            allowed |= {"split"} if len({POINTS[card] for card in hand.cards}) == 1 else set()
            if len(box.hands) == 1 and up.rank != ACE:
                allowed.add("surrender")
        assert total_of(hand.cards).points < 21
        return best_move(rules_of(game), held_of(hand.cards), POINTS[up], frozenset(allowed))
    return str(type(strategies(game)["best"](game, view)).__struct_config__.tag)


def test_a_table_may_give_no_hints(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice", hints_allowed=False)
    client = client_of(house.person("alice"))
    act(client, table, do="ante", box="1", amount="4")
    act(client, table, do="done")
    text = board_of(client, table, "strategy")
    assert "act-call" in text
    assert "data-hint" not in text
    assert "help=" not in text


# How a visit stands


def visit_of(client: Client, table: Table) -> int:
    """The visit's balance as the page shows it, in minor units."""
    said = re.search(r'id="visit"[^>]*>([^<]*)<', board_of(client, table))
    assert said
    return int(100 * Decimal(said[1].strip().replace("−", "-").replace(",", "")))


def test_the_visit_is_what_the_seat_has_won_and_lost(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice", "bob")
    client = client_of(house.person("alice"))
    for _ in range(3):
        first = table.hand_id
        house.until(table, lambda table, first=first: table.hand_id != first)
    net = HandSeat.objects.filter(seat=house.seat(table, "alice")).aggregate(net=Sum("net"))["net"]
    assert visit_of(client, table) == net
    assert 'id="visit"' not in board_of(Client(), table)
    # A new visit begins at nothing.
    assert net == house.stack(table, "alice") - 50_000


def test_reversed_hands_do_not_count_in_the_visit(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice", "bob")
    client = client_of(house.person("alice"))
    operator = house.player("olga", 0)
    appoint(operator, "managers")
    for _ in range(3):
        # The visit's sum is checked in the hand, in the pause after it, and when the hand is void.
        house.until(table, lambda table: table.hand_id is not None)
        before = visit_of(client, table)
        assert before == house.stack(table, "alice") - 50_000
        house.until(table, lambda table: table.hand_id is None)
        played = HandSeat.objects.filter(seat=house.seat(table, "alice")).latest("hand_id")
        assert visit_of(client, table) == before + played.net
        void(Player.objects.get(pk=operator.pk), played.hand_id, "a card was seen", house.now)
        house.until(table, lambda table: table.hand_id is not None)
        assert visit_of(client, table) == before
        house.until(table, lambda table: table.hand_id is None)
    assert visit_of(client, table) == house.stack(table, "alice") - 50_000


def test_a_pool_is_shown_as_it_stands_while_a_hand_runs(house: House) -> None:
    table = house.table("casino_holdem")
    pool = jackpots.create(
        "the pool", "progressive", house.currency, actor="operator:1", seed=1_000
    )
    table.jackpots.add(pool)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    client = client_of(house.person("alice"))
    assert f'data-pool="{pool.pk}">10</dd>' in board_of(client, table)
    # Others play for it, too.
    pool.seed = 7_700
    pool.save()
    jackpots.fill_up(pool)
    assert f'data-pool="{pool.pk}">77</dd>' in board_of(client, table)


@pytest.mark.parametrize("game", [*HOUSE_GAMES, "baccarat"])
def test_a_board_looked_at_again_asks_the_database_little(
    house: House, game: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    table = house.dealt_in(game, "alice", "bob")
    client = client_of(house.person("alice"))
    board_of(client, table)
    # Where a seat is free, three of them are whether the house is in maintenance, whether it is
    # closed, and what the player has arranged.
    with django_assert_max_num_queries(7):
        board_of(client, table)


def test_the_wheel_stands_where_it_was_drawn() -> None:
    segments = (Segment(weight=60, multiple=1), Segment(weight=30, multiple=2), Segment(10, 5))
    assert drawn_wheel(segments, 1).turn == -108
    assert drawn_wheel(segments, 5).turn == -342
    assert [sector.multiple for sector in drawn_wheel(segments, 2).slices] == [1, 2, 5]


def test_multiples_of_narrow_slices_of_the_wheel_are_not_written_over_each_other() -> None:
    narrow = drawn_wheel((Segment(94, 1), Segment(3, 5), Segment(3, 10)), 1).slices[1:]
    five, ten = (hypot(sector.x, sector.y) for sector in narrow)
    assert abs(five - ten) > 10


def test_buttons_say_their_box_where_there_are_several(house: House) -> None:
    table = house.dealt_in("russian_poker", "alice")
    client = client_of(house.person("alice"))
    assert act(client, table, do="ante", box="1", amount="4").status_code == 200
    assert act(client, table, do="ante", box="2", amount="4", blind="yes").status_code == 200
    text = board_of(client, table)
    assert "Buy a card, box 2" in text
    assert "act-buy-2" in Page(text).forms


def test_to_stand_beside_insurance_alone_is_to_decline_it() -> None:
    insurance = Choice("insure", 1, least=50, most=100)
    stand, hit = Choice("stand", 1, 0), Choice("hit", 1, 0)

    def called(*choices: Choice) -> str:
        (form,) = [form for form in forms_for(Blackjack(), choices) if form.do == "stand"]
        return str(form.buttons[0].label)

    assert called(insurance, stand) == called(Choice("even_money", 1), stand) == "Decline"
    assert called(insurance, hit, stand) == called(stand) == "Stand"


def test_insurance_names_its_box_only_among_several() -> None:
    offers = [Choice("insure", box, least=50, most=100) for box in (1, 2)]

    def called(*choices: Choice) -> list[str]:
        (form,) = forms_for(Blackjack(), choices)
        return [str(button.label) for button in form.buttons]

    assert (called(offers[0]), called(*offers)) == (["Insure"], ["Box 1", "Box 2"])


def test_player_who_joins_mid_round_reads_when_to_bet(house: House) -> None:
    table = house.dealt_in("blackjack", "alice")
    sentence = "You can bet from the next round on."
    bob = house.player("bob")
    assert sentence not in board_of(client_of(bob), table)
    house.sit(bob, table, 2)
    assert sentence in board_of(client_of(bob), table)
    assert sentence not in board_of(client_of(house.person("alice")), table)


@pytest.mark.parametrize(
    ("cards", "total"),
    [("Ad", "1/11"), ("9c", "9"), ("Ad6c", "soft 17"), ("AdKc", "21"), ("TdAc5h", "16")],
)
def test_what_cards_count_is_spelt(cards: str, total: str) -> None:
    assert blackjack_total(parse_cards(cards)) == total


def test_suited_sevens_stand_where_they_pay_and_the_table_says_why() -> None:
    plain, with_jackpot = (
        next(paytable for paytable in paytables(game) if paytable.bet == "bonus")
        for game in (Blackjack(jackpot_bp=0), Blackjack(jackpot_bp=500))
    )
    odds = [row.odds.win(100) for row in plain.rows if row.odds and not row.beside]
    assert odds == sorted(odds, reverse=True)
    assert "no jackpot" in plain.note
    assert [row.word for row in with_jackpot.rows][:2] == ["spade_777", "suited_777"]
    assert with_jackpot.note == ""
