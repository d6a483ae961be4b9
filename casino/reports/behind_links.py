"""The address of the page that lists what makes a figure."""

from urllib.parse import urlencode

from django.urls import reverse

from casino.reports.registry import Query
from casino.reports.report import Column, Row


def opened(row: Row, column: Column, query: Query) -> str:
    """The page behind a figure; nothing for one that follows from the others of its row."""
    if not column.opens:
        return ""
    given = {
        "from": query.span.first,
        "to": query.span.last,
        **row["_only"],
        **row.get("_open", {}).get(column.name, {}),
        "figure": column.figure or column.name,
    }
    return f"{reverse(f'report_{column.opens}')}?{urlencode(given)}"
