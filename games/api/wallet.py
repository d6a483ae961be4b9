"""A player's money for programs: what the wallet holds, and what has happened to it."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.hands import PageQuery
from games.web.payloads import CurrencySerializer
from games.web.requests import read
from games.web.schema import refusals
from wallets.models import Account, Currency, Entry
from wallets.models.holders import accounts_of
from wallets.money.holdings import holdings
from wallets.money.statements import statement
from wallets.values.errors import Hidden


class AccountSerializer(serializers.ModelSerializer):
    """Your balance in one currency, without your seats, in minor units."""

    currency = CurrencySerializer()

    class Meta:
        model = Account
        fields = ("currency", "balance")


class HoldingsSerializer(serializers.Serializer):
    """Your money in one currency, in minor units: `balance` is in the wallet."""

    currency = CurrencySerializer()
    balance = serializers.IntegerField()
    set_aside = serializers.IntegerField(
        help_text=_("Waits for the cash desk, or for a second person there.")
    )
    at_tables = serializers.IntegerField()


class WalletResponse(serializers.Serializer):
    accounts = HoldingsSerializer(many=True)


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


def _holdings(player_id: int, currency: Currency) -> dict[str, object]:
    held = holdings(player_id, currency)
    return {
        "currency": currency,
        "balance": held.wallet,
        "set_aside": held.set_aside,
        "at_tables": held.at_tables,
    }


class Wallet(APIView):
    """Your money, by currency."""

    @extend_schema(operation_id="wallet", responses={200: WalletResponse} | refusals(401, 429))
    def get(self, request: Request) -> Response:
        wallets = accounts_of(request.user).order_by("currency_id")
        data = {"accounts": [_holdings(request.user.pk, one.currency) for one in wallets]}
        return Response(WalletResponse(data).data)


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
