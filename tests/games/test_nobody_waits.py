"""Against the house no player waits for one who does not bet, and one without a bet may leave.

A round without a bet is no hand: nothing of it is left, and the next one has its number.
"""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from msgspec import to_builtins

from games.models import ChainEntry, Hand, HandSeat, Move, Shoe, Table
from games.rules.catalogue import GAMES, game_type
from games.rules.errors import Illegal
from games.rules.house.game import HouseGame
from games.tables import hand_verbs, seating
from games.tables.hand_state import drawn, game_of
from tests.games.house import MONEY, House
from tests.games.markup import Page
from tests.games.program import Program
from tests.people import HTMX, client_of
from wallets.values.errors import Stale

HOUSE_GAMES = [key for key in GAMES if issubclass(game_type(key), HouseGame)]
BETS: dict[str, dict[str, Any]] = {
    "blackjack": {"do": "bet", "box": 1, "amount": 500},
    "russian_poker": {"do": "ante", "box": 1, "amount": 500},
    "casino_holdem": {"do": "ante", "box": 1, "amount": 500},
    "baccarat": {"do": "bet", "on": "player", "amount": 500},
    "baccarat_commission": {"do": "bet", "on": "player", "amount": 500},
}
DONE = {"do": "done"}


def phase_of(house: House, table: Table) -> str:
    """The phase of the round; empty if none is running."""
    table.refresh_from_db()
    if table.hand_id is None:
        return ""
    state: Any = house.state(table)[1]
    return str(state.phase)


# Leaving


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_player_without_a_bet_leaves_at_once_with_the_whole_stack(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice", "bob")
    house.act(table, "bob", BETS[game])
    house.leave(house.person("alice"), table)
    assert not table.seats.filter(player__username="alice", left_at__isnull=True).exists()
    assert house.wallet(house.person("alice")).balance == MONEY
    # The seat is free for others, and the round goes on without them.
    carol = house.player("carol")
    house.sit(carol, table, 1)
    with pytest.raises(Illegal):
        house.act(table, "carol", BETS[game] | ({"box": 2} if "box" in BETS[game] else {}), 0)
    assert table.seats.get(player=carol).stack.balance == 50_000
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.get().seats.get(player=house.person("alice")).net == 0
    assert table.seats.get(player=carol).stack.balance == 50_000
    assert house.total() == 0


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_a_player_who_has_bet_keeps_the_seat_until_the_round_is_paid(
    house: House, game: str
) -> None:
    table = house.dealt_in(game, "alice", "bob")
    house.act(table, "alice", BETS[game])
    house.leave(house.person("alice"), table)
    assert house.seat(table, "alice").leaves
    house.until(table, lambda table: table.hand_id is None)
    house.until_due(table)
    assert not table.seats.filter(player__username="alice", left_at__isnull=True).exists()
    assert house.total() == 0


def test_player_without_a_bet_can_leave_during_play(house: House) -> None:
    table = house.dealt_in("russian_poker", "alice", "bob")
    house.act(table, "bob", BETS["russian_poker"])
    house.act(table, "bob", DONE)
    assert phase_of(house, table) == "decide"
    moves = table.moves_made
    house.leave(house.person("alice"), table)
    assert house.wallet(house.person("alice")).balance == MONEY
    table.refresh_from_db()
    assert table.moves_made == moves
    assert phase_of(house, table) == "decide"


def test_last_player_leaves_an_open_round_without_a_trace(
    house: House,
) -> None:
    table = house.dealt_in("blackjack", "alice")
    house.leave(house.person("alice"), table)
    table.refresh_from_db()
    assert (table.hand_id, table.hands_dealt) == (None, 0)
    assert not Hand.objects.exists()
    assert house.wallet(house.person("alice")).balance == MONEY


def test_player_who_returns_waits_for_the_next_round(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    house.act(table, "bob", BETS["blackjack"])
    house.leave(house.person("alice"), table)
    house.sit(house.person("alice"), table, 1)
    with pytest.raises(Illegal) as refused:
        house.act(table, "alice", {"do": "bet", "box": 2, "amount": 500}, 0)
    assert refused.value.code == "no_more_bets"


def test_leaving_starts_no_countdown_for_the_others(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    assert table.deadline is None
    house.leave(house.person("alice"), table)
    table.refresh_from_db()
    assert (table.phase, table.deadline) == (Table.Phase.PLAY, None)


# Waiting


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_only_bettor_waits_for_nobody(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice", "bob")
    began = house.now
    house.act(table, "alice", BETS[game])
    assert phase_of(house, table) == "bet"
    house.act(table, "alice", DONE)
    assert phase_of(house, table) != "bet"
    assert house.now == began
    assert Move.objects.filter(seat=0, action__do="close", by="house").count() == 1


def test_every_bettor_is_waited_for(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob", "carol")
    house.act(table, "alice", BETS["baccarat"])
    house.act(table, "bob", BETS["baccarat"])
    house.act(table, "alice", DONE)
    assert phase_of(house, table) == "bet"
    house.act(table, "bob", DONE)
    assert phase_of(house, table) == ""


def test_waiting_ends_when_a_neighbour_leaves(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    house.act(table, "alice", BETS["baccarat"])
    table.refresh_from_db()
    assert table.deadline == house.now + timedelta(seconds=table.betting_seconds)
    house.leave(house.person("bob"), table)
    table.refresh_from_db()
    assert phase_of(house, table) == "bet"
    house.act(table, "alice", DONE)
    assert phase_of(house, table) == ""


# Rounds without a bet


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_a_round_in_which_nobody_bets_is_no_hand(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice", "bob")
    first = table.hand_id
    assert first is not None
    hand, shoe = Hand.objects.get(), table.shoe
    assert shoe is not None
    draws = drawn(shoe, hand.round_number, game_of(hand)).draws
    turn = house.turn(table, 1)
    house.nobody_bets(table)
    assert (table.phase, table.hand_id, table.hands_dealt) == (Table.Phase.PAUSE, None, 0)
    for rows in (Hand, HandSeat, Move):
        assert not rows.objects.exists()
    assert not ChainEntry.objects.filter(kind="hand").exists()
    # A move for it is refused: it is over.
    with pytest.raises(Stale):
        hand_verbs.act(house.person("alice"), table.pk, first, turn, BETS[game], house.now)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.act(table, "alice", BETS[game])
    house.until(table, lambda table: table.hand_id is None)
    played = Hand.objects.get()
    assert (played.number, played.round_number, played.first_card) == (1, 1, 0)
    assert game_of(played).key == game
    shoe.refresh_from_db()
    if played.shoe_id == shoe.pk:
        # A shoe that lasts goes on: nothing of it was consumed, and nothing had been shown.
        assert played.draws == to_builtins(list(draws))
        assert shoe.rounds_played == 1
    else:
        assert (shoe.status, shoe.void_reason) == (Shoe.Status.VOID, "nobody bet")
        body = ChainEntry.objects.get(kind="void").body
        assert body == {"shoe": shoe.code, "reason": "nobody bet"}
    assert house.total() == 0


@pytest.mark.parametrize("game", ["baccarat", "casino_holdem"])
def test_the_end_of_the_betting_is_refused_before_a_bet(house: House, game: str) -> None:
    """Alone, it would throw the round away, and the deck would be mixed anew."""
    table = house.dealt_in(game, "alice")
    before = (table.hand_id, table.shoe_id, table.version, table.turns)
    alice, program = client_of(house.person("alice")), Program("alice")
    page = alice.post(
        f"/tables/{table.pk}/act/",
        {"played_hand": table.hand_id, "turn": table.turns["1"], "do": "done"},
        headers=HTMX,
    )
    assert page.status_code == 409
    assert 'data-code="nothing_staked"' in page.text
    assert "You have no bet in this round. Place a bet first." in page.text
    view = program.get(f"tables/{table.pk}/")
    assert "done" not in {choice["do"] for choice in view["choices"]}
    body = {"hand": table.hand_id, "turn": view["turn"], "action": DONE}
    refused = program.post(f"tables/{table.pk}/act/", body)
    assert program.refused(refused) == (409, "nothing_staked")
    table.refresh_from_db()
    assert (table.hand_id, table.shoe_id, table.version, table.turns) == before
    assert not Move.objects.exists()
    # The page's button waits for the first chip: it also places chips that are pending in the page.
    assert not Page(page.text).forms["act-done"].buttons
    house.act(table, "alice", BETS[game])
    assert Page(alice.get(f"/tables/{table.pk}/").text).forms["act-done"].buttons
    assert program.get(f"tables/{table.pk}/")["choices"][-1] == DONE
    house.act(table, "alice", DONE)
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.get().status == Hand.Status.FINISHED


def test_numbers_have_no_gaps_whatever_rounds_were_empty(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    for bets in (False, True, False, False, True, True, False, True):
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        if bets:
            house.act(table, "bob", BETS["blackjack"])
            house.until(table, lambda table: table.hand_id is None)
        else:
            house.nobody_bets(table)
    hands = Hand.objects.order_by("number")
    assert [hand.number for hand in hands] == [1, 2, 3, 4]
    assert [hand.round_number for hand in hands] == [1, 2, 3, 4]
    places = [(hand.first_card, hand.cards_dealt) for hand in hands]
    assert all(at + dealt == behind for (at, dealt), (behind, _) in pairwise(places))


def test_a_top_up_in_each_round_without_a_bet_arrives_each_time(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    alice = house.person("alice")
    for number in (1, 2):
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        seating.top_up(alice, table.pk, 10_000, f"top-up {number}", house.now)
        assert house.stack(table, "alice") == 50_000 + number * 10_000
        house.nobody_bets(table)
