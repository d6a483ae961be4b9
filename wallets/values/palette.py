"""The colours of a house with a palette of its own, made from those of the style sheet.

Of each colour of `static/casino/tokens.css` that belongs to a colour of the palette the lightness
stays, or keeps its distance, and hue and strength are those of the palette. So what could be read
can be read still, unless the palette itself is too light or too dark: `faults` computes that.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from math import atan2, cos, hypot, sin
from pathlib import Path
from typing import Final, NamedTuple

from django.contrib.staticfiles import finders
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec.structs import astuple

from wallets.values.house import Palette

TOKENS: Final = "casino/tokens.css"
COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
Colours = Mapping[str, str]

# What differs by theme has the light value first.
_BY_THEME: Final = re.compile(r"light-dark\((#\w+), (#\w+)\)")
_VALUE: Final = re.compile(r"--([\w-]+): ([^;]+);")
_ROOT: Final = re.compile(r"^:root \{(.+?)^\}", re.MULTILINE | re.DOTALL)
_ON_FELT: Final = re.compile(r"^\.on-felt \{(.+?)^\}", re.MULTILINE | re.DOTALL)

# Which tokens go with which colour: those that move with its lightness, and those that stay.
GROUNDS: Final = ("ground", "raised", "raised-2", "sunk")
BESIDE_GROUND: Final = ("line", "edge", "text", "muted")
BRASS: Final = ("brass", "brass-edge", "brass-line")
BESIDE_BRASS: Final = ("accent", "on-brass", "sum")
FELTS: Final = ("felt-light", "felt-mid", "felt-deep", "felt-night", "plate", "console")
BESIDE_FELT: Final = ("print", "move-edge")
ON_FELT: Final = ("muted", "edge", "line")
TEXTS: Final = ("text", "muted", "accent", "good", "bad", "info")
# The ends of gradients, which have no names: what is added to the lightness of their colour.
BRASS_ENDS: Final = (0.09, -0.08)
MOVE_ENDS: Final = (0.12, 0.03)

READABLE: Final = 4.5
VISIBLE: Final = 3.0


class Lch(NamedTuple):
    """A colour by OKLCH: lightness, strength and hue as people see them."""

    light: float
    strong: float
    hue: float


class Fault(NamedTuple):
    """A pair of colours that is too weak, by its words."""

    words: str | Promise
    contrast: float
    least: float


class _Built(NamedTuple):
    """The colours of the style sheet: by theme, and on felt."""

    light: Colours
    dark: Colours
    felt: Colours


@cache
def _built() -> _Built:
    text = Path(str(finders.find(TOKENS))).read_text()
    root = dict(_VALUE.findall(_ROOT.findall(text)[0]))
    light, dark = (
        {
            name: _long(colour)
            for name, value in root.items()
            if (colour := _BY_THEME.sub(rf"\{theme}", value)).startswith("#")
        }
        for theme in (1, 2)
    )
    on_felt = _VALUE.findall(_ON_FELT.findall(text)[0])
    felt = {name: _long(value) for name, value in on_felt if value.startswith("#")}
    return _Built(light, dark, {**dark, **felt})


def _long(colour: str) -> str:
    return "#" + "".join(digit * 2 for digit in colour[1:]) if len(colour) == 4 else colour


def of_house(palette: Palette) -> Palette:
    """The palette with the colours that it leaves to the style sheet."""
    dark = _built().dark
    return Palette(
        palette.accent or dark["brass"],
        palette.ground or dark["ground"],
        palette.felt or dark["felt-mid"],
    )


# From one way to write a colour to another.


def lch(colour: str) -> Lch:
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    light = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return Lch(light, hypot(a, b), atan2(b, a))


def written(colour: Lch) -> str:
    """The colour as `#rrggbb`, as strong as a screen can show it."""
    strong = colour.strong
    shares = _shares(colour)
    while strong > 0 and not all(-0.001 <= share <= 1.001 for share in shares):
        strong -= 0.004
        shares = _shares(colour._replace(strong=max(0.0, strong)))
    numbers = (round(255 * _curved(min(1.0, max(0.0, share)))) for share in shares)
    return "#" + "".join(f"{number:02x}" for number in numbers)


def _shares(colour: Lch) -> tuple[float, float, float]:
    a, b = colour.strong * cos(colour.hue), colour.strong * sin(colour.hue)
    long = (colour.light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (colour.light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (colour.light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _curved(share: float) -> float:
    return share * 12.92 if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG computes it, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# The colours of a palette.


def _turned(built: str, base: str, own: str, *, moves: bool) -> str:
    """A colour of the style sheet with the hue of `own`, which takes the place of `base`."""
    if own == base:
        return built
    colour, before, after = lch(built), lch(base), lch(own)
    share = min(1.6, after.strong / max(before.strong, 0.01))
    light = colour.light + (after.light - before.light if moves else 0.0)
    return written(Lch(min(0.99, max(0.02, light)), colour.strong * share, after.hue))


@lru_cache(maxsize=64)
def themes(palette: Palette) -> tuple[Colours, Colours, Colours]:
    """All colours of a house with this palette: light, dark, and on felt."""
    built, own = _built(), of_house(palette)
    base = of_house(Palette())
    light, dark = dict(built.light), dict(built.dark)
    for name in (*GROUNDS, *BESIDE_GROUND):
        dark[name] = _turned(dark[name], base.ground, own.ground, moves=name in GROUNDS)
        light[name] = _turned(light[name], base.ground, own.ground, moves=False)
    # The colours that were chosen are shown as they are.
    dark["ground"] = own.ground
    both: dict[str, str] = {}
    for name in (*BRASS, *BESIDE_BRASS):
        both[name] = _turned(dark[name], base.accent, own.accent, moves=name in BRASS)
    for name in (*FELTS, *BESIDE_FELT):
        both[name] = _turned(dark[name], base.felt, own.felt, moves=name in FELTS)
    both |= {"brass": own.accent, "felt-mid": own.felt}
    if own.accent != base.accent:
        both["on-brass"] = max(
            (both["on-brass"], dark["text"]), key=lambda ink: contrast(ink, own.accent)
        )
    light = {
        **light,
        **both,
        "accent": _turned(light["accent"], base.accent, own.accent, moves=False),
    }
    dark |= both
    felt = {**built.felt, **both}
    felt["accent"] = _turned(built.felt["accent"], base.accent, own.accent, moves=False)
    for name in ON_FELT:
        felt[name] = _turned(built.felt[name], base.felt, own.felt, moves=False)
    return light, dark, felt


def faults(palette: Palette) -> Iterator[Fault]:
    """The weakest pair of each kind that is too weak to be read or seen."""
    light, dark, felt = themes(palette)
    pairs = (
        (_("Text on the ground, dark"), READABLE, dark, TEXTS, GROUNDS),
        (_("Text on the ground, light"), READABLE, light, TEXTS, GROUNDS),
        (_("The edge of a button on the ground, dark"), VISIBLE, dark, ("edge",), GROUNDS),
        (_("The edge of a button on the ground, light"), VISIBLE, light, ("edge",), GROUNDS),
        (_("Text on the felt"), READABLE, felt, TEXTS, FELTS),
        (_("The edge of a button on the felt"), VISIBLE, felt, ("edge",), FELTS),
        (_("Text on a main button"), READABLE, dark, ("on-brass",), ("brass",)),
    )
    for words, least, colours, above, below in pairs:
        weakest = min(contrast(colours[name], colours[other]) for name in above for other in below)
        if weakest < least:
            yield Fault(words, weakest, least)


def _ends(accent: str, ink: str) -> list[str]:
    """The ends of the gradient of a main button, as far apart as its text can be read on them."""
    return [
        next(
            end
            for share in (1, 0.5, 0.25, 0)
            if contrast(end := _shifted(accent, share * by), ink) >= READABLE or not share
        )
        for by in BRASS_ENDS
    ]


def _shifted(colour: str, by: float) -> str:
    before = lch(colour)
    return written(before._replace(light=min(0.98, max(0.02, before.light + by))))


# The office's shades go by numbers; the theme has them under these names.
OFFICE: Final = (("base", "ground"), ("primary", "accent"))


def sheet(palette: Palette, shades: Mapping[str, Colours]) -> str:
    """The style sheet that follows all others of a page, in room and office."""
    built, own, base = _built(), of_house(palette), of_house(Palette())
    light, dark, felt = themes(palette)
    rules: list[str] = []
    office: list[str] = []
    for name, value in dark.items():
        if (light[name], value) != (built.light[name], built.dark[name]):
            same = light[name] == value
            rules.append(f"--{name}:{value if same else f'light-dark({light[name]},{value})'};")
    if own.accent != base.accent:
        ends = _ends(own.accent, dark["on-brass"])
        rules.append(f"--brass-fill:linear-gradient({ends[0]},{own.accent} 55%,{ends[1]});")
    if own.felt != base.felt:
        top, bottom = (_shifted(own.felt, by) for by in MOVE_ENDS)
        rules.append(f"--move-fill:linear-gradient({top},{bottom});")
        rules += [
            f"--{name}:rgb(from {dark['felt-night']} r g b / {share}%);"
            for name, share in (("inlaid", 42), ("tag", 82))
        ]
    for shade, colour in OFFICE:
        if getattr(own, colour) != getattr(base, colour):
            office += [
                f"--color-{shade}-{number}:"
                f"{_turned(value, getattr(base, colour), getattr(own, colour), moves=False)};"
                for number, value in shades[shade].items()
            ]
    # The office's theme has its shades in the page, after all sheets.
    theme = f"html:root{{{''.join(office)}}}\n"
    lying = "".join(f"--{name}:{felt[name]};" for name in (*ON_FELT, "accent"))
    return theme + f":root{{{''.join(rules)}}}\n.round,.moves,.sitting,.on-felt{{{lying}}}\n"


def address_part(palette: Palette) -> str:
    """The three colours, as the address of their sheet has them."""
    return "-".join(colour.removeprefix("#") for colour in astuple(of_house(palette)))


def from_address(part: str) -> Palette | None:
    """The palette that an address names, if a house may have it."""
    colours = [f"#{colour}" for colour in part.split("-")]
    if len(colours) != 3 or not all(map(COLOUR.fullmatch, colours)):
        return None
    palette = Palette(*colours)
    return None if next(faults(palette), None) else palette
