"""The command that prints reports: what it accepts, what it refuses, and what it writes."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.reports import writing
from casino.reports.registry import REPORTS, query_of
from casino.running_code import running_code
from wallets.models import Currency
from wallets.staff_models import JournalEntry

pytestmark = pytest.mark.django_db
TODAY = datetime.now(UTC).date()
TOMORROW = str(TODAY + timedelta(days=1))
YESTERDAY = str(TODAY - timedelta(days=1))


def report(name: str, first: str = YESTERDAY, last: str = str(TODAY), **options: Any) -> Any:
    out, err = StringIO(), StringIO()
    call_command(
        "report", name, f"--from={first}", f"--to={last}", stdout=out, stderr=err, **options
    )
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("by", ["", "day", "game", "table", "player", "profile"])
@pytest.mark.parametrize("name", REPORTS)
def test_an_empty_range_says_so(name: str, by: str) -> None:
    allowed = REPORTS[name].allowed
    if by and by not in allowed:
        with pytest.raises(CommandError, match=f"goes by .*, not by {by}"):
            report(name, by=by)
        return
    out, err = report(name, by=by)
    columns = REPORTS[name].columns(by or allowed[0])  # type: ignore[arg-type]
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
        (("revenue", "yesterday"), {}, "yesterday is not a day"),
        (("revenue", "20260102"), {}, "20260102 is not a day"),
        (("revenue", ""), {}, "is not a day"),
        (("revenue",), {"by": "cashier"}, "goes by day, game, .*, not by cashier"),
        (("liability",), {"by": "player"}, "The report liability goes by day, not by player"),
        (("revenue",), {"format": "xml"}, "A report is written as csv or json"),
    ],
)
def test_what_no_report_has_is_refused(
    arguments: tuple[str, ...], options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        report(*arguments, **options)


@pytest.mark.parametrize("missing", ["--from=2026-01-01", "--to=2026-01-01"])
def test_both_ends_are_needed(missing: str) -> None:
    with pytest.raises(
        CommandError, match="Name two days with --from and --to, or an instant with --at"
    ):
        call_command("report", "revenue", missing)


def test_a_text_that_begins_like_a_formula_or_a_comment_is_guarded() -> None:
    for text in ("=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "  =1", "=cmd|' /C'!A1", "# it", " #"):
        assert writing.guarded(text) == f"'{text}"
    for text in ("Alice", "1+1", "a=b", "", "银行", "Brother-Fai"):
        assert writing.guarded(text) == text


def test_a_cell_is_guarded_and_a_figure_is_not() -> None:
    Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    query = query_of("rake", YESTERDAY, str(TODAY), "player", TODAY)
    row = {"player": "=HYPERLINK(1)", "number": 3, "currency": "EUR", "hands": 2}
    row |= {"handle": -150, "rake": 7, "share": None}
    _head, line, _code = writing.csv_lines(query, iter([row]))
    assert next(csv.reader([line])) == ["'=HYPERLINK(1)", "3", "EUR", "2", "-1.50", "0.07", ""]


@pytest.mark.parametrize(
    ("exponent", "amount", "shown"),
    [(2, 123_456, "1234.56"), (2, -5, "-0.05"), (0, 1_000, "1000"), (3, 1, "0.001"), (0, -7, "-7")],
)
def test_amounts_are_whole_units_of_their_currency(exponent: int, amount: int, shown: str) -> None:
    Currency.objects.create(code="XYZ", name="a currency", exponent=exponent)
    assert writing.Exponents().whole_units(amount, "XYZ") == shown
