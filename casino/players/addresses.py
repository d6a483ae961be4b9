"""Where to go after signing in or changing a preference: only to pages of the house."""

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails


def is_ours(request: HttpRequest, address: str) -> bool:
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )


def page_in_view(request: HttpRequest) -> str:
    """The page that the player is looking at, whatever part of it sent this request."""
    seen = HtmxDetails(request).current_url or request.headers.get("Referer") or ""
    if not is_ours(request, seen):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    parts = urlsplit(seen)
    # A path may begin with two slashes, and would lead to another house by itself.
    path = "/" + parts.path.lstrip("/\\")
    return path + (f"?{parts.query}" if parts.query else "")


def back(request: HttpRequest) -> str:
    """The page that a form names in `next`, or else the page it stands on."""
    named = request.POST.get("next", "")
    return named if is_ours(request, named) else page_in_view(request)


def sign_in_address(request: HttpRequest, *, ended: bool) -> str:
    """The sign-in that leads back to the page in view, and says that the session has ended."""
    query = {"next": page_in_view(request)} | ({"ended": "1"} if ended else {})
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode(query)}"
