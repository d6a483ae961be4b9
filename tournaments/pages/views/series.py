"""The pages of series: all of them with the archive, and one."""

from collections.abc import Iterable

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.web.answers import refusal_of
from games.web.fields import choice, set_choices
from tournaments.models import Series
from tournaments.overview import series_view
from tournaments.overview.event_view import number_in
from wallets.values.errors import Refused


class AfterForm(forms.Form):
    """After which event the standings are shown, the newest first."""

    after = choice(_("After event"))

    def __init__(self, counted: Iterable[int], after: int | None) -> None:
        super().__init__(initial={"after": after}, auto_id="standings-%s")
        words = gettext("after event {number}")
        events = [(number, words.format(number=number)) for number in reversed([*counted])]
        set_choices(self, after=events)


@require_safe
def every(request: HttpRequest) -> HttpResponse:
    """The series that are played, and those that have ended."""
    rows = series_view.rows(request.user)
    context = {
        "played": [row for row in rows if row.ended_at is None],
        "over": [row for row in rows if row.ended_at is not None],
    }
    return render(request, "tournaments/all_series.html", context)


@require_safe
def page(request: HttpRequest, number: int) -> HttpResponse:
    """One series; `after` asks for the standings after an event, `places` for all of them."""
    series = _series(number)
    view = series_view.series_view(
        request.user, series, number_in(request.GET, "after"), whole="places" in request.GET
    )
    form = AfterForm(view.counted, view.after)
    return render(
        request, "tournaments/series.html", {"series": series, "view": view, "form": form}
    )


def _series(number: int) -> Series:
    """The series, or a page that says that there is none."""
    try:
        return series_view.series_of(number)
    except Refused as refusal:
        refusal_of(refusal, "page")
        raise
