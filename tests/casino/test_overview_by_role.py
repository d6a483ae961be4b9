"""The first page of the office: each role reads what it needs, and figures open their page."""

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS
from casino.office.alarms.models import CheckResult
from casino.office.desk import shifts
from casino.office.floor import halting, row_cache
from casino.office.frame import day_figures
from casino.office.frame.check_states import check_states
from casino.office.reports.office_reports.revenue import Revenue
from casino.office.reports.page_parts import shown
from casino.office.reports.registry import REPORTS
from casino.office.reports.report import Query
from casino.office.reports.spans import Span
from games.models import Anchor, Day, HandSeat
from games.rules.catalogue import against_house
from tests.casino.desk_scene import FLOAT, Desk
from tests.casino.floor_scene import stick, table
from tests.casino.seeded import SeededHouse
from tests.games.house import House
from wallets.models import Currency, Jackpot
from wallets.money import jackpots
from wallets.values.amounts import show_amount
from wallets.values.days import day_of, start_of

__all__ = ["table"]
pytestmark = pytest.mark.django_db

SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]
STATEMENTS_MAX = 33
# Once a minute for all readers.
OF_FIGURES_MAX = 30
# The reports of a part of the games: of those against the house, or of the others.
OF_PART = {"rake": False, "returns": True}
TILE = re.compile(
    r"<(?:span|dt)>([^<]+?)(?: <small>.*?</small>)?</(?:span|dt)>\s*<(?:b|dd)>([^<]*)<", re.DOTALL
)
PARTS = (
    *("day", "totals", "events", "jackpots", "at_desk", "checks", "health", "alarms"),
    *("receipts", "by_need"),
)
# What is in the context of each role, beside what waits for its approval.
OF_ROLE = {
    "managers": {"day", "totals", "events", "jackpots", "at_desk", "receipts", "checks", "alarms"},
    "auditors": {"day", "totals", "events", "checks", "alarms"},
    "floor": {"totals", "events", "by_need", "alarms"},
    "cashiers": {"at_desk", "receipts"},
    "technicians": {"health", "checks", "alarms"},
}


@pytest.mark.parametrize("role", [*PERMISSIONS])
def test_each_role_reads_its_own_parts(
    role: str, appointed: Appointed, signed_in: SignedIn
) -> None:
    page = signed_in(appointed(role)).get("/admin/")
    assert {part for part in PARTS if part in page.context} == OF_ROLE[role]


@pytest.mark.always
def test_today_is_what_the_report_says(
    seeded: SeededHouse, appointed: Appointed, signed_in: SignedIn
) -> None:
    """On the last day of the history, beside the same weekday before, from the report's rows."""
    noon = datetime.combine(seeded.last, datetime.min.time(), UTC) + timedelta(hours=12)
    day = day_figures.day_figures(noon)
    euro = day.currencies[0]
    assert euro.code == "EUR"
    rows = Query(Revenue(), Span(seeded.last, seeded.last), "day").rows()
    (row,) = (one for one in rows if one.currency == "EUR")
    currency = Currency.objects.get(pk="EUR")
    gross, from_people, hands, players, bots, owed, held = euro.figures
    for figure, name in ((gross, "gross"), (from_people, "from_people")):
        assert figure.today == show_amount(row[name], currency)
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
    found = dict(TILE.findall(page))
    for text in re.findall(r"<thead>.*?</tbody>", page, re.DOTALL):
        head, _tag, body = text.partition("<tbody>")
        if body.count("<tr") == 1:
            cells = re.findall(r"<td[^>]*>(.*?)</td>", body, re.DOTALL)
            values = (re.sub(r"<[^>]*>", "", one).strip() for one in cells)
            found |= dict(zip(re.findall(r"<th\b[^>]*>([^<]*)<", head), values, strict=False))
    return found


def by_games(day: date, *, house_games: bool) -> dict[str, str]:
    """The figures of the report of revenue, of some of the games."""
    report, euro = REPORTS["revenue"], Currency.objects.get(pk="EUR")
    rows = [
        row
        for row in Query(report, Span(day, day), "game").rows()
        if row.currency == "EUR" and against_house(row["game"]) == house_games
    ]
    return {
        str(column.words): shown(sum(row[column.name] for row in rows), column, euro)
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


def test_floor_and_overview_count_people_and_bots_apart(
    house: House, appointed: Appointed, signed_in: SignedIn
) -> None:
    dealt = house.dealt_in("doudizhu", "alice", "bob", "carol")
    Player.objects.filter(username="carol").update(is_bot=True, password="!")
    client = signed_in(appointed("managers"))
    for address in ("/admin/", "/admin/floor/"):
        row_cache.forget()
        totals = client.get(address).context["totals"]
        assert (totals.people, totals.bots, totals.places) == (2, 1, dealt.places)


@pytest.mark.parametrize("role", [*PERMISSIONS])
def test_a_page_takes_few_statements(
    role: str, appointed: Appointed, signed_in: SignedIn, house: House
) -> None:
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    client = signed_in(appointed(role))
    with CaptureQueriesContext(connection) as taken:
        day_figures.day_figures(timezone.now())
    assert 5 < len(taken) <= OF_FIGURES_MAX
    with CaptureQueriesContext(connection) as taken:
        client.get("/admin/")
    assert 5 < len(taken) <= STATEMENTS_MAX


def test_the_floor_reads_which_tables_need_attention(
    house: House, table: object, appointed: Appointed, signed_in: SignedIn
) -> None:
    client = signed_in(appointed("floor"))
    assert "The one open table needs no attention" in client.get("/admin/").text
    stick(house, table)  # type: ignore[arg-type]
    page = client.get("/admin/")
    assert [row.id for row in page.context["needing"]] == [table.pk]  # type: ignore[attr-defined]
    assert next(row.id for row in page.context["by_need"]) == table.pk  # type: ignore[attr-defined]
    assert "Hands begin as usual." in page.text
    # A pulled kill switch needs attention: of the page, and where no table is late.
    halting.halt(appointed("managers"), "a strange shoe", uuid4(), timezone.now())
    text = client.get("/admin/").text
    assert "Hands begin as usual." not in text
    assert text.count("a strange shoe") == 2
    assert "needs no attention" not in text


def test_a_cashier_reads_the_own_till(desk: Desk, signed_in: SignedIn) -> None:
    client = signed_in(desk.tom)
    assert "No shift of yours is open." in client.get("/admin/").text
    desk.with_float()
    page = client.get("/admin/")
    assert desk.first.name in page.text
    # Its receipts are the cashier's own; what they come to is not said before a count.
    assert page.context["holds"] != ["5,000.00 EUR"]
    shifts.count(desk.tom, {"EUR": FLOAT}, {}, words="", key=uuid4(), now=desk.now)
    assert client.get("/admin/").context["holds"] == ["5,000.00 EUR"]
    desk.pay("deposit", 700)
    page = client.get("/admin/")
    assert page.context["receipts"][0].number in page.text


def test_an_auditor_reads_when_each_check_ran_and_what_it_found(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    nothing = {"none was made yet", "no release is noted"}
    assert {state.found for state in check_states(now)} == {"has not run yet", *nothing}
    # In a house that has been open for nights they should have run.
    Day.objects.create(day=day_of(now) - timedelta(days=2), closed_at=now, hands=0, sums={})
    assert {state.found for state in check_states(now)} == {"has never run", *nothing}
    assert [state.is_bad for state in check_states(now)].count(True) == 3
    Day.objects.all().delete()
    CheckResult.objects.create(pk="audit", at=now - timedelta(hours=7), found=2, first="T1-H4: x")
    CheckResult.objects.create(pk="release", at=now - timedelta(days=3), found=0)
    Anchor.objects.create(number=3, made_at=now, position=812, line="", written=True)
    states = {state.address: state for state in check_states(now)}
    audit = states["/admin/audits/"]
    assert (audit.found, audit.is_bad) == ("2 problems found: T1-H4: x", True)
    assert audit.over == "0 hands"
    (anchors,) = [one for one in check_states(now) if one.over == "812 entries"]
    assert (anchors.found, anchors.is_bad) == ("anchor 3 is kept", False)
    for number, age, written in ((4, timedelta(days=30), True), (5, timedelta(0), False)):
        Anchor.objects.create(number=number, made_at=now - age, position=813, written=written)
        (anchors,) = [one for one in check_states(now) if one.over == "813 entries"]
        assert anchors.is_bad
        Anchor.objects.filter(number=number).delete()
    (code,) = [one for one in check_states(now) if one.words == "Check of the code"]
    assert (code.found, code.is_bad) == ("no problem found", True)
    assert "812 entries" in signed_in(appointed("auditors")).get("/admin/").text


def test_the_prize_nearest_to_its_highest_amount_comes_first(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    euro, _new = Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    for name, seed, highest in (("Far", 100, 1_000), ("Near", 900, 1_000)):
        jackpots.create(
            name, Jackpot.Kind.MYSTERY, euro, actor="o", seed=seed, lowest=950, highest=highest,
            key=uuid4(),
        )  # fmt: skip
    found = signed_in(appointed("managers")).get("/admin/").context["jackpots"]
    assert [(one.name, one.percent) for one in found] == [("Near", 90), ("Far", 10)]
