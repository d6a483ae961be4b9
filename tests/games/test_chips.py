"""Chips and icons on a page."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template

from wallets.models import Currency

ROOT = Path(__file__).parents[2]
PLAY = Currency(code="PLAY", exponent=2)
NAMED = re.compile(r'{% icon "([^"]+)" %}')


def shown(text: str, amount: int) -> str:
    context = Context({"amount": amount, "currency": PLAY})
    return Template("{% load games %}" + text).render(context)


@pytest.mark.parametrize(
    ("amount", "name", "written", "worth"),
    [
        (50, "0.50", "0.5", 1),
        (1, "0.01", "0.01", 1),
        (12_50, "12.50", "12.5", 5),
        (100_00, "100", "100", 100),
        (199_99, "199.99", "199", 100),
        (2500_00, "2,500", "2.5k", 1000),
        (12_345_00, "12,345", "12.3k", 5000),
        (3_000_000_00, "3,000,000", "3M", 5000),
    ],
)
def test_a_chip_says_what_it_is_worth(amount: int, name: str, written: str, worth: int) -> None:
    text = shown("{% chip amount currency %}", amount)
    assert f'aria-label="{name}"' in text
    assert f">{written}</text>" in text
    assert f'"worth-{worth}"' in text


def test_chips_differ_by_more_than_their_colour() -> None:
    edges = {
        worth: re.findall(r'pathLength="(\d+)"', shown("{% chip amount currency %}", worth * 100))
        for worth in (1, 5, 25, 100, 500, 1000, 5000)
    }
    assert len({tuple(edge) for edge in edges.values()}) == len(edges)


def test_a_bet_is_a_stack_with_the_largest_chip_at_the_bottom() -> None:
    text = shown("{% stack amount currency %}", 131_50)
    assert [int(worth) for worth in re.findall(r"worth-(\d+)", text)] == [100, 25, 5, 1]
    assert '<span class="number">131.50</span>' in text
    assert len(re.findall("worth-", shown("{% stack amount currency %}", 10**9))) == 5


def test_the_icons_that_pages_ask_for_are_drawn_and_no_others() -> None:
    drawn = re.findall(
        '<symbol id="([^"]+)"', (ROOT / "static" / "casino" / "icons.svg").read_text()
    )
    asked = {
        name
        for page in (ROOT / "templates").rglob("*.html")
        for name in NAMED.findall(page.read_text())
    }
    assert sorted(asked) == sorted(drawn)
