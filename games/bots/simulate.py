"""Letting the bots play many hands, and counting what comes of it.

The same seed gives the same hands: the cards are shuffled as in the shoe protocol, from a key that
is the hash of the seed. The seats have purses that never run short, the button moves on, and the
features that a draw would switch on stay off.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from typing import Any, Final

import msgspec

from games.rules.catalogue import GAMES
from games.rules.contract import Action, AnyGame, Context, Party, Stake, State, View
from games.rules.errors import AMOUNT_MAX, Unreadable
from games.rules.settlement import Settlement
from games.rules.shoe import perm

HANDS_MAX: Final = 10_000_000
# What of a settlement line tells one event from another.
DETAILS: Final = ("row", "natural", "winner")

Strategy = Callable[[AnyGame, View], Action]


def strategies(game: AnyGame) -> dict[str, Strategy]:
    """The ways a bot can play this game, by name."""
    module: Any = import_module(f"games.bots.{GAMES[game.key].family}")
    found: dict[str, Strategy] = module.STRATEGIES
    return found


def simulate(game: AnyGame, hands: int, seed: str, strategy: str | None) -> dict[str, Any]:
    """Play so many hands; the first seat by the strategy named, the others by `best`."""
    known = strategies(game)
    for name, good, told in (
        ("hands", 0 < hands <= HANDS_MAX, f"1 to {HANDS_MAX}"),
        ("strategy", strategy is None or strategy in known, ", ".join(known)),
    ):
        if not good:
            raise Unreadable(name, "The {name} can be {told}.", name=name, told=told)
    stakes = [Stake(seat, AMOUNT_MAX) for seat in range(1, game.seats[-1] + 1)]
    players = {stake.seat: known["best"] for stake in stakes}
    players[1] = known[strategy or "best"]
    key = hashlib.sha256(seed.encode()).digest()
    tally = Tally()
    for number in range(hands):
        tally.add(play_hand(game, stakes, players, key, number))
    return {"game": game.key, "hands": hands, "seed": seed, "strategy": strategy or "best"} | (
        tally.report()
    )


def against(
    game: AnyGame, hands: int, seed: str, strategy: str | None, opponent: str
) -> dict[str, Any]:
    """Two ways of playing against each other, where a game's bots know how to match them."""
    known = strategies(game)
    family = GAMES[game.key].family
    if find_spec(f"games.bots.{family}_match") is None:
        raise Unreadable("against", "{name} has no match of two strategies.", name=game.name)
    for name in (strategy or "best", opponent):
        if name not in known:
            raise Unreadable("strategy", "The strategy can be {told}.", told=", ".join(known))
    if not 2 <= hands <= HANDS_MAX:
        raise Unreadable("hands", "The hands can be {told}.", told=f"2 to {HANDS_MAX}")
    module: Any = import_module(f"games.bots.{family}_match")
    match = module.match(strategy or "best", opponent, hands // 2, seed, game)
    result: dict[str, Any] = msgspec.to_builtins(match)
    return {"game": game.key, "seed": seed, "strategy": strategy or "best", "against": opponent} | (
        result
    )


def play_hand(
    game: AnyGame,
    stakes: Sequence[Stake],
    players: dict[int, Strategy],
    key: bytes,
    number: int,
) -> Settlement:
    """One hand, dealt by its number."""

    def draw(label: str, size: int) -> int:
        return perm(key, f"{label} {number}".encode(), size)[0]

    shoe = game.composition()
    cards = [shoe[at] for at in perm(key, f"deal {number}".encode(), len(shoe))]
    state: State = game.open(stakes, cards, _context(game, stakes, number, draw))
    while waiting := game.to_act(state):
        seat = min(waiting, key=str)
        state = game.apply(state, seat, _action(game, state, seat, players))
    return game.settle(state)


def _action(game: AnyGame, state: State, seat: Party, players: dict[int, Strategy]) -> Action:
    if seat == "house":
        return game.fallback(state, seat)
    return players[seat](game, game.view(state, seat))


def _context(
    game: AnyGame, stakes: Sequence[Stake], number: int, draw: Callable[[str, int], int]
) -> Context:
    """What the world outside would have decided: who holds the button, and which card is wild."""
    decided = {"button": stakes[number % len(stakes)].seat, "wild": draw("wild", 51)}
    known = game.context_type.__struct_fields__
    told = {name: value for name, value in decided.items() if name in known}
    return msgspec.convert(told, game.context_type)


class Tally:
    """What the settlements of many hands come to."""

    def __init__(self) -> None:
        self._hands = 0
        self._sums: Counter[Party] = Counter()
        self._squares: Counter[Party] = Counter()
        self._events: Counter[str] = Counter()
        self._rake = 0

    def add(self, settlement: Settlement) -> None:
        self._hands += 1
        self._rake += sum(settlement.rake.values())
        for party, net in settlement.net.items():
            self._sums[party] += net
            self._squares[party] += net * net
        for line in settlement.lines:
            told = [str(line.values[name]) for name in DETAILS if name in line.values]
            self._events[" ".join([line.key, *told])] += 1

    def report(self) -> dict[str, Any]:
        """Means a hand: net with its standard error, rake, and how often each event happened."""
        hands = self._hands
        net = {}
        for party, total in self._sums.items():
            # Whole numbers up to the last step: squares of amounts outgrow what a float holds.
            variance = (self._squares[party] * hands - total * total) / hands**2
            net[str(party)] = {"mean": total / hands, "standard_error": sqrt(variance / hands)}
        frequencies = {event: count / hands for event, count in self._events.most_common()}
        return {"net": net, "rake": self._rake / hands, "frequencies": frequencies}
