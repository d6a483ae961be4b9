"""The side features that ride on a bonus bet, the same at every table that has one.

A bonus bet is placed on a box before the deal and settled on the box's cards by the game's own
table of combinations. Each round may also name cards: the **bonus card** pays a box that holds it
10:1; the **wheel card** lets the box spin a wheel, and the **lucky card** lets it pick a prize.
Wheel and prizes are lists of segments, each with a weight and a multiple of the bonus bet; the
number drawn falls into the weights in order. One spin and one prize are drawn a round, for every
box that holds the card; where the box picks, the pick says at which place the drawn prize is.
Combination, bonus card, wheel and prize each pay; the bonus bet itself is lost where none does.

The **progressive jackpot** gets a share of every bonus bet, rounded down. A hit pays its share of
the pool as it stood before the round; where several hits want more than the pool holds, they are
paid in box order while it lasts. A hit that is paid less so than the fixed line below it pays gets
the rest from the house. The **mystery prize** gets a share too, and falls to the bonus bet, in box
order, whose share makes the pool reach its trigger.

The house names a pool's amount with a move when a hit waits for it. The drawn cards and numbers,
and the shortfall of the mystery pool, are context. The options of a table say which features are
drawn for; one that is off, or that the context does not mention, is not played.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import Amount, Context, Seat
from games.rules.errors import Unreadable
from games.rules.house.till import Odds, Till
from games.rules.settlement import PoolName

BONUS_CARD: Final = Odds(10)
WEIGHTS_MAX: Final = 1_000
# How many prizes lie face down for one to be picked; the clock picks the one in the middle.
BACKS: Final = 3
MIDDLE: Final = 2


class Segment(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the wheel, or a prize: its frequency, and its odds on the bonus bet."""

    weight: Annotated[int, Meta(ge=1, le=WEIGHTS_MAX)]
    multiple: Annotated[int, Meta(ge=0, le=10_000)]


Segments = Annotated[tuple[Segment, ...], Meta(min_length=1)]


# The context fields of the features; every game with a bonus bet has those of the wheel in common.
BONUS_CARD_FIELDS: Final = ("bonus_card",)
LUCKY_FIELDS: Final = ("lucky_card", "lucky_game")
COMMON_FIELDS: Final = ("wheel_card", "wheel")
DRAWS: Final = (*BONUS_CARD_FIELDS, *COMMON_FIELDS, *LUCKY_FIELDS)


class SideContext(Context, frozen=True, kw_only=True):
    """The draws of the round, and the amount that the mystery pool lacks to reach its trigger."""

    bonus_card: Card | None = None
    wheel_card: Card | None = None
    wheel: Annotated[int, Meta(ge=0, lt=WEIGHTS_MAX)] | None = None
    lucky_card: Card | None = None
    lucky_game: Annotated[int, Meta(ge=0, lt=WEIGHTS_MAX)] | None = None
    mystery_left: Amount | None = None


NOTHING_DRAWN: Final = SideContext()


class BonusBet(Struct, frozen=True):
    """A bonus bet; a game lists them by box, and on one box in the order of its players."""

    seat: Seat
    box: int
    amount: int


class Combination(NamedTuple):
    """A line of the bonus table that a box holds: fixed odds, or a share of the jackpot.

    A share is never less than `least` pays, the fixed odds of the line below it.
    """

    name: str
    odds: Odds | None = None
    share_bp: int = 0
    least: Odds | None = None


class Holding(NamedTuple):
    """The parts of a box that count for its bonus bets: its combination, and its named cards.

    The bonus card may count among fewer of them.
    """

    combination: Combination | None
    cards: Sequence[Card]
    bonus_cards: Sequence[Card] | None = None


Holdings = Mapping[int, Holding]


class Shares(NamedTuple):
    """The pools' share of each bonus bet, in basis points."""

    progressive: int
    mystery: int

    def of(self, pool: PoolName, stake: int) -> int:
        return stake * (self.progressive if pool == "progressive" else self.mystery) // 10_000


class SideView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The named cards, shown when the betting has ended; the drawn multiples come at the end."""

    bonus_card: Card | None = None
    wheel_card: Card | None = None
    lucky_card: Card | None = None
    wheel_multiple: int | None = None
    lucky_multiple: int | None = None


def weight_of(segments: Sequence[Segment]) -> int:
    """The range of the number drawn to spin a wheel, or to pick a prize."""
    return sum([segment.weight for segment in segments])


def check_weights(segments: Sequence[Segment]) -> None:
    """Refuse a wheel that is too fine to be drawn."""
    if weight_of(segments) > WEIGHTS_MAX:
        raise ValueError("the weights add up to more than 1,000")


def drawn_multiple(segments: Sequence[Segment], number: int) -> int:
    """The multiple of the segment that a drawn number falls into."""
    for segment in segments:
        number -= segment.weight
        if number < 0:
            return segment.multiple
    raise AssertionError("a number was drawn beyond the weights")


def played_draws(context: SideContext, sizes: Mapping[str, int]) -> SideContext:
    """The draws a table plays with, of so many numbers each; a round may name more.

    A joker that is named and a number that cannot be drawn are refused.
    """
    if context == NOTHING_DRAWN:
        return context
    ignored = []
    for name in DRAWS:
        drawn = getattr(context, name)
        if isinstance(drawn, Card) and drawn.is_joker:
            raise Unreadable("joker_named", "a joker cannot be the {name}", name=name).at(
                f"$.context.{name}"
            )
        if name not in sizes:
            ignored.append(name)
        elif isinstance(drawn, int) and drawn >= sizes[name]:
            raise Unreadable("draw_out_of_range", "{name} is out of range", name=name).at(
                f"$.context.{name}"
            )
    return replace(context, **dict.fromkeys(ignored)) if ignored else context


def prizes_shown(segments: Sequence[Segment], number: int, place: int) -> tuple[int, ...]:
    """The three prizes when they are turned: the drawn one where it was picked.

    The next two segments of the list are its neighbours; the list is circular.
    """
    multiples = [segment.multiple for segment in segments]
    at = 0
    for at, segment in enumerate(segments):  # noqa: B007 - the last one takes the rest
        number -= segment.weight
        if number < 0:
            break
    others = [multiples[(at + step) % len(multiples)] for step in range(1, BACKS)]
    return (*others[: place - 1], multiples[at], *others[place - 1 :])


def side_view(
    context: SideContext, wheel: Sequence[Segment], prizes: Sequence[Segment], *, over: bool
) -> SideView:
    """The public part of the draws once the betting has ended; never the mystery pool."""
    spin, pick = (context.wheel, context.lucky_game) if over else (None, None)
    return SideView(
        bonus_card=context.bonus_card,
        wheel_card=context.wheel_card,
        lucky_card=context.lucky_card,
        wheel_multiple=None if spin is None else drawn_multiple(wheel, spin),
        lucky_multiple=None if pick is None else drawn_multiple(prizes, pick),
    )


def jackpot_hits(bets: Iterable[BonusBet], holdings: Holdings) -> Iterator[BonusBet]:
    """The bonus bets that have hit the progressive jackpot, in the order in which they share."""
    for bet in bets:
        combination = holdings[bet.box].combination
        if combination and combination.share_bp:
            yield bet


def mystery_hit(
    bets: Iterable[BonusBet], shares: Shares, mystery_left: int | None
) -> BonusBet | None:
    """The bonus bet that brings down the mystery prize; None where the pool stays."""
    if mystery_left is None:
        return None
    for bet in bets:
        mystery_left -= shares.of("mystery", bet.amount)
        if mystery_left <= 0:
            return bet
    return None


def named_prizes(
    context: SideContext, wheel: Sequence[Segment], prizes: Sequence[Segment], holding: Holding
) -> Iterator[tuple[str, Card, int]]:
    """Yield the prizes of a box's named cards: which feature, its card, and the multiple."""
    cards = holding.cards
    if context.bonus_card in (cards if holding.bonus_cards is None else holding.bonus_cards):
        assert context.bonus_card is not None
        yield "bonus_card", context.bonus_card, BONUS_CARD.pays
    if context.wheel_card in cards and context.wheel is not None:
        assert context.wheel_card is not None
        yield "wheel", context.wheel_card, drawn_multiple(wheel, context.wheel)
    if context.lucky_card in cards and context.lucky_game is not None:
        assert context.lucky_card is not None
        yield "lucky_game", context.lucky_card, drawn_multiple(prizes, context.lucky_game)


def fill_pools(
    till: Till, bets: Iterable[BonusBet], shares: Shares, pools: Sequence[PoolName]
) -> None:
    """Pay each active pool its share of every bonus bet."""
    for bet in bets:
        for pool in pools:
            share_bp = shares.progressive if pool == "progressive" else shares.mystery
            values: dict[str, int | str] = {
                "box": bet.box,
                "seat": bet.seat,
                "stake": bet.amount,
                "share_bp": share_bp,
            }
            till.fill_pool(pool, shares.of(pool, bet.amount), values)


def pay_jackpot(till: Till, hits: Iterable[BonusBet], holdings: Holdings, pool: int) -> None:
    """Each hit is paid its share of what the pool held before the round, while it lasts."""
    left = pool
    for bet in hits:
        combination = holdings[bet.box].combination
        assert combination is not None
        amount = min(left, pool * combination.share_bp // 10_000)
        left -= amount
        values: dict[str, int | str] = {
            "box": bet.box,
            "combination": combination.name,
            "share_bp": combination.share_bp,
            "pool": pool,
        }
        till.prize("jackpot", bet.seat, amount, values)
        till.empty_pool("progressive", bet.seat, bet.box, amount)
        least = combination.least
        if least is not None and amount < least.win(bet.amount):
            of_line: dict[str, int | str] = {
                "box": bet.box,
                "stake": bet.amount,
                "pays": least.pays,
                "to": least.to,
                "combination": combination.name,
            }
            till.prize("jackpot_least", bet.seat, least.win(bet.amount) - amount, of_line)


def pay_mystery(till: Till, bet: BonusBet, amount: int) -> None:
    till.prize("mystery", bet.seat, amount, {"box": bet.box})
    till.empty_pool("mystery", bet.seat, bet.box, amount)
