"""The pages of one-time codes, and of the sessions that a user has and may end."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_required
from django.contrib.auth.signals import user_login_failed
from django.forms import CharField, Form, PasswordInput, TextInput
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.accounts import codes, devices, passkeys, sign_ins
from casino.accounts.backends import require_try
from casino.accounts.devices import in_words
from casino.accounts.models import Player
from casino.web.addresses import is_ours
from games.web.pages import qr_code
from wallets.of_record.verbs import verb
from wallets.office.lists import key_in

TYPED_MAX: Final = 40


class CodeForm(Form):
    """One field for both kinds of code: users without their phone type a recovery code."""

    code = CharField(
        label=_("Code"),
        max_length=TYPED_MAX,
        widget=TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "autocapitalize": "none",
                "spellcheck": "false",
                "autofocus": True,
            }
        ),
        help_text=_("The six digits that your app shows now, or a recovery code."),
    )


class NewCodeForm(CodeForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The six digits that your app shows now.")
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


def wrong_code() -> str:
    return gettext("This code is wrong, or was used already. Wait for the next one.")


def password_field() -> CharField:
    widget = PasswordInput(attrs={"autocomplete": "current-password"})
    return CharField(label=_("Password"), max_length=4096, strip=False, widget=widget)


def wrong_password() -> str:
    return gettext("This is not your password.")


def is_password(request: HttpRequest, player: Player, typed: str) -> bool:
    """Whether a player's password is right; a wrong one counts as a failed sign-in."""
    return authenticate(request, username=player.username, password=typed) == player


def check(request: HttpRequest, player: Player, typed: str) -> bool:
    """Whether a code is right; a wrong one counts as a failed sign-in.

    It raises where the name is locked here, and the middleware of the lock answers.
    """
    require_try(request, player.username, sign_ins.CODES)
    if codes.accept(player, typed, timezone.now()):
        return True
    note_wrong(request, player)
    return False


def note_wrong(request: HttpRequest, player: Player) -> None:
    credentials = {"username": player.username}
    user_login_failed.send(sender=__name__, credentials=credentials, request=request)


def next_page(request: HttpRequest) -> str:
    """The page to go on to that is named, if it is one of ours."""
    named = request.POST.get("next", request.GET.get("next", ""))
    return named if named and is_ours(request, named) else ""


def following(request: HttpRequest) -> str:
    return next_page(request) or resolve_url("lobby")


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponseBase:
    """The second step of signing in."""
    player, after = sign_ins.player_in(request), following(request)
    if player is None:
        return redirect(reverse("sign-in", query={"next": after}))
    if not sign_ins.has_second_factor(player):
        return redirect(reverse("set-up-codes", query={"next": after}))
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if check(request, player, form.cleaned_data["code"]):
            return signed_in(request, player, redirect(after))
        form.add_error("code", wrong_code())
    offers = passkeys.are_on(request) and passkeys.has_passkeys(player)
    context = {
        "form": form,
        "next": after,
        "has_codes": codes.has_codes(player),
        "passkeys": offers and reverse("passkey-sign-in"),
    }
    status = 422 if form.is_bound else 200
    return render(request, "players/sign_in_code.html", context, status=status)


def signed_in(request: HttpRequest, player: Player, response: HttpResponse) -> HttpResponse:
    sign_ins.finish(request, player)
    left = codes.recovery_codes_left(player)
    if codes.has_codes(player) and left <= 2:
        messages.warning(
            request,
            gettext("You have %(left)d recovery codes left. Make new ones on your profile.")
            % {"left": left},
        )
    return response


def _person(request: HttpRequest) -> Player | None:
    """Return the signed-in player, or one who must set up codes before signing in."""
    if isinstance(request.user, Player):
        return request.user
    # Replacing codes takes a working code; the password alone is not enough.
    return sign_ins.without_second_factor(request)


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponseBase:
    """A QR code for the app, and the first code that it shows; then the recovery codes, once."""
    player, after, now = _person(request), following(request), timezone.now()
    if player is None:
        return redirect(reverse("sign-in", query={"next": request.get_full_path()}))
    signing_in = not request.user.is_authenticated
    if not signing_in and codes.has_codes(player) and not request.session.get(MAY_REPLACE):
        return redirect("codes")
    form = NewCodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        require_try(request, player.username, sign_ins.CODES)
        made = codes.confirm(player, form.cleaned_data["code"], now)
        if made is not None:
            if signing_in:
                sign_ins.finish(request, player)
            else:
                _keep_only_this(request, player)
            return _show_recovery_codes(request, made, after if signing_in else "")
        note_wrong(request, player)
        form.add_error("code", wrong_code())
    waiting = codes.begin(player, now)
    context = {
        "form": form,
        "next": after,
        "signing_in": signing_in,
        "passkeys": signing_in and passkeys.are_on(request),
        "code": qr_code(codes.address_of(waiting, player)),
        "secret": codes.in_groups(codes.secret_as_text(waiting), " "),
    }
    status = 422 if form.is_bound else 200
    return render(request, "players/set_up_codes.html", context, status=status)


# In the session: a user who typed a code may set up another phone.
MAY_REPLACE: Final = "may_replace_codes"


def _keep_only_this(request: HttpRequest, player: Player) -> None:
    """Sessions that were begun without these codes end."""
    request.session.pop(MAY_REPLACE, None)
    request.session[sign_ins.BY_CODE] = True
    devices.end_everywhere(player, but=devices.here(request))


def _show_recovery_codes(request: HttpRequest, made: list[str], after: str) -> HttpResponse:
    context = {"made": made, "next": after or reverse("codes")}
    return render(request, "players/recovery_codes.html", context)


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "POST"])
def codes_page(request: HttpRequest) -> HttpResponseBase:
    """Whether codes are set up, and what may be done about that; each takes a code."""
    player = request.user
    if not isinstance(player, Player):
        return redirect(reverse("sign-in", query={"next": request.path}))
    authenticator = codes.confirmed(player)
    form = CodeForm(request.POST or None)
    form.fields["code"].widget.attrs.pop("autofocus")
    may_go = not codes.required_of(player)
    if request.method == "POST" and authenticator is not None and form.is_valid():
        if check(request, player, form.cleaned_data["code"]):
            if "recovery" in request.POST:
                return _show_recovery_codes(request, codes.new_recovery_codes(player), "")
            if "another" in request.POST:
                request.session[MAY_REPLACE] = True
                return redirect("set-up-codes")
            if "off" in request.POST and may_go:
                codes.forget(player)
                messages.success(request, gettext("You sign in without codes from now on."))
            return redirect("codes")
        form.add_error("code", wrong_code())
    context = {
        "form": form,
        "since": authenticator and authenticator.confirmed_at,
        "left": codes.recovery_codes_left(player),
        "may_go": may_go,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "players/codes.html", context, status=status)


class Place(NamedTuple):
    """One place where the user is signed in, in words."""

    # The value that a form sends to end it: `session` or `token`, and a number.
    kind: str
    key: int
    words: str
    address: str
    since: datetime
    seen: datetime | None
    here: bool


def places_of(player: Player, here: int = 0) -> list[Place]:
    """Browsers first, this one at the top; then programs."""
    browsers = [
        Place(
            "session",
            session.pk,
            in_words(session.user_agent),
            session.address,
            session.signed_in_at,
            session.seen_at,
            session.pk == here,
        )
        for session in devices.sessions_of(player)
    ]
    programs = [
        Place(
            "token",
            token.pk,
            in_words(token.user_agent),
            token.address,
            token.made_at,
            token.seen_at,
            False,
        )
        for token in devices.tokens_of(player)
    ]
    return sorted(browsers, key=lambda place: not place.here) + programs


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def devices_page(request: HttpRequest) -> HttpResponse:
    player = request.user
    assert isinstance(player, Player), "only players sign in"
    here = devices.here(request)
    if request.method == "POST":
        ended = _end(player, here, request)
        messages.success(
            request,
            gettext("Signed out there.") if ended else gettext("That session has already ended."),
        )
        return redirect("devices")
    context = {"places": places_of(player, here)}
    return render(request, "players/devices.html", context)


@verb("player:account.end_session")
def _end(player: Player, here: int, request: HttpRequest) -> int:
    """End what the pressed button names, but never the session that asks."""
    if "others" in request.POST:
        return devices.end_everywhere(player, but=here)
    session, token = (key_in(request.POST.get(kind)) for kind in ("session", "token"))
    ended = devices.end(player.devices.filter(pk=session).exclude(pk=here))
    tokens, _each = player.access_tokens.filter(pk=token).delete()
    return ended + tokens


class PasswordForm(Form):
    password = password_field()


def proof_form(player: Player, data: Any = None) -> Form:
    """A code for those who have codes, otherwise the password."""
    form: Form = (CodeForm if codes.has_codes(player) else PasswordForm)(data)
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    return form


def is_proved(request: HttpRequest, player: Player, form: Form) -> bool:
    """Whether the answer is right; a wrong one counts as a failed sign-in."""
    if not form.is_valid():
        return False
    if "code" in form.fields:
        right, name, wrong = check(request, player, form.cleaned_data["code"]), "code", wrong_code()
    else:
        right = is_password(request, player, form.cleaned_data["password"])
        name, wrong = "password", wrong_password()
    if not right:
        form.add_error(name, wrong)
    return right
