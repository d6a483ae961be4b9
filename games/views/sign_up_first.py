"""A stranger who asks for a seat signs up first, and gets the seat when they come back.

The request was a POST with a valid token; its address is kept in the session, which lasts through
the sign-in. The first visit of that address then does what was asked for, once.
"""

from typing import Final

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

REQUESTED: Final = "requested-seat"


def sign_up_first(request: HttpRequest, address: str) -> HttpResponseBase:
    request.session[REQUESTED] = address
    return redirect_to_login(address, reverse("sign-up"))


def wants_seat(request: HttpRequest) -> bool:
    """Whether the reader asks for the seat now, or has asked before signing in."""
    if request.method == "POST":
        return True
    is_back = request.method == "GET" and request.user.is_authenticated
    if not is_back or request.session.get(REQUESTED) != request.get_full_path():
        return False
    del request.session[REQUESTED]
    return True
