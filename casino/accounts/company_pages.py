"""Signing in with a company account, and the page on which staff connect theirs."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from casino.accounts import code_pages, company, sign_in_rules, sign_in_steps
from casino.accounts.code_pages import is_proved, proof_form
from casino.accounts.models import CompanyAccount, Player
from casino.accounts.staff import is_staff_member
from games.words.refusals import sentence_of
from wallets.office.lists import key_in
from wallets.values.errors import Refused

# In the session: until when this member of staff may connect an account.
MAY_CONNECT: Final = "may_connect_company"
SECONDS_MAX: Final = 600
# In the session: the page to go on to after the provider.
NEXT: Final = "company_next"


def require_provider() -> None:
    if not company.is_on():
        raise Http404


@never_cache
@require_GET
def start(request: HttpRequest) -> HttpResponseBase:
    """A link, as pages may send forms to this house alone."""
    require_provider()
    request.session[NEXT] = code_pages.next_page(request)
    try:
        return company.begin(request, request.build_absolute_uri(reverse("company-back")))
    except Refused as refused:
        return _said(request, refused)


@never_cache
@require_GET
def back(request: HttpRequest) -> HttpResponseBase:
    """The browser returns from the provider, to connect an account or to sign in."""
    require_provider()
    try:
        claims = company.claims_of(request)
        account = company.met(claims, timezone.now())
        if isinstance(request.user, Player) and is_staff_member(request.user):
            return _connected(request, account, request.user)
        player = company.player_of(account)
        refusal = sign_in_rules.refusal(player, timezone.now())
        if refusal is not None:
            raise refusal
    except Refused as refused:
        return _said(request, refused)
    following = request.session.pop(NEXT, "")
    if company.has_second_factor(claims):
        sign_in_steps.finish(request, player)
        return redirect(following or sign_in_steps.home_of(player))
    return sign_in_steps.password_was_right(request, player, following)


def _connected(request: HttpRequest, account: CompanyAccount, player: Player) -> HttpResponse:
    """Only who has just proved who they are connects an account to their own."""
    if timezone.now().timestamp() > request.session.pop(MAY_CONNECT, 0):
        return redirect("company-account")
    company.connect(account, player)
    messages.success(request, gettext("Your company account signs you in from now on."))
    return redirect("company-account")


def _said(request: HttpRequest, refused: Refused) -> HttpResponse:
    messages.error(request, sentence_of(refused))
    here = isinstance(request.user, Player) and is_staff_member(request.user)
    return redirect("company-account" if here else "sign-in")


@sensitive_post_parameters("password", "code")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def account_page(request: HttpRequest) -> HttpResponse:
    require_provider()
    player = request.user
    if not isinstance(player, Player) or not is_staff_member(player):
        raise PermissionDenied
    if request.method == "POST" and "remove" in request.POST:
        _remove(request, player)
        return redirect("company-account")
    form = proof_form(player, request.POST if request.method == "POST" else None)
    if form.is_bound and is_proved(request, player, form):
        request.session[MAY_CONNECT] = int(timezone.now().timestamp()) + SECONDS_MAX
        return redirect("company-account")
    context = {
        "form": form,
        "accounts": player.company_accounts.order_by("pk"),
        "may_connect": timezone.now().timestamp() < request.session.get(MAY_CONNECT, 0),
    }
    status = 422 if form.is_bound else 200
    return render(request, "players/company.html", context, status=status)


def _remove(request: HttpRequest, player: Player) -> None:
    number = key_in(request.POST["remove"])
    if not player.has_usable_password() and player.company_accounts.count() == 1:
        messages.error(request, gettext("You have no password: nothing else would sign you in."))
    elif number is not None and company.disconnect(player, number):
        messages.success(request, gettext("This company account signs you in no more."))
