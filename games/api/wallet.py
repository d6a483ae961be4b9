"""A player's money for programs: what the wallet holds, and what has happened to it."""

from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.hands import PageQuery
from games.api.payloads import CurrencySerializer
from games.api.requests import read
from games.api.schema import refusals
from games.words.refusal import Hidden
from wallets.holders import accounts_of
from wallets.models import Account, Entry
from wallets.statements import statement


class AccountSerializer(serializers.ModelSerializer):
    """Your balance in one currency, without your seats, in minor units."""

    currency = CurrencySerializer()

    class Meta:
        model = Account
        fields = ("currency", "balance")


class WalletResponse(serializers.Serializer):
    accounts = AccountSerializer(many=True)


class LedgerEntrySerializer(serializers.ModelSerializer):
    """One movement of your money."""

    time = serializers.DateTimeField(source="transaction.time")
    kind = serializers.CharField(source="transaction.kind")
    reference = serializers.CharField(source="transaction.reference")
    reason = serializers.CharField(source="transaction.reason")
    transaction = serializers.UUIDField(source="transaction.key")

    class Meta:
        model = Entry
        fields = (
            "id",
            "time",
            "kind",
            "amount",
            "balance_after",
            "reference",
            "reason",
            "transaction",
        )


class StatementResponse(serializers.Serializer):
    account = AccountSerializer()
    entries = LedgerEntrySerializer(many=True)
    next = serializers.IntegerField(allow_null=True)


class Wallet(APIView):
    """Your balances, one a currency."""

    @extend_schema(operation_id="wallet", responses={200: WalletResponse} | refusals(401, 429))
    def get(self, request: Request) -> Response:
        return Response(
            WalletResponse({"accounts": accounts_of(request.user).order_by("currency_id")}).data
        )


class WalletStatement(APIView):
    """The movements of one of your balances, the newest first."""

    @extend_schema(
        operation_id="statement",
        parameters=[PageQuery],
        responses={200: StatementResponse} | refusals(400, 401, 404, 429),
    )
    def get(self, request: Request, currency: str) -> Response:
        query = read(PageQuery, request.query_params)
        account = accounts_of(request.user).filter(currency_id=currency).first()
        if account is None:
            raise Hidden("no_such_account", _n("You have nothing in that currency."))
        page = statement(account, query.get("before"), query["limit"])
        data = {"account": account, "entries": page.entries, "next": page.before}
        return Response(StatementResponse(data).data)
