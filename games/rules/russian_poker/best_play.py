"""The best decisions at Russian poker, as far as a few milliseconds can find them.

A hand may be played as it is, be given a sixth card, or exchange any two to five of its cards; the
worth of each way is the average over all cards it can draw of what the finished hand is worth
(`russian_poker_outlook.py`), less the ante it costs. All draws are run through, by their ranks.
Approximate is only that the cards drawn are not taken out of those the dealer may hold, and what a
purchase will bring; the last decision, to bet, insure or fold, is made anew with all cards seen.

Worths are in antes and count the box from its ante on: folding is worth -1.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import mul
from typing import Final, Literal, NamedTuple

from games.rules.cards import Card
from games.rules.russian_poker.draws import (
    Lines,
    RankDraws,
    Unseen,
    plain_lines,
    rank_sum,
    suited_lines,
)
from games.rules.russian_poker.game import EXCHANGES, HAND, RussianPoker
from games.rules.russian_poker.hands import Hand, read_hand
from games.rules.russian_poker.outlook import FOLDED, DealerOdds, Outlook, most_insurance, outlook

DRAW_PRICE: Final = 1.0

Way = Literal["play", "buy", "exchange"]


class Draw(NamedTuple):
    """A way to play a hand on: what it does, with which cards, and what it is worth."""

    do: Way
    cards: tuple[Card, ...]
    worth: float


class Finish(NamedTuple):
    """The last decision: what betting is worth, and the insurance that is worth its stake."""

    bet: float
    insurance: int
    unqualified_chance: float

    @property
    def folds(self) -> bool:
        return self.bet < FOLDED


def finish(game: RussianPoker, ante: int, hand: Hand, up: Card, seen: Sequence[Card]) -> Finish:
    """Whether to bet and to insure a hand that draws no more; `seen` are the owner's cards."""
    expected = outlook(game, ante, up, seen)
    insurance = most_insurance(game, ante, hand) if expected.insurance_rate > 0 else 0
    return Finish(expected.bet(hand), insurance, expected.dealer.unqualified_chance)


def draws(game: RussianPoker, ante: int, cards: Sequence[Card], up: Card) -> list[Draw]:
    """All ways to play five cards on, the best first."""
    unseen = Unseen((*cards, up))
    hand = read_hand(cards)
    rank_draws = unseen.rank_draws(HAND)
    expected = Outlook(game, ante, DealerOdds(up, unseen, rank_draws[4]), unseen)
    found = [Draw("play", (), expected.finished(hand))]
    found.append(Draw("buy", (), _sixth_card(expected, unseen, cards) - DRAW_PRICE))
    found += _exchanges(expected, unseen, cards, rank_draws)
    return sorted(found, key=lambda draw: -draw.worth)


def _sixth_card(expected: Outlook, unseen: Unseen, cards: Sequence[Card]) -> float:
    """Return what the hand is worth with a sixth card, on average."""
    hands = [read_hand((*cards, card)) for card in unseen.cards]
    return sum([expected.finished(hand) for hand in hands]) / len(hands)


def _worths(expected: Outlook, groups: Iterable[Lines]) -> dict[int, float]:
    """Return what finished hands of five are worth, by rank sum."""
    worths: dict[int, float] = {}
    for lines in groups:
        worths.update(
            zip(lines.ranks, expected.all_finished(lines.values, lines.pays), strict=True)
        )
    return worths


def _exchanges(
    expected: Outlook, unseen: Unseen, cards: Sequence[Card], rank_draws: Sequence[RankDraws]
) -> Iterator[Draw]:
    """Every exchange: the worth of its draws by ranks, corrected for those of one suit."""
    worths = _worths(expected, plain_lines())
    gains = {
        ranks: worth - worths[ranks] for ranks, worth in _worths(expected, suited_lines()).items()
    }
    for count in EXCHANGES:
        sums, ways = rank_draws[count]
        total = sum(ways)
        for kept in combinations(cards, HAND - count):
            held = rank_sum(kept)
            worth = sum(map(mul, ways, [worths[held + one] for one in sums]))
            for suit in range(4):
                if all(card.suit == suit for card in kept):
                    suited = unseen.suit_draws(suit, count)
                    worth += sum([gains[held + one] for one in suited])
            given = tuple([card for card in cards if card not in kept])
            yield Draw("exchange", given, worth / total - DRAW_PRICE)
