"""A new password by e-mail, for who has forgotten the old one.

The page answers alike and equally fast whatever was typed: a worker looks whether there is such an
account, and writes only to a proved address of its own. A link is valid for an hour and once; it
ends with a sign-in, another password or another address. A code is asked for as ever.
"""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.db.models import Q
from django.forms import CharField, Form, TextInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.accounts import codes, devices, letters, sign_ins
from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.accounts.new_players import PASSWORD_HELP, FormPage
from casino.accounts.own_email import require_letters
from casino.web.addresses import line_of
from casino.web.rate_limits import HOUR, count
from games.words.refusals import refused_in
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused

TASK: Final = "casino.accounts.tasks.send_reset_links"
LETTER: Final = "casino.accounts.tasks.send_reset_link"
LINK_SECONDS_MAX: Final = 3600
ASKED_AN_HOUR: Final = 20
# How many accounts with one address get a letter.
ACCOUNTS_MAX: Final = 5


class _Links(PasswordResetTokenGenerator):
    """Django's token: it is not stored, and hangs on password, address and last sign-in."""

    key_salt = "casino.accounts.password_reset"

    def check_token(self, user: Any, token: str | None) -> bool:
        if not super().check_token(user, token):
            return False
        made = base36_to_int((token or "").partition("-")[0])
        return self._num_seconds(self._now()) - made < LINK_SECONDS_MAX


LINKS: Final = _Links()


class ForgottenForm(Form):
    who = CharField(
        label=_("Name or e-mail"),
        max_length=254,
        widget=TextInput(
            attrs={"autocomplete": "username", "spellcheck": "false", "autofocus": True}
        ),
    )


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    require_letters()
    form = ForgottenForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_in(form):
            _ask(request, form.cleaned_data["who"])
            return render(request, "players/forgotten.html", {"sent": True})
    status = 422 if form.is_bound else 200
    return render(request, "players/forgotten.html", {"form": form}, status=status)


def _ask(request: HttpRequest, who: str) -> None:
    """One statement and one task, whoever is asked about, even nobody."""
    if count(f"forgotten:{line_of(request)}", HOUR) > ASKED_AN_HOUR:
        raise Refused("too_many_letters", _n("Too many letters for now. Try again in an hour."))
    named = Q(email__iexact=who) if "@" in who else Q(username_key=name_key(who))
    players = Player.objects.filter(named).exclude(email="").order_by("pk")
    numbers = list(players.values_list("pk", flat=True)[:ACCOUNTS_MAX])
    letters.hand_over(TASK, numbers, request.build_absolute_uri("/")[:-1])


def may_reset(player: Player) -> bool:
    """Whether an address is enough: not where the house would then lack a second factor."""
    return (
        bool(player.email)
        and player.is_active
        and player.has_usable_password()
        and (sign_ins.has_second_factor(player) or not codes.required_of(player))
    )


def send_links(numbers: list[int], house: str) -> None:
    """What the worker does first: it sends each letter by itself, so none is sent twice."""
    for player in Player.objects.filter(pk__in=numbers).order_by("pk"):
        if may_reset(player) and letters.may_send_link(player):
            letters.hand_over(LETTER, player.pk, house)


def send_link(player: Player, house: str) -> None:
    number = urlsafe_base64_encode(force_bytes(player.pk))
    letters.write(
        player,
        player.email,
        _n("Choose a new password"),
        _n("Somebody has asked for a new password for your account {name}. Choose it here:"),
        "{link}",
        _n("The link is valid for one hour, and once. If that was not you, delete this letter."),
        link=house + reverse("reset-password", args=[number, LINKS.make_token(player)]),
    )


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_HELP
        self.fields["new_password2"].help_text = ""


class ResetPassword(FormPage, PasswordResetConfirmView):
    """Django's page, which takes the token out of the address before it shows a form."""

    template_name = "players/reset_password.html"
    form_class = NewPasswordForm
    token_generator = LINKS

    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        require_letters()
        return super().dispatch(*args, **kwargs)

    def get_user(self, uidb64: str) -> Player | None:
        player = super().get_user(uidb64)
        return player if isinstance(player, Player) and may_reset(player) else None

    def form_valid(self, form: Any) -> HttpResponse:
        token = self.request.session.pop("_password_reset_token", "")
        player = _set(form.user, token, form.cleaned_data["new_password1"])
        if player is None:
            return redirect("forgotten")
        messages.success(self.request, gettext("Your password is set."))
        return sign_ins.password_was_right(self.request, player)


@verb("player:account.reset_password")
def _set(player: Player, token: str, password: str) -> Player | None:
    """Of two simultaneous requests with one link, the first sets the password."""
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if not LINKS.check_token(player, token):
            return None
        player.set_password(password)
        player.save(update_fields=["password"])
        devices.end_everywhere(player)
    letters.tell(player, player.email, letters.PASSWORD)
    return player
