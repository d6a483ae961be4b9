"""Password rules, with sentences in every language of the site."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LengthValidator(MinimumLengthValidator):
    """Django's own, with our sentence, because its simplified Chinese catalogue has lost it."""

    def get_error_message(self) -> str:
        return ngettext(
            "This password is too short. It must contain at least {least} character.",
            "This password is too short. It must contain at least {least} characters.",
            self.min_length,
        ).format(least=self.min_length)
