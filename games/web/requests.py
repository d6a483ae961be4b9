"""Strict reading of requests: unknown fields are refused, and so is text in place of a number.

A program that sends `"100"`, `100.0` or `true` for an amount has a fault, and gets a refusal before
money moves.
"""

from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from wallets.values import AMOUNT_MAX
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Refused

# The largest number that the database stores.
NUMBER_MAX: Final = 2**63 - 1


class RequestSerializer(serializers.Serializer):
    """A JSON object without unknown fields."""

    def to_internal_value(self, data: object) -> object:
        if isinstance(data, dict):
            for name in data:
                if name not in self.fields:
                    detail = ErrorDetail(_("There is no such field here."), code="unknown_field")
                    raise serializers.ValidationError({str(name)[:40]: [detail]})
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number, and nothing that could be taken for one."""

    def __init__(self, **bounds: object) -> None:
        super().__init__(**({"min_value": 0, "max_value": NUMBER_MAX} | bounds))

    def to_internal_value(self, data: object) -> int:
        if type(data) is not int:
            raise serializers.ValidationError(_("This is not a whole number."))
        return data


class Amount(serializers.IntegerField):
    """Money in whole minor units."""

    def __init__(self, **bounds: object) -> None:
        super().__init__(min_value=1, max_value=AMOUNT_MAX, **bounds)
        # One message covers type and bounds.
        self.validators: list[object] = []

    def to_internal_value(self, data: object) -> int:
        try:
            return read_minor_units(data)
        except Refused as refusal:
            raise serializers.ValidationError(refusal.sentence, refusal.code) from None


class Text(serializers.CharField):
    """A text."""

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError(_("This is not a text."))
        text: str = super().to_internal_value(data)
        return text


def read(kind: type[RequestSerializer], data: object) -> dict[str, Any]:
    """The validated fields of a body or a query; raises where they do not fit the serializer."""
    # A `QueryDict` is taken for a form, where a missing checkbox means False; a dict is not.
    serializer = kind(data=data.dict() if isinstance(data, QueryDict) else data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, object] = serializer.validated_data
    return values
