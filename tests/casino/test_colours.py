"""Each colour of text can be read on each ground, in both themes."""

import re
from pathlib import Path

import pytest

SHEET = Path(__file__).parents[2] / "static" / "casino" / "tokens.css"
GROUNDS = ("ground", "raised", "raised-2", "sunk")
TEXTS = ("text", "muted", "accent", "good", "bad", "info")
# What differs by theme has both values beside one another.
BY_THEME = re.compile(r"light-dark\((rgb\([^)]+\)|[^,]+), (rgb\([^)]+\)|[^)]+)\)")

Theme = dict[str, str]


def themes() -> tuple[Theme, Theme]:
    """The colours of the light and of the dark theme."""
    block, *_ = re.findall(r"^:root \{(.+?)^\}", SHEET.read_text(), re.MULTILINE | re.DOTALL)
    given = dict(re.findall(r"--([\w-]+): ([^;]+);", block))
    light, dark = (
        {name: BY_THEME.sub(rf"\{place}", value) for name, value in given.items()}
        for place in (1, 2)
    )
    return light, dark


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    shares = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme: Theme, one: str, other: str) -> float:
    darker, lighter = sorted((luminance(theme[one]), luminance(theme[other])))
    return (lighter + 0.05) / (darker + 0.05)


def test_every_ground_and_every_text_has_two_colours() -> None:
    light, dark = themes()
    differ = {name for name in light if light[name] != dark[name]}
    assert {*GROUNDS, *TEXTS, "edge", "e1", "e2"} <= differ


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_every_text_can_be_read_on_every_ground(theme: Theme) -> None:
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS] + [("on-brass", "brass")]
    assert {pair: contrast(theme, *pair) for pair in pairs if contrast(theme, *pair) < 4.5} == {}


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_the_edge_of_what_can_be_used_is_seen_on_every_ground(theme: Theme) -> None:
    assert [ground for ground in GROUNDS if contrast(theme, "edge", ground) < 3] == []


def test_every_suit_can_be_read_on_its_card() -> None:
    _, dark = themes()
    inks = ("card-ink", "card-red", "card-green", "card-blue")
    assert [ink for ink in inks if contrast(dark, ink, "card-face") < 4.5] == []
    assert contrast(dark, "card-back-mark", "card-back") >= 4.5


def test_the_marks_of_a_chip_are_seen_on_it() -> None:
    _, dark = themes()
    dark_marked = ("chip-1", "chip-1000", "chip-5000")
    for chip in (name for name in dark if re.fullmatch(r"chip-\d+", name)):
        mark = "chip-mark-dark" if chip in dark_marked else "chip-mark-light"
        assert contrast(dark, mark, chip) >= 4.5, chip


def felts() -> dict[str, Theme]:
    """The colours of each cloth and of what lies on it: what differs from the green, over it."""
    sheet = SHEET.read_text()
    on_felt = re.compile(r"^\.on-felt \{(.+?)^\}|data-felt=\"(\w+)\"\][^{]*\{(.+?)^\}", re.M | re.S)
    felts: dict[str, Theme] = {"green": themes()[1]}
    for own, name, other in on_felt.findall(sheet):
        colours = dict(re.findall(r"--([\w-]+): (#\w+);", own or other))
        felts[name or "green"] = felts.get(name or "green", felts["green"]) | colours
    return {name: felts["green"] | colours for name, colours in felts.items()}


def test_there_are_three_felts() -> None:
    assert set(felts()) == {"green", "night", "claret"}


@pytest.mark.parametrize("felt", felts().values(), ids=felts())
def test_whatever_lies_on_a_felt_can_be_read(felt: Theme) -> None:
    """Text on the lightest spot of the cloth, and on plates and the console."""
    grounds = ("felt-light", "felt-mid", "felt-deep", "plate", "console")
    pairs = [(text, ground) for text in TEXTS for ground in grounds]
    assert {pair: contrast(felt, *pair) for pair in pairs if contrast(felt, *pair) < 4.5} == {}
    assert [ground for ground in grounds if contrast(felt, "edge", ground) < 3] == []


@pytest.mark.parametrize("back", ["red", "green"])
def test_the_mark_of_every_card_back_is_seen(back: str) -> None:
    [block] = re.findall(rf'data-back="{back}"\] \{{(.+?)\}}', SHEET.read_text(), re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w+);", block))
    assert contrast(colours, "card-back-mark", "card-back") >= 4.5
