"""The forms of players."""

import secrets
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from casino.accounts import sign_in_rules
from casino.accounts.models import Player
from casino.accounts.names import LENGTH_MAX, validate_free_for_players
from games.words.faces import FACES, NOBODY, face_title

# A one-line hint; each other rule shows its sentence when it is broken.
PASSWORD_HELP = _("At least 8 characters, not only digits.")


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
        why = sign_in_rules.refusal(user, timezone.now())
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
