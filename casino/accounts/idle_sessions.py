"""Sessions of people who have gone away: those of players end, and those of staff are confirmed.

A phone left on a bar gives its finder a seat and a wallet, so an idle player is asked to sign in
again. Pages and forms are activity; parts that an open page fetches by itself are not.

The session of staff is due after ten minutes without a page or a form: verbs that move money,
change rights or open cards are refused (`wallets.staff.journal`) until its owner uses a passkey, or
types a code or, where they have no codes, the password. The question holds all that the refused
form held, and sends it again.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.forms import CharField, Form, PasswordInput
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.middleware import HtmxDetails

from casino.accounts import codes, passkeys, sign_ins
from casino.accounts.admission import is_guest
from casino.accounts.code_pages import (
    TYPED_MAX,
    CodeForm,
    check,
    is_password,
    wrong_code,
    wrong_password,
)
from casino.accounts.models import Player
from casino.accounts.staff import ACTIVE, IDLE_MAX, is_staff_member
from casino.web.addresses import back, is_ours, page_in_view, sign_in_address
from casino.web.errors import API_PREFIX
from games.records.record import OPENED
from wallets.staff import journal
from wallets.staff.journal import ConfirmationNeeded
from wallets.values.errors import Refused
from wallets.values.player import Viewer

SAFE: Final = ("GET", "HEAD", "OPTIONS")
# The session is stored anew so often at the most while its player plays.
NOTED_EVERY: Final = timedelta(minutes=5)


def idle_sessions(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    def respond(request: HttpRequest) -> HttpResponseBase:
        limit = limit_of(request.user)
        if not limit or not request.user.is_authenticated or is_staff_member(request.user):
            return get_response(request)
        now, active = int(timezone.now().timestamp()), request.session.get(ACTIVE)
        away = timedelta(seconds=now - active) if active is not None else None
        if away is not None and away > limit:
            logout(request)
            return _to_sign_in_again(request) or get_response(request)
        fetched = request.method in SAFE and HtmxDetails(request)
        if away is None or (away >= noted_every(limit) and not fetched):
            request.session[ACTIVE] = now
        return get_response(request)

    return respond


def noted_every(limit: timedelta) -> timedelta:
    """How often the activity of a session with this limit is noted."""
    return min(NOTED_EVERY, limit / 6)


def limit_of(viewer: Viewer) -> timedelta:
    """A guest who is signed out cannot come back, so a guest's session lasts as the guest does."""
    if is_guest(viewer):
        return timedelta(days=settings.GUEST_IDLE_DAYS)
    return timedelta(minutes=settings.PLAYER_IDLE_MINUTES)


def _to_sign_in_again(request: HttpRequest) -> HttpResponse | None:
    """The way to the sign-in and back; a program is refused by its address, as any stranger."""
    sign_in = resolve_url(settings.LOGIN_URL)
    if request.path.startswith(API_PREFIX) or request.path == sign_in:
        return None
    if HtmxDetails(request):
        address = sign_in_address(request, ended=True)
        return HttpResponse(status=401, headers={"HX-Redirect": address})
    if request.method in SAFE:
        query = {"next": request.get_full_path(), "ended": "1"}
        return redirect(f"{sign_in}?{urlencode(query)}")
    return redirect(sign_in_address(request, ended=True))


# The name of the field, which no form of the house has for itself.
FIELD: Final = "confirm_code"
# The same of the field with what a passkey has signed.
SIGNED: Final = "credential"
OURS: Final = frozenset((FIELD, SIGNED, "csrfmiddlewaretoken"))


class CodeAgain(Form):
    confirm_code = CharField(
        label=_("Code"),
        max_length=TYPED_MAX,
        widget=CodeForm.base_fields["code"].widget,
        help_text=CodeForm.base_fields["code"].help_text,
    )


class PasswordAgain(Form):
    confirm_code = CharField(
        label=_("Password"),
        max_length=4096,
        strip=False,
        widget=PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )


def form_for(player: Player, data: Any = None) -> Form:
    return CodeAgain(data) if codes.has_codes(player) else PasswordAgain(data)


def typed(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """All that the refused form held, but for our own field."""
    for name, values in request.POST.lists():
        if name not in OURS:
            yield from ((name, value) for value in values)


def question(request: HttpRequest, form: Form | None = None) -> HttpResponse:
    """Ask, and hold what was typed: it is sent to the same address again with the answer."""
    assert isinstance(request.user, Player), "only a player has something to confirm"
    reads = request.method in ("GET", "HEAD")
    context = {
        "form": form or form_for(request.user),
        "kept": [] if reads else list(typed(request)),
        "action": "" if not reads else resolve_url("confirm"),
        "next": request.get_full_path() if reads else "",
        "passkeys": offers_passkey(request, request.user),
    }
    return render(request, "players/confirm.html", context, status=403)


def offers_passkey(request: HttpRequest, player: Player) -> bool:
    return passkeys.are_on(request) and passkeys.has_passkeys(player)


def answer_to(request: HttpRequest, player: Player) -> HttpResponse | None:
    """Return None if the answer is right: the request then continues without it."""
    form = form_for(player, {FIELD: request.POST[FIELD]})
    held, signed = request.POST.copy(), request.POST.get(SIGNED, "")
    for name in (FIELD, SIGNED):
        held.pop(name, None)
    # Nothing of what was typed is stored with a failed answer, and no view sees the answer.
    request.POST = QueryDict()
    right = _has_signed(request, player, signed) if signed else _has_typed(request, player, form)
    request.POST = held  # type: ignore[assignment]
    return None if right else question(request, form)


def _has_signed(request: HttpRequest, player: Player, signed: str) -> bool:
    if not offers_passkey(request, player):
        return False
    try:
        return passkeys.signed(request, signed, timezone.now()) == player
    except Refused:
        return False


def _has_typed(request: HttpRequest, player: Player, form: Form) -> bool:
    if not form.is_valid():
        return False
    given = form.cleaned_data[FIELD]
    if isinstance(form, CodeAgain):
        right, wrong = check(request, player, given), wrong_code()
    else:
        right, wrong = is_password(request, player, given), wrong_password()
    if not right:
        form.add_error(FIELD, wrong)
    return right


def address(request: HttpRequest) -> str:
    """The page of the question, for a fragment that cannot ask itself."""
    return f"{resolve_url('confirm')}?{urlencode({'next': page_in_view(request)})}"


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest) -> HttpResponse:
    """The question alone; the middleware has looked at the answer before this is called."""
    following = request.GET.get("next", "")
    if request.method == "POST" and is_ours(request, request.POST.get("next", "")):
        following = back(request)
    next_page = following if following and is_ours(request, following) else resolve_url("lobby")
    if not journal.is_due():
        return redirect(next_page)
    assert isinstance(request.user, Player), "only sessions of staff are due"
    context = {
        "form": form_for(request.user),
        "next": next_page,
        "passkeys": offers_passkey(request, request.user),
    }
    return render(request, "players/confirm.html", context)


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
        if sign_ins.lacks_code(request, player):
            # Appointed while signed in, or the house has only now begun to require codes.
            logout(request)
            return self._answered(request, due=False)
        note_activity(request)
        return self._answered(request, due=bool(request.session.get(DUE)))

    def _answered(self, request: HttpRequest, *, due: bool) -> HttpResponseBase:
        with journal.request_of(due=due):
            return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponseBase | None:
        """The answer is sent with the refused form; it is looked at first."""
        if request.method != "POST" or not request.session.get(DUE):
            return None
        if request.path.startswith(API_PREFIX) or FIELD not in request.POST:
            return None
        player = request.user
        assert isinstance(player, Player), "only sessions of staff are due"
        refused = answer_to(request, player)
        if refused is not None:
            return refused
        request.session[DUE] = False
        request.session[ACTIVE] = int(timezone.now().timestamp())
        journal.set_due(False)
        return None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        if not isinstance(exception, ConfirmationNeeded):
            return None
        if HtmxDetails(request):
            # A fragment cannot ask; its page returns after the question.
            return HttpResponse(status=401, headers={"HX-Redirect": address(request)})
        return question(request)


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
