"""Baccarat without commission, and the course that both baccarats share.

Any number of seats bet on the same two hands: on player, on banker, on a tie, and on either hand
beginning with a pair; a seat may back both sides. When the betting has ended two cards each are
dealt, player first and in turn. Tens and court cards count nothing, an ace one, the others what
they show; of the sum only the last digit counts.

An eight or nine in two cards on either side is a natural and ends the draw. Otherwise the player
draws a third card on 0 to 5 and stands on 6 and 7. When the player stood, the banker does just the
same. When the player drew, the banker draws on 0 to 2 always; on 3 unless that card counted eight;
on 4 if it counted 2 to 7; on 5 if 4 to 7; on 6 if 6 or 7; and stands on 7.

The higher hand wins. Player pays 1:1. Banker pays 1:1 too, but 1:2 when it wins with six, in two
cards or in three. A tie pays 8:1, and then bets on player and banker come back. A pair, the first
two cards of a side being of one rank, pays 11:1 whatever the coup.

Some printed rules hold a note that the banker on 0 to 5 does not draw when the player stood. Read
literally it gives the player the edge; the option `banker_note_literal` plays it so.

The shoe of eight decks lasts over rounds; a round that begins when the cut card is out is the last.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from games.rules.cards import Card, parse_cards
from games.rules.contract import (
    Action,
    Amount,
    Choice,
    Choices,
    Context,
    Party,
    Seat,
    Stake,
    View,
    check_cards,
)
from games.rules.errors import Unreadable
from games.rules.house.actions import Close, Done
from games.rules.house.betting import HouseState, addition_bounds, require_limits
from games.rules.house.game import HouseGame, draw
from games.rules.house.till import EVEN, Odds, Till
from games.rules.settlement import Settlement

Spot = Literal["player", "banker", "tie", "player_pair", "banker_pair"]
Side = Literal["player", "banker", "tie"]
SPOTS: Final[tuple[Spot, ...]] = ("player", "banker", "tie", "player_pair", "banker_pair")
TIE: Final = Odds(8)
PAIR: Final = Odds(11)
HALF: Final = Odds(1, 2)
# What a card counts, by its rank.
POINTS: Final = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1)


class Bet(Action, frozen=True):
    """An amount on one spot, added to what the seat has there."""

    on: Spot
    amount: Amount


class Wager(Struct, frozen=True):
    """What a seat has on one spot."""

    seat: Seat
    on: Spot
    amount: int


class Coup(Struct, frozen=True):
    """Two dealt hands: their totals, who won, and what is marked in the road maps."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int
    banker_total: int
    winner: Side
    natural: bool
    player_pair: bool
    banker_pair: bool


class BaccaratState(HouseState, frozen=True, kw_only=True):
    """A round: the bets, and once they are closed the coup."""

    wagers: tuple[Wager, ...] = ()
    coup: Coup | None = None


class BaccaratView(View, frozen=True, kw_only=True, tag="baccarat"):
    """The table as everybody sees it: the bets, and once they are closed the coup."""

    phase: str
    done: tuple[Seat, ...]
    wagers: tuple[Wager, ...]
    coup: Coup | None = None


def points(card: Card) -> int:
    """What a card counts."""
    return POINTS[card.rank]


def total(hand: Sequence[Card]) -> int:
    return sum([POINTS[card.rank] for card in hand]) % 10


def player_draws(player: int, banker: int) -> bool:
    """Whether the player draws on these totals of two cards."""
    return player <= 5 and banker <= 7


def banker_draws(banker: int, player: int, third: int | None, note_literal: bool) -> bool:
    """Whether the banker draws: on totals of two cards, and what the player's third one counts."""
    if player >= 8 or banker >= 7:
        return False
    if third is None:
        return banker <= 5 and not note_literal
    return (
        banker <= 2
        or (banker == 3 and third != 8)
        or (banker == 4 and 2 <= third <= 7)
        or (banker == 5 and 4 <= third <= 7)
        or (banker == 6 and 6 <= third <= 7)
    )


def deal_coup(cards: Sequence[Card], note_literal: bool) -> Coup:
    """The coup that is dealt from the first card on."""
    first = draw(cards, 0, 4)
    player, banker = first[0::2], first[1::2]
    player_total, banker_total = total(player), total(banker)
    natural = player_total >= 8 or banker_total >= 8
    dealt, third = 4, None
    if player_draws(player_total, banker_total):
        player += draw(cards, dealt, 1)
        dealt, third = 5, points(player[2])
    if banker_draws(banker_total, player_total, third, note_literal):
        banker += draw(cards, dealt, 1)
        banker_total = total(banker)
    if third is not None:
        player_total = (player_total + third) % 10
    return Coup(
        player,
        banker,
        player_total,
        banker_total,
        winner_of(player_total, banker_total),
        natural,
        player_pair=player[0].rank == player[1].rank,
        banker_pair=banker[0].rank == banker[1].rank,
    )


def winner_of(player_total: int, banker_total: int) -> Side:
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


class BaccaratTable(HouseGame[BaccaratState], frozen=True, kw_only=True):
    """The options of both baccarats, and the course of a round."""

    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Done, Close)
    bet_action: ClassVar[type[Action]] = Bet
    decks: ClassVar[int] = 8

    # The limits of player and banker are `min` and `max`; unsaid, those of the others are as high.
    max_tie: Amount | None = None
    max_pair: Amount | None = None
    banker_note_literal: bool = False
    # How many cards lie behind the cut card: enough for the round that reaches it and for the last.
    cut_cards: Annotated[int, Meta(ge=11, le=208)] = 14

    def __post_init__(self) -> None:
        for most in (self.max, self.max_tie, self.max_pair):
            if most is not None and self.min > most:
                raise ValueError("the smallest bet is above the largest")

    def banker_odds(self, banker_total: int) -> Odds:
        """What a winning bet on banker is paid."""
        return EVEN

    @property
    def commission_bp(self) -> int:
        """What the house keeps of a win on banker."""
        return 0

    def most_on(self, spot: Spot) -> int:
        if spot in ("player", "banker"):
            return self.max
        most = self.max_tie if spot == "tie" else self.max_pair
        return self.max if most is None else most

    def is_last_round(self, cards_left: int) -> bool:
        """Whether a round that begins with so many cards in the shoe is the last of the shoe."""
        return cards_left <= self.cut_cards

    def winning_odds(self, coup: Coup, spot: Spot) -> Odds | None:
        """What a bet is paid at this result; None where it does not win."""
        if spot == "player_pair":
            return PAIR if coup.player_pair else None
        if spot == "banker_pair":
            return PAIR if coup.banker_pair else None
        if spot != coup.winner:
            return None
        if spot == "tie":
            return TIE
        return EVEN if spot == "player" else self.banker_odds(coup.banker_total)

    # The course of a round.

    def first_state(
        self, stakes: tuple[Stake, ...], cards: tuple[Card, ...], _context: Context
    ) -> BaccaratState:
        return BaccaratState(stakes=stakes, cards=cards)

    def committed(self, state: BaccaratState, seat: Party) -> int:
        return sum([wager.amount for wager in state.wagers if wager.seat == seat])

    def bet_choices(self, state: BaccaratState, seat: Party, free: int) -> Choices:
        choices = []
        for spot in SPOTS:
            standing = sum(one.amount for one in state.wagers if (one.seat, one.on) == (seat, spot))
            bounds = addition_bounds(standing, self.min, self.most_on(spot), free)
            if bounds:
                choices.append(Choice("bet", least=bounds[0], most=bounds[1], among=(spot,)))
        return tuple(choices)

    def place_bet(self, state: BaccaratState, seat: Any, action: Bet) -> BaccaratState:
        self.require_free(state, seat, action.amount)
        standing = 0
        others = []
        for wager in state.wagers:
            if wager.seat == seat and wager.on == action.on:
                standing = wager.amount
            else:
                others.append(wager)
        amount = standing + action.amount
        require_limits(amount, self.min, self.most_on(action.on))
        return replace(state, wagers=(*others, Wager(seat, action.on, amount)))

    def has_bets(self, state: BaccaratState) -> bool:
        return bool(state.wagers)

    def deal(self, state: BaccaratState) -> BaccaratState:
        return replace(state, phase="over", coup=deal_coup(state.cards, self.banker_note_literal))

    def view(self, state: BaccaratState, seat: int | None) -> BaccaratView:
        return BaccaratView(
            seat=seat,
            stakes=state.stakes,
            to_act=tuple(sorted(self.to_act(state), key=str)),
            phase=state.phase,
            done=state.done,
            wagers=state.wagers,
            coup=state.coup,
        )

    def settle_round(self, state: BaccaratState) -> Settlement:
        till = Till(state.stakes, self.max_payout)
        if state.coup:
            for wager in sorted(state.wagers, key=_paying_order):
                self._settle_wager(till, state.coup, wager)
        return till.settlement(0 if self.tournament else self.rake_bp)

    def _settle_wager(self, till: Till, coup: Coup, wager: Wager) -> None:
        odds = self.winning_odds(coup, wager.on)
        if odds:
            commission_bp = self.commission_bp if wager.on == "banker" else 0
            till.win(wager.seat, wager.on, wager.amount, odds, commission_bp=commission_bp)
        elif coup.winner != "tie" or wager.on not in ("player", "banker"):
            till.lose(wager.seat, wager.on, wager.amount)

    def explain_cards(self, text: str) -> dict[str, Any]:
        """Four to six cards in dealing order: the two hands, their totals and the coup."""
        cards = parse_cards(text)
        check_cards(cards, self.composition(), 4)
        coup = deal_coup(cards, self.banker_note_literal)
        dealt = len(coup.player) + len(coup.banker)
        if len(cards) > dealt:
            raise Unreadable("card_count", "This round ends with {count} cards.", count=dealt)
        explained: dict[str, Any] = to_builtins(coup)
        return explained


def _paying_order(wager: Wager) -> tuple[int, int]:
    return wager.seat, SPOTS.index(wager.on)


class Baccarat(BaccaratTable, frozen=True, kw_only=True):
    """The options of a table without commission."""

    key: ClassVar[str] = "baccarat"
    name: ClassVar[str] = "Baccarat without commission"

    def banker_odds(self, banker_total: int) -> Odds:
        return HALF if banker_total == 6 else EVEN
