"""The players' own settings, for programs: limits, the reminder, and time away.

Every verb is that of the pages.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib.auth import logout
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_noop as _n
from django.views.decorators.debug import sensitive_post_parameters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.accounts.models import Player
from casino.care import exclusions, limit_sums, limits, reality
from casino.care.models import Exclusion, PlayerLimit
from casino.web.api.throttling import SignIns
from games.web.idempotency import once
from games.web.payloads import CurrencySerializer, EmptyRequest
from games.web.requests import RequestSerializer, Text, Whole, read
from games.web.schema import KEY, refusals
from wallets.models import Currency
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Refused


class NewLimit(RequestSerializer):
    """A limit in minor units of its currency, or in minutes (`session`); null lifts it."""

    what = serializers.ChoiceField(PlayerLimit.Kind.choices)
    period = serializers.ChoiceField(PlayerLimit.Period.choices)
    currency = Text(max_length=8, required=False)
    value = Whole(max_value=AMOUNT_MAX, allow_null=True)


class LimitSerializer(serializers.ModelSerializer):
    """A limit. One that waits needs a second yes, at `effective_from` or later."""

    currency = CurrencySerializer(allow_null=True)
    what = serializers.ChoiceField(PlayerLimit.Kind.choices, source="kind")
    used = serializers.SerializerMethodField()

    class Meta:
        model = PlayerLimit
        fields = ("id", "what", "period", "currency", "value", "effective_from", "used")

    def get_used(self, limit: PlayerLimit) -> int | None:
        used: int | None = self.context["used"].get(limit.pk)
        return None if used is None else max(0, used)


class LimitsResponse(serializers.Serializer):
    held = LimitSerializer(many=True)
    waiting = LimitSerializer(many=True)


def _limits(request: Request) -> Response:
    player, now = request.user, timezone.now()
    held = limits.in_force(player.pk)
    data = {"held": held, "waiting": limits.waiting(player.pk)}
    context = {"used": limit_sums.used_by_limits(player.pk, held, now)}
    return Response(LimitsResponse(data, context=context).data)


class Limits(APIView):
    """The limits that hold for you, and those that wait for your second yes."""

    @extend_schema(operation_id="limits", responses={200: LimitsResponse} | refusals(401, 429))
    def get(self, request: Request) -> Response:
        return _limits(request)

    @extend_schema(
        operation_id="ask_limit",
        description="Set a limit. A stricter one holds at once, a looser one after a second yes.",
        parameters=[KEY],
        request=NewLimit,
        responses={200: LimitsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request) -> Response:
        body = read(NewLimit, request.data)
        code = body.get("currency")
        currency = Currency.objects.filter(pk=code.replace("\0", "")).first() if code else None

        def effect() -> None:
            if code and currency is None:
                raise Refused("no_such_currency", _n("There is no such currency."))
            wanted = limits.Wanted(body["what"], body["period"], currency, body["value"])
            limits.ask(request.user, wanted, timezone.now())

        return once(request, effect, lambda: _limits(request), currency)


class LimitVerb(APIView):
    """Say something about a limit that waits."""

    verb: Callable[[Player, int, datetime], Any]

    def answer(self, request: Request, number: int) -> Response:
        read(EmptyRequest, request.data)
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
        request=EmptyRequest,
        responses={200: LimitsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request, limit: int) -> Response:
        return self.answer(request, limit)


class WithdrawLimit(LimitVerb):
    """Keep the stricter limit after all."""

    verb = staticmethod(limits.withdraw)

    @extend_schema(
        operation_id="withdraw_limit",
        parameters=[KEY],
        request=EmptyRequest,
        responses={200: LimitsResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request, limit: int) -> Response:
        return self.answer(request, limit)


class ResultSerializer(serializers.Serializer):
    """The result of a session in one currency, in minor units."""

    currency = CurrencySerializer()
    net = serializers.IntegerField()


class SessionSerializer(serializers.Serializer):
    """Your time at tables so far; no hand is dealt to you while `due`."""

    began_at = serializers.DateTimeField()
    minutes = serializers.IntegerField()
    results = ResultSerializer(many=True)
    due = serializers.BooleanField()


class RealityResponse(serializers.Serializer):
    session = SessionSerializer(allow_null=True)


def _session(request: Request) -> Response:
    found = reality.session_of(request.user, timezone.now())
    return Response(RealityResponse({"session": found}).data)


class RealityCheckOf(APIView):
    """The reminder of your time and money: read it, and answer that you play on."""

    @extend_schema(
        operation_id="reality_check", responses={200: RealityResponse} | refusals(401, 429)
    )
    def get(self, request: Request) -> Response:
        return _session(request)

    @extend_schema(
        operation_id="answer_reality_check",
        parameters=[KEY],
        request=EmptyRequest,
        responses={200: RealityResponse} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request) -> Response:
        read(EmptyRequest, request.data)
        return once(
            request,
            lambda: reality.answer(request.user, timezone.now()),
            lambda: _session(request),
            None,
        )


class NewExclusion(RequestSerializer):
    """For how many days to stay away (0: for good), with your password as a second thought."""

    kind = serializers.ChoiceField(Exclusion.Kind.choices)
    days = Whole(max_value=1825)
    password = Text(max_length=4096, trim_whitespace=False)


@method_decorator(sensitive_post_parameters(), "dispatch")
class Exclude(APIView):
    """Stay away from now on. Your tokens and sessions end, and the break cannot be shortened."""

    throttle_classes = (*APIView.throttle_classes, SignIns)

    @extend_schema(
        operation_id="exclude",
        request=NewExclusion,
        responses={204: None} | refusals(400, 401, 403, 409, 415, 429),
    )
    def post(self, request: Request) -> Response:
        # Without an idempotency key: it would store a quick hash of the password, and a repeat
        # has no token any more.
        body = read(NewExclusion, request.data)
        if not request.user.check_password(body["password"]):
            raise Refused("wrong_password", _n("That is not your password."))
        exclusions.begin(request.user, body["kind"], body["days"], timezone.now())
        logout(request._request)
        return Response(status=204)
