"""The preview picture of a shared hand, which other sites show beside the link.

It is drawn from the marks of the cards on the page (`static/games/cards.svg`). It has no words, so
it needs no font and serves every language: a seat is its number, a result its amount.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

import resvg_py
from django.contrib.staticfiles import finders

from games.boards.hand_results import Result
from games.rules.cards import Card
from wallets.amounts import show_signed
from wallets.models import Currency

# The size that sites ask for.
WIDTH: Final = 1200
HEIGHT: Final = 630
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
# Signs are strokes, 14 wide and 22 high; the sprite has the other digits.
ADVANCE: Final = 19
SIZE: Final = 1.5
SIGNS: Final = {
    "0": "M7 0C2.6 0 0 4 0 11s2.6 11 7 11 7-4 7-11S11.4 0 7 0Z",
    "1": "M2 4.4 8 .6V22",
    "+": "M0 12h14M7 5v14",
    "\N{MINUS SIGN}": "M0 12h14",
    ",": "M3.2 20.5 1 26",
    ".": "M2 21v.2",
}
NARROW: Final = {"1": 15, ",": 9, ".": 9, "\N{NO-BREAK SPACE}": 8}
GOOD, BAD, PLAIN = "#6cc08b", "#ef7d6d", "#eef3ef"
RED, INK = "#c0261f", "#16181a"


class Fit(NamedTuple):
    """The width of a row's cards, and the step from one to the next, in widths of a card."""

    width: float
    step: float


# Sites ask for a picture several times when its link is posted, and drawing takes a while.
@lru_cache(maxsize=32)
def png(drawing: str) -> bytes:
    return resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True)


def svg(results: Sequence[Result], currency: Currency) -> str:
    """The picture before it is made of points; what it holds of cards is what the results hold."""
    columns = 1 if len(results) <= 5 else 2 if len(results) <= 12 else 3
    rows = ceil(len(results) / columns)
    height = min(ROW_MAX, (HEIGHT - 2 * MARGIN) / rows)
    width = (WIDTH - 2 * MARGIN) / columns
    top = (HEIGHT - rows * height) / 2
    drawn = [
        _row(
            result,
            currency,
            (MARGIN + number // rows * width, top + number % rows * height),
            (width, height),
        )
        for number, result in enumerate(results)
    ]
    cards = {card.text for result in results for hand in result.hands for card in hand}
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}">{_marks(cards)}<radialGradient id="felt" r=".8"><stop'
        ' stop-color="#1d4435"/><stop offset="1" stop-color="#122a20"/></radialGradient>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#felt)"/>{"".join(drawn)}</svg>'
    )


@cache
def _sprite() -> str:
    return Path(str(finders.find("games/cards.svg"))).read_text()


def _marks(cards: Iterable[str]) -> str:
    """Return the paths that draw the marks of these cards, and of no others."""
    parts = re.findall(r"<defs>.*?</defs>", _sprite(), re.DOTALL)
    for card in sorted(cards):
        parts += re.findall(rf'<symbol id="card-{card}".*?</symbol>', _sprite(), re.DOTALL)
    return "".join(parts)


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
        parts.append(_text(text, left + 32 - _length(text) / 2, middle, PLAIN, 1))
    if result.net is not None:
        text = show_signed(result.net, currency)
        colour = GOOD if result.net > 0 else BAD if result.net < 0 else PLAIN
        share = min(SIZE, NET * 0.95 / _length(text))
        parts.append(_text(text, left + width - _length(text) * share, middle, colour, share))
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


def _length(text: str) -> int:
    return sum(NARROW.get(sign, ADVANCE) for sign in text)


def _text(text: str, x: float, middle: float, colour: str, share: float) -> str:
    """Digits and signs of amounts; whatever else an amount is written with leaves its room."""
    parts, at = [], 0
    for sign in text:
        if sign in SIGNS:
            parts.append(f'<path transform="translate({at} 0)" d="{SIGNS[sign]}"/>')
        elif sign.isdecimal():
            parts.append(f'<use href="#{sign}" x="{at - 5}" y="-8"/>')
        at += NARROW.get(sign, ADVANCE)
    return (
        f'<g transform="translate({x:.1f} {middle - 11 * share:.1f}) scale({share:.3f})"'
        f' color="{colour}" fill="none" stroke="{colour}" stroke-width="4.4"'
        f' stroke-linecap="round" stroke-linejoin="round">{"".join(parts)}</g>'
    )
