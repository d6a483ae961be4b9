"""Shoes as JSON for programs: what has been published of them."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.models import Shoe


class ReceiptStatement(serializers.Serializer):
    """A statement signed by the house: when a seat's bytes arrived, and under which lock."""

    shoe = serializers.CharField()
    seat = serializers.IntegerField()
    seal = serializers.CharField()
    lock = serializers.CharField()
    commit = serializers.CharField()
    reveal_hash = serializers.CharField(help_text=_("The SHA-256 of the 32 bytes."))
    at = serializers.CharField()
    late = serializers.BooleanField(
        required=False, help_text=_("Only for bytes that came after the shoe had been voided.")
    )


class ReceiptSerializer(serializers.Serializer):
    """A receipt for a reveal: an Ed25519 signature over `CR1|receipt|` and the statement's JSON."""

    statement = ReceiptStatement()
    signature = serializers.CharField()
    key = serializers.CharField()


class ShoePart(serializers.Serializer):
    """The part of a seat in mixing a shoe."""

    seat = serializers.IntegerField()
    who = serializers.ChoiceField(["player", "house"])
    commit = serializers.CharField()
    reveal = serializers.CharField(allow_blank=True)
    late = serializers.BooleanField(
        help_text=_("Whether the bytes came only after the shoe had been voided without them.")
    )


class ShoePublished(serializers.Serializer):
    """The published values of a shoe, and the receipt for your own reveal."""

    id = serializers.CharField()
    status = serializers.ChoiceField(Shoe.Status.choices)
    seal = serializers.CharField()
    key = serializers.CharField()
    x_0 = serializers.CharField()
    lock = serializers.CharField(allow_blank=True)
    mix = serializers.CharField(allow_blank=True)
    seats = ShoePart(many=True)
    void = serializers.CharField(allow_blank=True, help_text=_("Why it was voided."))
    receipt = ReceiptSerializer(allow_null=True)
