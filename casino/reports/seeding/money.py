"""The money of a made-up history's players, at the moment that is being played."""

from collections import defaultdict
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from django.utils.translation import gettext_noop as _n

from casino.players.models import Player
from casino.reports.seeding.house import new_key
from casino.reports.seeding.rows import Posting, Rows
from games.models import Seat, Table
from games.tables.buy_in import LEFT, SAT_DOWN, TOPPED_UP
from games.tables.settle import posting_key
from wallets import journal
from wallets.cashier import BOOK
from wallets.cashier import HOUSE as THE_HOUSE
from wallets.holders import player_reference
from wallets.ledger import Leg

# A player brings as much as a few buy-ins, and takes home what is well above that.
BUY_INS: Final = 3
GRANT: Final = 2_500
DEPOSITED: Final = _n("cash at the desk")
WITHDRAWN: Final = _n("paid out at the desk")
WELCOMED: Final = _n("welcome")
MOMENT: Final = timedelta(milliseconds=1)
# What a deposit is less than, so that no colleague has to approve it.
DEPOSIT_MAX: Final = 90_000


class Transfer(NamedTuple):
    """A transfer to a stack, or from it if negative."""

    table: Table
    seat: Seat
    amount: int
    occasion: str
    reason: str


class Money:
    """Wallets and stacks, and the postings that move them."""

    def __init__(self, rows: Rows, cashiers: list[Player], chances: Random) -> None:
        self._rows, self._cashiers, self._chances = rows, cashiers, chances
        self._wallets: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._welcomed: set[int] = set()
        self.stacks: dict[int, int] = {}

    def bring(self, table: Table, seat: Seat, amount: int, at: datetime, occasion: str) -> None:
        """Add to a stack from its player's wallet, after a visit to the desk if it is empty."""
        self._fund(seat.player_id, table, amount, at)
        code = table.currency_id
        self._wallets[seat.player_id, code] -= amount
        self.stacks[seat.pk] = self.stacks.get(seat.pk, 0) + amount
        reason = SAT_DOWN if occasion == "sitting down" else TOPPED_UP
        self._move(at, Transfer(table, seat, amount, f"buy-in {seat.code} {occasion}", reason))

    def take_home(self, table: Table, seat: Seat, at: datetime) -> None:
        """Return a stack to its player's wallet, and pay out what is much."""
        amount, code = self.stacks.pop(seat.pk), table.currency_id
        if amount:
            self._wallets[seat.player_id, code] += amount
            self._move(at, Transfer(table, seat, -amount, f"cash-out {seat.code}", LEFT))
        held = self._wallets[seat.player_id, code]
        much = min(2 * BUY_INS * table.buy_in_min, DEPOSIT_MAX)
        if held > much:
            unit = 10**table.currency.exponent
            paid = min((held - much // 2) // unit * unit, DEPOSIT_MAX)
            self._at_desk(seat.player_id, code, -paid, at)

    def _fund(self, player: int, table: Table, amount: int, at: datetime) -> None:
        code = table.currency_id
        if player not in self._welcomed and code == "EUR":
            self._welcomed.add(player)
            self._grant(player, code, at)
        lacking = amount - self._wallets[player, code]
        if lacking > 0:
            unit = 10**table.currency.exponent
            brought = max(lacking, BUY_INS * table.buy_in_min)
            self._at_desk(player, code, -(-brought // (10 * unit)) * 10 * unit, at)

    def _grant(self, player: int, code: str, at: datetime) -> None:
        account = self._rows.ledger.account
        wallet = account("player", player_reference(player), code)
        promotion = account("promotion", THE_HOUSE, code)
        self._wallets[player, code] += GRANT
        self._rows.postings.append(
            Posting(
                at=at,
                key=new_key(self._chances),
                kind="grant",
                legs=[Leg(promotion.pk, -GRANT), Leg(wallet.pk, GRANT)],
                book=BOOK,
                actor=THE_HOUSE,
                reason=WELCOMED,
            )
        )

    def _at_desk(self, player: int, code: str, amount: int, at: datetime) -> None:
        """Money in or out at the desk, with its entry in the journal."""
        account = self._rows.ledger.account
        cashier = self._chances.choice(self._cashiers)
        wallet = account("player", player_reference(player), code)
        issue = account("issue", THE_HOUSE, code)
        before = self._wallets[player, code]
        self._wallets[player, code] += amount
        verb, reason = ("deposit", DEPOSITED) if amount > 0 else ("withdrawal", WITHDRAWN)

        line = journal.Line(
            journal.by(cashier),
            verb,
            player_reference(player),
            before={"balance": before},
            after={"balance": before + amount, "currency": code, "amount": abs(amount)},
            reason=reason,
            now=at,
        )
        self._rows.postings.append(
            Posting(
                at=at,
                key=new_key(self._chances),
                kind=verb,
                legs=[Leg(wallet.pk, amount), Leg(issue.pk, -amount)],
                book=BOOK,
                actor=player_reference(cashier.pk),
                reason=reason,
                line=line,
            )
        )

    def _move(self, at: datetime, transfer: Transfer) -> None:
        """Between a wallet and a stack; a stack that shrinks is paid out."""
        table, seat, amount = transfer.table, transfer.seat, transfer.amount
        reference = player_reference(seat.player_id)
        wallet = self._rows.ledger.account("player", reference, table.currency_id)
        self._rows.postings.append(
            Posting(
                at=at,
                key=posting_key(transfer.occasion),
                kind="buy_in" if amount > 0 else "cash_out",
                legs=[Leg(wallet.pk, -amount), Leg(seat.stack_id, amount)],
                book=table.reference,
                actor=reference,
                reason=transfer.reason,
                reference=seat.reference,
            )
        )
