"""Middleware: sessions of staff have a code where the house requires it, and are confirmed.

After ten minutes without a page or a form, the session is due: verbs that move money, change rights
or open cards are refused (`wallets.staff.confirming`) until its owner types a code, or the password
where they have no codes. The question holds all that the refused form held, and sends it again.
"""

from collections.abc import Callable
from typing import Final

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from casino.accounts import confirm_page, sign_in_steps
from casino.accounts.models import Player
from casino.accounts.staff_members import ACTIVE, IDLE_MAX, is_staff_member
from casino.web.errors import API_PREFIX
from games.records.record import OPENED
from wallets.staff import confirming
from wallets.staff.confirming import ConfirmationNeeded

# In the session: its owner has to confirm.
DUE: Final = "confirmation_due"
# The session is not stored anew with every page.
ACTIVE_EVERY_SECONDS: Final = 60


class StaffSessions:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        player = request.user
        if not isinstance(player, Player) or not is_staff_member(player):
            return self._answered(request, due=False)
        if sign_in_steps.lacks_code(request, player):
            # Appointed while signed in, or the house has only now begun to require codes.
            logout(request)
            return self._answered(request, due=False)
        note_activity(request)
        return self._answered(request, due=bool(request.session.get(DUE)))

    def _answered(self, request: HttpRequest, *, due: bool) -> HttpResponseBase:
        with confirming.request_of(due=due):
            return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponseBase | None:
        """The answer is sent with the refused form; it is looked at first."""
        if request.method != "POST" or not request.session.get(DUE):
            return None
        if request.path.startswith(API_PREFIX) or confirm_page.FIELD not in request.POST:
            return None
        player = request.user
        assert isinstance(player, Player), "only sessions of staff are due"
        refused = confirm_page.answer_to(request, player)
        if refused is not None:
            return refused
        request.session[DUE] = False
        request.session[ACTIVE] = int(timezone.now().timestamp())
        confirming.set_due(False)
        return None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        if not isinstance(exception, ConfirmationNeeded):
            return None
        if HtmxDetails(request):
            # A fragment cannot ask; its page returns after the question.
            return HttpResponse(status=401, headers={"HX-Redirect": confirm_page.address(request)})
        return confirm_page.question(request)


def note_activity(request: HttpRequest) -> None:
    """Pages and forms are activity; parts that a page fetches by itself are not."""
    now, active = int(timezone.now().timestamp()), request.session.get(ACTIVE)
    if active is None or now - active > IDLE_MAX.total_seconds():
        request.session[DUE] = True
        # All cards of hands that were open are closed again.
        request.session.pop(OPENED, None)
    if HtmxDetails(request) and active is not None:
        return
    if active is None or now - active >= ACTIVE_EVERY_SECONDS:
        request.session[ACTIVE] = now
