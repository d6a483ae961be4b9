"""The pages and the API of reports: what they show, whom they let in, and what opens a figure."""

import csv
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from io import StringIO
from operator import attrgetter
from typing import Any, get_args
from urllib.parse import urlparse

import pytest
from django.core.management import call_command
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import AUDITORS, CASHIERS, FLOOR, MANAGERS, TECHNICIANS, appoint
from casino.office.reports import detail_pages, details, figures
from casino.office.reports.columns import DAYS, By, Column, Opens, Row, change
from casino.office.reports.counting import DayCount, count_day
from casino.office.reports.facts import Only, Span, Sums
from casino.office.reports.office_pages import opened
from casino.office.reports.report import REPORTS, Query, query_at
from casino.ops.running_code import running_code
from tests.casino.seeded import SeededHouse
from tests.people import HTMX, client_of
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry

SCENE = "seeded"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("seeded")]


GROUPED = [(name, by) for name, report in REPORTS.items() for by in report.allowed]
SOURCE = attrgetter("source")
# A house without tills: `test_desk_receipts.py` opens what a till has.
WITHOUT_ROWS = {("desk", "till")}


def staff(group: str, **headers: str) -> Client:
    player = Player.objects.create_user(f"one-of-{group}")
    appoint(player, group)
    return client_of(Player.objects.get(pk=player.pk), headers=headers)


@pytest.fixture
def auditor(seeded: SeededHouse) -> Client:
    return staff(AUDITORS)


def whole(seeded: SeededHouse) -> Span:
    return Span(seeded.first, seeded.today)


def address(seeded: SeededHouse, name: str, **more: str) -> str:
    kept = "".join(f"&{key}={value}" for key, value in more.items())
    return f"/admin/reports/{name}/?from={seeded.first}&to={seeded.today}{kept}"


@pytest.mark.always
@pytest.mark.parametrize("page", REPORTS)
def test_a_page_shows_the_rows_of_its_report(
    seeded: SeededHouse, auditor: Client, page: str
) -> None:
    for by in REPORTS[page].allowed:
        text = auditor.get(address(seeded, page, by=by)).content.decode()
        if (page, by) in WITHOUT_ROWS:
            continue
        assert "Nothing happened" not in text
        assert running_code().sha256 in text
        assert "<svg" in text
        rows = list(Query(REPORTS[page], whole(seeded), by).rows())
        first = min(row["currency"] for row in rows)
        mine = sum(row["currency"] == first for row in rows)
        table = text[text.index('class="box wide"') :]
        body = table[table.index("<tbody>") : table.index("</tbody>")]
        assert body.count("<tr") == mine


@pytest.mark.always
@pytest.mark.parametrize("page", REPORTS)
def test_a_report_of_one_day_has_charts_of_it_or_none(
    seeded: SeededHouse, auditor: Client, page: str
) -> None:
    answer = auditor.get(f"/admin/reports/{page}/?from={seeded.last}&to={seeded.last}")
    for chart in answer.context["charts"]:
        assert re.search(r'<rect class="(won|lost)"', chart), chart


@pytest.mark.parametrize("page", REPORTS)
def test_a_page_counts_an_open_day_once(
    seeded: SeededHouse, auditor: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[date] = []

    def count(day: date, until: None = None) -> DayCount:
        counted.append(day)
        return count_day(day, until)

    monkeypatch.setattr(figures, "count_day", count)
    auditor.get(address(seeded, page))
    # Yesterday is open, too, for a while after it ends.
    assert sorted(counted) in ([], [seeded.today], [seeded.last, seeded.today])


@pytest.mark.always
def test_a_range_is_compared_with_the_one_before_and_added_up_below(
    seeded: SeededHouse, auditor: Client
) -> None:
    middle = seeded.first + (seeded.today - seeded.first) // 2 + timedelta(days=1)
    later = Span(middle, seeded.today)
    days = timedelta(days=later.days)
    before = Span(middle - days, middle - timedelta(days=1))
    page = auditor.get(f"/admin/reports/revenue/?from={later.first}&to={later.last}")
    code = page.context["currency"].pk
    for span, figure in ((later, "shown"), (before, "before")):
        rows = [
            row for row in Query(REPORTS["revenue"], span, "day").rows() if row.currency == code
        ]
        hands = sum(row["hands"] for row in rows)
        assert hands
        total = next(total for total in page.context["totals"] if total["name"] == "hands")
        assert total[figure] == f"{hands:,}"
    assert page.context["footer"][0] == total["shown"]
    assert total["shown"] in page.text[page.text.rindex("<tfoot>") :]


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [(200, 250, "+25%"), (200, 150, "\N{MINUS SIGN}25%"), (0, 5, ""), (-10, 5, ""), (None, 5, "")],
)
def test_a_change_in_percent_is_said_where_it_means_something(
    before: int | None, now: int, words: str
) -> None:
    assert change(before, now) == words


@pytest.mark.parametrize("page", REPORTS)
def test_a_page_asks_the_database_little(
    seeded: SeededHouse, auditor: Client, page: str, django_assert_max_num_queries: Any
) -> None:
    auditor.get(address(seeded, page))
    with django_assert_max_num_queries(60) as queries:
        auditor.get(f"/admin/reports/{page}/?from={seeded.first}&to={seeded.last}")
    # All parts of a page read one answer.
    facts = [
        query["sql"]
        for query in queries.captured_queries
        if re.search(r"_(table|player|pool)day", query["sql"])
    ]
    assert len(facts) == len(set(facts))


@pytest.mark.always
@pytest.mark.parametrize("kind", ["csv", "json"])
@pytest.mark.parametrize("page", REPORTS)
def test_a_report_is_fetched_as_a_file(
    seeded: SeededHouse, auditor: Client, page: str, kind: str
) -> None:
    answer = auditor.get(address(seeded, page, format=kind))
    assert answer.streaming
    assert f"{page}-{seeded.first}-{seeded.today}.{kind}" in answer["Content-Disposition"]
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    by = REPORTS[page].allowed[0]
    due = len(list(Query(REPORTS[page], whole(seeded), by).rows()))
    if kind == "json":
        whole_file = json.loads(text)
        assert set(whole_file) == {"code", "rows"}
        assert whole_file["code"] == running_code().to_json()
        read = whole_file["rows"]
    else:
        *lines, last = text.splitlines()
        assert last == f"# {running_code().line}"
        read = list(csv.DictReader(lines))
    assert len(read) == due
    assert set(read[0]) == {column.name for column in REPORTS[page].columns(by)}


# How a cell of each unit is written, by the number of its currency's decimals.
WRITTEN = {
    "money": r"\N{MINUS SIGN}?\d{1,3}(,\d{3})*(\.\d{%d})?",
    "count": r"\N{MINUS SIGN}?\d{1,3}(,\d{3})*",
    "percent": r"\N{MINUS SIGN}?\d+\.\d\d%%",
    "number": r"[\N{MINUS SIGN}+]\d+\.\d",
    "day": r"\d{1,2} \w{3} \d{4}",
}


@pytest.mark.parametrize(("name", "by"), GROUPED)
def test_figures_are_written_as_accountants_expect(
    seeded: SeededHouse, auditor: Client, name: str, by: By
) -> None:
    """All decimals of the currency, a real minus, one form of dates, and a dash for nothing.

    Below the figures of a column that add up stands their sum.
    """
    query = Query(REPORTS[name], whole(seeded), by)
    context = auditor.get(address(seeded, name, by=by)).context
    if (name, by) in WITHOUT_ROWS:
        assert not context["rows"]
        return
    currency, columns = context["currency"], context["columns"]
    for row in context["rows"]:
        for column, cell in zip(columns, row["cells"], strict=True):
            assert cell.text == cell.text.strip() != "", column.name
            form = WRITTEN.get(column.unit)
            if form and cell.text != "–":
                places = currency.exponent if currency else 0
                form = form.replace("%d", str(places)).replace("%%", "%")
                assert re.fullmatch(form, cell.text), (column.name, cell.text)
                assert column.unit != "money" or cell.text.count(".") == bool(places)
    foot = dict(zip([column.name for column in columns[1:]], context["footer"], strict=True))
    code = currency.pk if currency else ""
    for column in columns[1:]:
        if column.measure == "flow":
            whole_rows = [row for row in query.rows() if row.currency == code and not row.is_part]
            due = sum(row[column.name] or 0 for row in whole_rows)
            assert foot[column.name] == column.shown(due, currency)


def test_what_cannot_be_shown_is_said(auditor: Client) -> None:
    for query, sentence in (
        ("from=2026-01-02&to=2026-01-01", "The range runs backward"),
        ("from=2026-01-01&to=2999-01-01", "has not come yet"),
        ("from=soon&to=2026-01-01", "is not a day"),
        ("from=2026-01-01&to=2026-01-02&by=cashier", "can be grouped by"),
        ("from=2026-01-01&to=2026-01-02", "Rows are listed for days on which"),
        ("currency=nothing&by=day", ""),
        ("from=%3Cb%3E", "&lt;b&gt; is not a day"),
    ):
        answer = auditor.get(f"/admin/reports/revenue/?{query}")
        assert answer.status_code == 200
        assert sentence in answer.content.decode()


@pytest.mark.parametrize("page", [*REPORTS, *get_args(Opens)[1:]])
@pytest.mark.parametrize("role", [FLOOR, CASHIERS, MANAGERS, AUDITORS, TECHNICIANS])
def test_managers_and_auditors_read_reports(seeded: SeededHouse, role: str, page: str) -> None:
    client = staff(role, **HTMX)
    status = 200 if role in (MANAGERS, AUDITORS) else 403
    assert client.get(address(seeded, page)).status_code == status
    assert client.post(address(seeded, page)).status_code in (403, 405)
    if page in REPORTS:
        assert client.get(address(seeded, page, format="csv")).status_code == status
        api = f"/api/v1/reports/{page}/?from={seeded.first}&to={seeded.today}"
        assert client.get(api).status_code == status


def test_strangers_and_players_read_no_report(seeded: SeededHouse) -> None:
    player = client_of(Player.objects.create_user("alice"))
    for client in (Client(), player):
        assert client.get(address(seeded, "revenue")).status_code == 302
    api = f"/api/v1/reports/revenue/?from={seeded.first}&to={seeded.today}"
    assert Client().get(api).status_code == 401
    assert player.get(api).status_code == 403


@pytest.mark.always
@pytest.mark.parametrize("page", REPORTS)
def test_the_api_gives_the_rows_of_the_command(
    seeded: SeededHouse, auditor: Client, page: str
) -> None:
    by = REPORTS[page].allowed[-1]
    answer = auditor.get(f"/api/v1/reports/{page}/?from={seeded.first}&to={seeded.last}&by={by}")
    data = answer.json()
    assert data["code"] == running_code().to_json()
    assert answer.status_code == 200
    assert (data["report"], data["by"], data["first"]) == (page, by, str(seeded.first))
    assert len(data["rows"]) == len(
        list(Query(REPORTS[page], Span(seeded.first, seeded.last), by).rows())
    )
    entry = JournalEntry.objects.filter(verb="report.export").latest("position")
    assert (entry.subject, entry.after["format"]) == (f"report:{page}", "api")


@pytest.mark.always
def test_the_api_refuses_what_no_report_has(auditor: Client) -> None:
    for path, status, code in (
        ("profit/?from=2026-01-01&to=2026-01-01", 404, "no_such_report"),
        ("revenue/?from=2026-01-02&to=2026-01-01", 409, "backward_range"),
        ("revenue/?from=2026-01-01&to=2999-01-01", 409, "future_range"),
        ("revenue/?from=today&to=2026-01-01", 409, "not_a_day"),
        ("revenue/?from=2026-01-01", 400, "wrong_shape"),
        ("liability/?at=2026-01-01&from=2026-01-01", 400, "wrong_shape"),
        ("liability/?at=noon", 409, "not_an_instant"),
        ("liability/?at=2999-01-01", 409, "future_instant"),
        ("revenue/?at=2026-01-01", 409, "no_instants"),
        ("revenue/?from=2026-01-01&to=2026-01-01&by=cashier", 400, "wrong_shape"),
        ("liability/?from=2026-01-01&to=2026-01-01&by=player", 409, "unsupported_by"),
        ("revenue/?from=2026-01-01&to=2026-01-01&sort=up", 400, "unknown_field"),
    ):
        answer = auditor.get(f"/api/v1/reports/{path}")
        assert (answer.status_code, answer.json()["code"]) == (status, code), path


@pytest.mark.always
def test_what_the_house_owes_is_said_at_an_instant(seeded: SeededHouse, auditor: Client) -> None:
    """The page, the API and the command say the same, and a figure opens its accounts."""
    at = f"{seeded.last}T12:34:56"
    query = query_at("liability", at, timezone.now())
    (row,) = [row for row in query.rows() if row["currency"] == "EUR"]
    column = next(column for column in query.report.columns("day") if column.name == "wallets")
    due = column.shown(row["wallets"], Currency.objects.get(pk="EUR"))
    assert due in auditor.get(f"/admin/reports/liability/?at={at}").content.decode()
    assert on_the_page(page_of(auditor, opened(row, column, query)), column) == due
    (said,) = [
        row
        for row in auditor.get(f"/api/v1/reports/liability/?at={at}").json()["rows"]
        if row["currency"] == "EUR"
    ]
    out = StringIO()
    call_command("report", "liability", at=at, stdout=out)
    (line,) = [
        record for record in csv.DictReader(StringIO(out.getvalue())) if record["currency"] == "EUR"
    ]
    assert line["wallets"] == said["wallets"]
    assert said["wallets"].replace(".", "") == str(row["wallets"])
    assert said["at"] == f"{at}+00:00"


def listed(client: Client, url: str) -> Iterator[list[str]]:
    """The rows of a page behind a figure, and of the pages that follow."""
    text = client.get(url).content.decode()
    body = text[text.index("<tbody>") : text.index("</tbody>")]
    for row in re.findall(r"<tr>.*?</tr>", body, re.DOTALL):
        yield [
            re.sub(r"<[^>]+>", "", cell).strip()
            for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)
        ]


def page_of(client: Client, url: str) -> dict[str, Any]:
    answer = client.get(url)
    assert answer.status_code == 200
    context = answer.context_data
    assert context is not None
    assert "wrong" not in context, (url, context.get("wrong"))
    assert context["lines"] or context.get("further"), url
    return context


def on_the_page(context: dict[str, Any], column: Column) -> str:
    """The figure as the page behind it says it."""
    if column.opens == "hands":
        ((_words, figure),) = context["sum"]
        return str(figure)
    is_number = column.unit == "count"
    return str(context["number"]) if is_number else str(context["total"])


def some(rows: list[Row], column: Column) -> list[Row]:
    """The first and the last row in which a column says anything."""
    filled = [row for row in rows if row[column.name]]
    return [*filled[:1], *filled[1:][-1:]]


@pytest.mark.always
@pytest.mark.parametrize(("page", "by"), GROUPED)
def test_a_figure_equals_the_page_that_it_opens(
    seeded: SeededHouse, auditor: Client, page: str, by: By
) -> None:
    query = Query(REPORTS[page], Span(seeded.first, seeded.today), by)
    rows = list(query.rows())
    currencies = Currency.objects.in_bulk()
    opening = [column for column in query.report.columns(by) if column.opens]
    assert opening
    assert bool(rows) != ((page, by) in WITHOUT_ROWS)
    for column in opening:
        for row in some(rows, column):
            if not (opens := opened(row, column, query)):
                # Of fees alone, which open their own page.
                assert row["fees"] == row["gross"]
                continue
            context = page_of(auditor, opens)
            due = column.shown(row[column.name], currencies[row["currency"]])
            assert on_the_page(context, column) == due, (page, by, column.name, row)


@pytest.mark.always
@pytest.mark.parametrize(("page", "by"), GROUPED)
def test_the_hands_of_all_days_add_up_to_the_days(seeded: SeededHouse, page: str, by: By) -> None:
    query = Query(REPORTS[page], Span(seeded.first, seeded.today), by)
    rows = list(query.rows())
    seen = set()
    for column in query.report.columns(by):
        for row in some(rows, column) if column.opens == "hands" else ():
            if not (opens := opened(row, column, query)):
                continue
            given = QueryDict(urlparse(opens).query)
            span, only = detail_pages.span_in(given), detail_pages.only_in(given, Only)
            if (span, only) in seen:
                continue
            seen.add((span, only))
            hands, days = Sums(), Sums()
            for number in range(span.days):
                day = span.first + timedelta(days=number)
                for line in details.hands_behind(day, only):
                    hands.add(line.sums)
                for money in details.money_behind(Span(day, day), only).values():
                    hands.add(money.get(day, Sums()))
            for of_day in details.days_behind(span, only).values():
                days.add(of_day)
            # A hand is no day.
            listed = attrgetter(*(set(map(SOURCE, details.columns_of(only))) - {DAYS.source}))
            assert listed(hands) == listed(days), (page, by, column.name)


def test_the_hands_of_a_day_lead_to_hands_and_ledger(seeded: SeededHouse, auditor: Client) -> None:
    days = f"from={seeded.last}&to={seeded.last}"
    hands = list(listed(auditor, f"/admin/reports/hands/?{days}&currency=JPY"))
    (row,) = [
        row
        for row in Query(REPORTS["revenue"], Span(seeded.last, seeded.last), "day").rows()
        if row["currency"] == "JPY"
    ]
    assert len(hands) == row["hands"]
    text = auditor.get(f"/admin/reports/hands/?{days}&currency=JPY").content.decode()
    hand = re.search(r'href="(/admin/hands/[^/]+/)"', text)
    ledger = re.search(r'href="(/admin/wallets/transaction/\?q=hand:\d+)"', text)
    assert hand is not None
    assert ledger is not None
    for link in (hand[1], ledger[1]):
        assert auditor.get(link).status_code == 200


def test_several_days_open_day_by_day(seeded: SeededHouse, auditor: Client) -> None:
    url = f"/admin/reports/hands/?from={seeded.first}&to={seeded.today}&currency=EUR"
    assert len(list(listed(auditor, url))) == whole(seeded).days


def test_odd_addresses_are_answered(auditor: Client) -> None:
    for url in (
        "hands/?from=x&to=y",
        "hands/",
        "hands/?from=2026-01-02&to=2026-01-01&currency=EUR",
        "hands/?from=2026-01-01&to=2026-01-01&currency=EUR&table=-1&player=9e9&game=nothing",
        "entries/?from=2026-01-02&to=2026-01-01",
        "entries/?from=2026-01-01&to=2026-01-01&account=99999999999999999999",
    ):
        assert auditor.get(f"/admin/reports/{url}").status_code == 200, url
