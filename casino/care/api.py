"""The players' own settings, for programs: limits, the reminder, and time away.

Every verb is that of the pages.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth import logout
from django.http import HttpResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_noop as _n
from django.views.decorators.debug import sensitive_post_parameters
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.accounts.models import Player
from casino.care import exclusions, limits, reality
from casino.care.models import Exclusion, PlayerLimit
from casino.web.api_requests import SignIns
from games.web.idempotency import once
from games.web.operations import answer, nothing
from games.web.payloads import (
    Code,
    Currency,
    Moment,
    NoFields,
    Payload,
    Sent,
    Text,
    one_of,
    payload,
    read,
)
from games.web.schema import KEY, refusals
from wallets.models import Currency as CurrencyRow
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Refused

What = Annotated[str, one_of(PlayerLimit.Kind.values)]
Period = Annotated[str, one_of(PlayerLimit.Period.values)]


class NewLimit(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A limit in minor units of its currency, or in minutes (`session`); null lifts it."""

    what: What
    period: Period
    currency: Code | UnsetType = UNSET
    value: Annotated[int, Meta(ge=0, le=AMOUNT_MAX)] | None


class Limit(Payload, frozen=True, kw_only=True):
    """A limit. One that waits needs a second yes, at `effective_from` or later."""

    id: int
    what: What
    period: Period
    currency: Currency | None
    value: int | None
    effective_from: Moment
    used: int | None


class LimitsResponse(Payload, frozen=True, kw_only=True):
    held: list[Limit]
    waiting: list[Limit]


def _limits(request: Request) -> HttpResponse:
    player, now = request.user, timezone.now()
    held = limits.in_force(player.pk)
    used = limits.used_by_limits(player.pk, held, now)

    def listed(rows: Iterable[PlayerLimit]) -> list[Limit]:
        sums = ((row, used.get(row.pk)) for row in rows)
        return [
            payload(Limit, limit, what=limit.kind, used=None if sum_ is None else max(0, sum_))
            for limit, sum_ in sums
        ]

    return answer(LimitsResponse(held=listed(held), waiting=listed(limits.waiting(player.pk))))


class Limits(APIView):
    """The limits that hold for you, and those that wait for your second yes."""

    @extend_schema(operation_id="limits", responses={200: LimitsResponse} | refusals(401, 429))
    def get(self, request: Request) -> HttpResponse:
        return _limits(request)

    @extend_schema(
        operation_id="ask_limit",
        description="Set a limit. A stricter one holds at once, a looser one after a second yes.",
        parameters=[KEY],
        request=NewLimit,
        responses={200: LimitsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request) -> HttpResponse:
        body = read(NewLimit, request.data)
        code = "" if body.currency is UNSET else body.currency
        currency = CurrencyRow.objects.filter(pk=code).first() if code else None

        def effect() -> None:
            if code and currency is None:
                raise Refused("no_such_currency", _n("There is no such currency."))
            wanted = limits.Wanted(body.what, body.period, currency, body.value)
            limits.ask(request.user, wanted, timezone.now())

        return once(request, effect, lambda: _limits(request), currency)


class LimitVerb(APIView):
    """Say something about a limit that waits."""

    verb: Callable[[Player, int, datetime], Any]

    def answer(self, request: Request, number: int) -> HttpResponse:
        read(NoFields, request.data)
        verb = type(self).verb
        return once(
            request,
            lambda: verb(request.user, number, timezone.now()),
            lambda: _limits(request),
            None,
        )


class ConfirmLimit(LimitVerb):
    """The second yes to a looser limit, 24 hours after it was asked for, or later."""

    verb = staticmethod(limits.confirm)

    @extend_schema(
        operation_id="confirm_limit",
        parameters=[KEY],
        request=NoFields,
        responses={200: LimitsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request, limit: int) -> HttpResponse:
        return self.answer(request, limit)


class WithdrawLimit(LimitVerb):
    """Keep the stricter limit after all."""

    verb = staticmethod(limits.withdraw)

    @extend_schema(
        operation_id="withdraw_limit",
        parameters=[KEY],
        request=NoFields,
        responses={200: LimitsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request, limit: int) -> HttpResponse:
        return self.answer(request, limit)


class Result(Payload, frozen=True, kw_only=True):
    """The result of a session in one currency, in minor units."""

    currency: Currency
    net: int


class Session(Payload, frozen=True, kw_only=True):
    """Your time at tables so far; no hand is dealt to you while `due`."""

    began_at: Moment
    minutes: int
    results: list[Result]
    due: bool


class RealityResponse(Payload, frozen=True, kw_only=True):
    session: Session | None


def _session(request: Request) -> HttpResponse:
    session = reality.session_of(request.user, timezone.now())
    if session is None:
        return answer(RealityResponse(session=None))
    results = [payload(Result, result) for result in session.results]
    return answer(RealityResponse(session=payload(Session, session, results=results)))


class RealityCheckOf(APIView):
    """The reminder of your time and money: read it, and answer that you play on."""

    @extend_schema(
        operation_id="reality_check", responses={200: RealityResponse} | refusals(401, 429)
    )
    def get(self, request: Request) -> HttpResponse:
        return _session(request)

    @extend_schema(
        operation_id="answer_reality_check",
        parameters=[KEY],
        request=NoFields,
        responses={200: RealityResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request) -> HttpResponse:
        read(NoFields, request.data)
        return once(
            request,
            lambda: reality.answer(request.user, timezone.now()),
            lambda: _session(request),
            None,
        )


class NewExclusion(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For how many days to stay away (0: for good), with your password as a second thought."""

    kind: Annotated[str, one_of(Exclusion.Kind.values)]
    days: Annotated[int, Meta(ge=0, le=1825)]
    password: Annotated[Text, Meta(max_length=4096)]


@method_decorator(sensitive_post_parameters(), "dispatch")
class Exclude(APIView):
    """Stay away from now on. Your tokens and sessions end, and the break cannot be shortened."""

    throttle_classes = (*APIView.throttle_classes, SignIns)

    @extend_schema(
        operation_id="exclude",
        request=NewExclusion,
        responses={204: None} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request) -> HttpResponse:
        # Without an idempotency key: it would store a quick hash of the password, and a repeat
        # has no token any more.
        body = read(NewExclusion, request.data)
        if not request.user.check_password(body.password):
            raise Refused("wrong_password", _n("That is not your password."))
        exclusions.begin(request.user, body.kind, body.days, timezone.now())
        logout(request._request)
        return nothing()
