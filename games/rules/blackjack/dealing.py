"""The course of a round between betting and paying: dealing, insurance, bets taken back.

Each function takes a state and gives the next one at which a seat has to decide; behind the last
box it is the phase `dealer`. Nothing is refused here: who calls has seen that the move is allowed.

A seat answers box by box, in any order, and declines what is left; when it has answered for every
box that can be insured or has a blackjack, nothing is left to decline. The boxes are played when
all seats have answered.
"""

from collections.abc import Callable, Collection
from typing import Any, Final, Literal

from msgspec.structs import replace

from games.rules.blackjack import refusals
from games.rules.blackjack.state import (
    SEAT_OF,
    BlackjackState,
    Box,
    Decline,
    Ended,
    EvenMoney,
    Hand,
    Insure,
    Player,
    bets_of,
    box_numbered,
    changed,
    place_of,
    player_on,
    with_box,
)
from games.rules.blackjack.totals import BLACKJACKS, POINTS, dealer_hand, points_of
from games.rules.cards import ACE, Card
from games.rules.contract import Choice, Choices, Party, Seat
from games.rules.house.actions import Remove, left_after
from games.rules.house.game import draw, draw_one

# The dealer's up cards that can become a blackjack.
WAITING_POINTS: Final = (1, 10)


def deal(state: BlackjackState) -> BlackjackState:
    """Deal each box a card, the dealer one, each box a second; then decisions begin."""
    count = len(state.boxes)
    drawn = 2 * count + 1
    cards = draw(state.cards, 0, drawn)
    boxes = []
    for at, box in enumerate(state.boxes, count + 1):
        players, two = box.players, (cards[at - count - 1], cards[at])
        hand = Hand(two, bets_of(players), "blackjack" if two in BLACKJACKS else None)
        boxes.append(Box(box.number, players, (hand,)))
    return _enter(state, tuple(boxes), (cards[count],), drawn, 0)


def _enter(
    state: BlackjackState,
    boxes: tuple[Box, ...],
    dealer: tuple[Card, ...],
    drawn: int,
    at_box: int,
) -> BlackjackState:
    """The first decision at this box or behind it; of a blackjack, only against an ace."""
    phase = "dealer"
    waiting: tuple[Seat, ...] = ()
    for box in boxes[at_box:]:
        players = box.players
        blackjack = box.hands[0].ended is not None
        may_insure = dealer[0].rank == ACE and not state.offered
        if may_insure and (blackjack or len(players) > 1):
            insurable = players if blackjack else players[1:]
            phase, waiting = "insurance", tuple(map(SEAT_OF, insurable))
            break
        if not blackjack:
            phase, waiting = "play", (players[0].seat,)
            break
        at_box += 1
    return replace(
        state,
        phase=phase,
        boxes=boxes,
        dealer=dealer,
        drawn=drawn,
        at_box=at_box,
        at_hand=0,
        waiting=waiting,
    )


def answered(state: BlackjackState, box: Box, seat: Seat) -> BlackjackState:
    """Record an answer to the insurance offer; when all have answered, play the box."""
    boxes = put(state, box)
    waiting = tuple([other for other in state.waiting if other != seat])
    if waiting:
        return replace(state, boxes=boxes, waiting=waiting)
    if box.hands[0].ended:
        return _enter(state, boxes, state.dealer, state.drawn, state.at_box + 1)
    return replace(state, phase="play", boxes=boxes, waiting=(box.players[0].seat,))


def offer(state: BlackjackState, seats: tuple[Seat, ...]) -> BlackjackState:
    """Ask these seats about all their boxes at once; then the boxes are played."""
    if seats:
        return replace(state, phase="offer", waiting=seats, offered=True, at_box=0)
    return _enter(replace(state, offered=True), state.boxes, state.dealer, state.drawn, 0)


def offer_answered(state: BlackjackState, seat: Seat) -> BlackjackState:
    """A seat has answered for all its boxes; behind the last one the first box is played."""
    return offer(state, tuple([other for other in state.waiting if other != seat]))


def end(state: BlackjackState, ended: Ended) -> BlackjackState:
    """The hand has ended with these cards."""
    hand = state.boxes[state.at_box].hands[state.at_hand]
    return _go_on(state, (Hand(hand.cards, hand.bets, ended),), state.drawn)


def hit(state: BlackjackState) -> BlackjackState:
    hand = state.hand
    cards = (*hand.cards, draw_one(state.cards, state.drawn))
    return _go_on(state, (Hand(cards, hand.bets, _ended_by(cards)),), state.drawn + 1)


def ask_guests(state: BlackjackState, phase: str) -> BlackjackState:
    """Ask the guests on the hand to follow; where there are none, continue immediately."""
    bets = state.hand.bets
    guests = [player.seat for player, bet in zip(state.box.players, bets, strict=True) if bet]
    after = replace(state, phase=phase, waiting=tuple(guests[1:]))
    return after if after.waiting else _carry_out(after)


def followed(state: BlackjackState, seat: Seat, yes: bool) -> BlackjackState:
    """A guest has answered; when all have, the double or split is carried out."""
    waiting = tuple([other for other in state.waiting if other != seat])
    followers = (*state.followers, seat) if yes else state.followers
    after = replace(state, waiting=waiting, followers=followers)
    return after if waiting else _carry_out(after)


def _carry_out(state: BlackjackState) -> BlackjackState:
    controller = state.box.players[0].seat
    followers = (controller, *state.followers)
    act = _double if state.phase == "double" else _split
    return act(replace(state, phase="play", waiting=(controller,), followers=()), followers)


def _added(state: BlackjackState, followers: Collection[Seat]) -> tuple[int, ...]:
    """Each player's addition for a double or split: the bet on the hand again, or nothing."""
    players, bets = state.box.players, state.hand.bets
    return tuple(
        [bet if player.seat in followers else 0 for player, bet in zip(players, bets, strict=True)]
    )


def _double(state: BlackjackState, followers: Collection[Seat]) -> BlackjackState:
    hand = state.hand
    added = _added(state, followers)
    bets = tuple([bet + more for bet, more in zip(hand.bets, added, strict=True)])
    cards = (*hand.cards, draw_one(state.cards, state.drawn))
    return _go_on(state, (Hand(cards, bets, _ended_by(cards) or "stood"),), state.drawn + 1)


def _split(state: BlackjackState, followers: Collection[Seat]) -> BlackjackState:
    """The second card becomes a separate hand after the first; who does not follow has no part."""
    hand = state.hand
    first = _filled(state, Hand(hand.cards[:1], hand.bets), state.drawn)
    second = Hand(hand.cards[1:], _added(state, followers))
    return _go_on(state, (first, second), state.drawn + 1)


def _filled(state: BlackjackState, hand: Hand, drawn: int) -> Hand:
    """A split hand with its second card: aces get no other, and 21 needs none."""
    cards = (*hand.cards, draw_one(state.cards, drawn))
    if hand.cards[0].rank == ACE:
        return Hand(cards, hand.bets, "stood")
    return Hand(cards, hand.bets, _ended_by(cards))


def _ended_by(cards: tuple[Card, ...]) -> Ended | None:
    """The end that a drawn card brings to its hand, if any."""
    total = points_of(cards)
    if total == 21:
        return "stood"
    return "bust" if total > 21 else None


def _go_on(state: BlackjackState, hands: tuple[Hand, ...], drawn: int) -> BlackjackState:
    """Put these hands where the present one is, and find the next decision from there on."""
    at_box, at_hand = state.at_box, state.at_hand
    box = state.boxes[at_box]
    every = hands
    if len(box.hands) > 1:
        every = box.hands[:at_hand] + hands + box.hands[at_hand + 1 :]
    while every[at_hand].ended:
        at_hand += 1
        if at_hand == len(every):
            boxes = put(state, Box(box.number, box.players, every))
            return _enter(state, boxes, state.dealer, drawn, at_box + 1)
        filled = _filled(state, every[at_hand], drawn)
        every = (*every[:at_hand], filled, *every[at_hand + 1 :])
        drawn += 1
    boxes = put(state, Box(box.number, box.players, every))
    return replace(state, boxes=boxes, drawn=drawn, at_hand=at_hand)


def put(state: BlackjackState, box: Box) -> tuple[Box, ...]:
    """The boxes, with this one in its place."""
    boxes, at = state.boxes, state.at_box
    return (*boxes[:at], box, *boxes[at + 1 :]) if len(boxes) > 1 else (box,)


def play_dealer(state: BlackjackState, *, hits_soft_17: bool) -> BlackjackState:
    """The dealer draws as far as a box needs it: to the end, for one card, or not at all."""
    dealer, need = state.dealer, _need(state.boxes, state.dealer[0])
    if need == "hand":
        dealer = dealer_hand(state.cards, state.drawn, dealer[0], hits_soft_17=hits_soft_17)
    elif need == "card":
        dealer = (*dealer, draw_one(state.cards, state.drawn))
    return replace(state, phase="over", dealer=dealer, drawn=state.drawn + len(dealer) - 1)


def _need(boxes: tuple[Box, ...], up: Card) -> Literal["hand", "card"] | None:
    """The dealer's cards that the boxes need: a hand, or one card to decide a blackjack."""
    need: Literal["card"] | None = None
    for box in boxes:
        for hand in box.hands:
            if hand.ended == "stood":
                return "hand"
        unpaid = box.hands[0].ended == "blackjack" and POINTS[up] in WAITING_POINTS
        for player in box.players:
            if player.insurance or (unpaid and not player.even_money):
                need = "card"
    return need


# The least and the most that insures a bet.
Bounds = Callable[[int], tuple[int, int]]


def offered(state: BlackjackState, bounds: Bounds, free: Callable[[Seat], int]) -> BlackjackState:
    """The state in which all are asked who can insure a box, or have a blackjack."""
    seats = sorted({player.seat for box in state.boxes for player in box.players})
    waiting = (seat for seat in seats if offers(state, seat, bounds, free(seat)))
    return offer(state, tuple(waiting))


def offers(state: BlackjackState, seat: Party, bounds: Bounds, free: int) -> tuple[Choice, ...]:
    """Return the offers that a seat can still answer: insurance on its boxes, even money."""
    choices: list[Choice] = []
    for box in state.boxes:
        player = player_on(box, seat)
        if player is None or player.even_money or player.insurance:
            continue
        choices += insurable(box.number, player, bounds, free)
        if box.hands[0].ended == "blackjack":
            choices.append(Choice("even_money", box.number))
    return tuple(choices)


def insurable(number: int, player: Player, bounds: Bounds, free: int) -> list[Choice]:
    """Insurance for a player's bet on a box, where they have none and their stack allows it."""
    least, most = bounds(player.bet)
    most = min(most, free)
    if player.insurance or least > most:
        return []
    return [Choice("insure", number, least=least, most=most)]


def insured(state: BlackjackState, seat: Seat, amount: int, bounds: Bounds) -> Box:
    """The box that is played with a player's bet insured; refused where it cannot be."""
    refusals.require_offer(state)
    player = state.box.players[place_of(state.box, seat)]
    refusals.require_insurance(amount, player.insurance, *bounds(player.bet))
    return changed(state.box, seat, insurance=amount)


def seat_answered(
    state: BlackjackState, seat: Seat, action: Any, bounds: Bounds, free: int
) -> BlackjackState:
    """The state after an answer; the stack is known to allow it."""
    if type(action) is Decline:
        return offer_answered(state, seat)
    if type(action) not in (Insure, EvenMoney):
        raise refusals.offer_first()
    box = box_numbered(state.boxes, action.box)
    player = player_on(box, seat)
    if box is None or player is None:
        raise refusals.no_bet_on(action.box)
    if type(action) is Insure:
        refusals.require_uninsured(player)
        refusals.require_insurance(action.amount, 0, *bounds(player.bet))
        after_box = changed(box, seat, insurance=action.amount)
        free -= action.amount
    else:
        refusals.require_blackjack(box.hands[0])
        refusals.require_uninsured(player)
        after_box = changed(box, seat, even_money=True)
    after = replace(state, boxes=with_box(state.boxes, after_box))
    return after if offers(after, seat, bounds, free) else offer_answered(after, seat)


def removable(boxes: tuple[Box, ...], seat: Party) -> Choices:
    """The boxes that a seat can take its bets back from."""
    return tuple([Choice("remove", box=box.number) for box in boxes if player_on(box, seat)])


def without_bet(
    state: BlackjackState, seat: Seat, action: Remove, require_bet: Callable[[int, int], None]
) -> BlackjackState:
    """The state without what a seat takes back; what is left of its bet keeps to the limits."""
    box = box_numbered(state.boxes, action.box)
    mine = player_on(box, seat)
    if box is None or mine is None:
        raise refusals.no_bet_on(action.box)
    whole = not action.amount and not action.bonus
    bet = left_after(mine.bet, mine.bet if whole else action.amount)
    bonus = left_after(mine.bonus, action.bonus)
    if bet:
        require_bet(bet, bonus)
        boxes = with_box(state.boxes, changed(box, seat, bet=bet, bonus=bonus))
    else:
        boxes = _without_player(state.boxes, box, seat)
    has_bonus = any(player.bonus for box in boxes for player in box.players)
    return replace(state, boxes=boxes, has_bonus=has_bonus)


def _without_player(boxes: tuple[Box, ...], box: Box, seat: Party) -> tuple[Box, ...]:
    """The boxes without a player on one of them; a box without players is no more."""
    players = tuple([player for player in box.players if player.seat != seat])
    if players:
        return with_box(boxes, Box(box.number, players))
    return tuple([other for other in boxes if other is not box])
