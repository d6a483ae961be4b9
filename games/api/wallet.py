"""A player's money for programs: what the wallet holds, and what has happened to it."""

from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from games.web.operations import answer
from games.web.payloads import Currency, Moment, PageQuery, Payload, described, payload, read_query
from games.web.schema import refusals
from wallets.models.holders import accounts_of
from wallets.money.accounts import holdings, statement
from wallets.values.errors import Hidden


class Account(Payload, frozen=True, kw_only=True):
    """Your balance in one currency, without your seats, in minor units."""

    currency: Currency
    balance: int


class Holdings(Payload, frozen=True, kw_only=True):
    """Your money in one currency, in minor units: `balance` is in the wallet."""

    currency: Currency
    balance: int
    set_aside: Annotated[
        int, described(_n("Waits for the cash desk, or for a second person there."))
    ]
    at_tables: int


class WalletResponse(Payload, frozen=True, kw_only=True):
    accounts: list[Holdings]


class LedgerEntry(Payload, frozen=True, kw_only=True):
    """One movement of your money."""

    id: int
    time: Moment
    kind: str
    amount: int
    balance_after: int
    reference: str
    reason: str
    transaction: UUID


class StatementResponse(Payload, frozen=True, kw_only=True):
    account: Account
    entries: list[LedgerEntry]
    next: int | None


class Wallet(APIView):
    """Your money, by currency."""

    @extend_schema(operation_id="wallet", responses={200: WalletResponse} | refusals(401, 429))
    def get(self, request: Request) -> HttpResponse:
        accounts = []
        for account in accounts_of(request.user).order_by("currency_id"):
            held = holdings(request.user.pk, account.currency)
            accounts.append(payload(Holdings, held, currency=account.currency, balance=held.wallet))
        return answer(WalletResponse(accounts=accounts))


class WalletStatement(APIView):
    """The movements of one of your balances, the newest first."""

    @extend_schema(
        operation_id="statement",
        parameters=[PageQuery],
        responses={200: StatementResponse} | refusals(400, 401, 404, 429),
    )
    def get(self, request: Request, currency: str) -> HttpResponse:
        query = read_query(PageQuery, request.query_params)
        account = accounts_of(request.user).filter(currency_id=currency).first()
        if account is None:
            raise Hidden("no_such_account", _n("You have nothing in that currency."))
        page = statement(account, query.older_than, query.limit)
        entries = [
            payload(
                LedgerEntry,
                entry,
                time=entry.transaction.time,
                kind=entry.transaction.kind,
                reference=entry.transaction.reference,
                reason=entry.transaction.reason,
                transaction=entry.transaction.key,
            )
            for entry in page.entries
        ]
        shown = payload(Account, account)
        return answer(StatementResponse(account=shown, entries=entries, next=page.before))
