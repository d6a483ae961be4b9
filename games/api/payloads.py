"""Serializers that several resources share, and those of what players send to a table."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.requests import Amount, RequestSerializer, Text, Whole
from games.api.table_payloads import reference
from games.rules.contract import SEAT_MAX
from games.tables.next_bets import BETS_MAX
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


@extend_schema_field(reference("Action"))
class ActionField(serializers.DictField):
    """An action; the game of the table reads it."""


@extend_schema_field({"anyOf": [reference("Action"), reference("SentChoice")]})
class ActionOrChoiceField(serializers.DictField):
    """An action, or one of the choices as the table offers them."""


class ActRequest(RequestSerializer):
    hand = Whole(min_value=1, help_text=_("The id of the live hand."))
    turn = Whole(help_text=_("The number of your turn, from the table's data."))
    action = ActionOrChoiceField(
        allow_empty=False,
        help_text=_(
            "The action by its name, in `do`, with its fields; or one of `choices`, as it is or "
            "with fields of the action added."
        ),
    )
    decision = Text(
        max_length=40,
        required=False,
        allow_blank=True,
        help_text=_("The decision that you answer, from the table's data."),
    )


class SitRequest(RequestSerializer):
    seat = Whole(min_value=1, max_value=SEAT_MAX)
    amount = Amount(help_text=_("The buy-in, in minor units."))


class TopUpRequest(RequestSerializer):
    amount = Amount(help_text=_("The top-up, in minor units."))


class AfterRequest(RequestSerializer):
    after = Whole(help_text=_("The number of the hand that is over, from `between`."))


class NextBetsRequest(AfterRequest):
    bets = serializers.ListField(
        child=ActionField(allow_empty=False),
        min_length=1,
        max_length=BETS_MAX,
        help_text=_("The bets, as actions: all are placed or none, and your betting is over."),
    )


class CommitRequest(RequestSerializer):
    shoe = Text(max_length=60)
    commit = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class RevealRequest(RequestSerializer):
    shoe = Text(max_length=60)
    reveal = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class EmptyRequest(RequestSerializer):
    """An empty object, or no body at all."""
