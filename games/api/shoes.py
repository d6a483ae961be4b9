"""The published state of a shoe, for programs that keep their own notes."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Shoe
from games.shoes import custody
from games.web.schema import refusals
from wallets.values.errors import Hidden


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


class OneShoe(APIView):
    """A shoe as it was published, also when it has gone from its table, with your receipt."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="shoe", responses={200: ShoePublished} | refusals(404, 429))
    def get(self, request: Request, code: str) -> Response:
        shoe = Shoe.objects.filter(pk=code).first()
        if shoe is None:
            raise Hidden("no_such_shoe", _n("There is no such shoe."))
        own = shoe.seats.filter(player_id=request.user.pk).exclude(receipt=None).first()
        published = custody.published(shoe) | {"receipt": own.receipt if own else None}
        return Response(ShoePublished(published).data)
