"""Signing up, in and out, and the players' own settings."""

from axes.helpers import get_cool_off
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.accounts import company, devices, letters, new_players, own_email, passkeys, sign_ins
from casino.accounts.admission import is_guest
from casino.accounts.models import Player
from casino.accounts.new_players import (
    ChangePasswordForm,
    FaceForm,
    FormPage,
    SignInForm,
    SignUpForm,
    name_is_taken,
)
from casino.accounts.preferences import PREFERENCES
from casino.accounts.staff import is_staff_member
from casino.web.addresses import back, is_ours
from casino.web.errors import answer
from games.tables import play_money
from wallets.of_record.verbs import verb
from wallets.values import house
from wallets.values.player import player_of


@login_required
@require_http_methods(["GET", "POST"])
def face_page(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    form = FaceForm(
        request.POST if request.method == "POST" else None, initial={"face": player.face}
    )
    if request.method == "POST" and form.is_valid():
        choose(player.pk, form.cleaned_data["face"])
        messages.success(request, gettext("Your face is changed."))
        return redirect("profile")
    status = 422 if form.is_bound else 200
    return render(request, "players/face.html", {"form": form}, status=status)


def choose(player_id: int, face: int) -> None:
    """Show a player with another face; one statement, so nothing else is overwritten."""
    Player.objects.filter(pk=player_id).update(face=face)


YEAR_SECONDS = 365 * 24 * 3600


@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """An account for a stranger, or for the guest who plays in this browser already."""
    if request.user.is_authenticated and not is_guest(request.user):
        return redirect("lobby")
    form, player, is_greeted = _sign_up_form(request), None, False
    if request.method == "POST" and form.is_valid():
        if is_guest(request.user):
            player = new_players.keep(request, form)
        elif not new_players.welcome_from(request):
            return full(request)
        else:
            player = _signed_up(request, form)
            is_greeted = player is not None and play_money.at_sign_up(player)
    if player:
        own_email.at_sign_up(request, player, form.cleaned_data.get("email", ""))
        following = request.POST.get("next", "")
        if is_greeted and not is_ours(request, following):
            return redirect("welcome")
        messages.success(request, gettext("Welcome, %(name)s.") % {"name": player.username})
        return redirect(following if is_ours(request, following) else "lobby")
    following = request.POST.get("next", request.GET.get("next", ""))
    status = 422 if form.is_bound else 200
    return render(request, "players/sign_up.html", {"form": form, "next": following}, status=status)


def _sign_up_form(request: HttpRequest) -> SignUpForm:
    if not is_guest(request.user):
        return SignUpForm(request.POST or None)
    guest = Player.objects.get(pk=player_of(request).pk)
    return SignUpForm(
        request.POST or None, instance=guest, initial={"username": "", "face": guest.face}
    )


def _signed_up(request: HttpRequest, form: SignUpForm) -> Player | None:
    form.instance.signed_up_from = new_players.origin_of(request)
    player = _stored(form)
    if player:
        login(request, player, backend=new_players.BACKEND)
    return player


def full(request: HttpRequest) -> HttpResponse:
    """Too many players have signed up from this address today."""
    sentence = gettext(
        "Too many new players signed up from your network today. Try again tomorrow, or ask the "
        "house."
    )
    response = answer(
        request, 429, "too_many_sign_ups", gettext("No more sign-ups today"), sentence
    )
    response["Retry-After"] = str(new_players.retry_after())
    return response


@verb("player:account.sign_up")
def _stored(form: SignUpForm) -> Player | None:
    """Two players may choose one name at the same moment: the database lets the first have it."""
    try:
        with transaction.atomic():
            return form.save()
    except IntegrityError:
        form.add_error("username", name_is_taken())
        return None


class SignIn(FormPage, LoginView):
    template_name = "players/sign_in.html"
    authentication_form = SignInForm

    def setup(self, request: HttpRequest, *args: object, **kwargs: object) -> None:
        """A guest who has an account already signs in to it."""
        super().setup(request, *args, **kwargs)
        self.redirect_authenticated_user = not is_guest(request.user)

    def form_valid(self, form: BaseForm) -> HttpResponse:
        """The password is right: sign in, or ask for the code first."""
        player = form.get_user()  # type: ignore[attr-defined]
        response = sign_ins.password_was_right(self.request, player, self.get_redirect_url())
        if player.language:
            _remember_language(response, player.language)
        return response

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        more: dict[str, object] = {"ended": "ended" in self.request.GET, "mail": letters.are_on()}
        more["passkeys"] = passkeys.are_on(self.request) and reverse("passkey-sign-in")
        more["company"] = company.is_on()
        return super().get_context_data(**more, **kwargs)


def locked_out(request: HttpRequest, *_args: object, **_kwargs: object) -> HttpResponse:
    """Respond after too many wrong passwords for one name from one address."""
    wait = get_cool_off(request)
    assert wait is not None, "a lock that never opens would shut players out for good"
    # Strangers who have tried a name very often wait until its hour is over.
    seconds = getattr(request, "seconds_to_wait", int(wait.total_seconds()))
    minutes = max(1, seconds // 60)
    sentence = ngettext(
        "Too many failed sign-ins under this name. Wait %(minutes)d minute and try again.",
        "Too many failed sign-ins under this name. Wait %(minutes)d minutes and try again.",
        minutes,
    )
    response = answer(
        request, 429, "locked_out", gettext("Signing in is locked"), sentence % {"minutes": minutes}
    )
    response["Retry-After"] = str(seconds)
    return response


class SignOut(LogoutView):
    http_method_names = ("post",)

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        devices.leave(request)
        response = super().post(request, *args, **kwargs)
        messages.info(request, gettext("You are signed out."))
        return response


@login_required
@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    context = {
        "before": devices.signed_in_before(request),
        "mail": letters.are_on(),
        "passkeys": passkeys.are_on(request),
        "company": company.is_on() and is_staff_member(player_of(request)),
    }
    return render(request, "players/profile.html", context)


class ChangePassword(FormPage, LoginRequiredMixin, PasswordChangeView):
    """Ends the player's other sessions, and gives this one a new key."""

    template_name = "players/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("profile")

    @verb("player:account.change_password")
    def form_valid(self, form: BaseForm) -> HttpResponse:
        response = super().form_valid(form)
        player = self.request.user
        if isinstance(player, Player):
            # Django's session has a new key here, and those elsewhere are worth nothing.
            devices.key_changed(self.request)
            devices.end_everywhere(player, but=devices.here(self.request))
            letters.tell(player, player.email, letters.PASSWORD)
        messages.success(
            self.request, gettext("Your password is changed; other devices have been signed out.")
        )
        return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Store the language in a cookie, and with the player for their other browsers."""
    chosen = request.POST.get("language", "")
    if chosen not in house.current().offered:
        raise BadRequest("no such language")
    if isinstance(request.user, Player):
        Player.objects.filter(pk=request.user.pk).update(language=chosen)
    return _remember_language(HttpResponseRedirect(back(request)), chosen)


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Theme, deck and sounds belong to the screen in use, so they are only in cookies."""
    response = HttpResponseRedirect(back(request))
    chosen = [
        (preference, request.POST[preference.name])
        for preference in PREFERENCES
        if preference.name in request.POST
    ]
    if not chosen or not all(preference.has(value) for preference, value in chosen):
        raise BadRequest("no such preference")
    for preference, value in chosen:
        # The page's script writes it too, to switch without reloading the page.
        response.set_cookie(
            preference.name,
            value,
            YEAR_SECONDS,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response


def staff_sign_in(request: HttpRequest) -> HttpResponse:
    """The back office has no separate sign-in: one sign-in, one lock, one set of rules."""
    if request.user.is_authenticated:
        raise PermissionDenied
    following = request.GET.get("next", reverse("admin:index"))
    return redirect(reverse("sign-in", query={"next": following}))


def _remember_language(response: HttpResponse, chosen: str) -> HttpResponse:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
    )
    return response
