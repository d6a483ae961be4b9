"""What a report must declare: a report that could not be shown is refused, and told why."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from casino.office.reports.columns import By, Column, Row
from casino.office.reports.facts import Span
from casino.office.reports.figures import Figures
from casino.office.reports.report import Query, Report, check, parse_day, reports_in

DAY = Column("day", "Day", "day")
CURRENCY = Column("currency", "Currency")
WON = Column("won", "Won", "money", "flow")


class Declared(Report):
    name = "declared"
    title = "Declared"
    allowed = ("day",)
    found: tuple[Column, ...] = (DAY, CURRENCY, WON)

    def columns(self, by: By) -> tuple[Column, ...]:
        return self.found

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        yield Row({"day": figures.span.first, "won": 1})


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name": ""}, "The report Changed has no name."),
        ({"title": ""}, "The report declared has no title."),
        ({"allowed": ()}, "has no allowed"),
        ({"shades": ("lost",)}, "has shades without a column: lost."),
        ({"shades": ("won",), "allowed": ("game",)}, "is not grouped by day"),
        ({"found": (DAY, WON)}, "has amounts by day and no column currency."),
        ({"found": (DAY, DAY)}, "has two columns of one name by day."),
        ({"found": (DAY, Column("n", "N", "count"))}, "must say how n is added up"),
        ({"found": (DAY, Column("n", "N", "text", "flow"))}, "must say how n is added up"),
        ({"found": (DAY, Column("n", "N", "percent", "flow"))}, "must call n a ratio"),
        ({"found": (CURRENCY, WON._replace(measure="distinct"))}, "won a flow or a stock"),
    ],
)
def test_a_report_says_what_it_lacks(changed: dict[str, Any], sentence: str) -> None:
    check(Declared())
    changed_report = type("Changed", (Declared,), changed)()
    with pytest.raises(ImproperlyConfigured, match=sentence):
        check(changed_report)


def test_a_row_without_a_cell_is_refused() -> None:
    day = parse_day("2026-03-01")
    with pytest.raises(ImproperlyConfigured, match="declared has a row without currency"):
        list(Query(Declared(), Span(day, day), "day").rows())


def test_a_module_without_a_report_is_named() -> None:
    assert reports_in("tests.toys.hands_report.office_reports")
    assert reports_in("tests.toys.no_such_package") == []
    sentence = r"module tests\.toys\.hands_report has no REPORT"
    with pytest.raises(ImproperlyConfigured, match=sentence):
        reports_in("tests.toys")
