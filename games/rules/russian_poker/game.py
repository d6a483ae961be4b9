"""The course of a round of Russian poker: options, what boxes buy, decisions and the end."""

from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta
from msgspec.structs import replace

from games.rules.contract import Action, Amount, Choice, Choices, Party
from games.rules.errors import Illegal
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.antes import (
    BET_ANTES,
    Ante,
    AnteGame,
    Fold,
    box_at,
    box_to_decide,
    deal_rounds,
    require_box_to_decide,
    with_box,
)
from games.rules.house.betting import require_betting, require_limits
from games.rules.house.game import draw, draw_one
from games.rules.house.sides import (
    BONUS_CARD_FIELDS,
    COMMON_FIELDS,
    LUCKY_FIELDS,
    Holding,
    Segment,
    Segments,
    SideContext,
)
from games.rules.russian_poker.actions import Accept, Bet, Buy, BuyDealer, Exchange, Insure
from games.rules.russian_poker.bonus import bonus_combination
from games.rules.russian_poker.boxes import (
    RussianBox,
    RussianState,
    hand_win,
    insurable,
    least_insurance,
)
from games.rules.russian_poker.dealer import dealer_draws
from games.rules.russian_poker.hands import read_hand
from games.rules.russian_poker.paying import settle_boxes
from games.rules.russian_poker.view import RussianView, shown_cards, view_round
from games.rules.settlement import Settlement

HAND: Final = 5
EXCHANGES: Final = range(2, HAND + 1)
# A wheel and prizes that together leave the house a little of the bonus bet, what the pools get
# not counted.
WHEEL: Final = (Segment(60, 1), Segment(30, 2), Segment(8, 3), Segment(2, 5))
PRIZES: Final = (Segment(80, 1), Segment(15, 2), Segment(5, 4))
# What can be bought for a blind box before the deal, what open boxes decide, and the answers to a
# dealer who does not qualify.
EXTRAS: Final = (Buy, Insure)
DECISIONS: Final = (Exchange, Buy, Insure, Bet, Fold)
ANSWERS: Final = (Accept, BuyDealer)


class RussianPoker(AnteGame[RussianState], frozen=True, kw_only=True):
    """The options of a table, and the decisions of its rounds."""

    key: ClassVar[str] = "russian_poker"
    name: ClassVar[str] = "Russian poker"
    # Nobody plays without an open box, and there are four.
    seats: ClassVar[range] = range(1, 5)
    actions: ClassVar[tuple[type[Action], ...]] = (
        *(Ante, Done, Close, Exchange, Buy, Insure, Bet, Fold, BuyDealer, Accept),
        Pool,
    )
    box_type: ClassVar[type[RussianBox]] = RussianBox
    box_numbers: ClassVar[range] = range(1, 5)
    features: ClassVar[tuple[str, ...]] = (*BONUS_CARD_FIELDS, *LUCKY_FIELDS, *COMMON_FIELDS)

    # With five cards a box holds the bonus card so often that 10:1 gives more back than is bet, and
    # the lucky game beside the wheel takes what the pools need: a table that wants them says so.
    bonus_card: bool = False
    lucky_game: bool = False
    wheel_segments: Segments = WHEEL
    lucky_prizes: Segments = PRIZES
    # The most that a box can be insured for; unsaid, it is the maximum payout.
    max_insurance: Amount | None = None
    # What of the jackpot is won with these in the first five cards: at least what is printed.
    straight_flush_share_bp: Annotated[int, Meta(ge=1_500, le=10_000)] = 1_500
    royal_share_bp: Annotated[int, Meta(ge=5_000, le=10_000)] = 5_000

    # The betting.

    def first_state(self, stakes: Any, cards: Any, context: SideContext) -> RussianState:
        return RussianState(stakes=stakes, cards=cards, draws=self.played_draws(context))

    def bet_choices(self, state: RussianState, seat: Party, free: int) -> Choices:
        choices = [*super().bet_choices(state, seat, free)]
        for box in state.boxes:
            if box.seat == seat and box.blind:
                choices += self._extra_choices(box, free, self.insurance_cap)
        return tuple(choices)

    def act(self, state: RussianState, seat: Party, action: Action) -> RussianState:
        if state.phase == "bet" and type(action) in EXTRAS:
            return self._buy_blind(state, seat, action)
        return super().act(state, seat, action)

    @property
    def insurance_cap(self) -> int:
        """The most that any hand can be insured for."""
        return self.max_payout if self.max_insurance is None else self.max_insurance

    def deal(self, state: RussianState) -> RussianState:
        dealt = deal_rounds(state, HAND)
        boxes = tuple([replace(box, dealt=box.cards) for box in dealt.boxes])
        taken = HAND * (len(boxes) + 1)
        return self._advance(replace(dealt, phase="decide", boxes=boxes, taken=taken))

    # The decisions.

    def deciding(self, state: RussianState) -> frozenset[Party]:
        if state.phase == "decide":
            box = box_to_decide(state)
            assert box is not None
            return frozenset((box.seat,))
        return frozenset([box.seat for box in unanswered(state)])

    def decision_choices(self, state: RussianState, seat: Party) -> Choices:
        free = self.free_purse(state, seat)
        if state.phase == "dealer":
            return _answer_choices(state, seat, free)
        box: Any = box_to_decide(state)
        choices = []
        if not box.drawn and not box.insurance and box.ante <= free:
            among = tuple([card.text for card in box.cards])
            choices.append(
                Choice("exchange", box.box, None, box.ante, EXCHANGES[0], EXCHANGES[-1], among)
            )
        choices += self._extra_choices(box, free, self._most_insurance(box))
        if BET_ANTES * box.ante <= free:
            choices.append(Choice("bet", box=box.box, cost=BET_ANTES * box.ante))
        return (*choices, Choice("fold", box=box.box))

    def decision_fallback(self, state: RussianState, seat: Party) -> Action:
        if state.phase == "decide":
            box = box_to_decide(state)
            assert box is not None
            return Fold(box.box)
        return next(Accept(box.box) for box in unanswered(state) if box.seat == seat)

    def decide(self, state: RussianState, seat: Party, action: Any) -> RussianState:
        kind = type(action)
        if state.phase == "dealer" and kind in ANSWERS:
            return self._answer(state, seat, action)
        if state.phase == "decide" and kind in DECISIONS:
            box: Any = require_box_to_decide(state, action.box)
            if kind is Exchange:
                return self._exchange(state, box, action)
            if kind in EXTRAS:
                return self._bought(state, box, action, self._most_insurance(box))
            return self._advance(self._bet_or_fold(state, box, action))
        return super().decide(state, seat, action)

    # What is bought for a box.

    def _buy_blind(self, state: RussianState, seat: Party, action: Any) -> RussianState:
        require_betting(state, seat)
        box = self._own_box(state, seat, action.box)
        if not box.blind:
            raise Illegal("not_blind", "Before the deal, that is for blind boxes only.")
        return self._bought(state, box, action, self.insurance_cap)

    def _extra_choices(self, box: RussianBox, free: int, most_insurance: int) -> Choices:
        """A sixth card and insurance, where the box has none and the purse reaches."""
        choices = []
        # Before the deal it is all the same which of the two comes first.
        in_order = not (box.cards and box.insurance)
        if not box.drawn and in_order and box.ante <= free:
            choices.append(Choice("buy", box=box.box, cost=box.ante))
        least, most = least_insurance(box.ante), min(most_insurance, free)
        if not box.insurance and least <= most:
            choices.append(Choice("insure", box=box.box, least=least, most=most))
        return tuple(choices)

    def _bought(
        self, state: RussianState, box: RussianBox, action: Any, most_insurance: int
    ) -> RussianState:
        """A sixth card or insurance for a box, before the deal or after it."""
        if type(action) is Buy:
            self._require_draw(state, box)
            state = with_box(state, replace(box, drawn="buy"))
            return _with_sixth_card(state, box.box) if box.cards else state
        if box.insurance:
            raise Illegal("insured_once", "Box {box} is insured already.", box=box.box)
        if box.cards and not insurable(read_hand(box.cards)):
            raise Illegal("not_insurable", "Only three of a kind or better can be insured.")
        require_limits(action.amount, least_insurance(box.ante), most_insurance)
        self.require_free(state, box.seat, action.amount)
        return with_box(state, replace(box, insurance=action.amount))

    def _most_insurance(self, box: RussianBox) -> int:
        """The most that a hand can be insured for: what it would win; 0 below three of a kind."""
        hand = read_hand(box.cards)
        if not insurable(hand):
            return 0
        return min(self.insurance_cap, hand_win(box.ante, hand, self.max_payout))

    def _require_draw(self, state: RussianState, box: RussianBox) -> None:
        """Refuse a second draw, one after the insurance, and one that the purse does not hold."""
        if box.drawn:
            raise Illegal("drawn_once", "Box {box} has exchanged or bought already.", box=box.box)
        if box.cards and box.insurance:
            raise Illegal("draw_before_insurance", "After the insurance no card is drawn.")
        self.require_free(state, box.seat, box.ante)

    def _exchange(self, state: RussianState, box: RussianBox, action: Exchange) -> RussianState:
        given = action.cards
        if len(given) not in EXCHANGES:
            raise Illegal("exchange_count", "Two to five cards can be exchanged.")
        if len(set(given)) < len(given):
            raise Illegal("card_twice", "Each card can be exchanged once.")
        for card in given:
            if card not in box.cards:
                raise Illegal("card_not_held", "Box {box} has no {card}.", box=box.box, card=card)
        self._require_draw(state, box)
        kept = tuple([card for card in box.cards if card not in given])
        drawn = draw(state.cards, state.taken, len(given))
        state = replace(state, taken=state.taken + len(drawn))
        return with_box(state, replace(box, drawn="exchange", cards=kept + drawn))

    def _bet_or_fold(
        self, state: RussianState, box: RussianBox, action: Bet | Fold
    ) -> RussianState:
        if type(action) is Fold:
            return with_box(state, replace(box, folded=True))
        bet = BET_ANTES * box.ante
        self.require_free(state, box.seat, bet)
        return with_box(state, replace(box, bet=bet))

    # The course of the decisions.

    def _advance(self, state: RussianState) -> RussianState:
        """On to the next open box; blind boxes on the way draw their sixth card in their turn."""
        for box in state.boxes:
            if not box.decided:
                return state
            if box.blind and box.drawn and len(box.cards) == HAND:
                state = _with_sixth_card(state, box.box)
        in_round = [box for box in state.boxes if box.is_in]
        answers = in_round and not state.dealer_qualifies
        return replace(state, phase="dealer" if answers else "over")

    def _own_box(self, state: RussianState, seat: Party, number: int) -> RussianBox:
        box: Any = box_at(state, number)
        if box is None:
            raise Illegal("no_bet_on_box", "Nobody has bet on box {box}.", box=number)
        if box.seat != seat:
            raise Illegal("box_taken", "Box {box} is another player's.", box=number)
        own: RussianBox = box
        return own

    def _answer(self, state: RussianState, seat: Party, action: BuyDealer | Accept) -> RussianState:
        box = self._own_box(state, seat, action.box)
        if box not in unanswered(state):
            raise Illegal("box_answered", "Box {box} has nothing to decide.", box=box.box)
        if type(action) is BuyDealer:
            self.require_free(state, seat, box.ante)
            state = with_box(state, replace(box, answer="buy_dealer"))
        else:
            state = with_box(state, replace(box, answer="accept"))
        return state if unanswered(state) else _with_dealer_drawn(state)

    # The end.

    def bonus_holding(self, state: RussianState, box: int) -> Holding:
        dealt = next(one.dealt for one in state.boxes if one.box == box)
        return Holding(bonus_combination(dealt, self.jackpot_shares), dealt)

    @property
    def jackpot_shares(self) -> dict[str, int]:
        """Which combinations win what of the jackpot, where there is one."""
        if not self.has_jackpot:
            return {}
        return {"straight_flush": self.straight_flush_share_bp, "royal_flush": self.royal_share_bp}

    def settle_round(self, state: RussianState) -> Settlement:
        till = settle_boxes(state, self.max_payout)
        self.settle_bonus(state, till)
        return till.settlement(0 if self.tournament else self.rake_bp)

    def view(self, state: RussianState, seat: int | None) -> RussianView:
        to_act = tuple(sorted(self.to_act(state), key=str))
        return view_round(state, seat, to_act, self.side_view(state))

    def shown(self, state: RussianState, seat: int | None) -> frozenset[int]:
        """The places, in dealing order, of the cards that a seat, or a spectator, may see now."""
        open_cards = shown_cards(state, seat)
        return frozenset(
            [place for place, card in enumerate(state.cards[: state.taken]) if card in open_cards]
        )

    def dealt(self, state: RussianState) -> int:
        """How many cards have left the shoe in this round."""
        return state.taken


def unanswered(state: RussianState) -> list[RussianBox]:
    """The boxes still in that have not said what they do about a dealer who does not qualify."""
    if state.phase != "dealer":
        return []
    return [box for box in state.boxes if box.is_in and not box.answer]


def _answer_choices(state: RussianState, seat: Party, free: int) -> Choices:
    choices = []
    for box in unanswered(state):
        if box.seat == seat:
            choices.append(Choice("accept", box=box.box))
            if box.ante <= free:
                choices.append(Choice("buy_dealer", box=box.box, cost=box.ante))
    return tuple(choices)


def _with_sixth_card(state: RussianState, number: int) -> RussianState:
    box: Any = box_at(state, number)
    cards = (*box.cards, draw_one(state.cards, state.taken))
    state = replace(state, taken=state.taken + 1)
    return with_box(state, replace(box, cards=cards))


def _with_dealer_drawn(state: RussianState) -> RussianState:
    """The round when all have answered: the dealer draws, where anybody has bought."""
    state = replace(state, phase="over")
    if not [box for box in state.boxes if box.answer == "buy_dealer"]:
        return state
    draws = dealer_draws(state.dealer, state.cards, state.taken)
    return replace(state, dealer_draws=draws, taken=state.taken + len(draws))
