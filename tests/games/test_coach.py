"""The coach: its figures are those of the rules, and it says nothing before a hand has ended."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from games.boards.family import family_of
from games.boards.help import Path
from games.bots.simulate import Strategy, strategies
from games.families.blackjack import family as blackjack
from games.families.doudizhu import family as doudizhu
from games.families.poker import casino_holdem, russian_poker
from games.families.thirteen.family import units_of
from games.models import Table
from games.rules.baccarat.odds import exact_odds
from games.rules.blackjack.analysis.strategy import held_of, rules_of, worths
from games.rules.blackjack.totals import POINTS
from games.rules.casino_holdem.calling import call_value
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import SeatStack, State
from games.rules.thirteen.suggest import best_against
from games.rules.verifying import drawn_context
from games.tables.hand_verbs import void
from tests.games.house import House
from tests.people import client_of
from wallets.models import Currency

CURRENCY = Currency(code="PLAY", name="play money", exponent=2)
THIRTEEN = [key for key in GAMES if GAMES[key].family == "thirteen"]
STACK = 10_000_000


def played(key: str, seed: int, mine: str = "best", **options: Any) -> Path:
    """A hand that seat 1 plays by one strategy and the others by the best."""
    game: Any = game_type(key)(**options)
    random = Random(f"{key} {seed}")
    cards = list(game.composition())
    random.shuffle(cards)
    count = max(2, min(3, game.seats[-1])) if 3 in game.seats else game.seats[-1]
    stakes = [SeatStack(number, STACK) for number in range(1, count + 1)]
    fixed: dict[str, Any] = {"button": 1} if "button" in game.context_type.__struct_fields__ else {}
    drawn = drawn_context(game, lambda _label, size: random.randrange(size))
    context = msgspec.convert(fixed | drawn, game.context_type)
    players: dict[Any, Strategy] = {
        stake.seat: strategies(game)[mine if stake.seat == 1 else "best"] for stake in stakes
    }
    states: list[State] = [game.open(stakes, cards, context)]
    moves = []
    while waiting := game.to_act(states[-1]):
        party = min(waiting, key=str)
        if party == "house":
            action = game.fallback(states[-1], party)
        else:
            action = players[party](game, game.view(states[-1], party))
        moves.append((party, action))
        states.append(game.apply(states[-1], party, action))
    return Path(game, states, moves, 1, CURRENCY)


def money(amount: float) -> str:
    return Path(None, (), (), 1, CURRENCY).money(amount)


COACHES = {
    "doudizhu": doudizhu,
    "blackjack": blackjack,
    "casino_holdem": casino_holdem,
    "russian_poker": russian_poker,
    "baccarat": family_of("baccarat"),
}


@pytest.mark.parametrize("family", COACHES)
def test_coach_has_no_objection_to_strategy_play(family: str) -> None:
    for seed in range(4):
        advice = COACHES[family].advise(played(family, seed))  # type: ignore[attr-defined]
        assert [moment.better for moment in advice.moments if moment.better] == []


def missed(room: Any, key: str, strategy: str, seeds: Sequence[int], **options: Any) -> list[Any]:
    """Paths and moments at which a worse way of playing was reproached."""
    mistakes = []
    for seed in seeds:
        path = played(key, seed, strategy, **options)
        mistakes += [(path, moment) for moment in room.advise(path).moments if moment.better]
    return mistakes


def test_blackjack_costs_what_the_strategy_says() -> None:
    mistakes = missed(blackjack, "blackjack", "mimic", range(30))
    assert mistakes
    for path, moment in mistakes:
        view: Any = path.game.view(path.states[moment.step - 1], 1)
        box = next(box for box in view.boxes if box.number == view.box)
        hand = box.hands[view.hand]
        worth: Any = worths(rules_of(path.game), held_of(hand.cards), POINTS[view.dealer[0]])
        offered = {choice.do for choice in path.game.choices(path.states[moment.step - 1], 1)}
        did = str(path.moves[moment.step - 1][1].__struct_config__.tag)
        best = max(worth[do] for do in worth if do in offered)
        assert moment.cost == money((best - worth[did]) * box.players[0].bet)
        assert moment.better.words.lower() == next(
            do for do in worth if do in offered and worth[do] == best
        )


@pytest.mark.slow
def test_holdem_costs_what_a_call_is_worth() -> None:
    mistakes = missed(casino_holdem, "casino_holdem", "caller", range(12))
    assert mistakes
    for path, moment in mistakes:
        hole, flop = moment.done.cards
        worth = call_value(hole, flop)
        assert worth < -1
        ante = next(a.amount for p, a in path.moves if p == 1 and hasattr(a, "amount"))
        assert moment.cost == money(float((-1 - worth) * ante))
        assert moment.better.words == "Fold"


@pytest.mark.always
@pytest.mark.slow
def test_russian_poker_knows_better_than_never_to_draw() -> None:
    mistakes = missed(russian_poker, "russian_poker", "simple", range(12))
    assert mistakes
    assert {moment.better.words for _path, moment in mistakes} <= {
        "Exchange", "Buy a card", "Bet", "Fold", "Buy the dealer a card", "Accept",
    }  # fmt: skip


def test_baccarat_says_what_a_bet_costs() -> None:
    (path, moment), *_more = missed(family_of("baccarat"), "baccarat", "tie", range(1))
    game: Any = path.game
    edges = exact_odds(game, game.composition()).edges
    amount = path.moves[moment.step - 1][1].amount
    assert moment.cost == money(float((edges["tie"] - min(edges.values())) * amount))


def test_coach_names_the_turns_at_which_the_bot_would_have_played_differently() -> None:
    mistakes = missed(doudizhu, "doudizhu", "legal", range(4))
    assert mistakes
    for path, moment in mistakes:
        view: Any = path.game.view(path.states[moment.step - 1], 1)
        bot = strategies(path.game)["best"](path.game, view)
        cards = getattr(bot, "cards", ())
        assert moment.why
        if cards:
            assert frozenset(moment.better.cards[0]) == frozenset(cards)
        elif view.phase == "play":
            assert moment.better.words == "pass"


@pytest.mark.parametrize("key", THIRTEEN)
@pytest.mark.parametrize("seed", range(2))
def test_thirteen_cards_are_held_against_what_was_shown(key: str, seed: int) -> None:
    path = played(key, seed)
    game, last = path.game, path.states[-1]
    advice = family_of(game).advise(path)
    (moment,) = advice.moments
    settlement = game.settle(last)
    made = sum(
        transfer.amount if transfer.target == 1 else -transfer.amount
        for transfer in settlement.transfers
        if 1 in (transfer.source, transfer.target) and transfer.reason != "rake"
    )
    assert moment.is_hindsight
    assert moment.done.worth == path.result(made)
    shown = {hand.seat: hand for hand in game.show(last)}
    others = [hand for seat, hand in shown.items() if seat != 1]
    units = units_of(game, last, 1, list(shown))
    state: Any = last
    best = best_against(game, state.hands[0], others, seat=1, banker=state.banker, units=units)
    if moment.better:
        assert moment.better.worth == path.result(best.points)
        assert moment.cost == money(best.points - made)
    else:
        assert best.points <= made


def test_coach_finds_no_moments_in_a_hand_without_decisions() -> None:
    path = played("blackjack", 0, "house")
    assert blackjack.advise(path).moments == ()


# The page.


def test_a_hand_that_was_taken_back_has_no_coach(house: House) -> None:
    table: Table = house.dealt_in("baccarat", "alice")
    assert table.hand_id
    hand = void(table.hand_id, "a test", "operator", house.now)
    client = client_of(house.person("alice"))
    assert client.get(f"/history/{hand.pk}/coach/").status_code == 404
