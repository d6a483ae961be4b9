"""The published state of a shoe, for programs that keep their own notes."""

from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.schema import refusals
from games.api.shoe_payloads import ShoePublished
from games.models import Shoe
from games.shoes import custody
from games.words.refusal import Hidden


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
