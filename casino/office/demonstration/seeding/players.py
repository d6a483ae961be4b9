"""The players of a made-up history: bots that bet, and their money at one table."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_noop as _n
from msgspec.structs import replace

from casino.office.demonstration.seeding.house import new_key
from casino.office.demonstration.seeding.rows import Gathered
from games.bots.simulate import Strategy, quick_strategies, strategies
from games.models import Seat, Table
from games.rules.contract import Action, AnyGame, State, View
from games.rules.errors import Illegal
from games.tables.buy_in import LEFT, SAT_DOWN, TOPPED_UP
from games.tables.settle import posting_key
from wallets.models.holders import player_reference
from wallets.money.cashier import BOOK
from wallets.money.cashier import HOUSE as THE_HOUSE
from wallets.money.ledger import Leg, Movement
from wallets.staff import journal

TIMES_LEAST: Final = (1, 1, 1, 2, 2, 3, 5)
BONUS_CHANCE: Final = 0.4


class Made(NamedTuple):
    """A move, and the state after it."""

    action: Action
    after: State


class Player:
    """One style of play at a game, with its own random numbers."""

    def __init__(self, game: AnyGame, chances: Random) -> None:
        self._game, self._chances = game, chances
        self._known = strategies(game)

    def move(self, state: State, seat: int) -> Made:
        """Make the seat's move: a larger bet than the least if its stack allows it."""
        view: View = self._game.view(state, seat)
        action = self._style()(self._game, view)
        if type(action) is self._game.bet_action:
            larger: Action = self._larger(action)
            try:
                return Made(larger, self._game.apply(state, seat, larger))
            except Illegal:
                pass
        return Made(action, self._game.apply(state, seat, action))

    def _style(self) -> Strategy:
        quick = quick_strategies(self._game)
        return self._known[quick[0] if len(quick) == 1 else self._chances.choice(quick)]

    def _larger(self, bet: Any) -> Any:
        game: Any = self._game
        times = self._chances.choice(TIMES_LEAST)
        changed = {"amount": bet.amount * times}
        if hasattr(bet, "bonus") and self._chances.random() < BONUS_CHANCE:
            changed["bonus"] = game.bonus_min
        return replace(bet, **changed)


# A player brings as much as a few buy-ins, and takes home what is well above that.
BUY_INS: Final = 3
GRANT: Final = 2_500
DEPOSITED: Final = _n("cash at the desk")
WITHDRAWN: Final = _n("paid out at the desk")
WELCOMED: Final = _n("welcome")
MOMENT: Final = timedelta(milliseconds=1)
# Deposits stay below this, so that no colleague has to approve them.
DEPOSIT_MAX: Final = 90_000


# By kind, owner and currency: the numbers of the accounts that a table moves.
AccountNumbers = Mapping[tuple[str, str, str], int]


class Holdings(NamedTuple):
    """The wallets of a table's players in its currency, and who got the welcome money."""

    # By player.
    wallets: dict[int, int]
    # By seat.
    stacks: dict[int, int]
    welcomed: set[int]


class Transfer(NamedTuple):
    """A transfer to a stack, or from it if negative."""

    seat: Seat
    amount: int
    occasion: str
    reason: str


class Money:
    """Wallets and stacks of the players at one table, and the postings that move them."""

    def __init__(
        self,
        table: Table,
        holdings: Holdings,
        accounts: AccountNumbers,
        cashiers: Sequence[journal.By],
        gathered: Gathered,
        chances: Random,
    ) -> None:
        self._table, self._accounts, self._cashiers = table, accounts, cashiers
        self._gathered, self._chances = gathered, chances
        self._wallets, self._welcomed = holdings.wallets, holdings.welcomed
        self.stacks = holdings.stacks

    def account(self, kind: str, owner: str) -> int:
        return self._accounts[kind, owner, self._table.currency_id]

    def bring(self, seat: Seat, amount: int, at: datetime, occasion: str) -> None:
        """Add to a stack from its player's wallet, after a visit to the desk if it is empty."""
        self._fund(seat.player_id, amount, at)
        self._wallets[seat.player_id] -= amount
        self.stacks[seat.pk] = self.stacks.get(seat.pk, 0) + amount
        reason = SAT_DOWN if occasion == "sitting down" else TOPPED_UP
        self._move(at, Transfer(seat, amount, f"buy-in {seat.code} {occasion}", reason))

    def take_home(self, seat: Seat, at: datetime) -> None:
        """Return a stack to its player's wallet, and pay out what is much."""
        amount = self.stacks.pop(seat.pk)
        if amount:
            self._wallets[seat.player_id] += amount
            self._move(at, Transfer(seat, -amount, f"cash-out {seat.code}", LEFT))
        held = self._wallets[seat.player_id]
        much = min(2 * BUY_INS * self._table.buy_in_min, DEPOSIT_MAX)
        if held > much:
            unit = 10**self._table.currency.exponent
            paid = min((held - much // 2) // unit * unit, DEPOSIT_MAX)
            self._at_desk(seat.player_id, -paid, at)

    def _fund(self, player: int, amount: int, at: datetime) -> None:
        if player not in self._welcomed and self._table.currency_id != "JPY":
            self._welcomed.add(player)
            self._grant(player, at)
        lacking = amount - self._wallets[player]
        if lacking > 0:
            unit = 10**self._table.currency.exponent
            brought = max(lacking, BUY_INS * self._table.buy_in_min)
            self._at_desk(player, -(-brought // (10 * unit)) * 10 * unit, at)

    def _grant(self, player: int, at: datetime) -> None:
        wallet = self.account("player", player_reference(player))
        promotion = self.account("promotion", THE_HOUSE)
        self._wallets[player] += GRANT
        self._gathered.post(
            at,
            Movement(
                key=new_key(self._chances),
                kind="grant",
                legs=(Leg(promotion, -GRANT), Leg(wallet, GRANT)),
                book=BOOK,
                actor=THE_HOUSE,
                reason=WELCOMED,
                reference="",
            ),
        )

    def _at_desk(self, player: int, amount: int, at: datetime) -> None:
        """Money in or out at the desk, with its entry in the journal."""
        cashier = self._chances.choice(self._cashiers)
        reference, code = player_reference(player), self._table.currency_id
        wallet, issue = self.account("player", reference), self.account("issue", THE_HOUSE)
        before = self._wallets[player]
        self._wallets[player] += amount
        verb, reason = ("deposit", DEPOSITED) if amount > 0 else ("withdrawal", WITHDRAWN)
        line = journal.NewEntry(
            cashier,
            verb,
            reference,
            before={"balance": before},
            after={"balance": before + amount, "currency": code, "amount": abs(amount)},
            reason=reason,
            now=at,
        )
        self._gathered.post(
            at,
            Movement(
                key=new_key(self._chances),
                kind=verb,
                legs=(Leg(wallet, amount), Leg(issue, -amount)),
                book=BOOK,
                actor=cashier.reference,
                reason=reason,
                reference="",
            ),
            line,
        )

    def _move(self, at: datetime, transfer: Transfer) -> None:
        """Between a wallet and a stack; a stack that shrinks is paid out."""
        seat, amount = transfer.seat, transfer.amount
        reference = player_reference(seat.player_id)
        wallet = self.account("player", reference)
        self._gathered.post(
            at,
            Movement(
                key=posting_key(transfer.occasion),
                kind="buy_in" if amount > 0 else "cash_out",
                legs=(Leg(wallet, -amount), Leg(seat.stack_id, amount)),
                book=self._table.reference,
                actor=reference,
                reason=transfer.reason,
                reference=seat.reference,
            ),
        )
