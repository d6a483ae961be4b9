"""The course of a round of blackjack: the options of a table, and what its players may do."""

from functools import partial
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta
from msgspec.structs import replace

from games.rules.blackjack import dealing, refusals
from games.rules.blackjack.paying import (
    SPADES_LEAST,
    SUITED_678,
    SUITED_LEAST,
    JackpotShares,
    ThirdCard,
    combination,
    original_two,
    pay_boxes,
    third_card,
)
from games.rules.blackjack.state import (
    BOXES,
    PLAYERS,
    Bet,
    BlackjackState,
    BlackjackView,
    Box,
    Decline,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insure,
    Player,
    Split,
    Stand,
    Surrender,
    box_numbered,
    changed,
    committed,
    place_of,
    player_on,
    with_box,
    with_player,
)
from games.rules.cards import Card
from games.rules.contract import HOUSE, Action, BasisPoints, Choice, Choices, Party, Seat, SeatStack
from games.rules.errors import Illegal
from games.rules.house.actions import (
    Close,
    Done,
    Pool,
    Remove,
    TopUp,
    addition_bounds,
    require_free,
    require_limits,
)
from games.rules.house.bonus import BonusGame
from games.rules.house.sides import (
    BONUS_CARD_FIELDS,
    COMMON_FIELDS,
    BonusBet,
    Holding,
    Segment,
    Segments,
    SideContext,
)
from games.rules.house.till import Till
from games.rules.settlement import Settlement

ON_A_HAND: Final = frozenset((Hit, Stand, Double, Split))
# A wheel that leaves the house a little of the bonus bet when the pools have got their shares.
WHEEL: Final = (
    Segment(75, 0),
    Segment(15, 1),
    Segment(6, 2),
    Segment(3, 5),
    Segment(1, 10),
)


class Blackjack(BonusGame[BlackjackState], frozen=True, kw_only=True):
    """The options of a table, and the course of a round."""

    key: ClassVar[str] = "blackjack"
    name: ClassVar[str] = "Blackjack"
    # Three players on each of seven boxes.
    seats: ClassVar[range] = range(1, 22)
    actions: ClassVar[tuple[type[Action], ...]] = (
        Bet,
        Remove,
        Done,
        Close,
        TopUp,
        Hit,
        Stand,
        Double,
        Split,
        Surrender,
        Insure,
        EvenMoney,
        Decline,
        Follow,
        Pool,
    )
    bet_action: ClassVar[type[Action]] = Bet
    decks: ClassVar[int] = 6
    features: ClassVar[tuple[str, ...]] = (*BONUS_CARD_FIELDS, *COMMON_FIELDS)

    # In the third edition each seat is asked about insurance once, for all boxes.
    edition: Annotated[int, Meta(ge=1, le=3)] = 1
    wheel_segments: Segments = WHEEL
    boxes: Annotated[int, Meta(ge=1, le=BOXES)] = BOXES
    hit_soft_17: bool = False
    original_bets_only: bool = False
    # Up to what share of the original bet can be insured.
    insurance: Literal["half", "whole"] = "half"
    third_card: ThirdCard = "player"
    # The jackpot share of three suited sevens: at least what is printed.
    spades_bp: BasisPoints = 2_000
    suited_bp: BasisPoints = 1_000
    # How much of the shoe is dealt before the cut card comes out.
    cut_percent: Annotated[int, Meta(ge=10, le=80)] = 75
    shuffle_every_round: bool = False

    @property
    def box_count(self) -> int:
        return self.boxes

    def is_last_round(self, cards_left: int) -> bool:
        """Whether a round that begins with this many cards in the shoe is its last."""
        return self.shuffle_every_round or not self.cards_to_cut(cards_left)

    def cards_to_cut(self, cards_left: int) -> int:
        """Return how many cards come before the cut card; none once it is out."""
        shoe = 52 * self.decks
        behind = shoe * (100 - self.cut_percent) // 100
        return max(0, cards_left - behind)

    @property
    def cards_for_a_round(self) -> int:
        """More than a round takes when every pair is split and every hand hit to 21 or beyond.

        With all boxes bet on that takes 34 cards on average, and more than 77 three times in a
        million.
        """
        return 7 * self.boxes + 28

    @property
    def jackpot_shares(self) -> JackpotShares:
        """The share of the jackpot that suited sevens win, if there is one."""
        if not self.has_jackpot:
            return JackpotShares(0, 0)
        if self.edition < 2:
            return JackpotShares(self.suited_bp, self.spades_bp)
        suited, spades = max(self.suited_bp, SUITED_LEAST), max(self.spades_bp, SPADES_LEAST)
        return JackpotShares(suited, spades, SUITED_678.odds)

    def refused_options(self) -> Illegal | None:
        """Three suited sevens win of the jackpot what is printed, or more."""
        if self.spades_bp >= SPADES_LEAST and self.suited_bp >= SUITED_LEAST:
            return None
        return Illegal(
            "shares_too_small",
            "Three sevens of spades win at least {spades}% of the jackpot, those of another suit "
            "at least {suited}%.",
            spades=SPADES_LEAST // 100,
            suited=SUITED_LEAST // 100,
        )

    def insurance_bounds(self, bet: int) -> tuple[int, int]:
        """The least and the most that insures a bet; none can where they cross."""
        return (self.min + 1) // 2, bet if self.insurance == "whole" else bet // 2

    # Betting.

    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], context: SideContext
    ) -> BlackjackState:
        return BlackjackState(stakes=stakes, cards=cards, draws=self.played_draws(context))

    def committed(self, state: BlackjackState, seat: Party) -> int:
        return committed(state.boxes, seat)

    def bet_choices(self, state: BlackjackState, seat: Party, free: int) -> Choices:
        """Chips on a box; where the seat has some, on its bonus too, which `among` then says."""
        choices: list[Choice] = []
        further = not self.at_stake(state, seat) or self.may_take_further(
            state, seat, self.box_count - len(state.boxes)
        )
        for number in range(1, self.boxes + 1):
            box = box_numbered(state.boxes, number)
            mine = player_on(box, seat)
            if mine is None and (len(box.players) == PLAYERS if box else not further):
                continue
            if bounds := addition_bounds(mine.bet if mine else 0, self.min, self.max, free):
                choices.append(Choice("bet", box=number, least=bounds[0], most=bounds[1]))
            if mine is None:
                continue
            if bounds := addition_bounds(mine.bonus, self.bonus_min, self.bonus_max, free):
                least, most = bounds
                choices.append(Choice("bet", number, least=least, most=most, among=("bonus",)))
        return tuple(choices)

    def place_bet(self, state: BlackjackState, stake: SeatStack, action: Bet) -> BlackjackState:
        seat, boxes = stake.seat, state.boxes
        number, bet, bonus = action.box, action.amount, action.bonus
        if number > self.boxes:
            raise refusals.closed_box(number)
        if not bet + bonus:
            raise Illegal("nothing_bet", "A bet needs an amount.")
        standing = committed(boxes, seat) if boxes else 0
        require_free(stake.stack - standing, bet + bonus)
        box = box_numbered(boxes, number) if boxes else None
        if box:
            if before := player_on(box, seat):
                bet, bonus = before.bet + bet, before.bonus + bonus
            elif len(box.players) == PLAYERS:
                raise refusals.full_box(number)
        elif standing:
            self.require_place(state, seat, self.box_count - len(boxes))
        self._require_bet(bet, bonus)
        after = with_box(boxes, with_player(box, number, Player(seat, bet, bonus)))
        return replace(state, boxes=after, has_bonus=state.has_bonus or bonus > 0)

    def remove_choices(self, state: BlackjackState, seat: Party) -> Choices:
        return dealing.removable(state.boxes, seat)

    def remove_bet(self, state: BlackjackState, seat: Seat, action: Remove) -> BlackjackState:
        return dealing.without_bet(state, seat, action, self._require_bet)

    def _require_bet(self, bet: int, bonus: int) -> None:
        require_limits(bet, self.min, self.max)
        if bonus:
            self.require_bonus(bonus)

    def has_bets(self, state: BlackjackState) -> bool:
        return state.boxes != ()

    def deal(self, state: BlackjackState) -> BlackjackState:
        dealt = dealing.deal(state)
        if self.edition >= 3 and dealt.ace_up:
            free = partial(self.free_stack, dealt)
            dealt = dealing.offered(dealt, self.insurance_bounds, free)
        return self._to_the_end(dealt)

    # Decisions.

    def act(self, state: BlackjackState, seat: Party, action: Action) -> BlackjackState:
        # Who waits is a seat that decides: to ask for all who may act would take longer.
        if seat in state.waiting and type(action) is not Pool:
            return self.decide(state, seat, action)
        return super().act(state, seat, action)

    def to_act(self, state: BlackjackState) -> frozenset[Party]:
        return frozenset(state.waiting) if state.waiting else super().to_act(state)

    def decision_choices(self, state: BlackjackState, seat: Party) -> Choices:
        if state.phase == "offer":
            left, bounds = self.free_stack(state, seat), self.insurance_bounds
            return (*dealing.offers(state, seat, bounds, left), Choice("decline"))
        box, hand, number = state.box, state.hand, state.at_hand
        place = place_of(box, seat)
        bet, free = hand.bets[place], self.free_stack(state, seat)
        if state.phase in ("double", "split"):
            answers = ("yes", "no") if bet <= free else ("no",)
            return (Choice("follow", box.number, number, cost=bet, among=answers),)
        choices = self._insurance_choices(state, box.players[place], free)
        if state.phase == "insurance":
            if hand.ended == "blackjack":
                choices.append(Choice("even_money", box.number))
            return (*choices, Choice("stand", box.number, number))
        for move in refusals.open_moves(box, hand, ace_up=state.ace_up, free=free):
            cost = bet if move in ("double", "split") else 0
            at_hand = None if move == "surrender" else number
            choices.append(Choice(move, box.number, at_hand, cost=cost))
        return tuple(choices)

    def decision_fallback(self, state: BlackjackState, seat: Party) -> Action:
        if state.phase == "offer":
            return Decline()
        if state.phase in ("double", "split"):
            return Follow(state.box.number, False)
        return Stand(state.box.number, state.at_hand)

    def decide(self, state: BlackjackState, seat: Any, action: Any) -> BlackjackState:
        phase, kind = state.phase, type(action)
        if phase == "offer":
            return self._to_the_end(self._answer_for_all(state, seat, action))
        if kind is Decline:
            raise refusals.nothing_offered()
        number = state.boxes[state.at_box].number
        if action.box != number:
            raise refusals.not_this_box(number)
        if kind in ON_A_HAND and action.hand != state.at_hand:
            raise refusals.not_this_hand(state.at_hand)
        if phase == "play":
            after = self._play(state, seat, action)
        elif phase == "insurance":
            after = self._answer_offer(state, seat, action)
        else:
            after = self._follow(state, seat, action)
        return self._to_the_end(after)

    def _to_the_end(self, state: BlackjackState) -> BlackjackState:
        """Behind the last box the dealer draws, and the round is over."""
        if state.phase != "dealer":
            return state
        return dealing.play_dealer(state, hits_soft_17=self.hit_soft_17)

    def _follow(self, state: BlackjackState, seat: Seat, action: Action) -> BlackjackState:
        if type(action) is not Follow:
            raise Illegal("follow_first", "A guest follows the {move} or not.", move=state.phase)
        if action.yes:
            self.require_free(state, seat, state.hand.bets[place_of(state.box, seat)])
        return dealing.followed(state, seat, action.yes)

    def _answer_for_all(self, state: BlackjackState, seat: Seat, action: Action) -> BlackjackState:
        if type(action) is Insure:
            self.require_free(state, seat, action.amount)
        left = self.free_stack(state, seat)
        return dealing.seat_answered(state, seat, action, self.insurance_bounds, left)

    def _answer_offer(self, state: BlackjackState, seat: Seat, action: Action) -> BlackjackState:
        """A guest, or any player of a blackjack, insures, takes even money, or does neither."""
        if type(action) is Insure:
            return dealing.answered(state, self._insured(state, seat, action.amount), seat)
        if type(action) is EvenMoney:
            refusals.require_blackjack(state.hand)
            return dealing.answered(state, changed(state.box, seat, even_money=True), seat)
        if type(action) is Stand:
            return dealing.answered(state, state.box, seat)
        raise refusals.refuse_play(state.hand)

    def _insured(self, state: BlackjackState, seat: Seat, amount: int) -> Box:
        """The box with a player's bet insured; refused where it cannot be."""
        box = dealing.insured(state, seat, amount, self.insurance_bounds)
        self.require_free(state, seat, amount)
        return box

    def _insurance_choices(self, state: BlackjackState, player: Player, free: int) -> list[Choice]:
        if state.offered or not (state.ace_up and refusals.is_untouched(state.box)):
            return []
        return dealing.insurable(state.box.number, player, self.insurance_bounds, free)

    def _play(self, state: BlackjackState, seat: Seat, action: Action) -> BlackjackState:
        """The controller's move."""
        if type(action) is Stand:
            return dealing.end(state, "stood")
        if type(action) is Hit:
            return dealing.hit(state)
        if type(action) is Double:
            refusals.require_two_cards(state.hand)
            self.require_free(state, seat, state.hand.bets[0])
            return dealing.ask_guests(state, "double")
        if type(action) is Split:
            refusals.require_split(state.box, state.hand)
            self.require_free(state, seat, state.hand.bets[0])
            return dealing.ask_guests(state, "split")
        if type(action) is Surrender:
            refusals.require_surrender(state)
            return dealing.end(state, "surrendered")
        if type(action) is Insure:
            return replace(
                state, boxes=dealing.put(state, self._insured(state, seat, action.amount))
            )
        if type(action) is EvenMoney:
            refusals.require_offer(state)
            refusals.require_blackjack(state.hand)
        raise Illegal("nothing_to_follow", "There is no double or split to follow.")

    # The end.

    def bonus_bets(self, state: BlackjackState) -> list[BonusBet]:
        return [
            BonusBet(player.seat, box.number, player.bonus)
            for box in state.boxes
            for player in box.players
            if player.bonus
        ]

    def bonus_holding(self, state: BlackjackState, box: int) -> Holding:
        held = next(candidate for candidate in state.boxes if candidate.number == box)
        two = original_two(state, held)
        third = third_card(state, held, self.third_card)
        return Holding(combination(two, third, self.jackpot_shares), two)

    def settle_round(self, state: BlackjackState) -> Settlement:
        till = Till(state.stakes, self.max_payout)
        if state.dealer:
            pay_boxes(till, state, original_bets_only=self.original_bets_only)
            self.settle_bonus(state, till)
        return till.settlement(0 if self.tournament else self.rake_bp)

    def shown(self, state: BlackjackState, seat: int | None) -> frozenset[int]:
        return frozenset(range(state.drawn))

    def dealt(self, state: BlackjackState) -> int:
        return state.drawn

    def view(self, state: BlackjackState, seat: int | None) -> BlackjackView:
        deciding = bool(state.waiting) and state.phase != "offer"
        return BlackjackView(
            seat=seat,
            stakes=state.stakes,
            to_act=tuple(sorted(self.to_act(state), key=lambda party: (party == HOUSE, party))),
            phase=state.phase,
            done=state.done,
            boxes=state.boxes,
            dealer=state.dealer,
            box=state.box.number if deciding else None,
            hand=state.at_hand if deciding else None,
            sides=self.side_view(state),
        )
