"""Serializers that several resources share."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.web.requests import RequestSerializer
from wallets.models import Currency


class CurrencySerializer(serializers.ModelSerializer):
    """A unit of account; all amounts are in its minor units."""

    class Meta:
        model = Currency
        fields = ("code", "name", "exponent", "kind")


class SettlementLineSerializer(serializers.Serializer):
    """One reason for one amount."""

    key = serializers.CharField()
    source = serializers.CharField(help_text=_("A seat, the house, or a pool."))
    target = serializers.CharField()
    amount = serializers.IntegerField()
    values = serializers.DictField()
    sentence = serializers.CharField()


class EmptyRequest(RequestSerializer):
    """An empty object, or no body at all."""
