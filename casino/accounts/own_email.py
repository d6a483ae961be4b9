"""The e-mail address of a player, which is optional, and the page where they give it.

A row has an address only after its owner has opened a link that was sent there, so each address
that the house writes to is proved. The link holds the new address, signed for this player, the old
address and the password: it ends with the change of any of them, and after a day.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.forms import EmailField, EmailInput, Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.accounts import letters
from casino.accounts.code_pages import is_password, password_field, wrong_password
from casino.accounts.models import Player
from games.words.refusals import refused_in
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.player import player_of

TASK: Final = "casino.accounts.tasks.send_email_link"
LINK_MAX: Final = timedelta(days=1)
ON_ITS_WAY: Final = _("A letter is on its way to you: open the link in it.")


def email_field(*, required: bool = True, help_text: Any = "") -> EmailField:
    widget = EmailInput(attrs={"autocomplete": "email", "spellcheck": "false"})
    return EmailField(label=_("E-mail"), required=required, help_text=help_text, widget=widget)


class EmailForm(Form):
    """A new address, and the password: access to the mailbox is enough to reset it."""

    email = email_field(required=False)
    password = password_field()

    def __init__(self, request: HttpRequest, player: Player, data: Any) -> None:
        super().__init__(data)
        self.request, self.player = request, player

    def clean(self) -> dict[str, object]:
        """A wrong password counts as a failed sign-in."""
        values = self.cleaned_data
        if not values.get("email") and "remove" not in self.data and "email" in values:
            self.add_error("email", self.fields["email"].error_messages["required"])
        if values.get("password"):
            given = values.pop("password")
            if not is_password(self.request, self.player, given):
                self.add_error("password", wrong_password())
        return values


def ask(request: HttpRequest, player: Player, address: str) -> None:
    """Have a link sent to a new address, which proves it."""
    if not letters.may_send_link(player):
        raise Refused("too_many_letters", _n("Too many letters for now. Try again in an hour."))
    letters.hand_over(TASK, player.pk, address, request.build_absolute_uri("/")[:-1])


def send_link(player: Player, address: str, house: str) -> None:
    """What the worker does."""
    letters.write(
        player,
        address,
        _n("Confirm your e-mail address"),
        _n("Open this link, on a device on which you are signed in as {name}:"),
        "{link}",
        _n("It is valid for one day. If you have not asked for it, delete this letter."),
        link=house + reverse("confirm-email", args=[signing.dumps(address, salt=_salt(player))]),
    )


def _salt(player: Player) -> str:
    return f"{__name__}|{player.pk}|{player.email}|{player.password}"


def at_sign_up(request: HttpRequest, player: Player, address: str) -> None:
    """Send the link to a new player who has typed an address; the account is there in any case."""
    if address:
        with suppress(Refused):
            ask(request, player, address)
            messages.info(request, ON_ITS_WAY)


def address_in(link: str, player: Player) -> str | None:
    """The address that a link proves; None if the link is old, used or another player's."""
    try:
        return str(signing.loads(link, salt=_salt(player), max_age=LINK_MAX))
    except signing.BadSignature:
        return None


@verb("player:account.set_email")
def set_email(player: Player, address: str) -> bool:
    """Replace the address; do nothing if it or the password has changed since."""
    same = Player.objects.filter(pk=player.pk, email=player.email, password=player.password)
    changed = bool(same.update(email=address))
    if changed and player.email != address:
        letters.tell(player, player.email, letters.EMAIL)
    return changed


def require_letters() -> None:
    if not letters.are_on():
        raise Http404


@sensitive_post_parameters("password")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def email_page(request: HttpRequest) -> HttpResponse:
    require_letters()
    player = Player.objects.get(pk=player_of(request).pk)
    form = EmailForm(request, player, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if "remove" in request.POST:
            set_email(player, "")
            messages.success(request, gettext("Your e-mail address is removed."))
            return redirect("profile")
        with refused_in(form):
            ask(request, player, form.cleaned_data["email"])
            messages.success(request, ON_ITS_WAY)
            return redirect("profile")
    context = {"form": form, "email": player.email}
    return render(request, "players/email.html", context, status=422 if form.is_bound else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def confirm_page(request: HttpRequest, link: str) -> HttpResponse:
    """Programs that look at links before their readers do send no forms: the button counts."""
    require_letters()
    player = Player.objects.get(pk=player_of(request).pk)
    address = address_in(link, player)
    if request.method == "POST" and address and set_email(player, address):
        messages.success(request, gettext("Your e-mail address is confirmed."))
        return redirect("profile")
    status = 200 if address else 404
    return render(request, "players/confirm_email.html", {"email": address}, status=status)
