"""Withdrawals that a player asks the desk for, for programs: the same verbs as on the page."""

from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.office.desk import requests
from casino.office.desk.models import WithdrawalRequest
from casino.office.desk.pages.forms import currencies
from games.api.hands import PageQuery
from games.web.idempotency import HEADER, once
from games.web.payloads import CurrencySerializer, EmptyRequest
from games.web.requests import Amount, RequestSerializer, Text, read
from games.web.schema import KEY, refusals
from wallets.models import Currency
from wallets.values.errors import Refused


class NewWithdrawal(RequestSerializer):
    """An amount of a currency that the desk pays, in minor units."""

    currency = Text(max_length=8)
    amount = Amount()


class WithdrawalSerializer(serializers.ModelSerializer):
    """A request; its amount is set aside while `status` is `waiting`. `words` says why not."""

    currency = CurrencySerializer()

    class Meta:
        model = WithdrawalRequest
        fields = ("id", "currency", "amount", "status", "made_at", "decided_at", "words")


class WithdrawalsResponse(serializers.Serializer):
    withdrawals = WithdrawalSerializer(many=True)
    next = serializers.IntegerField(allow_null=True)


def _shown(request: Request, before: int | None = None, limit: int = 50) -> Response:
    found = requests.of_player(request.user)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found[: limit + 1])
    following = rows[limit - 1].pk if len(rows) > limit else None
    return Response(WithdrawalsResponse({"withdrawals": rows[:limit], "next": following}).data)


class Withdrawals(APIView):
    """Your requests to the desk, the newest first."""

    @extend_schema(
        operation_id="withdrawals",
        parameters=[PageQuery],
        responses={200: WithdrawalsResponse} | refusals(400, 401, 429),
    )
    def get(self, request: Request) -> Response:
        query = read(PageQuery, request.query_params)
        return _shown(request, query.get("before"), query["limit"])

    @extend_schema(
        operation_id="ask_withdrawal",
        description="Ask the desk for money, which is set aside at once.",
        parameters=[KEY],
        request=NewWithdrawal,
        responses={200: WithdrawalsResponse} | refusals(400, 401, 403, 404, 409, 415, 429),
    )
    def post(self, request: Request) -> Response:
        body = read(NewWithdrawal, request.data)
        currency = _paid_in(body["currency"])
        # The ledger has its own keys: one for each player and key.
        key = uuid5(NAMESPACE_URL, f"withdrawal:{request.user.pk}:{request.headers.get(HEADER)}")

        def effect() -> None:
            if currency is None:
                raise Refused("no_such_currency", _n("There is no such currency."))
            requests.ask(request.user, currency, body["amount"], key=key, now=timezone.now())

        return once(request, effect, lambda: _shown(request), currency)


def _paid_in(code: str) -> Currency | None:
    return next((one for one in currencies() if one.code == code), None)


class CancelWithdrawal(APIView):
    """Take a request back: the money is in the wallet again."""

    @extend_schema(
        operation_id="cancel_withdrawal",
        parameters=[KEY],
        request=EmptyRequest,
        responses={200: WithdrawalsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request, number: int) -> Response:
        read(EmptyRequest, request.data)
        return once(
            request,
            lambda: requests.cancel(request.user, number, timezone.now()),
            lambda: _shown(request),
            None,
        )
