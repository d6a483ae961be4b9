"""The first password of a user whose account the house has made.

Only the user ever knows it: a one-time password opens nothing but the page where its owner chooses
their own. It is Django's token of a password reset: it is not stored, and ends when it is used,
when its owner signs in or leaves the staff, or after PASSWORD_RESET_TIMEOUT.

The command line gives a whole one. In the back office each member of staff gets a half of their
own, and two halves from two people are a whole: one member with a whole one could
act as a colleague and approve their own proposals.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.tokens import PasswordResetTokenGenerator, default_token_generator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import CharField, PasswordInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.accounts import sign_ins
from casino.accounts.models import Player
from casino.accounts.names import LENGTH_MAX, TYPED_MAX, name_key
from wallets.of_record.verbs import verb

ADDRESS = "/players/first-password/"


def one_time_password(player: Player) -> str:
    """A one-time password for an account that has no password yet."""
    assert not player.has_usable_password(), "a player who has a password changes it on the profile"
    return str(default_token_generator.make_token(player))


class _Halves(PasswordResetTokenGenerator):
    """The tokens that one member of staff can give."""

    def __init__(self, giver: int) -> None:
        super().__init__()
        self.key_salt = f"half of a one-time password|{giver}"


def half_from(giver: int, player: Player) -> str:
    """The half of a one-time password that this member of staff gives; it names them."""
    return f"{giver}.{_Halves(giver).make_token(player)}"


def _giver_of(half: str, player: Player) -> int | None:
    """Who gave a half; None if it is none for this account."""
    giver, _dot, token = half.partition(".")
    if not giver.isdecimal() or not _Halves(int(giver)).check_token(player, token):
        return None
    return int(giver)


def write_down(path: Path, passwords: Mapping[str, str]) -> None:
    """Write one-time passwords to a new file that its owner alone can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{name}\t{password}\n" for name, password in passwords.items())


class FirstPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A name, the one-time password of that account, and the password that its owner chooses."""

    username = CharField(label=_p("a player", "Name"), max_length=TYPED_MAX)
    one_time = CharField(
        label=_("One-time password"),
        max_length=TYPED_MAX,
        strip=True,
        help_text=_("If two colleagues gave you a half each: both, with a space between them."),
        widget=PasswordInput(attrs={"autocomplete": "one-time-code"}),
    )
    field_order = ("username", "one_time", "new_password1", "new_password2")

    def __init__(self, *args: object, **kwargs: object) -> None:
        # Rules about passwords compare them with the name, which is not known before it is typed.
        # The house makes accounts for staff alone; the typed name must not tell who is.
        super().__init__(Player(is_staff=True), *args, **kwargs)
        self.fields["username"].widget.attrs |= {"spellcheck": "false", "autofocus": True}
        self.fields["new_password1"].help_text = _(
            "At least 12 characters, not only digits, and no common password."
        )
        self.fields["new_password2"].help_text = ""

    def clean(self) -> dict[str, object]:
        """The same sentence for a wrong name and a wrong password: a stranger learns nothing."""
        self.user.username = self.cleaned_data.get("username", "")[:LENGTH_MAX]
        values: dict[str, Any] = super().clean() or self.cleaned_data
        name, token = values.get("username", ""), values.get("one_time", "")
        if name and token and not is_right(owner_of(name), token):
            raise ValidationError(
                _("Wrong name or one-time password, or it was used already."), code="invalid"
            )
        return values


def owner_of(name: str) -> Player | None:
    """The member of staff of this name: one who was dismissed by then does not get in."""
    return Player.objects.filter(username_key=name_key(name), is_staff=True, is_active=True).first()


def is_right(player: Player | None, typed: str) -> bool:
    """Whether this is a one-time password of the account: a whole one, or two people's halves."""
    if player is None or player.has_usable_password():
        return False
    if default_token_generator.check_token(player, typed):
        return True
    return len({_giver_of(half, player) for half in typed.split()} - {None}) > 1


@sensitive_post_parameters("one_time", "new_password1", "new_password2")
@never_cache
@require_http_methods(["GET", "POST"])
def first_password(request: HttpRequest) -> HttpResponse:
    form = FirstPasswordForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        player = _set(form)
        if player is not None:
            messages.success(request, _("Your password is set."))
            return sign_ins.password_was_right(request, player)
        form.add_error(None, _("Wrong name or one-time password, or it was used already."))
    status = 422 if form.is_bound else 200
    return render(request, "players/first_password.html", {"form": form}, status=status)


@verb("player:account.first_password")
def _set(form: FirstPasswordForm) -> Player | None:
    """Of two simultaneous requests with the same one-time password, the first sets the password."""
    with transaction.atomic():
        key = name_key(form.cleaned_data["username"])
        player = Player.objects.select_for_update(no_key=True).get(username_key=key)
        if not is_right(player, form.cleaned_data["one_time"]):
            return None
        player.set_password(form.cleaned_data["new_password1"])
        player.save(update_fields=["password"])
        return player
