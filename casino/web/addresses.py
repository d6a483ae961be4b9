"""Addresses: where requests come from, and where players go after signing in.

Redirects lead only to pages of this site.
"""

from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails


def address_of(request: HttpRequest) -> str:
    """Return the address of a request, as the server saw it or as a trusted proxy reported it."""
    address: str = request.META.get("REMOTE_ADDR", "")
    return address


def network_of(address: str) -> str:
    """The key of one household: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        return str(known.ipv4_mapped or ip_network((known, 64), strict=False))
    return str(known)


def line_of(request: HttpRequest) -> str:
    """The network that limits count, because one line has countless IPv6 addresses."""
    return network_of(address_of(request))


def locked_address(request: HttpRequest) -> str:
    """The same as an address, for the lock that five wrong passwords close."""
    return line_of(request).partition("/")[0]


def is_ours(request: HttpRequest, address: str) -> bool:
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )


def page_in_view(request: HttpRequest) -> str:
    """Return the page that the player is looking at, also for a request of one of its parts."""
    seen = HtmxDetails(request).current_url or request.headers.get("Referer") or ""
    if not is_ours(request, seen):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    parts = urlsplit(seen)
    # A path that begins with two slashes would lead to another site.
    path = "/" + parts.path.lstrip("/\\")
    return path + (f"?{parts.query}" if parts.query else "")


def back(request: HttpRequest) -> str:
    """Return the page that a form names in `next`, or else the page that contains the form."""
    named = request.POST.get("next", "")
    return named if is_ours(request, named) else page_in_view(request)


def sign_in_address(request: HttpRequest, *, ended: bool) -> str:
    """Return the sign-in URL that leads back to the page in view; it may say that the session
    ended.
    """
    query = {"next": page_in_view(request)} | ({"ended": "1"} if ended else {})
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode(query)}"
