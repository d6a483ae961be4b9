"""The house's terms and contacts, as it has published them."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from wallets.values import house


def _page(field: str, heading: str | Promise) -> Callable[[HttpRequest], HttpResponse]:
    @require_safe
    def answer(request: HttpRequest) -> HttpResponse:
        shown = house.current()
        said = shown.said(getattr(shown, field))
        if not said:
            raise Http404
        return render(request, "frame/house_text.html", {"heading": heading, "said": said})

    return answer


terms = _page("terms", _("Terms"))
contacts = _page("contacts", _("Contacts"))
