"""The readings of the second edition, and that hands of the first replay as they were played."""

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import msgspec
import pytest

from games.rules.analysis.edges import house_edges, players_edges
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import MIXED_777, SUITED_678
from games.rules.blackjack.state import Bet, Hit
from games.rules.cards import Card, parse_cards
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.catalogue import EDITIONS, GAMES, game_type, of_today
from games.rules.contract import HOUSE, Action, Choices, SeatStack, most_seats
from games.rules.errors import Illegal
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.antes import Ante, Fold
from games.rules.house.bonus import BonusGame
from games.rules.house.sides import Segment, SideContext, prizes_shown
from games.rules.record import read_record, recorded, replay_record
from games.rules.russian_poker.boxes import Accept, BuyDealer, Insure, Pick, RussianState
from games.rules.russian_poker.boxes import Bet as RussianBet
from games.rules.russian_poker.game import RussianPoker
from games.rules.settlement import Line, Settlement
from tests.rules.cases import each, every, illegal
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import NOTHING, THREE, UNQUALIFIED, dealt, one_box
from wallets.values.errors import Refused

ROYAL = "As Ks Qs Js Ts"
FLUSHES = {"russian_poker": 150, "casino_holdem": 100}
STACK = 10_000_000


def today(key: str, **options: object) -> Any:
    return msgspec.convert(of_today(key, options), game_type(key))


def test_only_the_house_games_with_a_bonus_have_editions() -> None:
    bonus = {key for key in GAMES if issubclass(game_type(key), BonusGame)}
    assert set(EDITIONS) == bonus
    for key in GAMES:
        assert of_today(key, {"min": 5}).get("edition") == EDITIONS.get(key)
        # Whatever a table says, it is played by the newest; a hand that says nothing by the first.
        assert of_today(key, {"edition": 1}).get("edition") == EDITIONS.get(key, 1)
        if key in bonus:
            assert game_type(key)().edition == 1  # type: ignore[attr-defined]


# Boxes for everybody


def bet_on(key: str, box: int, *, blind: bool = False) -> Action:
    return Bet(box, 100) if key == "blackjack" else Ante(box, 100, 0, blind)


@every(key=EDITIONS)
def test_nobody_takes_a_box_that_another_seat_needs(key: str) -> None:
    game = today(key)
    boxes = game.box_count
    state = game.open(
        [SeatStack(seat, STACK) for seat in (1, 2, 3)], game.composition(), SideContext()
    )
    for box in range(1, boxes - 1):
        state = game.apply(state, 1, bet_on(key, box, blind=box > 1))
    # Two are left, for the two who have none: they are neither offered nor taken.
    illegal("box_kept", game.apply, state, 1, bet_on(key, boxes - 1, blind=True))
    assert {choice.box for choice in game.choices(state, 1)} <= {*range(1, boxes - 1), None}
    assert boxes in {choice.box for choice in game.choices(state, 2)}
    # One says that it will not bet: its box is free for others.
    state = game.apply(state, 2, Done())
    state = game.apply(state, 1, bet_on(key, boxes - 1, blind=True))
    with pytest.raises(Illegal):
        game.apply(state, 1, bet_on(key, boxes, blind=True))
    state = game.apply(state, 3, bet_on(key, boxes))
    assert game.at_stake(state, 3)


@every(key=EDITIONS)
def test_one_seat_alone_may_take_every_box_and_so_it_could_before(key: str) -> None:
    first: Any = game_type(key)()
    for game, seats in ((today(key), (1,)), (first, (1, 2, 3))):
        boxes = game.box_count
        stakes = [SeatStack(seat, STACK) for seat in seats]
        state = game.open(stakes, game.composition(), SideContext())
        for box in range(1, boxes + 1):
            state = game.apply(state, 1, bet_on(key, box, blind=box > 1))
        assert len(state.boxes) == boxes


def test_a_table_has_no_more_seats_than_boxes() -> None:
    assert most_seats(today("casino_holdem")) == 7
    assert most_seats(today("russian_poker")) == 4
    assert most_seats(today("blackjack")) == 7
    assert most_seats(today("blackjack", boxes=3)) == 3
    assert most_seats(today("baccarat")) == 9
    assert most_seats(today("doudizhu")) == 3


# Shares of the jackpot


def lines_of(settlement: Settlement, *keys: str) -> list[Line]:
    return [line for line in settlement.lines if line.key in keys]


def sevens(game: Blackjack, suit: str, pool: int) -> Settlement:
    """Three sevens of a suit, the third drawn, with a bonus of 100."""
    seven = f"7{suit}"
    cards = parse_cards(f"{seven}Td{seven}{seven}Th")
    context = SideContext()
    state = game.open([SeatStack(1, STACK)], cards, context)
    moves: Moves = [(1, Bet(1, 100, 100)), (HOUSE, Close())]
    for seat, action in moves:
        state = game.apply(state, seat, action)
    state = game.apply(state, 1, Hit(1, 0))
    if state.phase == "pool":
        state = game.apply(state, HOUSE, Pool("progressive", pool))
    return game.settle(state)


@each(("s", 2_000), ("h", 1_000))
@every(pool=[0, 1, 50_000, 239_000, 10**7])
def test_suited_sevens_win_their_share_and_no_less_than_the_line_below(
    suit: str, share: int, pool: int
) -> None:
    game = today("blackjack")
    settlement = sevens(game, suit, pool)
    of_pool = pool * share // 10_000
    assert SUITED_678.odds is not None
    least = SUITED_678.odds.win(100)
    paid = {line.key: line.amount for line in lines_of(settlement, "jackpot", "jackpot_least")}
    assert paid.get("jackpot", 0) == of_pool
    assert paid.get("jackpot_least", 0) == max(0, least - of_pool)
    # The pool gives what it holds of that; the rest is the house's.
    assert settlement.pools["progressive"] == 10 - of_pool
    before = sevens(Blackjack(), suit, pool)
    assert lines_of(before, "jackpot_least") == []
    assert sum(line.amount for line in lines_of(before, "jackpot")) == of_pool


def test_sevens_have_a_least_share_and_without_a_jackpot_fixed_odds() -> None:
    assert MIXED_777.odds is not None
    low = today("blackjack", spades_bp=0, suited_bp=5)
    assert (low.jackpot_shares.spades, low.jackpot_shares.suited) == (2_000, 1_000)
    old = Blackjack(spades_bp=0, suited_bp=5)
    assert (old.jackpot_shares.spades, old.jackpot_shares.suited) == (0, 5)
    more = today("blackjack", spades_bp=3_000, suited_bp=1_500)
    assert (more.jackpot_shares.spades, more.jackpot_shares.suited) == (3_000, 1_500)
    (won,) = lines_of(sevens(today("blackjack", jackpot_bp=0), "s", 0), "bonus_won")
    assert won.amount == MIXED_777.odds.win(100)


def holdem_royal(game: CasinoHoldem, pool: int) -> Settlement:
    cards = parse_cards("As2dKs3dQsJsTs4c5c")
    state = game.open([SeatStack(1, STACK)], cards, SideContext())
    moves: Moves = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    for seat, action in moves:
        state = game.apply(state, seat, action)
    return game.settle(game.apply(state, HOUSE, Pool("progressive", pool)))


def russian_royal(game: RussianPoker, pool: int) -> Settlement:
    state = game.open([SeatStack(1, STACK)], dealt([ROYAL], "2d3d4d5d7h"), SideContext())
    for seat, action in one_box(Fold(1), bonus=100):
        state = game.apply(state, seat, action)
    return game.settle(game.apply(state, HOUSE, Pool("progressive", pool)))


@every(pool=[0, 7, 29_999, 30_000, 10**7])
def test_a_royal_flush_wins_no_less_than_four_of_a_kind(pool: int) -> None:
    plays: tuple[tuple[str, Callable[[Any, int], Settlement]], ...] = (
        ("casino_holdem", holdem_royal),
        ("russian_poker", russian_royal),
    )
    for key, play in plays:
        settlement = play(today(key), pool)
        paid = sum(line.amount for line in lines_of(settlement, "jackpot", "jackpot_least"))
        assert paid == max(pool // 2, 100 * FLUSHES[key])
        assert settlement.pools["progressive"] == 10 - pool // 2
        before = play(game_type(key)(), pool)
        assert sum(line.amount for line in lines_of(before, "jackpot")) == pool // 2


# The limit of a box at Russian poker


def after(game: RussianPoker, cards: Sequence[Card], moves: Moves) -> RussianState:
    state = game.open([SeatStack(1, STACK)], cards, SideContext())
    for seat, action in moves:
        state = game.apply(state, seat, action)
    return state


def test_bets_on_a_box_are_capped_by_the_largest_payment() -> None:
    game = today("russian_poker", max_payout=1_000)
    cards = dealt([THREE], UNQUALIFIED, "Ad")
    illegal("box_limit", after, game, cards, [(1, Ante(1, 400))])
    with pytest.raises(Illegal):
        after(game, cards, [(1, Ante(1, 300, 101))])
    state = after(game, cards, one_box(ante=200, bonus=100))
    (insure,) = [choice for choice in game.choices(state, 1) if choice.do == "insure"]
    # Three antes and the bonus leave 300 of the 1,000.
    assert insure.most == 300
    with pytest.raises(Illegal):
        game.apply(state, 1, Insure(1, 301))
    state = game.apply(game.apply(state, 1, Insure(1, 300)), 1, RussianBet(1))
    (box,) = state.boxes
    assert box.committed == 1_000
    assert 1_000 in [choice.most for choice in _before(cards) if choice.do == "insure"]


def _before(cards: Sequence[Card]) -> Choices:
    """The same by the first edition: the insurance had its limit by itself."""
    game = RussianPoker(max_payout=1_000)
    return game.choices(after(game, cards, one_box(ante=200, bonus=100)), 1)


@each((1, 1_000 + 300), (2, 1_000))
def test_insurance_winnings_count_with_the_hand(edition: int, won: int) -> None:
    """The dealer's first five do not qualify; the card that is bought makes a pair below."""
    game = RussianPoker(max_payout=1_000, edition=edition)
    cards = dealt([THREE], UNQUALIFIED, "4c")
    state = after(game, cards, one_box(Insure(1, 300), RussianBet(1), BuyDealer(1), ante=200))
    settlement = game.settle(state)
    assert settlement.net[1] == won - 200


# How many cards count for the bonus card


@every(count=[1, 2, 3, 4, 5], place=[0, 1, 2, 3, 4])
def test_the_bonus_card_counts_among_the_first_cards(count: int, place: int) -> None:
    named = parse_cards(NOTHING)[place]
    for edition, counts in ((1, True), (2, place < count)):
        game = RussianPoker(bonus_card=True, bonus_card_count=count, edition=edition)
        state = game.open(
            [SeatStack(1, STACK)], dealt([NOTHING], UNQUALIFIED), SideContext(bonus_card=named)
        )
        for seat, action in one_box(Fold(1), bonus=100):
            state = game.apply(state, seat, action)
        assert bool(lines_of(game.settle(state), "bonus_card")) is counts


def test_feature_is_off_and_one_card_counts_by_default() -> None:
    game = today("russian_poker")
    assert (game.bonus_card, game.lucky_game, game.bonus_cards_counted) == (False, False, 1)


# The lucky game

PRIZES = (Segment(50, 1), Segment(30, 2), Segment(15, 5), Segment(5, 9))
LUCKY: dict[str, Any] = {"lucky_game": True, "lucky_prizes": PRIZES}


def lucky(edition: int, number: int, *, bonus: int = 100) -> tuple[RussianPoker, RussianState]:
    """A round in which the open box and the blind one behind it hold nothing but the lucky card."""
    game = RussianPoker(edition=edition, **LUCKY)
    context = SideContext(lucky_card=Card("Ac"), lucky_game=number)
    state = game.open([SeatStack(1, STACK)], dealt([NOTHING], UNQUALIFIED), context)
    for seat, action in one_box(Fold(1), bonus=bonus):
        state = game.apply(state, seat, action)
    return game, state


@every(number=[0, 49, 50, 79, 80, 94, 95, 99])
def test_the_pick_changes_nothing_but_the_order_in_which_prizes_are_shown(number: int) -> None:
    drawn = next(
        multiple for bound, multiple in ((50, 1), (80, 2), (95, 5), (100, 9)) if number < bound
    )
    shown = set()
    for place in (1, 2, 3):
        game, state = lucky(2, number)
        assert state.phase == "pick"
        assert game.to_act(state) == {1}
        # The draw stays closed to all before the pick.
        view = game.view(state, 1)
        assert view.sides is not None
        assert view.sides.lucky_multiple is None
        assert view.boxes[0].prizes == ()
        (choice,) = game.choices(state, 1)
        assert (choice.do, choice.box, choice.among) == ("pick", 1, ("1", "2", "3"))
        over = game.apply(state, 1, Pick(1, place))
        (line,) = lines_of(game.settle(over), "lucky_game")
        assert line.amount == 100 * drawn
        (box,) = game.view(over, None).boxes
        assert box.pick == place
        assert box.prizes[place - 1] == drawn
        shown.add(box.prizes)
        assert sorted(box.prizes) == sorted(prizes_shown(PRIZES, number, 1))
    assert shown <= set(permutations(prizes_shown(PRIZES, number, 1)))
    # By the first edition no player was asked.
    game, state = lucky(1, number)
    (line,) = lines_of(game.settle(state), "lucky_game")
    assert line.amount == 100 * drawn


def test_the_clock_picks_the_middle_and_no_other_move_does_it() -> None:
    game, state = lucky(2, 0)
    assert game.fallback(state, 1) == Pick(1, 2)
    for wrong in (Pick(2, 1), Fold(1), Accept(1)):
        with pytest.raises(Refused):
            game.apply(state, 1, wrong)
    with pytest.raises(Illegal):
        game.apply(game.apply(state, 1, Pick(1, 3)), 1, Pick(1, 1))


def test_nobody_picks_without_a_bonus_bet() -> None:
    game, state = lucky(2, 0, bonus=0)
    assert state.phase == "over"
    assert lines_of(game.settle(state), "lucky_game") == []


@every(prizes=[PRIZES[:1], PRIZES[:2], PRIZES])
def test_three_prizes_are_shown_however_short_the_list_is(prizes: tuple[Segment, ...]) -> None:
    for number in range(sum(prize.weight for prize in prizes)):
        assert len(prizes_shown(prizes, number, 2)) == 3


# Records


def test_record_without_an_edition_is_of_the_first() -> None:
    for edition in (1, 2):
        game = RussianPoker(max_payout=1_000, edition=edition)
        cards = dealt([THREE], UNQUALIFIED, "4c")
        moves = one_box(Insure(1, 300), RussianBet(1), BuyDealer(1), ante=200)
        settlement = game.settle(after(game, cards, moves))
        plain = {
            "format": "hand-record/1",
            "game": game.key,
            "options": msgspec.to_builtins(game),
            "stakes": [{"seat": 1, "purse": STACK}],
            "cards": [card.text for card in cards],
            "moves": [
                {"seat": seat, "action": msgspec.to_builtins(action)} for seat, action in moves
            ],
        }
        if edition == 1:
            del plain["options"]["edition"]
        record = read_record(msgspec.json.encode(plain))
        state: Any = replay_record(record)
        assert recorded(game.settle(state)) == recorded(settlement)


# What a form asks about


@pytest.mark.slow
def test_edges_are_those_that_the_pages_tell() -> None:
    assert players_edges(today("baccarat")) == {}
    literal = players_edges(today("baccarat", banker_note_literal=True))
    assert {bet: round(float(edge), 4) for bet, edge in literal.items()} == {"player": 0.0419}
    for key in EDITIONS:
        assert players_edges(today(key)) == {}
    none = {"jackpot_bp": 0, "mystery_bp": 0, "wheel": False, "bonus_card": True}
    edges = {
        count: house_edges(today("russian_poker", bonus_card_count=count, **none))["bonus"]
        for count in range(1, 6)
    }
    rounded = {count: round(float(edge), 3) for count, edge in edges.items()}
    assert rounded == {1: 0.263, 2: 0.052, 3: -0.159, 4: -0.370, 5: -0.581}
    # What the pools get they give back.
    assert players_edges(today("blackjack", jackpot_bp=1_000, mystery_bp=1_000))
