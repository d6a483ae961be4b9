"""A whole number in a form, written with the digits 0 to 9 as amounts are."""

from django.forms import IntegerField

from wallets.amounts import as_form_error, require_digits


class NumberField(IntegerField):
    """Django's field reads every script's digits; this one refuses them with a sentence."""

    def to_python(self, value: object) -> int | None:
        with as_form_error():
            require_digits(str(value))
        return super().to_python(value)
