"""Middleware for every response, and the address that entries of the journal name."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final
from urllib.parse import unquote

from csp.constants import NONCE, SELF, UNSAFE_INLINE, Nonce
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.translation import activate, get_language
from django_htmx.middleware import HtmxDetails

from casino.web.addresses import address_of, sign_in_address
from casino.web.errors import API_PREFIX, bad_request, database_gone, wrong_method
from games.tables.presence import seen_in_house
from wallets.staff.journal import coming_from
from wallets.storage.silence import SILENCE
from wallets.values import house

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# The admin's theme has attributes with styles, and style elements that carry the page's nonce; the
# reader of the API's description writes styles into its page. Scripts are as strict as elsewhere:
# none is inline, and none evaluates text (`casino/office/frame/theme.py`).
LOOSER: Final[dict[str, dict[str, list[str | Nonce]]]] = {
    "/admin/": {
        # The nonce is one of styles alone.
        "script-src": [SELF],
        "style-src-elem": [SELF, NONCE],
        "style-src-attr": [UNSAFE_INLINE],
    },
    "/api/docs/": {"style-src": [SELF, UNSAFE_INLINE]},
}


def readable(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse requests that cannot be read.

    No valid name contains a NUL, and PostgreSQL does not store it. Not every codec of Python
    decodes to text: zlib is a codec, too.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        sources = (request.path, unquote(request.META["QUERY_STRING"]), *request.COOKIES.values())
        if any("\0" in text for text in sources):
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


def offered_languages(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer in a language that the house offers, whatever the browser would like."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        wanted = get_language() or settings.LANGUAGE_CODE
        offered = house.current().language(wanted)
        if offered != wanted:
            activate(offered)
            request.LANGUAGE_CODE = offered
        return get_response(request)

    return respond


def database_answers(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse at once, in the reader's language, what would wait for a database that is silent."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        return database_gone(request) if SILENCE.is_silent else get_response(request)

    return respond


def frame(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Set the content security policy, forbid copies of private pages, and add a page for 405."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code == 405 and isinstance(response, HttpResponse):
            page_of_405 = wrong_method(request) if not response.content else response
            page_of_405["Allow"] = response["Allow"]
            response = page_of_405
        looser = next(
            (LOOSER[prefix] for prefix in LOOSER if request.path.startswith(prefix)), None
        )
        if looser is not None:
            own = getattr(response, "_csp_replace", None) or {}
            response._csp_replace = {**looser, **own}  # type: ignore[attr-defined]
        page = response.get("Content-Type", "").startswith("text/html")
        if page or request.path.startswith(API_PREFIX):
            # After signing out on a shared phone, "back" must not show a balance or a hand.
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return respond


def presence(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Any request shows that a player is present, and keeps their seats.

    It is recorded after the response: only then is it known who a program is.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # The response is sent even if this cannot be stored.
        with suppress(DatabaseError):
            if request.user.is_authenticated:
                seen_in_house(request.user.pk, timezone.now())
        return response

    return respond


def ended_sessions(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Redirect a player whose session has ended to the sign-in, and from there back to their page.

    The sign-in must not replace a fragment of a page, and the URL of a submitted form is not a page
    to return to.
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
    """Return whether a view redirects a stranger to sign in; it then names its own URL to return
    to.
    """
    path, _, query = address.partition("?")
    back_to = QueryDict(query).get("next")
    return path == resolve_url(settings.LOGIN_URL) and back_to == request.get_full_path()


def origin(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    def respond(request: HttpRequest) -> HttpResponseBase:
        with coming_from(address_of(request) or "nowhere"):
            return get_response(request)

    return respond
