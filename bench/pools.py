"""Play bonus bets with their pools, and compare with the figures: `python -m bench.pools`.

Each round is one smallest bonus bet: cards and named cards are drawn, the bet is settled by the
functions that settle hands, and the pools live as they do at a table: bets feed them, hits and
triggers empty them, and the house fills them up to their seeds. What the house keeps is its result
less what it puts into pools.

Of tables without a jackpot the cost of the pools is compared by itself, too, since the cards'
chance would hide a wrong one. A jackpot is hit fifteen times in a million rounds, so
`tests/rules/test_pool_costs.py` plays its hits instead. By default a million rounds of each game
are played, in a minute.
"""

import sys
from collections.abc import Callable
from functools import cache
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple

from games.rules.analysis.edges import PoolTerms, house_edges, pools_cost
from games.rules.blackjack.analysis.strategy import FIRST, best_move, held_of, rules_of
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import combination
from games.rules.blackjack.totals import POINTS, is_blackjack
from games.rules.cards import DECK, Card
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.casino_holdem.game import bonus_combination as holdem_combination
from games.rules.house.bonus import BonusGame
from games.rules.house.sides import Holding, Shares, SideContext, named_prizes, weight_of
from games.rules.poker import CODE, ranking
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import bonus_combination as russian_combination

ROUNDS: Final = 1_000_000
# A figure agrees if it is within so many standard errors.
ERRORS: Final = 4
DECKS: Final = 6


class Case(NamedTuple):
    """A table's rules, and how the house starts its pools."""

    name: str
    game: BonusGame[Any]
    terms: PoolTerms


MYSTERY: Final = {"mystery_seed": 5_000, "lowest": 10_000, "highest": 50_000}
CASES: Final = (
    Case(
        "blackjack, mystery prize, a tenth",
        Blackjack(edition=2, jackpot_bp=0, mystery_bp=1_000),
        PoolTerms(**MYSTERY),
    ),
    Case(
        "blackjack, mystery prize, a twentieth",
        Blackjack(edition=2, jackpot_bp=0, mystery_bp=500),
        PoolTerms(**MYSTERY),
    ),
    Case(
        "blackjack, both pools",
        Blackjack(edition=2, jackpot_bp=200, mystery_bp=200, third_card="dealer_up"),
        PoolTerms(seed=500_000, **MYSTERY),
    ),
    Case(
        "casino hold'em, jackpot",
        CasinoHoldem(edition=2, jackpot_bp=1_000, mystery_bp=0),
        PoolTerms(seed=1_000_000),
    ),
    Case(
        "Russian poker, jackpot and mystery prize",
        RussianPoker(edition=2, jackpot_bp=1_000, mystery_bp=200, bonus_card=False),
        PoolTerms(seed=1_000_000, **MYSTERY),
    ),
)


class Measured(NamedTuple):
    """A share of each bet as it was played, with its standard error, and the published one."""

    played: float
    error: float
    published: float

    @property
    def agrees(self) -> bool:
        return abs(self.played - self.published) <= ERRORS * self.error


class Sum:
    """Adds up amounts, and their squares."""

    def __init__(self) -> None:
        self.total = self.squares = 0

    def add(self, amount: int) -> None:
        self.total += amount
        self.squares += amount * amount

    def measured(self, rounds: int, stake: int, published: float) -> Measured:
        mean = self.total / rounds
        error = sqrt((self.squares / rounds - mean**2) / rounds)
        return Measured(mean / stake, error / stake, published)


class Pools:
    """The two pools of a table, from round to round, in minor units."""

    def __init__(self, case: Case, chance: Random) -> None:
        self._terms, self._chance = case.terms, chance
        self._shares = Shares(case.game.jackpot_bp, case.game.mystery_bp)
        self.jackpot, self.mystery = case.terms.seed, case.terms.mystery_seed
        self._trigger = self._next_trigger()

    def _next_trigger(self) -> int:
        return self._chance.randint(self._terms.lowest, self._terms.highest)

    def cost(self, stake: int, share_bp: int, least: int) -> int:
        """Feed both pools, pay what was hit, and return what all of it costs the house."""
        fed = self._shares.of("progressive", stake), self._shares.of("mystery", stake)
        cost = sum(fed)
        if share_bp:
            paid = self.jackpot * share_bp // 10_000
            self.jackpot -= paid
            cost += max(0, least - paid)
        if fed[1] and self.mystery + fed[1] >= self._trigger:
            self.mystery -= max(self._trigger, self.mystery)
            self._trigger = self._next_trigger()
        self.jackpot, self.mystery = self.jackpot + fed[0], self.mystery + fed[1]
        for name, seed in (("jackpot", self._terms.seed), ("mystery", self._terms.mystery_seed)):
            lacking = max(0, seed - getattr(self, name))
            setattr(self, name, getattr(self, name) + lacking)
            cost += lacking
        return cost


def blackjack_hand(game: Blackjack, chance: Random) -> Holding:
    first, two, up, third = (DECK[card % 52] for card in chance.sample(range(52 * DECKS), 4))
    drawn: Card | None
    if game.third_card == "dealer_up":
        drawn = up
    else:
        drawn = third if _draws(game, POINTS[first], POINTS[two], POINTS[up]) else None
    if is_blackjack((first, two)):
        drawn = None
    return Holding(combination((first, two), drawn, game.jackpot_shares), (first, two))


@cache
def _draws(game: Any, one: int, two: int, up: int) -> bool:
    by_points = {POINTS[card]: card for card in DECK}
    held = held_of((by_points[one], by_points[two]))
    return best_move(rules_of(game), held, up, FIRST) in ("hit", "double")


def holdem_hand(game: CasinoHoldem, chance: Random) -> Holding:
    cards = _five(chance)
    value = ranking().five(*(CODE[card] for card in cards))
    return Holding(holdem_combination(value, game.shares_bp, game.share_least), cards[:2])


def russian_hand(game: RussianPoker, chance: Random) -> Holding:
    cards = _five(chance)
    combo = russian_combination(cards, game.jackpot_shares, game.share_least)
    return Holding(combo, cards, cards[: game.bonus_cards_counted])


def _five(chance: Random) -> tuple[Card, ...]:
    return tuple(DECK[card] for card in chance.sample(range(52), 5))


HANDS: Final[dict[type, Callable[[Any, Random], Holding]]] = {
    Blackjack: blackjack_hand,
    CasinoHoldem: holdem_hand,
    RussianPoker: russian_hand,
}


def measure(case: Case, rounds: int, seed: str) -> tuple[Measured, Measured]:
    """Return what the house keeps of a bet, and what the pools cost it of that."""
    chance, game, stake = Random(seed), case.game, case.game.bonus_min
    pools, kept, spent = Pools(case, chance), Sum(), Sum()
    deal = HANDS[type(game)]
    for _round in range(rounds):
        holding = deal(game, chance)
        cost = _cost(pools, holding, stake)
        kept.add(_before_pools(game, holding, stake, chance) - cost)
        spent.add(cost)
    edge = float(house_edges(game, case.terms)["bonus"])
    published = float(pools_cost(game, case.terms))
    return kept.measured(rounds, stake, edge), spent.measured(rounds, stake, published)


def _cost(pools: Pools, holding: Holding, stake: int) -> int:
    combo = holding.combination
    least = combo.least.win(stake) if combo and combo.least else 0
    return pools.cost(stake, combo.share_bp if combo else 0, least)


def _before_pools(game: BonusGame[Any], holding: Holding, stake: int, chance: Random) -> int:
    """What the house keeps of one bet by fixed odds and named cards."""
    combo = holding.combination
    won = combo.odds.win(stake) if combo and combo.odds else 0
    paid = combo is not None
    drawn = _drawn(game, chance)
    for _key, _card, multiple in named_prizes(
        drawn, game.wheel_segments, game.lucky_prizes, holding
    ):
        won += multiple * stake
        paid = paid or multiple > 0
    return (0 if paid else stake) - won


def _drawn(game: BonusGame[Any], chance: Random) -> SideContext:
    """The named cards of a round, and where the wheel stops."""

    def card() -> Card:
        return DECK[chance.randrange(52)]

    return SideContext(
        bonus_card=card() if game.bonus_card and "bonus_card" in game.features else None,
        wheel_card=card() if game.wheel else None,
        wheel=chance.randrange(weight_of(game.wheel_segments)) if game.wheel else None,
        lucky_card=card() if game.lucky_game and "lucky_card" in game.features else None,
        lucky_game=chance.randrange(weight_of(game.lucky_prizes))
        if game.lucky_game and "lucky_game" in game.features
        else None,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"| table | | published | {rounds:,} rounds | standard error | |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    agree = True
    for case in CASES:
        whole, cost = measure(case, rounds, case.name)
        rows = [("the house keeps", whole)]
        if not case.game.jackpot_bp:
            rows.append(("pools cost", cost))
        for words, measured in rows:
            shown = [
                f"{100 * share:.2f} %"
                for share in (measured.published, measured.played, measured.error)
            ]
            verdict = "agrees" if measured.agrees else "differs"
            print(f"| {case.name} | {words} | {' | '.join(shown)} | {verdict} |", flush=True)
            agree &= measured.agrees
    sys.exit(not agree)


if __name__ == "__main__":
    main()
