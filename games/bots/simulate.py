"""Let the bots play many hands, and count the results.

The same seed gives the same hands: the cards are shuffled as in the shoe protocol, from a key that
is the hash of the seed, and so are all other draws of a hand. The seats have stacks that
never run short, and the button moves on. Every hand has a fresh shoe.

Against the house one seat plays, as others would only be in its way. Pools live on from hand to
hand: they start empty, get their shares, and a hit is paid what they hold.
"""

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import msgspec

from games.rules.catalogue import GAMES
from games.rules.contract import Action, AnyGame, Party, SeatStack, State, View
from games.rules.errors import Unreadable
from games.rules.house.actions import Pool
from games.rules.house.pools import Trigger, draw_trigger, mystery_left, mystery_prize
from games.rules.settlement import Line, PoolName, Settlement
from games.rules.shoe import perm
from games.rules.verifying import drawn_context
from wallets.values import AMOUNT_MAX

HANDS_MAX: Final = 10_000_000
# The fields of a settlement line that distinguish events.
DETAILS: Final = ("row", "natural", "winner", "bet", "combination")
# The bets against the house: all together, the main bet of a box, and its bonus bet.
ALL, MAIN, BONUS = "all", "main", "bonus"
BONUS_KEYS: Final = (
    *("bonus_won", "bonus_card", "wheel", "lucky_game"),
    *("jackpot", "jackpot_least", "mystery"),
)
POOL_KEYS: Final = ("pool_share", "pool_paid")
# Between what amounts a mystery prize falls, in minor units.
MYSTERY_BOUNDS: Final = (10_000, 50_000)

G_contra = TypeVar("G_contra", bound=AnyGame, contravariant=True)
V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class Bot(Protocol[G_contra, V_contra]):
    """A way to play games of one type: from what a seat sees to what it does."""

    def __call__(self, game: G_contra, view: V_contra, /) -> Action: ...


# A bot that was found by its game: the game and its views belong to it.
Strategy = Bot[Any, Any]


def strategies(game: AnyGame) -> dict[str, Strategy]:
    """The ways a bot can play this game, by name."""
    module: Any = import_module(GAMES[game.key].bots_module)
    bots: dict[str, Strategy] = module.STRATEGIES
    return bots


def strengths(game: str) -> Mapping[str, str]:
    """The strategy of a bot by its strength; none where all bots of a game play alike."""
    module: object = import_module(GAMES[game].bots_module)
    by_strength: Mapping[str, str] = getattr(module, "STRENGTHS", {})
    return by_strength


def quick_strategies(game: AnyGame) -> Sequence[str]:
    """The quickest bots that play a whole hand, as `QUICK` of their module names them; each is as
    often in it as it is to be chosen."""
    module: object = import_module(GAMES[game.key].bots_module)
    names: Sequence[str] = getattr(module, "QUICK", ("house",))
    return names


def simulate(game: AnyGame, hands: int, seed: str, strategy: str | None) -> dict[str, Any]:
    """Play so many hands; the first seat by the strategy named, the others by `best`."""
    known = strategies(game)
    for name, good, allowed in (
        ("hands", 0 < hands <= HANDS_MAX, f"1 to {HANDS_MAX}"),
        ("strategy", strategy is None or strategy in known, ", ".join(known)),
    ):
        if not good:
            raise Unreadable(name, "The {name} can be {allowed}.", name=name, allowed=allowed)
    seats = 1 if game.against_house else game.seats[-1]
    stakes = [SeatStack(seat, AMOUNT_MAX) for seat in range(1, seats + 1)]
    players = {stake.seat: known["best"] for stake in stakes}
    players[1] = known[strategy or "best"]
    key = hashlib.sha256(seed.encode()).digest()
    tally, pools = Tally(), Pools(key)
    for number in range(hands):
        played = play_hand(game, stakes, players, key, number, pools)
        tally.add(played)
        pools.add(played.settlement)
    return {"game": game.key, "hands": hands, "seed": seed, "strategy": strategy or "best"} | (
        tally.report()
    )


def against(
    game: AnyGame, hands: int, seed: str, strategy: str | None, opponent: str
) -> dict[str, object]:
    """Two ways of playing against each other, where a game's bots know how to match them."""
    known = strategies(game)
    matching = f"{GAMES[game.key].bots_module}_match"
    if find_spec(matching) is None:
        raise Unreadable("against", "{name} has no match of two strategies.", name=game.name)
    for name in (strategy or "best", opponent):
        if name not in known:
            raise Unreadable("strategy", "The strategy can be {allowed}.", allowed=", ".join(known))
    if not 2 <= hands <= HANDS_MAX:
        raise Unreadable("hands", "The hands can be {allowed}.", allowed=f"2 to {HANDS_MAX}")
    module: Any = import_module(matching)
    match = module.match(strategy or "best", opponent, hands // 2, seed, game)
    result: dict[str, object] = msgspec.to_builtins(match)
    return {"game": game.key, "seed": seed, "strategy": strategy or "best", "against": opponent} | (
        result
    )


class PlayedHand(NamedTuple):
    """The end of a hand, and against the house the bets before the cards."""

    settlement: Settlement
    staked: Mapping[str, int]


class Pools:
    """The pools of a table, from hand to hand."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._held: Counter[PoolName] = Counter()
        self._fallen = 0
        self._trigger = self._next_trigger()

    def left(self) -> int:
        """Return what the mystery pool is short of its trigger."""
        return mystery_left(self._trigger, self._held["mystery"])

    def prize(self, pool: PoolName) -> int:
        """Return what the house names when a pool is hit."""
        held = self._held[pool]
        return held if pool == "progressive" else mystery_prize(self._trigger, held)

    def add(self, settlement: Settlement) -> None:
        """Fill and empty the pools as a hand did; behind a mystery prize begins the next."""
        self._held.update(settlement.pools)
        if any(line.key == "mystery" for line in settlement.lines):
            self._fallen += 1
            self._trigger = self._next_trigger()

    def _next_trigger(self) -> Trigger:
        name = f"simulated-{self._fallen}"
        return draw_trigger(name, *MYSTERY_BOUNDS, hmac.digest(self._key, name.encode(), "sha256"))


def play_hand(
    game: AnyGame,
    stakes: Sequence[SeatStack],
    players: dict[int, Strategy],
    key: bytes,
    number: int,
    pools: Pools | None = None,
) -> PlayedHand:
    """One hand, dealt by its number."""

    def draw(label: str, size: int) -> int:
        return perm(key, f"{label} {number}".encode(), size)[0]

    shoe = game.composition()
    cards = [shoe[at] for at in perm(key, f"deal {number}".encode(), len(shoe))]
    pools = pools or Pools(key)
    decided = {"button": stakes[number % len(stakes)].seat, "mystery_left": pools.left()}
    known = game.context_type.__struct_fields__
    given = {name: value for name, value in decided.items() if name in known}
    context = msgspec.convert(given | drawn_context(game, draw), game.context_type)
    state: State = game.open(stakes, cards, context)
    staked: Counter[str] = Counter()
    while waiting := game.to_act(state):
        seat = min(waiting, key=str)
        if seat == "house":
            action = _house_move(game, state, pools)
        else:
            action = players[seat](game, game.view(state, seat))
            staked.update(_placed(game, action))
        state = game.apply(state, seat, action)
    return PlayedHand(game.settle(state), staked)


def _house_move(game: AnyGame, state: State, pools: Pools) -> Action:
    action = game.fallback(state, "house")
    return Pool(action.pool, pools.prize(action.pool)) if isinstance(action, Pool) else action


def _placed(game: AnyGame, action: Action) -> dict[str, int]:
    """Return the bets of an action before the cards: on its spot, or on a box and its bonus."""
    if type(action) is not game.bet_action:
        return {}
    placed: dict[str, Any] = msgspec.structs.asdict(action)
    stakes = {placed.get("on", MAIN): placed["amount"], BONUS: placed.get("bonus", 0)}
    return {bet: amount for bet, amount in stakes.items() if amount}


class Edge:
    """The share of what was bet that the house kept, over many hands."""

    def __init__(self) -> None:
        self._kept = self._staked = 0
        self._squares_kept = self._squares_staked = self._products = 0

    def add(self, kept: int, staked: int) -> None:
        """One hand."""
        self._kept += kept
        self._staked += staked
        self._squares_kept += kept * kept
        self._squares_staked += staked * staked
        self._products += kept * staked

    def report(self, hands: int) -> dict[str, float]:
        """The share, with its standard error as that of a ratio; all stakes may differ."""
        kept, staked = self._kept, self._staked
        # Whole numbers up to the last step, here too.
        squares = (
            self._squares_kept * staked**2
            - 2 * kept * staked * self._products
            + kept**2 * self._squares_staked
        )
        return {
            "staked": staked / hands,
            "house_edge": kept / staked,
            "standard_error": sqrt(squares / staked**4),
        }


class Tally:
    """The totals of the settlements of many hands."""

    def __init__(self) -> None:
        self._hands = 0
        self._sums: Counter[Party] = Counter()
        self._squares: Counter[Party] = Counter()
        self._events: Counter[str] = Counter()
        self._rake = 0
        self._pools: Counter[PoolName] = Counter()
        self._edges: defaultdict[str, Edge] = defaultdict(Edge)

    def add(self, played: PlayedHand) -> None:
        self._hands += 1
        settlement = played.settlement
        self._rake += sum(settlement.rake.values())
        self._pools.update(settlement.pools)
        for party, net in settlement.net.items():
            self._sums[party] += net
            self._squares[party] += net * net
        for line in settlement.lines:
            details = [str(line.values[name]) for name in DETAILS if name in line.values]
            self._events[" ".join([line.key, *details])] += 1
        if played.staked:
            self._add_edges(played)

    def _add_edges(self, played: PlayedHand) -> None:
        """The house's share of each bet and of all bets, rake included."""
        staked, settlement = played.staked, played.settlement
        self._edges[ALL].add(
            settlement.net["house"] + sum(settlement.rake.values()), sum(staked.values())
        )
        kept = dict.fromkeys(staked, 0)
        for line in settlement.lines:
            bet = _bet_of(line)
            if "house" in (line.source, line.target) and bet in kept:
                kept[bet] += line.amount if line.target == "house" else -line.amount
        for bet, amount in kept.items():
            self._edges[bet].add(amount, staked[bet])

    def report(self) -> dict[str, Any]:
        """Means a hand: net with its standard error, rake, and how often each event happened.

        Against the house also what was staked a hand and what the house keeps of it, for each bet.
        """
        hands = self._hands
        net = {}
        for party, total in self._sums.items():
            # Whole numbers up to the last step: squares of amounts outgrow what a float holds.
            variance = (self._squares[party] * hands - total * total) / hands**2
            net[str(party)] = {"mean": total / hands, "standard_error": sqrt(variance / hands)}
        frequencies = {event: count / hands for event, count in self._events.most_common()}
        report: dict[str, Any] = {
            "net": net,
            "rake": self._rake / hands,
            "frequencies": frequencies,
        }
        if self._edges:
            report["bets"] = {bet: edge.report(hands) for bet, edge in self._edges.items()}
            report["house_edge"] = report["bets"][ALL]["house_edge"]
        if self._pools:
            report["pools"] = {pool: change / hands for pool, change in self._pools.items()}
        return report


def _bet_of(line: Line) -> str | None:
    """Return which bet a line against the house belongs to; None for the money of pools.

    A box has a main bet, with all additions in the course of the round, and a bonus bet.
    """
    if line.key in POOL_KEYS:
        return None
    if line.key in BONUS_KEYS:
        return BONUS
    bet = str(line.values.get("bet"))
    return bet if bet == BONUS or "box" not in line.values else MAIN
