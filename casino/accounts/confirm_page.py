"""The question after a while away: a code, or the password where no codes are set up."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_required
from django.forms import CharField, Form, PasswordInput
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.accounts import codes
from casino.accounts.code_pages import TYPED_MAX, CodeForm, check, wrong_code
from casino.accounts.models import Player
from casino.web.addresses import back, is_ours, page_in_view
from wallets.staff import confirming

# The name of the field, which no form of the house has for itself.
FIELD: Final = "confirm_code"
OURS: Final = frozenset((FIELD, "csrfmiddlewaretoken"))


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
    }
    return render(request, "players/confirm.html", context, status=403)


def answer_to(request: HttpRequest, player: Player) -> HttpResponse | None:
    """Return None if the answer is right: the request then continues without it."""
    form = form_for(player, {FIELD: request.POST[FIELD]})
    held = request.POST.copy()
    del held[FIELD]
    # Nothing of what was typed is stored with a failed answer, and no view sees the answer.
    request.POST = QueryDict()
    right = form.is_valid() and _is_right(request, player, form)
    request.POST = held  # type: ignore[assignment]
    return None if right else question(request, form)


def _is_right(request: HttpRequest, player: Player, form: Form) -> bool:
    given = form.cleaned_data[FIELD]
    if isinstance(form, CodeAgain):
        right, wrong = check(request, player, given), wrong_code()
    else:
        right = authenticate(request, username=player.username, password=given) == player
        wrong = _t("This is not your password.")
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
    if not confirming.is_due():
        return redirect(next_page)
    assert isinstance(request.user, Player), "only sessions of staff are due"
    context = {"form": form_for(request.user), "next": next_page}
    return render(request, "players/confirm.html", context)
