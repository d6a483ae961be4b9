"""The course of a round of Russian poker: options, what boxes buy, decisions and the end."""

from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import Action, Amount, Choice, Choices, Party, SeatStack
from games.rules.errors import Illegal
from games.rules.house.actions import (
    Close,
    Done,
    Pool,
    Remove,
    TopUp,
    require_betting,
    require_limits,
)
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
from games.rules.house.game import draw, draw_one
from games.rules.house.sides import (
    BACKS,
    BONUS_CARD_FIELDS,
    COMMON_FIELDS,
    LUCKY_FIELDS,
    MIDDLE,
    Holding,
    Segment,
    Segments,
    SideContext,
)
from games.rules.house.till import Odds
from games.rules.russian_poker.boxes import (
    ANSWERS,
    Accept,
    Bet,
    Buy,
    BuyDealer,
    Exchange,
    Insure,
    Pick,
    RussianBox,
    RussianState,
    answer_choices,
    hand_win,
    insurable,
    least_insurance,
    settle_boxes,
    unanswered,
    with_dealer_drawn,
)
from games.rules.russian_poker.hands import BONUS_TABLE, bonus_combination, read_hand
from games.rules.russian_poker.view import RussianView, shown_cards, view_round
from games.rules.settlement import Settlement
from wallets.values import AMOUNT_MAX

HAND: Final = 5
EXCHANGES: Final = range(2, HAND + 1)
# A wheel and prizes that together leave the house a little of the bonus bet, what the pools get
# not counted.
WHEEL: Final = (Segment(60, 1), Segment(30, 2), Segment(8, 3), Segment(2, 5))
PRIZES: Final = (Segment(80, 1), Segment(15, 2), Segment(5, 4))
# The purchases for a blind box before the deal, and the decisions of open boxes.
EXTRAS: Final = (Buy, Insure)
DECISIONS: Final = (Exchange, Buy, Insure, Bet, Fold)
# The places of the prizes, as a choice names them.
PLACES: Final = tuple(map(str, range(1, BACKS + 1)))


class RussianPoker(AnteGame[RussianState], frozen=True, kw_only=True):
    """The options of a table, and the decisions of its rounds."""

    key: ClassVar[str] = "russian_poker"
    name: ClassVar[str] = "Russian poker"
    # Each player has an open box, and there are four.
    seats: ClassVar[range] = range(1, 5)
    actions: ClassVar[tuple[type[Action], ...]] = (
        *(Ante, Remove, Done, Close, Exchange, Buy, Insure, Bet, Fold, BuyDealer, Accept, Pick),
        *(TopUp, Pool),
    )
    box_type: ClassVar[type[RussianBox]] = RussianBox
    box_numbers: ClassVar[range] = range(1, 5)
    features: ClassVar[tuple[str, ...]] = (*BONUS_CARD_FIELDS, *LUCKY_FIELDS, *COMMON_FIELDS)

    # Among five cards a box holds the bonus card so often that 10:1 gives more back than is bet;
    # and the lucky game besides the wheel takes what the pools need: a table with one says so.
    bonus_card: bool = False
    # Among how many of a box's first cards the bonus card counts.
    bonus_card_count: Annotated[int, Meta(ge=1, le=HAND)] = 1
    lucky_game: bool = False
    wheel_segments: Segments = WHEEL
    lucky_prizes: Segments = PRIZES
    # The most that a box can be insured for; unsaid, it is the maximum payout.
    max_insurance: Amount | None = None
    # The jackpot share of these in the first five cards: at least what is printed.
    straight_flush_share_bp: Annotated[int, Meta(ge=1_500, le=10_000)] = 1_500
    royal_share_bp: Annotated[int, Meta(ge=5_000, le=10_000)] = 5_000

    # The betting.

    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], context: SideContext
    ) -> RussianState:
        return RussianState(stakes=stakes, cards=cards, draws=self.played_draws(context))

    def bet_choices(self, state: RussianState, seat: Party, free: int) -> Choices:
        choices = [*super().bet_choices(state, seat, free)]
        for box in state.boxes:
            if box.seat == seat and box.blind:
                most = min(self.insurance_cap, self.room(box))
                choices += self._extra_choices(box, free, most)
        return tuple(choices)

    def act(self, state: RussianState, seat: Party, action: Action) -> RussianState:
        if state.phase == "bet" and type(action) in EXTRAS:
            return self._buy_blind(state, seat, action)
        return super().act(state, seat, action)

    def most_ante(self, box: Any) -> int:
        """With the bet that follows, an ante stays within what the box may hold."""
        if self.edition < 2:
            return self.max
        beside: int = box.bonus + box.insurance if box else 0
        return min(self.max, (self.max_payout - beside) // (1 + BET_ANTES))

    def most_bonus(self, box: Any) -> int:
        if self.edition < 2:
            return self.bonus_max
        own: int = box.bonus - box.insurance
        return min(self.bonus_max, self.room(box) + own)

    def require_box(self, box: RussianBox) -> None:
        if self.edition >= 2 and self.room(box) < box.insurance:
            raise Illegal(
                "box_limit",
                "Bets and insurance of a box together come to {most} at most.",
                most=self.max_payout,
            )
        super().require_box(box)

    def room(self, box: Any) -> int:
        """Return the part of a box's maximum that is left for its insurance.

        Ante, bet, bonus and insurance together stay within the table's largest payment; the bet
        counts before it is placed. The price of bought cards is no bet.
        """
        if self.edition < 2:
            return AMOUNT_MAX
        laid: int = (1 + BET_ANTES) * box.ante + box.bonus
        return self.max_payout - laid

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
        waiting = self._unpicked(state) if state.phase == "pick" else unanswered(state)
        return frozenset([box.seat for box in waiting])

    def decision_choices(self, state: RussianState, seat: Party) -> Choices:
        free = self.free_stack(state, seat)
        if state.phase == "dealer":
            return answer_choices(state, seat, free)
        if state.phase == "pick":
            own = [box for box in self._unpicked(state) if box.seat == seat]
            return tuple([Choice("pick", box=box.box, among=PLACES) for box in own])
        box = box_to_decide(state)
        assert box is not None
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
        if state.phase == "pick":
            return next(Pick(box.box, MIDDLE) for box in self._unpicked(state) if box.seat == seat)
        return next(Accept(box.box) for box in unanswered(state) if box.seat == seat)

    def decide(self, state: RussianState, seat: Party, action: Any) -> RussianState:
        kind = type(action)
        if state.phase == "dealer" and kind in ANSWERS:
            return self._answer(state, seat, action)
        if state.phase == "pick" and kind is Pick:
            return self._pick(state, seat, action)
        if state.phase == "decide" and kind in DECISIONS:
            box = require_box_to_decide(state, action.box)
            if kind is Exchange:
                return self._exchange(state, box, action)
            if kind in EXTRAS:
                return self._bought(state, box, action, self._most_insurance(box))
            return self._advance(self._bet_or_fold(state, box, action))
        return super().decide(state, seat, action)

    # The purchases for a box.

    def _buy_blind(self, state: RussianState, seat: Party, action: Any) -> RussianState:
        require_betting(state, seat)
        box = self._own_box(state, seat, action.box)
        if not box.blind:
            raise Illegal("not_blind", "Before the deal, that is for blind boxes only.")
        return self._bought(state, box, action, min(self.insurance_cap, self.room(box)))

    def _extra_choices(self, box: RussianBox, free: int, most_insurance: int) -> Choices:
        """A sixth card and insurance, where the box has none and the stack reaches."""
        choices = []
        # Before the deal the order of the two does not matter.
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
        win = hand_win(box.ante, hand, self.max_payout)
        return min(self.insurance_cap, win, self.room(box))

    def _require_draw(self, state: RussianState, box: RussianBox) -> None:
        """Refuse a second draw, one after the insurance, and one that the stack does not hold."""
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
        box = box_at(state, number)
        if box is None:
            raise Illegal("no_bet_on_box", "There is no bet on box {box}.", box=number)
        if box.seat != seat:
            raise Illegal("box_taken", "Box {box} is another player's.", box=number)
        return box

    def _answer(self, state: RussianState, seat: Party, action: BuyDealer | Accept) -> RussianState:
        box = self._own_box(state, seat, action.box)
        if box not in unanswered(state):
            raise Illegal("box_answered", "Box {box} has nothing to decide.", box=box.box)
        if type(action) is BuyDealer:
            self.require_free(state, seat, box.ante)
            state = with_box(state, replace(box, answer="buy_dealer"))
        else:
            state = with_box(state, replace(box, answer="accept"))
        return state if unanswered(state) else with_dealer_drawn(state)

    # The end.

    def end(self, state: RussianState) -> RussianState:
        """Before pools are named, boxes that hold the lucky card pick their prizes."""
        if self._unpicked(state):
            return replace(state, phase="pick")
        return super().end(state)

    def _unpicked(self, state: RussianState) -> list[RussianBox]:
        """The boxes whose bonus bet has won a prize that they have not picked yet."""
        draws = state.draws
        if self.edition < 2 or draws.lucky_card is None or draws.lucky_game is None:
            return []
        return [
            box
            for box in state.boxes
            if box.bonus and not box.pick and draws.lucky_card in box.dealt
        ]

    def _pick(self, state: RussianState, seat: Party, action: Pick) -> RussianState:
        box = self._own_box(state, seat, action.box)
        if box not in self._unpicked(state):
            raise Illegal("nothing_to_pick", "Box {box} has no prize to pick.", box=box.box)
        state = with_box(state, replace(box, pick=action.place))
        return state if self._unpicked(state) else replace(state, phase="over")

    def bonus_holding(self, state: RussianState, box: int) -> Holding:
        dealt = next(russian_box.dealt for russian_box in state.boxes if russian_box.box == box)
        combination = bonus_combination(dealt, self.jackpot_shares, self.share_least)
        return Holding(combination, dealt, dealt[: self.bonus_cards_counted])

    @property
    def share_least(self) -> Odds | None:
        """The least that a share of the jackpot pays: the highest line of fixed odds."""
        return BONUS_TABLE["four"] if self.edition >= 2 else None

    @property
    def bonus_cards_counted(self) -> int:
        """Among how many of a box's first cards the bonus card counts."""
        return self.bonus_card_count if self.edition >= 2 else HAND

    @property
    def jackpot_shares(self) -> dict[str, int]:
        """Return the share of the jackpot for each combination, if there is one."""
        if not self.has_jackpot:
            return {}
        return {"straight_flush": self.straight_flush_share_bp, "royal_flush": self.royal_share_bp}

    def settle_round(self, state: RussianState) -> Settlement:
        till = settle_boxes(state, self.max_payout, insurance_counts=self.edition >= 2)
        self.settle_bonus(state, till)
        return till.settlement(0 if self.tournament else self.rake_bp)

    def view(self, state: RussianState, seat: int | None) -> RussianView:
        to_act = tuple(sorted(self.to_act(state), key=str))
        return view_round(state, seat, to_act, self.side_view(state), self.lucky_prizes)

    def shown(self, state: RussianState, seat: int | None) -> frozenset[int]:
        """The places, in dealing order, of the cards that a seat, or a spectator, may see now."""
        open_cards = shown_cards(state, seat)
        return frozenset(
            [place for place, card in enumerate(state.cards[: state.taken]) if card in open_cards]
        )

    def dealt(self, state: RussianState) -> int:
        """Return how many cards have left the shoe in this round."""
        return state.taken


def _with_sixth_card(state: RussianState, number: int) -> RussianState:
    box = box_at(state, number)
    assert box is not None
    cards = (*box.cards, draw_one(state.cards, state.taken))
    state = replace(state, taken=state.taken + 1)
    return with_box(state, replace(box, cards=cards))
