"""Every report as a PDF: it opens, and has what the page shows, in the reader's language."""

import re
from io import BytesIO
from itertools import cycle

import pytest
from django.utils.translation import override
from pypdf import PdfReader

from casino.accounts.models import Player
from casino.accounts.staff import AUDITORS, appoint
from casino.office.reports import formats
from casino.office.reports.facts import Span
from casino.office.reports.report import REPORTS, Query
from tests.casino.seeded import SeededHouse
from tests.people import client_of
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry

SCENE = "seeded"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("seeded")]
# A second for each file, most of it for the font: each language is read in several reports.
READ = list(zip(REPORTS, cycle(("zh-hans", "zh-hant", "en")), strict=False))


def squeezed(text: str) -> str:
    """Without white space, which the readers of files put where they like."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize(("name", "language"), READ)
def test_a_report_is_fetched_as_a_pdf(seeded: SeededHouse, name: str, language: str) -> None:
    """With every figure, and who made it."""
    appoint(Player.objects.create_user("ada"), AUDITORS)
    client = client_of(Player.objects.get(username="ada"))
    client.cookies["django_language"] = language
    query = Query(REPORTS[name], Span(seeded.first, seeded.today), REPORTS[name].allowed[0])
    answer = client.get(f"/admin/reports/{name}/?from={seeded.first}&to={seeded.today}&format=pdf")
    assert answer["Content-Type"] == "application/pdf"
    assert f'{name}-{seeded.first}-{seeded.today}.pdf"' in answer["Content-Disposition"]
    pages = PdfReader(BytesIO(answer.content)).pages
    text = squeezed("".join(page.extract_text() for page in pages))
    known = Currency.objects.in_bulk()
    with override(language):
        due = [str(query.report.title), "ada"]
        for row in query.rows():
            figures = [column for column in query.columns if column.is_figure]
            due += [figure.shown(row[figure.name], known.get(row.currency)) for figure in figures]
    for words in due:
        assert squeezed(words) in text, words
    entry = JournalEntry.objects.filter(verb="report.export").latest("position")
    assert (entry.subject, entry.after["format"]) == (f"report:{name}", "pdf")


def test_a_pdf_that_has_not_all_rows_says_so_before(
    seeded: SeededHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the page, above its rows, and with the sums of all of them."""
    appoint(Player.objects.create_user("ada"), AUDITORS)
    client, address = client_of(Player.objects.get(username="ada")), "/admin/reports/revenue/"
    days = f"?from={seeded.first}&to={seeded.today}&by=player"
    said = "CSV and JSON have all of them."
    assert said not in client.get(address + days).text
    monkeypatch.setattr(formats, "PDF_ROWS_MAX", 1)
    assert said in client.get(address + days).text
    content = client.get(f"{address}{days}&format=pdf").content
    text = squeezed("".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages))
    assert squeezed(said) in text
