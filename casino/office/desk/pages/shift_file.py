"""A shift as a CSV file: one line for each receipt, amounts in whole units."""

import csv
from collections.abc import Iterator
from io import StringIO

from django.db import transaction
from django.http import HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.office.desk.models import Shift
from casino.office.desk.pages.till_pages import visible_to
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.summary import ShiftReceipt, lines, shows_expected
from casino.web.spreadsheets import guarded
from wallets.models import Currency
from wallets.office.staff_pages import staff_page
from wallets.staff import journal
from wallets.values.amounts import amount_for_input
from wallets.values.player import Viewer, player_of

# Cashiers export their own shifts, managers and auditors all.
EXPORTED = journal.register(
    "shift.export", _("Exported a shift"), needs_reason=False, permission=WORK, also=SEE_ALL
)
HEADER = ("at", "receipt", "kind", "player", "second_person", "currency", "cash", "in_the_till")


def _written(amount: int, currency: Currency) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{amount_for_input(abs(amount), currency)}"


def _row(line: ShiftReceipt, *, shows: bool) -> list[str]:
    one = line.receipt
    left = "" if line.left is None or not shows else _written(line.left, one.currency)
    texts = (one.number, one.kind, one.player.username if one.player else "", one.second_name)
    return [
        one.at.isoformat(),
        *map(guarded, texts),
        one.currency_id,
        _written(line.amount, one.currency),
        left,
    ]


def rows(member: Viewer, shift: Shift) -> Iterator[str]:
    found = lines(shift)
    shows = shows_expected(member, shift, found)
    for row in (list(HEADER), *(_row(line, shows=shows) for line in reversed(found))):
        text = StringIO()
        csv.writer(text).writerow(row)
        yield text.getvalue()


@staff_page(
    "desk-shift-file", "desk/shifts/<int:number>/shift.csv", _("One shift as a file"), WORK, SEE_ALL
)
@require_safe
def shift_file(request: HttpRequest, number: int) -> StreamingHttpResponse:
    found = get_object_or_404(visible_to(player_of(request)).select_related("till"), pk=number)
    with transaction.atomic():
        who, after = journal.by(player_of(request)), {"till": found.till.name}
        journal.write(who, EXPORTED, f"shift:{found.pk}", before={}, after=after, reason="")
    answer = StreamingHttpResponse(
        rows(player_of(request), found), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = f'attachment; filename="shift-{found.pk}.csv"'
    return answer
