"""The model behind the suggestions, against crowds so small that every opponent can be met."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import cast

import msgspec
import pytest

from games.rules.cards import DECK, SUITS, Card, parse_cards
from games.rules.catalogue import game_type
from games.rules.poker import Category
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.model import (
    ExpectedPoints,
    Orders,
    Population,
    RowShares,
    RowWorth,
    expected_points,
    manner,
    read_population,
    worth,
)
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.populations import POPULATIONS
from games.rules.thirteen.showdown import BACK, RowValue, Shown, row_value
from tests.rules.cases import each, every
from tests.rules.conftest import Share

TABLES: list[tuple[str, dict[str, object]]] = [
    ("chinese_poker", {}),
    ("chinese_poker", {"residual_tie": True}),
    ("chinese_poker", {"table": "bonus"}),
    ("chinese_poker", {"table": "bonus", "extra_point": "no_premium"}),
    ("chinese_poker", {"table": "bonus", "extra_point": "no_premium", "residual_tie": True}),
    ("thirteen_hongkong", {}),
    ("thirteen_hongkong", {"banker_eats_ties": True}),
    ("thirteen_philippine", {}),
    ("thirteen_taiwan", {}),
    ("thirteen_taiwan", {"banker_eats_ties": True}),
    ("thirteen_taiwan", {"banker": "fixed", "prices": "low"}),
    ("thirteen_taiwan", {"banker": "fixed", "banker_eats_ties": True}),
    ("thirteen_fujian", {"jokers": 0}),
    ("thirteen_fujian", {}),
]
# Fujian's rows with jokers rank at the table with jokers only.
FRONTS = "AsKdQh AsKdJh 5s4d2h AsAdQh AsAdJh KsKd2h 2s2d2h AsAdAh BJRJ3s AsAdRJ"
MIDDLES = (
    "AsKdQh9c2c AsKdQh8c2c AsAd5h4c3c AsAd6h4c3c KsKd2h2c3c KsKd2h2c4c 9s9d9h3c2c As2d3h4c5c "
    "Ks9s7s5s2s 2s2d2hAcAd 3s3d3h2c2d 8s8d8h8cAd 9s8s7s6s5s AsKsQsJsTs BJRJ4s4d4h 7s7dRJ6c5c "
    "AsKs9s7s5s BJKs9s7s5s"
)
BACKS = (
    "KsKd2h2c4c KsKd3h3c4c As2d3h4c5c 9s8d7h6c5c 9s8d7h6c5d Ks9s7s5s2s Ks9s7s5s3s 2s2d2hAcAd "
    "3s3d3h2c2d 2s2d2h2c3d 8s8d8h8cAd 9s8s7s6s5s AsKsQsJsTs BJ6s6d6h6c KsKdRJ2c4c "
    "AsKs9s7s5s BJKs9s7s5s"
)

Cards = tuple[Card, ...]


def a_game(key: str, options: dict[str, object]) -> ThirteenGame:
    return cast(ThirteenGame, msgspec.convert(options, game_type(key)))


def turned(cards: Cards, steps: int) -> Cards:
    """The same ranks in the suits that are so many steps on."""
    return tuple(
        Card(card.text[0] + SUITS[(card.suit + steps) % 4]) if card in DECK else card
        for card in cards
    )


class Crowd:
    """Opponents whose rows have nothing to do with each other, four of each row."""

    def __init__(self, game: ThirteenGame, random: Random) -> None:
        self.game = game
        pools = [
            [row for row in map(parse_cards, pool.split()) if set(row) <= set(game.composition())]
            for pool in (FRONTS, MIDDLES, BACKS)
        ]
        self.mine = tuple(turned(random.choice(pool), random.randrange(4)) for pool in pools)
        # One of a crowd's rows is mine, or as good as mine.
        self.rows = [
            [own, *random.choices(pool, k=3)] for own, pool in zip(self.mine, pools, strict=True)
        ]
        kinds = random.sample(list(game.naturals), 3)
        self.naturals = {
            (kind, game.has_jokers and random.random() < 0.5): random.choice((0.03, 0.1, 0.2))
            for kind in kinds
        }
        self.home_run = random.choice((0.25, 0.4))
        self.arranged = 1.0 - sum(self.naturals.values())

    def population(self) -> Population:
        front, middle, back = map(self._shares, self.rows)
        return Population((front, middle, back), self.naturals, self.home_run)

    def _shares(self, rows: Sequence[Cards]) -> RowShares:
        """Shares that rise only within a value: what is below is exactly what is below."""
        values = sorted(row_value(row, self.game.ranks) for row in rows)
        points = sorted({0, *values, *(value + 1 for value in values)})
        return RowShares(
            tuple(points),
            tuple(sum(value < point for value in values) / len(values) for point in points),
        )

    def opponents(self) -> Iterator[tuple[float, tuple[RowValue, ...]]]:
        """Every opponent's rows, and how likely it is to meet them; equal ranks in any suits."""
        met = []
        for own, rows in zip(self.mine, self.rows, strict=True):
            value = row_value(own, self.game.ranks)
            of_this_row = []
            for row in rows:
                equal = row_value(row, self.game.ranks) == value
                suits = [turned(own, steps) for steps in (1, 2, 3)] if equal else [row]
                of_this_row += [(1 / len(rows) / len(suits), other) for other in suits]
            met.append([(share, self.game.rank_row(row)) for share, row in of_this_row])
        for (a, front), (b, middle), (c, back) in product(*met):
            yield a * b * c, (front, middle, back)


def a_seat(
    seat: int, rows: Sequence[RowValue] = (), natural: Natural | None = None, wild: bool = False
) -> Shown:
    return Shown(seat, tuple(rows), False, natural, wild)


LOWEST = [RowValue(-1, Category.HIGH_CARD)] * 3
# Two others who lose all rows to anyone, and two against whom there is no sweep.
FALLING = [a_seat(2, LOWEST), a_seat(3, LOWEST)]
STANDING = [a_seat(2, natural=Natural.DRAGON), a_seat(3, natural=Natural.DRAGON)]


class Table:
    """What a seat wins from another by the game's own comparison."""

    def __init__(self, game: ThirteenGame, is_banker: bool) -> None:
        self.game = game
        # The banker is compared with the others, not they with the banker.
        self.as_first = is_banker or game.bet_limits is None

    def points(self, mine: Shown, theirs: Shown, others: Sequence[Shown]) -> int:
        first, second = (mine, theirs) if self.as_first else (theirs, mine)
        won = sum(
            score.points for score in self.game.compare(first, second, [mine, theirs, *others])
        )
        return won if self.as_first else -won

    def average(self, crowd: Crowd) -> float:
        """What my rows win from those of a crowd who do not declare."""
        mine = a_seat(1, list(map(self.game.rank_row, crowd.mine)))
        scores = [
            (
                share,
                self.points(mine, a_seat(0, rows), STANDING),
                self.points(mine, a_seat(0, rows), FALLING),
            )
            for share, rows in crowd.opponents()
        ]
        swept = sum(share for share, standing, falling in scores if falling > standing)
        total = 0.0
        for share, standing, falling in scores:
            run = (swept * crowd.arranged) ** 2 if standing > 0 else crowd.home_run
            total += share * ((1.0 - run) * standing + run * falling)
        return total

    def from_naturals(self, crowd: Crowd, mine: Shown) -> float:
        others = [a_seat(2, LOWEST), a_seat(3, LOWEST)]
        return sum(
            share * self.points(mine, a_seat(0, (), natural, wild), others)
            for (natural, wild), share in crowd.naturals.items()
        )


@pytest.mark.long
@each(*TABLES)
@every(is_banker=[False, True])
def test_the_model_expects_what_every_opponent_of_a_crowd_pays(
    key: str, options: dict[str, object], is_banker: bool, share: Share[int]
) -> None:
    game = a_game(key, options)
    table = Table(game, is_banker)
    for seed in share(range(20), least=2):
        crowd = Crowd(game, Random(f"{key} {options} {is_banker} {seed}"))
        model = ExpectedPoints(game, crowd.population(), is_banker=is_banker)
        orders = orders_of(game, crowd.mine)
        average = table.average(crowd)
        assert worth(model, orders) == pytest.approx(average, abs=1e-5)
        from_naturals = table.from_naturals(crowd, a_seat(1, LOWEST))
        assert model.of_rows(orders) == pytest.approx(
            average * crowd.arranged + from_naturals, abs=1e-5
        )
        for natural, wild in crowd.naturals:
            mine = a_seat(1, (), natural, wild)
            # Whatever rows another may have, a natural wins the same from them.
            from_rows = crowd.arranged * table.points(mine, a_seat(0, LOWEST), FALLING)
            assert model.of_natural(natural, wild) == pytest.approx(
                from_rows + table.from_naturals(crowd, mine)
            )


def orders_of(game: ThirteenGame, rows: Sequence[Cards]) -> Orders:
    front, middle, back = (game.rank_row(row).order for row in rows)
    return front, middle, back


@each(*TABLES)
def test_no_lower_rows_earn_more_together_than_is_said(
    key: str, options: dict[str, object], share: Share[int]
) -> None:
    """What the search gives up by: too small a bound would hide the best arrangement."""
    game = a_game(key, options)
    for seed in share(range(10), least=2):
        random = Random(f"{key} {options} {seed}")
        crowds = [Crowd(game, random) for _ in range(6)]
        model = ExpectedPoints(game, crowds[0].population(), is_banker=random.random() < 0.5)
        orders = [orders_of(game, crowd.mine) for crowd in crowds]
        highest = [model.terms(row, max(order[row] for order in orders)) for row in range(3)]
        bound = model.together_at_most(*highest)
        for order in product(*zip(*orders, strict=True)):
            terms = [model.terms(row, order[row]) for row in range(3)]
            assert model.together(*terms) <= bound + 1e-12


def test_the_bound_of_the_extra_point_is_the_chance_to_win_more_rows() -> None:
    """Where a premium forfeits the point, a lower row may earn it all the same."""
    game = a_game("chinese_poker", {"table": "bonus", "extra_point": "no_premium"})
    model, random = expected_points(game), Random(7)
    for _ in range(20):
        chances = [random.choice([(0.2, 0.3), (0.5, 0.5), (0.6, 0.0), (0.0, 0.7)]) for _ in "123"]
        outcomes = [((1, win), (-1, lose), (0, 1.0 - win - lose)) for win, lose in chances]
        more = sum(a * b * c for (x, a), (y, b), (z, c) in product(*outcomes) if x + y + z > 0)
        rows = [
            RowWorth(0.0, win, lose, win, lose, 1, win, lose, 1.0 - lose, 1.0 - win)
            for win, lose in chances
        ]
        assert model.together_at_most(*rows) == pytest.approx(more)


def test_a_row_loses_to_the_very_next() -> None:
    """With a joker the flush is one below the same in real cards."""
    game = a_game("thirteen_fujian", {})
    mine, theirs = (row_value(parse_cards(row), game.ranks) for row in ("BJKs9s7s5s", "AsKs9s7s5s"))
    shares = RowShares((0, theirs, theirs + 1), (0.0, 0.0, 1.0))
    model = ExpectedPoints(game, Population((shares, shares, shares), {}, 0.0), is_banker=False)
    assert theirs == mine + 1
    assert (model.terms(BACK, mine).win, model.terms(BACK, mine).lose) == (0.0, 1.0)
    assert (model.terms(BACK, theirs).win, model.terms(BACK, theirs).lose) == (0.0, 0.0)


@each(*TABLES)
def test_the_highest_worth_of_a_row_is_that_of_its_best_suits(
    key: str, options: dict[str, object]
) -> None:
    game = a_game(key, options)
    crowd = Crowd(game, Random(key))
    model = ExpectedPoints(game, crowd.population(), is_banker=False)
    for row, rows in enumerate(crowd.rows):
        for cards in rows:
            value = row_value(cards, game.ranks)
            most = max(
                (model.terms(row, game.rank_row(turned(cards, steps)).order) for steps in range(4)),
                key=lambda terms: terms.points,
            )
            assert model.highest_terms(row)[value].points == most.points
            assert model.highest_points(row)[value] == most.points


def test_stored_crowds_are_read_in_ten_thousandths() -> None:
    population = read_population(
        {
            "front": "0:0 1a:2500 20:10000",
            "middle": "0:0 30:10000",
            "back": "0:1 ff:10000",
            "naturals": "dragon:real:1000 dragon:wild:500",
            "home_run": "7500",
        }
    )
    assert population == Population(
        (
            RowShares((0, 26, 32), (0.0, 0.25, 1.0)),
            RowShares((0, 48), (0.0, 1.0)),
            RowShares((0, 255), (0.0001, 1.0)),
        ),
        {(Natural.DRAGON, False): 0.1, (Natural.DRAGON, True): 0.05},
        0.75,
    )
    assert population.arranged == pytest.approx(0.85)


def test_every_stored_crowd_is_the_one_its_table_meets() -> None:
    models = [expected_points(a_game(key, options)) for key, options in TABLES]
    assert not any(model.is_banker for model in models)
    crowds = {manner(model.game): model.population for model in models}
    assert crowds == {name: read_population(stored) for name, stored in POPULATIONS.items()}
    for population in crowds.values():
        assert 0.5 < population.arranged < 1.0
        assert 0.0 < population.home_run < 1.0
