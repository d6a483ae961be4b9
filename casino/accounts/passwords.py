"""Password rules, with sentences in every language of the site."""

from typing import Any, Final

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils.translation import ngettext

# Staff move money and see cards, so their passwords are longer.
STAFF_LENGTH: Final = 12


class LengthValidator(MinimumLengthValidator):
    """Django's own, with our sentence, because its simplified Chinese catalogue has lost it."""

    def validate(self, password: str, user: Any = None) -> None:
        is_staff = user is not None and (user.is_staff or user.is_superuser)
        least = max(STAFF_LENGTH, self.min_length) if is_staff else self.min_length
        if len(password) < least:
            raise ValidationError(_too_short(least), code="password_too_short")

    def get_error_message(self) -> str:
        return _too_short(self.min_length)


def _too_short(least: int) -> str:
    return ngettext(
        "This password is too short. It must contain at least {least} character.",
        "This password is too short. It must contain at least {least} characters.",
        least,
    ).format(least=least)
