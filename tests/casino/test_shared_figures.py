"""Figures that several pages of the office show: overview, floor and reports say the same."""

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.office.frame import overview
from casino.office.reports.facts import Span
from casino.office.reports.report import REPORTS, Query
from games.models import HandSeat
from games.rules.catalogue import against_house
from tests.casino.seeded import SeededHouse
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.days import start_of

# Its tests share one house with others that read it.
SCENE = "seeded"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("seeded")]

SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]
# The reports of a part of the games: of those against the house, or of the others.
OF_PART = {"rake": False, "returns": True}
TILE = re.compile(
    r"<(?:span|dt)>([^<]+?)(?: <small>.*?</small>)?</(?:span|dt)>\s*<(?:b|dd)>([^<]*)<", re.DOTALL
)


@pytest.mark.always
def test_today_is_what_the_report_says(
    seeded: SeededHouse, appointed: Appointed, signed_in: SignedIn
) -> None:
    """On the last day of the history, beside the same weekday before, from the report's rows."""
    noon = datetime.combine(seeded.last, datetime.min.time(), UTC) + timedelta(hours=12)
    day = overview.day_figures(noon)
    euro = day.currencies[0]
    assert euro.code == "EUR"
    rows = Query(REPORTS["revenue"], Span(seeded.last, seeded.last), "day").rows()
    (row,) = (row for row in rows if row.currency == "EUR")
    currency = Currency.objects.get(pk="EUR")
    gross, from_people, hands, players, bots, owed, held = euro.figures
    for figure, name in ((gross, "gross"), (from_people, "from_people")):
        assert figure.today == show_amount(row[name], currency, is_exact=True)
    for figure, name in ((hands, "hands"), (players, "players"), (bots, "bots")):
        assert figure.today == f"{row[name]:,}"
    # The house was not there a week before.
    assert (gross.before, gross.change, gross.is_marked) == ("–", "", False)
    assert " / " in held.today
    assert owed.today != "–"
    client = signed_in(appointed("auditors"))
    for figure in euro.figures:
        assert client.get(figure.address).status_code == 200, figure.words
    largest = HandSeat.objects.filter(
        currency="EUR", ended_at__gt=noon - timedelta(days=1), player__is_bot=False
    )
    sizes = sorted((abs(seat.net) for seat in largest), reverse=True)
    assert len(day.results) == 10
    # Amounts in one column have as many decimals as the one with most.
    shown = day.results[0].shown.strip("\N{MINUS SIGN}").replace(",", "")
    assert Decimal(shown) == Decimal(sizes[0]).scaleb(-currency.exponent)


def figures_on(page: str) -> dict[str, str]:
    """The figures of a page by their words: tiles, lines of sums, and a table of a single row."""
    # Other currencies have the same words for other figures.
    page = re.sub(r'<section aria-label="Today, (?!EUR).*?</section>', "", page, flags=re.DOTALL)
    figures = dict(TILE.findall(page))
    for text in re.findall(r"<thead>.*?</tbody>", page, re.DOTALL):
        head, _tag, body = text.partition("<tbody>")
        if body.count("<tr") == 1:
            cells = re.findall(r"<td[^>]*>(.*?)</td>", body, re.DOTALL)
            values = (re.sub(r"<[^>]*>", "", cell).strip() for cell in cells)
            figures |= dict(zip(re.findall(r"<th\b[^>]*>([^<]*)<", head), values, strict=False))
    return figures


def by_games(day: date, *, house_games: bool) -> dict[str, str]:
    """The figures of the report of revenue, of some of the games."""
    report, euro = REPORTS["revenue"], Currency.objects.get(pk="EUR")
    rows = [
        row
        for row in Query(report, Span(day, day), "game").rows()
        if row.currency == "EUR" and against_house(row["game"]) == house_games
    ]
    return {
        str(column.words): column.shown(sum(row[column.name] for row in rows), euro)
        for column in report.columns("game")
        if column.measure == "flow" and rows
    }


def test_a_figure_is_the_same_on_each_page_that_has_it(
    seeded: SeededHouse,
    appointed: Appointed,
    signed_in: SignedIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One definition a figure: what two pages call by the same words is the same, of a day."""
    client, days = signed_in(appointed("managers")), (seeded.last, seeded.today)
    for day in days:
        at = start_of(day + timedelta(days=1)) - timedelta(microseconds=1)
        monkeypatch.setattr(timezone, "now", lambda at=at: at)
        query = f"?from={day}&to={day}&by=day&currency=EUR"
        addresses = {name: f"/admin/reports/{name}/{query}" for name in REPORTS}
        addresses |= {"overview": "/admin/", "floor": "/admin/floor/"}
        said: dict[str, dict[str, str]] = defaultdict(dict)
        for page, address in addresses.items():
            for words, value in figures_on(client.get(address).text).items():
                said[words][page] = value
        for report, house_games in OF_PART.items():
            for words, value in by_games(day, house_games=house_games).items():
                assert said[words].pop(report, value) == value, (words, report, day)
        shared = {words: pages for words, pages in said.items() if len(pages) > 1}
        assert {words for words, pages in shared.items() if len(set(pages.values())) > 1} == set()
        # Of the overview, the floor and the reports.
        assert shared.keys() >= {"Gross revenue", "Owed to players", "Players seated", "Grants"}
