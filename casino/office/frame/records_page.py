"""The lists of rows as they are stored, which only experts open, and a search among them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.office.frame.navigation import Link, links
from wallets.office.lists import key_in
from wallets.office.staff_pages import RECORDS, Menu, office_page, staff_page


class Record(NamedTuple):
    """A list; the page of its row with the number that is typed; the list searched for the text."""

    link: Link
    row: str = ""
    search: str = ""


@staff_page("records", "records/", _("Records"), menu=Menu(RECORDS, "database", 0))
@require_safe
def records_page(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("q", "").replace("\0", "").strip()[:100]
    found = list(_records(request, typed))
    return office_page(request, "records.html", _("Records"), typed=typed, records=found)


def _records(request: HttpRequest, typed: str) -> Iterator[Record]:
    for link in links(request):
        if link.menu.under is RECORDS and link.model is not None:
            yield Record(link, _row(request, link, typed), _search(request, link, typed))


def _row(request: HttpRequest, link: Link, typed: str) -> str:
    """The address of the row with the number that is typed, if the list has it."""
    number, shown = key_in(typed), _shown(link)
    meta = shown.opts
    if meta.pk.get_internal_type() not in ("AutoField", "BigAutoField") or not number:
        return ""
    if not shown.get_queryset(request).filter(pk=number).exists():
        return ""
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[number])


def _search(request: HttpRequest, link: Link, typed: str) -> str:
    if not typed or not _shown(link).get_search_fields(request):
        return ""
    return f"{link.address}?{urlencode({'q': typed})}"


def _shown(link: Link) -> Any:
    assert link.model is not None, "it is a list"
    return admin.site.get_model_admin(link.model)
