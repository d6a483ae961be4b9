"""What every answer of the house has in common."""

from collections.abc import Callable
from typing import Final
from urllib.parse import unquote

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django_htmx.middleware import HtmxDetails

from casino.errors import API_PREFIX, bad_request, wrong_method
from casino.players.addresses import sign_in_address

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# The admin's components evaluate expressions, the API's description brings scripts of its own.
# Neither may load anything from elsewhere, be framed, or send a form away.
LOOSER_PREFIXES: Final = ("/admin/", "/api/docs/")
LOOSER_POLICY: Final = {
    "script-src": [SELF, UNSAFE_EVAL, UNSAFE_INLINE],
    "style-src": [SELF, UNSAFE_INLINE],
}


def readable(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse what cannot be read.

    Nothing is called by a name with a NUL, and PostgreSQL keeps none. And not every codec of Python
    makes text: zlib is one, too.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        told = (request.path, unquote(request.META["QUERY_STRING"]), *request.COOKIES.values())
        if any("\0" in text for text in told):
            return bad_request(request, BadRequest("NUL"))
        if not _is_of_text((request.content_params or {}).get("charset", "utf-8")):
            return bad_request(request, BadRequest("charset"))
        return get_response(request)

    return respond


def _is_of_text(charset: str) -> bool:
    try:
        b"a".decode(charset)
    except (LookupError, ValueError):
        return False
    return True


def frame(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """The policy of what a page may load, no copies of private pages, a page for a wrong method."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code == 405 and isinstance(response, HttpResponse):
            told = wrong_method(request) if not response.content else response
            told["Allow"] = response["Allow"]
            response = told
        if request.path.startswith(LOOSER_PREFIXES):
            response._csp_replace = LOOSER_POLICY  # type: ignore[attr-defined]
        page = response.get("Content-Type", "").startswith("text/html")
        if page or request.path.startswith(API_PREFIX):
            # After signing out on a shared phone, "back" must not show a balance or a hand.
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return respond


def ended_sessions(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Lead those whose session has ended to the sign-in, and from there back to their page.

    A part of a page must not be replaced by the sign-in, and the address of a form that was sent is
    no page to come back to.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code != 302 or not _asks_to_sign_in(request, response["Location"]):
            return response
        if HtmxDetails(request):
            address = sign_in_address(request, ended=True)
            return HttpResponse(status=401, headers={"HX-Redirect": address})
        if request.method not in ("GET", "HEAD"):
            response["Location"] = sign_in_address(request, ended=True)
        return response

    return respond


def _asks_to_sign_in(request: HttpRequest, address: str) -> bool:
    """Whether a view refused a stranger; it then names its own address to come back to."""
    path, _, query = address.partition("?")
    back_to = QueryDict(query).get("next")
    return path == resolve_url(settings.LOGIN_URL) and back_to == request.get_full_path()
