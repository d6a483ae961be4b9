"""Middleware: no session of staff without a code, where the house requires codes."""

from collections.abc import Callable

from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from casino.players import half_signed_in
from casino.players.models import Player


class StaffSessions:
    """A session that was begun without a code ends where codes are required.

    Somebody may have been appointed while they were signed in, or the house has only now begun to
    require codes; whoever signs in now gets no such session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        player = request.user
        if isinstance(player, Player) and half_signed_in.lacks_code(request, player):
            logout(request)
        return self.get_response(request)
