"""Withdrawals that a player asks the desk for, for programs: the same verbs as on the page."""

from typing import Annotated, Final
from uuid import NAMESPACE_URL, uuid5

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.office.desk import requests
from casino.office.desk.models import WithdrawalRequest
from casino.office.desk.pages.forms import currencies
from games.web.idempotency import HEADER, once
from games.web.operations import answer
from games.web.payloads import (
    Amount,
    Code,
    Currency,
    Moment,
    NoFields,
    PageQuery,
    Payload,
    Sent,
    one_of,
    payload,
    read,
    read_query,
    turned,
)
from games.web.schema import KEY, refusals
from wallets.values.errors import Refused

FIRST_PAGE: Final = PageQuery()


class NewWithdrawal(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount of a currency that the desk pays, in minor units."""

    currency: Code
    amount: Amount


class Withdrawal(Payload, frozen=True, kw_only=True):
    """A request; its amount is set aside while `status` is `waiting`. `words` says why not."""

    id: int
    currency: Currency
    amount: int
    status: Annotated[str, one_of(WithdrawalRequest.Status.values)]
    made_at: Moment
    decided_at: Moment | None
    words: str


class WithdrawalsResponse(Payload, frozen=True, kw_only=True):
    withdrawals: list[Withdrawal]
    next: int | None


def _shown(request: Request, query: PageQuery = FIRST_PAGE) -> HttpResponse:
    page, following = turned(requests.of_player(request.user), query)
    listed = [payload(Withdrawal, withdrawal_request) for withdrawal_request in page]
    return answer(WithdrawalsResponse(withdrawals=listed, next=following))


class Withdrawals(APIView):
    """Your requests to the desk, the newest first."""

    @extend_schema(
        operation_id="withdrawals",
        parameters=[PageQuery],
        responses={200: WithdrawalsResponse} | refusals(400, 401, 429),
    )
    def get(self, request: Request) -> HttpResponse:
        return _shown(request, read_query(PageQuery, request.query_params))

    @extend_schema(
        operation_id="ask_withdrawal",
        description="Ask the desk for money, which is set aside at once.",
        parameters=[KEY],
        request=NewWithdrawal,
        responses={200: WithdrawalsResponse} | refusals(400, 401, 403, 404, 409, 415, 429),
    )
    def post(self, request: Request) -> HttpResponse:
        body = read(NewWithdrawal, request.data)
        currency = next(
            (currency for currency in currencies() if currency.code == body.currency), None
        )
        # The ledger has its own keys: one for each player and key.
        key = uuid5(NAMESPACE_URL, f"withdrawal:{request.user.pk}:{request.headers.get(HEADER)}")

        def effect() -> None:
            if currency is None:
                raise Refused("no_such_currency", _n("There is no such currency."))
            requests.ask(request.user, currency, body.amount, key=key, now=timezone.now())

        return once(request, effect, lambda: _shown(request), currency)


class CancelWithdrawal(APIView):
    """Take a request back: the money is in the wallet again."""

    @extend_schema(
        operation_id="cancel_withdrawal",
        parameters=[KEY],
        request=NoFields,
        responses={200: WithdrawalsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request, number: int) -> HttpResponse:
        read(NoFields, request.data)
        return once(
            request,
            lambda: requests.cancel(request.user, number, timezone.now()),
            lambda: _shown(request),
            None,
        )
