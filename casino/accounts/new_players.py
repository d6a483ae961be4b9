"""The forms of players, limits on sign-ups, and guests, who have no name or password.

A guest is a player like any other for tables, ledger, hands and proofs. `casino.accounts.admission`
says what guests may not do. An account is made of the same row, so nothing has to be moved.
"""

import logging
import secrets
from typing import Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.views.generic import FormView

from casino.accounts import devices, letters, sign_ins
from casino.accounts.models import Player
from casino.accounts.names import LENGTH_MAX, validate_free_for_players
from casino.accounts.own_email import email_field
from casino.web.addresses import address_of, line_of
from casino.web.rate_limits import DAY, count, seconds_left
from games.words.naming import GUEST_NAME
from games.words.players import FACES, NOBODY, face_title
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused

# A one-line hint; each other rule shows its sentence when it is broken.
PASSWORD_HELP = _("At least 8 characters, not only digits.")


class FormPage(FormView):  # type: ignore[type-arg]
    """A page with a form, which answers 422 where the form is refused."""

    http_method_names = ("get", "post")

    def form_invalid(self, form: forms.BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class SignInForm(AuthenticationForm):
    error_messages: dict[str, Any] = {  # noqa: RUF012
        # The same for a wrong name, a wrong password and a bot: a stranger learns nothing about
        # who plays here.
        "invalid_login": _("Wrong name or password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["spellcheck"] = "false"

    def confirm_login_allowed(self, user: Player) -> None:
        """The password is right, but a rule may forbid signing in."""
        why = sign_ins.refusal(user, timezone.now())
        if why is not None:
            raise ValidationError(why.sentence, code=why.code)


class FaceField(forms.TypedChoiceField):
    """A grid of faces to choose from, of which radio buttons say the names."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Face"), choices=_named_faces, coerce=int, widget=forms.RadioSelect, **kwargs
        )


def _named_faces(first: int = FACES[0]) -> list[tuple[int, str]]:
    """All faces, the first one in sight: the grid of a short form shows some at a time."""
    begin = FACES.index(first)
    return [(number, face_title(number)) for number in (*FACES[begin:], *FACES[:begin])]


class FaceForm(forms.Form):
    face = FaceField()


class SignUpForm(BaseUserCreationForm):  # type: ignore[type-arg]
    # Who sends none gets that of the name.
    face = FaceField(required=False, empty_value=NOBODY)
    # Not stored: a link is sent there, which proves it.
    email = email_field(
        required=False, help_text=_("If you like: to get back in when you forget your password.")
    )

    class Meta:
        model = Player
        fields = ("username",)
        help_texts: ClassVar[dict[str, Any]] = {
            "username": _("2 to 20 letters or digits, in any script. Others see it at the table.")
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.validators.append(validate_free_for_players)
        # One is chosen already, so that a newcomer need not; each time another.
        self.initial.setdefault("face", secrets.choice(FACES))
        face, sent = self.fields["face"], str(self["face"].value())
        if isinstance(face, FaceField) and sent in [str(number) for number in FACES]:
            face.choices = _named_faces(int(sent))
        name.widget.attrs |= {"spellcheck": "false", "autofocus": True, "maxlength": LENGTH_MAX}
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].help_text = ""
        if not letters.are_on():
            del self.fields["email"]

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if Player.name_is_taken(name):
            raise name_is_taken()
        return name

    def save(self, commit: bool = True) -> Player:
        self.instance.language = get_language() or ""
        # A guest has a face already.
        self.instance.face = self.cleaned_data["face"] or self.instance.face
        player: Player = super().save(commit)
        return player


class ChangePasswordForm(PasswordChangeForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_HELP
        self.fields["new_password2"].help_text = ""


def name_is_taken() -> ValidationError:
    return ValidationError(
        _("This name is taken, or looks too much like a name that is."),
        code="unique",
    )


def welcome_from(request: HttpRequest) -> bool:
    """Whether one more may sign up from this address today; counts them."""
    allowed: int = settings.SIGN_UPS_A_DAY
    return count(f"sign-ups:{line_of(request)}", DAY) <= allowed


def retry_after() -> int:
    """In how many seconds an address that has had all its sign-ups has new ones."""
    return seconds_left(DAY)


def origin_of(request: HttpRequest) -> str:
    """A keyed hash of a sign-up's address: equal for one household, and not reversible."""
    return salted_hmac("casino.accounts.new_players", line_of(request)).hexdigest()


BACKEND: Final = "casino.accounts.backends.PlayersBackend"
DAY_SECONDS: Final = 24 * 3600
# A name that another guest has is drawn again, of so many digits.
NUMBERS: Final = range(1_000, 1_000_000)
TRIES: Final = 20
# The columns of a guest's row that an account changes; it keeps all others.
WRITTEN: Final = (
    *("username", "username_key", "reads_as", "password", "face", "language", "is_guest"),
)

log = logging.getLogger("casino.accounts")


def begin(request: HttpRequest) -> Player:
    """Make a guest and sign them in here; the caller has counted the address."""
    player = _made(origin_of(request))
    login(request, player, backend=BACKEND)
    request.session.set_expiry(settings.GUEST_IDLE_DAYS * DAY_SECONDS)
    log.info("player %s plays as a guest from %s", player.pk, address_of(request) or "nowhere")
    return player


@verb("player:account.play_as_guest")
def _made(origin: str) -> Player:
    """A new guest, whose name each reader is shown in their own language."""
    for _try in range(TRIES):
        name = GUEST_NAME % {"number": NUMBERS.start + secrets.randbelow(len(NUMBERS))}
        if Player.name_is_taken(name):
            continue
        try:
            with transaction.atomic():
                return Player.objects.create_user(
                    name,
                    is_guest=True,
                    language=get_language() or "",
                    signed_up_from=origin,
                )
        except IntegrityError:
            continue
    raise Refused("no_guest_name", _n("No name is left for a guest just now."))


@verb("player:account.keep")
def keep(request: HttpRequest, form: SignUpForm) -> Player | None:
    """Make an account of the guest who sent a valid form, on the same row and in this session.

    The session gets a new key, as with every change of a password. None if another player was
    quicker with the name, which the form then says.
    """
    try:
        with transaction.atomic():
            player = form.save(commit=False)
            held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
            if not held.is_guest:
                # This guest's other click was quicker.
                return held
            player.is_guest = False
            player.save(update_fields=WRITTEN)
    except IntegrityError:
        form.add_error("username", name_is_taken())
        return None
    request.session.set_expiry(None)
    update_session_auth_hash(request, player)
    devices.key_changed(request)
    log.info("guest %s has an account now", player.pk)
    return player
