"""The value of a Dou Dizhu position: every choice with its likely cost.

The cost of a choice is what its hints say, and beside it what an opponent who is nearly out may
make of the lead, what the partner's lead is worth, and what feeds a partner's last card.

`considered` is the one judgement of the house: the bot plays its first choice, and so does the
house for a player who asked for that; the hint offers it, and the coach holds moves against it.
"""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from games.rules.doudizhu.combinations import Kind, Reading, Wings
from games.rules.doudizhu.hints import EVERYTHING, Hint, Outlook, Planner
from games.rules.doudizhu.ranks import RankSet, rank_set
from games.rules.doudizhu.state import DoudizhuView

# The cost of losing the lead to an opponent who may go out, and to one who is close to it.
OUT_COST: Final = 2.0
CLOSE_COST: Final = 1.0
CLOSE_CARDS: Final = 6
# What the partner's lead is worth against the own, and what feeding a partner's last card gains.
PARTNER_LEAD: Final = 0.8
FEEDING: Final = 1.5
# The factor on the cost of an opponent's play if the partner, who acts next, deals with it.
LEFT_TO_PARTNER: Final = 0.5
# A partner's play that is so likely to stand is not bombed, unless the bomb wins for certain.
PARTNER_STANDS: Final = 0.5
BOMBS: Final = (Kind.BOMB, Kind.ROCKET)

# Choices with their costs, the best first; no cards are a pass.
Ranked = tuple[tuple[float, RankSet], ...]
# Why one passes: the partner leads, the partner is next to answer, or the cards are worth more.
PassReason = Literal["partner_leads", "partner_next", "worth_more"]


class Position(NamedTuple):
    """The knowledge of the seat to act, in rank sets and hand sizes."""

    hand: RankSet
    unseen: RankSet
    other: Reading | None
    other_is_partner: bool
    opponents: tuple[int, ...]  # how many cards each of them holds
    partner: int | None  # how many the partner holds
    partner_next: bool


def position(view: DoudizhuView) -> Position:
    """The position of the seat that has to play."""
    hand = rank_set(view.hand)
    played = sum(rank_set(turn.cards) for turn in view.turns)
    seats = [stake.seat for stake in view.stakes]
    at = seats.index(view.seat or 0)
    after = [seats[(at + 1) % 3], seats[(at + 2) % 3]]
    partners = [] if view.seat == view.landlord else [s for s in after if s != view.landlord]
    return Position(
        hand=hand,
        unseen=EVERYTHING - hand - played,
        other=view.to_beat.reading if view.to_beat else None,
        other_is_partner=view.to_beat is not None and view.to_beat.seat in partners,
        opponents=tuple(view.cards_left[seat] for seat in after if seat not in partners),
        partner=view.cards_left[partners[0]] if partners else None,
        partner_next=after[0] in partners,
    )


def planner_for(now: Position, wings: Wings) -> Planner:
    facing = sum(now.opponents)
    share = facing / (facing + (now.partner or 0))
    return Planner(Outlook(now.unseen, max(now.opponents), share), wings)


@lru_cache(256)
def considered(now: Position, wings: Wings) -> Ranked:
    """Every choice worth a thought, the best first; remembered, as one asks for several."""
    return tuple(rank_choices(now, planner_for(now, wings)))


def why_pass(now: Position) -> PassReason:
    """The reason for a pass, as one word."""
    if now.other_is_partner:
        return "partner_leads"
    return "partner_next" if now.partner_next else "worth_more"


def rank_choices(now: Position, planner: Planner) -> list[tuple[float, RankSet]]:
    """Every choice worth a thought with its cost, the best first; a certain way out alone."""
    certain = _certain(now, planner)
    if certain is not None:
        return [(0.0, certain)]
    hints = planner.hints(now.hand, now.other)
    if _leave_to_partner(now, planner):
        hints = [hint for hint in hints if hint.reading.kind not in BOMBS]
    choices = [(_cost(now, hint), hint.ranks) for hint in hints]
    if now.other is not None:
        choices.append((_pass_cost(now, planner, now.other), 0))
    return sorted(choices)


def _leave_to_partner(now: Position, planner: Planner) -> bool:
    """Whether the partner's play is likely to stand: who bombs it only spends the bomb."""
    if now.other is None or not now.other_is_partner:
        return False
    return now.partner_next or planner.standing(now.other) >= PARTNER_STANDS


def _certain(now: Position, planner: Planner) -> RankSet | None:
    """A play that wins wherever the cards are, if one is found."""
    if now.other is None:
        return planner.certain_lead(now.hand)
    for hint in planner.hints(now.hand, now.other):
        rest = now.hand - hint.ranks
        if not rest or (planner.is_sure(hint.reading) and planner.certain_lead(rest) is not None):
            return hint.ranks
    return None


def _cost(now: Position, hint: Hint) -> float:
    size = hint.reading.size
    cost = hint.worth + (1 - hint.standing) * _danger(now, size)
    if now.partner == 1 and size == 1 and now.other is None:
        cost -= FEEDING * (1 - hint.reading.place / 14)
    return cost


def _danger(now: Position, size: int) -> float:
    """Return the danger of the lead for an opponent who has beaten a play of this size."""
    danger = 0.0
    for left in now.opponents:
        if left == size:
            danger += OUT_COST
        elif size < left <= CLOSE_CARDS:
            danger += CLOSE_COST / (left - size)
    return danger


def _pass_cost(now: Position, planner: Planner, other: Reading) -> float:
    """Return the cost of letting the play on the table stand."""
    cost = planner.split(now.hand).cost
    if now.other_is_partner:
        # The landlord has passed already, unless it is the one to act next.
        standing = 1.0 if now.partner_next else planner.standing(other)
        return cost - PARTNER_LEAD * standing
    left = min(now.opponents)
    threat = OUT_COST / left if left <= CLOSE_CARDS else 0.0
    return cost + threat * (LEFT_TO_PARTNER if now.partner_next else 1.0)
