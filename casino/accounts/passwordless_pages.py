"""Signing in without the password of the house, by a passkey or a company account, and the pages on
which each is added and removed.
"""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.accounts import code_pages, codes, company, passkeys, sign_ins
from casino.accounts.code_pages import is_proved, proof_form
from casino.accounts.models import CompanyAccount, Player
from casino.accounts.staff import is_staff_member
from games.words.refusals import sentence_of
from wallets.office.lists import key_in
from wallets.values.errors import Refused

# In the session: until when this player, who has typed the password or a code, may add a passkey.
MAY_ADD_PASSKEY: Final = "may_add_passkey"
MAY_SECONDS: Final = 600


def require_passkeys(request: HttpRequest) -> None:
    if not passkeys.are_on(request):
        raise Http404


@never_cache
@require_POST
def passkey_options(request: HttpRequest) -> HttpResponse:
    """What a script passes on to the browser; a form says what it is for."""
    require_passkeys(request)
    now = timezone.now()
    if request.POST.get("for") == "sign-in":
        return JsonResponse(passkeys.options_to_sign_in(request, now))
    player = _adds(request)
    if player is None:
        raise BadRequest("this visitor may not add a passkey")
    return JsonResponse(passkeys.options_to_add(request, player, now))


@never_cache
@require_POST
def sign_in_by_passkey(request: HttpRequest) -> HttpResponseBase:
    """A passkey is both factors, so nothing else is asked."""
    require_passkeys(request)
    now = timezone.now()
    try:
        player = passkeys.signed(request, request.POST.get("credential", ""), now)
        refusal = sign_ins.refusal(player, now)
        if refusal is not None:
            raise refusal
    except Refused as refused:
        messages.error(request, sentence_of(refused))
        return redirect(reverse("sign-in", query={"next": code_pages.following(request)}))
    wanted = code_pages.next_page(request)
    sign_ins.finish(request, player)
    return redirect(wanted or sign_ins.home_of(player))


def _adds(request: HttpRequest) -> Player | None:
    """Who may add a passkey now: a player who has just proved who they are, or a new colleague."""
    if not isinstance(request.user, Player):
        return sign_ins.without_second_factor(request)
    until = request.session.get(MAY_ADD_PASSKEY, 0)
    return request.user if timezone.now().timestamp() < until else None


@never_cache
@require_http_methods(["GET", "POST"])
def add_passkey_page(request: HttpRequest) -> HttpResponseBase:
    require_passkeys(request)
    player = _adds(request)
    if player is None:
        return redirect("passkeys")
    refused = ""
    if request.method == "POST":
        try:
            passkeys.add(request, player, request.POST.get("credential", ""), timezone.now())
        except Refused as refusal:
            refused = sentence_of(refusal)
        else:
            messages.success(request, gettext("The passkey is added."))
            if not request.user.is_authenticated:
                sign_ins.finish(request, player)
                return redirect(code_pages.next_page(request) or sign_ins.home_of(player))
            request.session.pop(MAY_ADD_PASSKEY, None)
            return redirect("passkeys")
    context = {"refused": refused, "next": code_pages.next_page(request)}
    return render(request, "players/add_passkey.html", context, status=422 if refused else 200)


@sensitive_post_parameters("password", "code")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def passkeys_page(request: HttpRequest) -> HttpResponse:
    require_passkeys(request)
    player = request.user
    assert isinstance(player, Player), "only players sign in"
    if request.method == "POST" and "remove" in request.POST:
        _remove_passkey(request, player)
        return redirect("passkeys")
    form = proof_form(player, request.POST if request.method == "POST" else None)
    if form.is_bound and is_proved(request, player, form):
        request.session[MAY_ADD_PASSKEY] = int(timezone.now().timestamp()) + MAY_SECONDS
        return redirect("add-passkey")
    context = {"form": form, "passkeys": player.passkeys.order_by("pk")}
    status = 422 if form.is_bound else 200
    return render(request, "players/passkeys.html", context, status=status)


def _remove_passkey(request: HttpRequest, player: Player) -> None:
    number, last = key_in(request.POST["remove"]), player.passkeys.count() == 1
    if last and codes.required_of(player) and not codes.has_codes(player):
        messages.error(request, gettext("Set up codes first: staff need one of the two."))
    elif number is not None and passkeys.remove(player, number):
        messages.success(request, gettext("The passkey is removed."))


# In the session: until when this member of staff may connect an account.
MAY_CONNECT_COMPANY: Final = "may_connect_company"
# In the session: the page to go on to after the provider.
NEXT_AFTER_COMPANY: Final = "company_next"


def require_provider() -> None:
    if not company.is_on():
        raise Http404


@never_cache
@require_GET
def start_at_company(request: HttpRequest) -> HttpResponseBase:
    """A link, as pages may send forms to this house alone."""
    require_provider()
    request.session[NEXT_AFTER_COMPANY] = code_pages.next_page(request)
    try:
        return company.begin(request, request.build_absolute_uri(reverse("company-back")))
    except Refused as refused:
        return _refused(request, refused)


@never_cache
@require_GET
def back_from_company(request: HttpRequest) -> HttpResponseBase:
    """The browser returns from the provider, to connect an account or to sign in."""
    require_provider()
    try:
        claims = company.claims_of(request)
        account = company.met(claims, timezone.now())
        if isinstance(request.user, Player) and is_staff_member(request.user):
            return _connected(request, account, request.user)
        player = company.player_of(account)
        refusal = sign_ins.refusal(player, timezone.now())
        if refusal is not None:
            raise refusal
    except Refused as refused:
        return _refused(request, refused)
    following = request.session.pop(NEXT_AFTER_COMPANY, "")
    if company.has_second_factor(claims):
        sign_ins.finish(request, player)
        return redirect(following or sign_ins.home_of(player))
    return sign_ins.password_was_right(request, player, following)


def _connected(request: HttpRequest, account: CompanyAccount, player: Player) -> HttpResponse:
    """Only who has just proved who they are connects an account to their own."""
    if timezone.now().timestamp() > request.session.pop(MAY_CONNECT_COMPANY, 0):
        return redirect("company-account")
    company.connect(account, player)
    messages.success(request, gettext("Your company account signs you in from now on."))
    return redirect("company-account")


def _refused(request: HttpRequest, refused: Refused) -> HttpResponse:
    messages.error(request, sentence_of(refused))
    here = isinstance(request.user, Player) and is_staff_member(request.user)
    return redirect("company-account" if here else "sign-in")


@sensitive_post_parameters("password", "code")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def company_page(request: HttpRequest) -> HttpResponse:
    require_provider()
    player = request.user
    if not isinstance(player, Player) or not is_staff_member(player):
        raise PermissionDenied
    if request.method == "POST" and "remove" in request.POST:
        _remove_company(request, player)
        return redirect("company-account")
    form = proof_form(player, request.POST if request.method == "POST" else None)
    if form.is_bound and is_proved(request, player, form):
        request.session[MAY_CONNECT_COMPANY] = int(timezone.now().timestamp()) + MAY_SECONDS
        return redirect("company-account")
    context = {
        "form": form,
        "accounts": player.company_accounts.order_by("pk"),
        "may_connect": timezone.now().timestamp() < request.session.get(MAY_CONNECT_COMPANY, 0),
    }
    status = 422 if form.is_bound else 200
    return render(request, "players/company.html", context, status=status)


def _remove_company(request: HttpRequest, player: Player) -> None:
    number = key_in(request.POST["remove"])
    if not player.has_usable_password() and player.company_accounts.count() == 1:
        messages.error(request, gettext("You have no password: nothing else would sign you in."))
    elif number is not None and company.disconnect(player, number):
        messages.success(request, gettext("This company account signs you in no more."))
