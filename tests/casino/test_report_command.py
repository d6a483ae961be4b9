"""The command that prints reports: what it accepts, what it refuses, and what it writes."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.office.reports import formats
from casino.office.reports.columns import Row
from casino.office.reports.report import REPORTS, query_of
from casino.ops.running_code import running_code
from casino.web import spreadsheets
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry
from wallets.values.days import day_of

pytestmark = pytest.mark.django_db
TODAY = day_of(datetime.now(UTC))
TOMORROW = str(TODAY + timedelta(days=1))
YESTERDAY = str(TODAY - timedelta(days=1))


def report(name: str, first: str = YESTERDAY, last: str = str(TODAY), **options: Any) -> Any:
    out, err = StringIO(), StringIO()
    call_command(
        "report", name, f"--from={first}", f"--to={last}", stdout=out, stderr=err, **options
    )
    return out.getvalue(), err.getvalue()


@pytest.mark.always
@pytest.mark.parametrize("by", ["", "day", "game", "table", "player", "profile"])
@pytest.mark.parametrize("name", REPORTS)
def test_an_empty_range_says_so(name: str, by: str) -> None:
    allowed = REPORTS[name].allowed
    if by and by not in allowed:
        with pytest.raises(CommandError, match=f"can be grouped by .*, not by {by}"):
            report(name, by=by)
        return
    out, err = report(name, by=by)
    columns = REPORTS[name].columns(by or allowed[0])
    header = ",".join(column.name for column in columns)
    assert out.splitlines() == [header, f"# {running_code().line}"]
    assert err.strip() == f"Nothing happened from {YESTERDAY} to {TODAY}: no rows."
    entry = JournalEntry.objects.latest("position")
    assert (entry.verb, entry.actor, entry.subject) == (
        *("report.export", "command:report"),
        f"report:{name}",
    )
    assert (entry.after["format"], entry.origin.partition(":")[0]) == ("csv", "command line")
    out, err = report(name, by=by, format="json")
    assert json.loads(out) == {"code": running_code().to_json(), "rows": []}
    assert "Nothing happened" in err


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (("profit",), {}, "There is no report called profit; there are revenue, returns"),
        (("revenue", str(TODAY), YESTERDAY), {}, "The range runs backward"),
        (("revenue", YESTERDAY, TOMORROW), {}, f"{TOMORROW} has not come yet"),
        (("revenue", TOMORROW, TOMORROW), {}, f"{TOMORROW} has not come yet"),
        (("revenue", "2026-02-30"), {}, "2026-02-30 is not a day; write it as"),
        (("revenue", "some day"), {}, "some day is not a day"),
        (("revenue", "20260102"), {}, "20260102 is not a day"),
        (("revenue", ""), {}, "is not a day"),
        (("revenue",), {"by": "cashier"}, "can be grouped by day, game, .*, not by cashier"),
        (
            ("liability",),
            {"by": "player"},
            "The report liability can be grouped by day, not by player",
        ),
        (("revenue",), {"format": "xml"}, "A report is written as csv or json"),
    ],
)
def test_what_no_report_has_is_refused(
    arguments: tuple[str, ...], options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        report(*arguments, **options)


def test_a_day_is_named_as_people_say_it() -> None:
    def printed(*days: str) -> str:
        out = StringIO()
        call_command("report", "revenue", *days, stdout=out, stderr=StringIO())
        return out.getvalue()

    written = printed(f"--from={YESTERDAY}", f"--to={YESTERDAY}")
    assert printed("--from=yesterday") == written
    assert printed("--from=yesterday", "--to=yesterday") == written
    with pytest.raises(CommandError, match="Name a day with --from"):
        call_command("report", "revenue", f"--to={YESTERDAY}")


def test_a_text_that_begins_like_a_formula_or_a_comment_is_guarded() -> None:
    for text in ("=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "  =1", "=cmd|' /C'!A1", "# it", " #"):
        assert spreadsheets.guarded(text) == f"'{text}"
    for text in ("Alice", "1+1", "a=b", "", "银行", "Brother-Fai"):
        assert spreadsheets.guarded(text) == text


@pytest.mark.always
def test_a_cell_is_guarded_and_a_figure_is_not() -> None:
    Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    query = query_of("rake", YESTERDAY, str(TODAY), "player", TODAY)
    cells = {"player": "=HYPERLINK(1)", "number": 3, "currency": "EUR", "hands": 2}
    row = Row(cells | {"handle": -150, "rake": 7, "from_people": 4, "from_bots": 3, "share": None})
    _head, line, _code = formats.csv_lines(query, iter([row]))
    assert next(csv.reader([line])) == [
        "'=HYPERLINK(1)",
        "3",
        "EUR",
        "2",
        "-1.50",
        "0.07",
        "0.04",
        "0.03",
        "",
    ]


@pytest.mark.parametrize(
    ("exponent", "amount", "shown"),
    [(2, 123_456, "1234.56"), (2, -5, "-0.05"), (0, 1_000, "1000"), (3, 1, "0.001"), (0, -7, "-7")],
)
def test_amounts_are_whole_units_of_their_currency(exponent: int, amount: int, shown: str) -> None:
    Currency.objects.create(code="XYZ", name="a currency", exponent=exponent)
    assert spreadsheets.Exponents().whole_units(amount, "XYZ") == shown
