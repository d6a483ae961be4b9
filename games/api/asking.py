"""What a program sends, read strictly: no field that is not known, no text for a number.

A program that is let off with `"100"`, `100.0` or `true` for an amount is wrong somewhere, and is
told so before money moves.
"""

from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from games.rules.errors import AMOUNT_MAX

# What the database keeps as a number.
NUMBER_MAX: Final = 2**63 - 1


class Asked(serializers.Serializer):
    """A JSON object of which every field is known."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            for name in data:
                if name not in self.fields:
                    told = ErrorDetail(_("There is no such field here."), code="unknown_field")
                    raise serializers.ValidationError({str(name)[:40]: [told]})
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number, and nothing that could be taken for one."""

    def __init__(self, **bounds: Any) -> None:
        super().__init__(**({"min_value": 0, "max_value": NUMBER_MAX} | bounds))

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise serializers.ValidationError(_("This is not a whole number."))
        return data


class Amount(serializers.IntegerField):
    """Money in whole minor units."""

    def __init__(self, **bounds: Any) -> None:
        super().__init__(min_value=1, max_value=AMOUNT_MAX, **bounds)
        # One sentence says it all.
        self.validators: list[Any] = []

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int or not 1 <= data <= AMOUNT_MAX:
            raise serializers.ValidationError(
                _("An amount is a whole number of minor units from 1 to {most}.").format(
                    most=AMOUNT_MAX
                ),
                code="amount",
            )
        return data


class Text(serializers.CharField):
    """A text."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError(_("This is not a text."))
        told: str = super().to_internal_value(data)
        return told


def read(kind: type[Asked], data: Any) -> dict[str, Any]:
    """What was sent, or asked for in the query, as this kind has it."""
    # In a form a box that is not ticked is not sent; in a query what is not there was not asked.
    asked = kind(data=data.dict() if isinstance(data, QueryDict) else data)
    asked.is_valid(raise_exception=True)
    told: dict[str, Any] = asked.validated_data
    return told
