"""The published state of a shoe, for programs that keep their own notes."""

from typing import Annotated, Any

import msgspec
from django.http import HttpResponse
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api.table_payloads import RECEIPT
from games.models import Shoe
from games.shoes import custody
from games.web.operations import answer
from games.web.payloads import Payload, described, one_of
from games.web.schema import refusals
from wallets.values.errors import Hidden

MixedBy = Annotated[str, one_of(("player", "house"))]


class ShoePart(Payload, frozen=True, kw_only=True):
    """The part of a seat in mixing a shoe."""

    seat: int
    who: MixedBy
    commit: str
    reveal: str
    late: Annotated[
        bool,
        described(_n("Whether the bytes came only after the shoe had been voided without them.")),
    ]


class ShoePublished(Payload, frozen=True, kw_only=True):
    """The published values of a shoe, and the receipt for your own reveal."""

    id: str
    status: Annotated[str, one_of(Shoe.Status.values)]
    seal: str
    key: str
    x_0: str
    lock: str
    mix: str
    seats: list[ShoePart]
    void: Annotated[str, described(_n("Why it was voided."))]
    receipt: Annotated[Any, RECEIPT]


class OneShoe(APIView):
    """A shoe as it was published, also when it has gone from its table, with your receipt."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="shoe", responses={200: ShoePublished} | refusals(404, 429))
    def get(self, request: Request, code: str) -> HttpResponse:
        shoe = Shoe.objects.filter(pk=code).first()
        if shoe is None:
            raise Hidden("no_such_shoe", _n("There is no such shoe."))
        own = shoe.seats.filter(player_id=request.user.pk).exclude(receipt=None).first()
        published = custody.published(shoe) | {"receipt": own.receipt if own else None}
        return answer(msgspec.convert(published, ShoePublished))
