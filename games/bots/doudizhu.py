"""Players of Dou Dizhu.

`best` bids by what its hand would cost to play out, counts the cards that it cannot see, and
chooses the play that leaves the least to pay. As a farmer it leaves the lead to its partner where
that is as good, feeds a partner who is nearly out, and blocks the landlord. `thinker` deals the
hidden cards in many ways and plays its best choices out. `greedy` beats all it can with the lowest
cards, `legal` plays anything, and `house` as the house does for the absent.

How the thinker deals the hidden cards follows from the hash of the view, so that the same view is
always answered in the same way. Of the deals those are kept in which the others had the best
reasons to pass as they did. In every second deal the opponents are eager, as beginners are, and
otherwise careful.
"""

import hashlib
from typing import Final, NamedTuple

from msgspec import json

from games.bots.doudizhu_playouts import Playout, Standing, has_answer, move_of
from games.bots.doudizhu_position import Position, considered, position
from games.bots.simulate import Bot
from games.rules.contract import Action
from games.rules.doudizhu.combinations import Reading, first_beating, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import EVERYTHING, Outlook, Planner
from games.rules.doudizhu.paying import BOMBS
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import RankSet, pick, rank_set
from games.rules.doudizhu.state import Call, DoudizhuView, Pass, Play, to_beat
from games.rules.shoe import perm

# So many choices are played out in so many deals, then the best of them in more, so that time goes
# where it is close. The numbers are fixed, not the time: the same view has the same answer.
ROUNDS: Final = ((8, 16), (4, 32), (2, 64))
DEALS: Final = sum(deals for _, deals in ROUNDS)
CHOICES_MAX: Final = ROUNDS[0][0]
# So many deals are made for each that is kept.
DRAWN_FOR_EACH: Final = 3
# A choice that costs this much more than the best one is not played out.
COST_MAX: Final = 3.0
# The weight of a lost lead, relative to winning all deals instead of losing all.
COST_WEIGHT: Final = 0.05

# The cards of each seat; the first are those of the seat that thinks.
Hands = tuple[RankSet, ...]


class PassedOn(NamedTuple):
    """A pass of another seat on an opponent's play, and the cards that it has played since."""

    place: int
    reading: Reading
    played_since: RankSet


def think(game: Doudizhu, view: DoudizhuView) -> RankSet:
    """Return the cards to play; no cards are a pass."""
    now = position(view)
    ranked = considered(now, game.wings)
    most = ranked[0][0] + COST_MAX
    choices = [(cost, ranks) for cost, ranks in ranked if cost <= most][:CHOICES_MAX]
    if len(choices) == 1:
        return choices[0][1]
    trials = [Trial(cost, ranks, started(game, view, now, ranks)) for cost, ranks in choices]
    landlord = seats_from(view).index(view.landlord or 0)
    deals = iter(likely(view, now))
    for kept, number in ROUNDS:
        trials = sorted(trials, key=Trial.worth, reverse=True)[:kept]
        for at in range(number):
            hands, eager = next(deals), opponents_of(landlord) if at % 2 else ()
            for trial in trials:
                trial.play(hands, landlord, eager)
    return max(trials, key=Trial.worth).ranks


class Trial:
    """A choice that is tried out: its cost by the hints, and in how many deals it has won."""

    def __init__(self, cost: float, ranks: RankSet, start: Standing) -> None:
        self.cost = cost
        self.ranks = ranks
        self.start = start
        self.played = self.won = 0

    def play(self, hands: Hands, landlord: int, eager: tuple[int, ...]) -> None:
        left = (hands[0] - self.ranks, *hands[1:])
        winner = Playout(left, landlord, self.start, eager).winner(1) if left[0] else 0
        self.won += (winner == landlord) is (landlord == 0)
        self.played += 1

    def worth(self) -> float:
        return self.won / max(1, self.played) - COST_WEIGHT * self.cost


def seats_from(view: DoudizhuView) -> list[int]:
    """The seats in turn, from the one that thinks."""
    seats = [stake.seat for stake in view.stakes]
    at = seats.index(view.seat or 0)
    return [*seats[at:], *seats[:at]]


def opponents_of(landlord: int) -> tuple[int, ...]:
    return (landlord,) if landlord else (1, 2)


def started(game: Doudizhu, view: DoudizhuView, now: Position, ranks: RankSet) -> Standing:
    """The table after a choice."""
    if not ranks:
        assert now.other is not None
        assert view.to_beat is not None
        move, owner = move_of(0, now.other), seats_from(view).index(view.to_beat.seat)
        # A pass that two seats have made leaves the lead to the third.
        return Standing(0 if owner == 1 else move.shape, move.place, owner)
    meanings = readings(ranks, game.wings)
    reading = meanings[0] if now.other is None else first_beating(meanings, now.other)
    assert reading is not None
    move = move_of(ranks, reading)
    return Standing(move.shape, move.place, 0)


def likely(view: DoudizhuView, now: Position) -> list[Hands]:
    """The drawn deals in which the others passed on the fewest plays that they could beat."""
    passes = passed_on(view)
    drawn = layouts(view, now, DEALS * (DRAWN_FOR_EACH if passes else 1))
    fewest = sorted(range(len(drawn)), key=lambda at: (missed(drawn[at], passes), at))[:DEALS]
    return [drawn[at] for at in sorted(fewest)]


def passed_on(view: DoudizhuView) -> list[PassedOn]:
    """Every pass of the other seats on an opponent's play."""
    order = seats_from(view)
    ons = []
    since = dict.fromkeys(order, 0)
    for number in range(len(view.turns) - 1, -1, -1):
        turn = view.turns[number]
        since[turn.seat] += rank_set(turn.cards)
        beaten = None if turn.cards else to_beat(view.turns[:number])
        if beaten is None or beaten.reading is None or turn.seat == view.seat:
            continue
        if view.landlord in (turn.seat, beaten.seat):
            ons.append(PassedOn(order.index(turn.seat), beaten.reading, since[turn.seat]))
    return ons


def missed(hands: Hands, passes: list[PassedOn]) -> int:
    return sum(
        has_answer(hands[passed.place] + passed.played_since, passed.reading) for passed in passes
    )


def layouts(view: DoudizhuView, now: Position, deals: int) -> list[Hands]:
    """Deals of the hidden cards that agree with what is shown; the first hand is the own."""
    order = seats_from(view)
    landlord = order.index(view.landlord or 0)
    played_cards = {card for turn in view.turns for card in turn.cards}
    middle = [card for card in view.middle if landlord and card not in played_cards]
    shown = rank_set(middle)
    hidden = digits_of(now.unseen - shown)
    key = hashlib.sha256(json.encode(view)).digest()
    # The seat after this one draws so many of the hidden cards, and the last one the others.
    size = view.cards_left[order[1]] - (len(middle) if landlord == 1 else 0)
    layouts = []
    for number in range(deals):
        drawn = sum(hidden[place] for place in perm(key, b"deal %d" % number, len(hidden))[:size])
        hands = [now.hand, drawn, now.unseen - shown - drawn]
        if landlord:
            hands[landlord] += shown
        layouts.append(tuple(hands))
    return layouts


def digits_of(ranks: RankSet) -> list[RankSet]:
    """The cards one by one."""
    return [1 << 4 * at for at in range(15) for _ in range(ranks >> 4 * at & 7)]


# The most leads that a hand may need for each call.
CALL_COSTS: Final = ((3, 2.6), (2, 3.1), (1, 3.6))


def call(game: Doudizhu, view: DoudizhuView) -> Action:
    """Bid by what the hand would cost to play out."""
    hand = rank_set(view.hand)
    cost = Planner(Outlook(EVERYTHING - hand), game.wings).split(hand).cost
    points = next((points for points, most in CALL_COSTS if cost <= most), 0)
    highest = max((bid.points for bid in view.bids), default=0)
    return Call(points if points > highest else 0)


def best(game: Doudizhu, view: DoudizhuView) -> Action:
    if view.phase == "call":
        return call(game, view)
    now = position(view)
    return play(view, considered(now, game.wings)[0][1])


def thinker(game: Doudizhu, view: DoudizhuView) -> Action:
    return call(game, view) if view.phase == "call" else play(view, think(game, view))


def play(view: DoudizhuView, ranks: RankSet) -> Action:
    return Play(pick(view.hand, ranks)) if ranks else Pass()


def greedy(game: Doudizhu, view: DoudizhuView) -> Action:
    """The lowest play, without a bomb if it can; never a pass when it can beat."""
    if view.phase == "call":
        return call(game, view)
    now = position(view)
    plays = _plays(game, now)
    return play(view, min(plays, key=_spending, default=0))


def _spending(ranks: RankSet) -> tuple[bool, RankSet]:
    """Bombs last; among others a rank set is a higher number the higher its highest card."""
    return readings(ranks)[0].kind in BOMBS, ranks


def legal(game: Doudizhu, view: DoudizhuView) -> Action:
    """Anything that is allowed, as the hash of the view says."""
    chance = int.from_bytes(hashlib.sha256(json.encode(view)).digest(), "big")
    if view.phase == "call":
        highest = max((bid.points for bid in view.bids), default=0)
        open_calls = [0, *range(highest + 1, 4)]
        return Call(open_calls[chance % len(open_calls)])
    now = position(view)
    plays = _plays(game, now)
    if now.other is not None:
        plays.append(0)
    return play(view, plays[chance % len(plays)])


def house(_game: Doudizhu, view: DoudizhuView) -> Action:
    """The house's move for an absent player."""
    if view.phase == "call":
        return Call(0)
    return Play(view.hand[:1]) if view.to_beat is None else Pass()


def _plays(game: Doudizhu, now: Position) -> list[RankSet]:
    if now.other is None:
        return leads(now.hand, game.wings)
    return follows(now.hand, now.other, game.wings)


Strategy = Bot[Doudizhu, DoudizhuView]
STRATEGIES: Final[dict[str, Strategy]] = {
    "best": best,
    "thinker": thinker,
    "greedy": greedy,
    "legal": legal,
    "house": house,
}
QUICK: Final = ("greedy",)
# The strategy of a bot by its strength.
STRENGTHS: Final = {"easy": "greedy", "steady": "best", "strong": "thinker"}
