"""The drawing of pictures for other sites: felt in its rail, marks of the pages, and figures.

Pictures have no words, so they need no font and serve every language. The digits 2 to 9 are those
of the cards (`static/games/cards.svg`); the other signs of an amount are strokes of their own.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import resvg_py
from django.contrib.staticfiles import finders

from wallets.values import house, palette

# The size that sites ask for.
WIDTH: Final = 1200
HEIGHT: Final = 630
CARDS: Final = "games/cards.svg"
# Signs are strokes, 14 wide and 22 high; the sprite has the other digits.
ADVANCE: Final = 19
SIGNS: Final = {
    "0": "M7 0C2.6 0 0 4 0 11s2.6 11 7 11 7-4 7-11S11.4 0 7 0Z",
    "1": "M2 4.4 8 .6V22",
    "+": "M0 12h14M7 5v14",
    "\N{MINUS SIGN}": "M0 12h14",
    ",": "M3.2 20.5 1 26",
    ".": "M2 21v.2",
}
NARROW: Final = {"1": 15, ",": 9, ".": 9, "\N{NO-BREAK SPACE}": 8}
# On felt, as on the pages.
GOOD, BAD, PLAIN = "#9be3b4", "#ffb4a7", "#f4f6f1"
# How wide the wood around the felt is.
RAIL: Final = 20


# Sites ask for a picture several times when its link is posted, and drawing takes a while.
@lru_cache(maxsize=32)
def png(drawing: str) -> bytes:
    return resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True)


def picture(marks: str, drawn: str) -> str:
    """A picture of this on felt in its rail, as an SVG; `marks` are those that it uses."""
    of_house = colours()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}">{marks}<radialGradient id="felt" cy=".42" r=".72"><stop'
        f' stop-color="{of_house["felt-light"]}"/><stop offset=".52"'
        f' stop-color="{of_house["felt-mid"]}"/><stop offset="1"'
        f' stop-color="{of_house["felt-deep"]}"/></radialGradient><linearGradient id="wood" x2="0"'
        ' y2="1"><stop stop-color="#6b4a36"/><stop offset=".5" stop-color="#452f22"/><stop'
        ' offset="1" stop-color="#261912"/></linearGradient>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#wood)"/>'
        f'<rect x="{RAIL}" y="{RAIL}" width="{WIDTH - 2 * RAIL}"'
        f' height="{HEIGHT - 2 * RAIL}" rx="48" fill="url(#felt)"'
        f' stroke="{of_house["brass-line"]}"'
        f' stroke-width="2"/>{drawn}</svg>'
    )


def colours() -> palette.Colours:
    """The colours of the house's pages."""
    _light, dark, _felt = palette.themes(house.current().palette)
    return dark


def marks_of(sprite: str, names: Iterable[str] = ()) -> str:
    """Return the paths of the marks of these names, and of no others of the sprite."""
    text = _text_of(sprite)
    parts = re.findall(r"<defs>.*?</defs>", text, re.DOTALL)
    for name in sorted(set(names)):
        parts += re.findall(rf'<symbol id="{name}".*?</symbol>', text, re.DOTALL)
    return "".join(parts)


@cache
def _text_of(sprite: str) -> str:
    return Path(str(finders.find(sprite))).read_text()


def colour_of(amount: int) -> str:
    """The colour of what was won or lost."""
    return GOOD if amount > 0 else BAD if amount < 0 else PLAIN


def length(text: str) -> int:
    return sum(NARROW.get(sign, ADVANCE) for sign in text)


def figure(text: str, x: float, middle: float, colour: str, share: float) -> str:
    """An amount: digits and signs are drawn, other characters leave a gap."""
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
