"""The preview picture of a shared hand, which other sites show with the link.

It is drawn from the marks of the cards on the page. It has no words: a seat is its number, a result
its amount.
"""

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

from games.boards import drawing
from games.boards.hand_results import Result
from games.rules.cards import Card
from wallets.models import Currency
from wallets.values.amounts import show_signed

MARGIN: Final = 40
ROW_MAX: Final = 180
# Beside the cards of a row: the seat before them, the result behind them.
LABEL: Final = 84
NET: Final = 230
# A card is 60 by 84, and so much of it is seen of one that another covers.
CARD: Final = (60, 84)
STEP: Final = 1.06
STEP_MIN: Final = 0.38
GAP: Final = 0.3
SIZE: Final = 1.5
RED, INK = "#c0261f", "#16181a"


class Fit(NamedTuple):
    """The width of a row's cards, and the step from one to the next, in widths of a card."""

    width: float
    step: float


def svg(results: Sequence[Result], currency: Currency) -> str:
    """The picture before it is made of points; what it holds of cards is what the results hold."""
    columns = 1 if len(results) <= 5 else 2 if len(results) <= 12 else 3
    rows = ceil(len(results) / columns)
    height = min(ROW_MAX, (drawing.HEIGHT - 2 * MARGIN) / rows)
    width = (drawing.WIDTH - 2 * MARGIN) / columns
    top = (drawing.HEIGHT - rows * height) / 2
    drawn = [
        _row(
            result,
            currency,
            (MARGIN + number // rows * width, top + number % rows * height),
            (width, height),
        )
        for number, result in enumerate(results)
    ]
    cards = {f"card-{card.text}" for result in results for hand in result.hands for card in hand}
    return drawing.picture(drawing.marks_of(drawing.CARDS, cards), "".join(drawn))


def _row(
    result: Result, currency: Currency, at: tuple[float, float], size: tuple[float, float]
) -> str:
    (left, top), (width, height) = at, size
    middle = top + height / 2
    parts = []
    if result.seat is not None:
        parts.append(
            f'<circle cx="{left + 32:.1f}" cy="{middle:.1f}" r="28" fill="none" stroke="#e0b458"'
            ' stroke-width="3"/>'
        )
        text = str(result.seat)
        parts.append(
            drawing.figure(text, left + 32 - drawing.length(text) / 2, middle, drawing.PLAIN, 1)
        )
    if result.net is not None:
        text = show_signed(result.net, currency)
        colour = drawing.colour_of(result.net)
        share = min(SIZE, NET * 0.95 / drawing.length(text))
        parts.append(
            drawing.figure(text, left + width - drawing.length(text) * share, middle, colour, share)
        )
    fit = _fit(result.hands, width - LABEL - NET, height * 0.88)
    x, tall = left + LABEL, fit.width * CARD[1] / CARD[0]
    for hand in result.hands:
        for card in hand:
            parts.append(_card(card, x, middle - tall / 2, fit.width))
            x += fit.width * fit.step
        x += fit.width * (1 - fit.step + GAP)
    return "".join(parts)


def _fit(hands: Sequence[Sequence[Card]], room: float, tall: float) -> Fit:
    """The largest cards that a row has room for, beside one another or overlapping."""
    width = tall * CARD[0] / CARD[1]
    steps = sum(max(0, len(hand) - 1) for hand in hands)
    whole = sum(1 for hand in hands if hand) + GAP * max(0, len(hands) - 1)
    step = STEP if not steps else min(STEP, (room / width - whole) / steps)
    if step < STEP_MIN:
        return Fit(min(width, room / (whole + steps * STEP_MIN)), STEP_MIN)
    return Fit(min(width, room / (whole + steps * step)) if whole else width, step)


def _card(card: Card, x: float, y: float, width: float) -> str:
    colour = RED if card.text[-1] in "hd" or card.text == "RJ" else INK
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{width * 1.4:.1f}"'
        f' viewBox="0 0 {CARD[0]} {CARD[1]}" color="{colour}"><rect x=".5" y=".5" width="59"'
        ' height="83" rx="6" fill="#fdfcf7" stroke="#9aa39c"/>'
        f'<use href="#card-{card.text}" width="{CARD[0]}" height="{CARD[1]}"/></svg>'
    )
