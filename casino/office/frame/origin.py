"""Middleware: entries of the journal that a request writes name the address that sent it."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from casino.web.addresses import address_of
from wallets.staff.journal import coming_from


def origin(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    def respond(request: HttpRequest) -> HttpResponseBase:
        with coming_from(address_of(request) or "nowhere"):
            return get_response(request)

    return respond
