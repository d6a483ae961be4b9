"""Play money that the house gives away: a welcome, a refill a day, and what bots play with.

The welcome is given when a player signs up, in the currency of the house's tables. In any other
currency, and to guests, it is given where a seat is taken (`seating.sit`), by a page or by the API;
so is the refill. The settings say how much they are, how much one player gets in all, and how much
the players who signed up at one address get together within a day.

The refill brings a player who has had the welcome, and holds less than it in wallet and stacks
together, back up to its amount, once a gaming day. So losing gains nothing, and money on a table
is not given twice.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Model, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from games.models import Seat, Table
from games.tables import admission
from games.tables.formats import listed_tables
from games.tables.settle import posting_key
from wallets.models import Account, Currency, Entry, Transaction
from wallets.models.holders import player_reference, references_of
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE
from wallets.values.days import day_of
from wallets.values.errors import Refused
from wallets.values.player import Player
from wallets.values.registry import Registry

WELCOME: Final = _n("welcome")
REFILL: Final = _n("refill of the day")
FOR_A_TASK: Final = _n("task of the day")
FOR_A_BOT: Final = _n("play money for a bot")
TAKEN_BACK: Final = _n("play money of a guest who does not come back")
# The occasion of the welcome.
FIRST: Final = "welcome"
DAY: Final = timedelta(days=1)
# The occasions on which packages above the games may give something on a day.
OCCASIONS: Final = Registry[Callable[[date], Iterable[str]]]("occasions of grants")


def welcome(player: Player, currency: Currency, buy_in: int = 0) -> None:
    """Give a player who takes a seat for play money the welcome or the refill of the day, if due.

    When the players who signed up at the same address have reached the limit of the day, a player
    who can pay the buy-in still sits down, and the money stays due.

    It may stand in one transaction with the buy-in that follows: that waits for no account that
    another holds, as the wallet is locked already and the stack is new.
    """
    if not _due(player, currency).amount:
        return
    _hold_accounts(player, currency)
    amount, occasion, reason = _next_gift(player, currency)
    if amount and amount <= _left_today(player):
        grant(player, currency, amount, occasion=occasion, reason=reason)
    elif amount and _held(player, currency) < buy_in:
        raise _none_today()


def at_sign_up(player: Player) -> bool:
    """Give a new player the welcome; return whether the wallet holds something now."""
    currency = usual_currency()
    if currency is None:
        return False
    with transaction.atomic():
        welcome(player, currency)
    return _held(player, currency) > 0


def _none_today() -> Refused:
    return Refused(
        "no_play_money_today",
        _n(
            "Players who signed up from your network have received today's limit of play money. "
            "Try again tomorrow, or ask the house."
        ),
    )


def refilled_since(player: Player, currency: Currency, moment: datetime) -> int:
    """The refill that a player was given since a moment of today, to tell them; 0 without any."""
    wallet = account(Account.Kind.PLAYER, player_reference(player.pk), currency)
    key = grant_key(player.pk, currency.code, _refill_of(day_of(moment)))
    entries = Entry.objects.filter(
        transaction__key=key, transaction__time__gte=moment, account=wallet.pk
    )
    return entries.values_list("amount", flat=True).first() or 0


def _hold_accounts(player: Player, currency: Currency) -> None:
    """Let one welcome be given at a time, so that two seats taken at once keep to the limits.

    All of them hold the accounts that give play money, in every currency. The accounts of this
    posting are taken in the same order as by the ledger. No player's row is locked: a player who
    chats holds it and waits for the table, which is held here.
    """
    source = account(Account.Kind.PROMOTION, HOUSE, currency)
    wallet = account(Account.Kind.PLAYER, player_reference(player.pk), currency)
    sources = Q(kind=source.kind, owner=HOUSE, currency__kind=currency.kind)
    held = Account.objects.filter(sources | Q(pk=wallet.pk)).order_by("pk")
    list(held.select_for_update(no_key=True, of=("self",)))


def welcome_due(player: Player, currency: Currency, held: int | None = None) -> int:
    """The welcome or refill for a player who takes a seat now; 0 if none is due, or left today.

    A caller may know what the wallet holds.
    """
    amount = _due(player, currency, held).amount
    return amount if amount and amount <= _left_today(player) else 0


class _Gift(NamedTuple):
    """A gift that is due to a player: how much, the occasion that makes it due once, and why."""

    amount: int
    occasion: str = ""
    reason: str = ""


_NOTHING: Final = _Gift(0)


def _due(player: Player, currency: Currency, held: int | None = None) -> _Gift:
    """The welcome that is still due to a player, today or another day; then today's refill."""
    if currency.kind != Currency.Kind.PLAY or player.is_bot:
        return _NOTHING
    gift = _next_gift(player, currency, held)
    # Most players lack nothing, so who may be given something is asked last.
    if gift.amount and admission.refusal(admission.Request(admission.Occasion.GRANT, player)):
        return _NOTHING
    return gift


def _next_gift(player: Player, currency: Currency, held: int | None = None) -> _Gift:
    """The welcome or the refill that a player lacks, whether or not they may be given it."""
    today = _refill_of(day_of(timezone.now()))
    keys = {each: grant_key(player.pk, currency.code, each) for each in (FIRST, today)}
    posted = Transaction.objects.filter(key__in=keys.values()).values_list("key", flat=True)
    given = set(posted)
    if keys[FIRST] not in given:
        return _Gift(_within(player, settings.PLAY_MONEY_WELCOME), FIRST, WELCOME)
    held = _held(player, currency) if held is None else held
    lacking = settings.PLAY_MONEY_REFILL - held
    if lacking <= 0 or keys[today] in given:
        return _NOTHING
    lacking -= _at_tables(player, currency)
    return _Gift(_within(player, lacking), today, REFILL) if lacking > 0 else _NOTHING


def _within(player: Player, amount: int) -> int:
    """Return the part of an amount that keeps to what one player gets in all."""
    return max(0, min(amount, settings.PLAY_MONEY_A_PLAYER - _granted(player)))


def _refill_of(day: date) -> str:
    """The occasion of a day's refill."""
    return f"refill {day.isoformat()}"


def _at_tables(player: Player, currency: Currency) -> int:
    """Return a player's stacks in one currency; a seat's account is of its table's currency."""
    seats = Seat.objects.filter(player=player.pk, left_at=None, stack__currency=currency)
    return seats.aggregate(amount=Sum("stack__balance"))["amount"] or 0


def within_reach(player: Player, currency: Currency) -> int:
    """The money that a player can bring to a seat: the wallet and what is still due."""
    held = _held(player, currency)
    return held + welcome_due(player, currency, held)


def _held(player: Player, currency: Currency) -> int:
    return account(Account.Kind.PLAYER, player_reference(player.pk), currency).balance


def grant(player: Player, currency: Currency, amount: int, *, occasion: str, reason: str) -> None:
    """Give play money, once an occasion; no other kind of money is given away like that."""
    admission.require(admission.Request(admission.Occasion.GRANT, player))
    if currency.kind != Currency.Kind.PLAY:
        raise Refused("not_play_money", _n("Only play money is given away."))
    cashier.grant(
        player_reference(player.pk),
        currency,
        amount,
        key=grant_key(player.pk, currency.code, occasion),
        actor=HOUSE,
        reason=reason,
    )


def give(player: Player, currency: Currency, amount: int, *, occasion: str, reason: str) -> None:
    """Give a further sum, in the caller's transaction; refuse it whole if a limit is reached."""
    _hold_accounts(player, currency)
    if _within(player, amount) < amount:
        raise Refused(
            "no_play_money_left",
            _n("You have received all the play money that the house gives to one player."),
        )
    if amount > _left_today(player):
        raise _none_today()
    grant(player, currency, amount, occasion=occasion, reason=reason)


def usual_currency() -> Currency | None:
    """The play money of the house's first open table, or None where none is played for it."""
    tables = Table.objects.filter(
        listed_tables(),
        private=False,
        status=Table.Status.OPEN,
        currency__kind=Currency.Kind.PLAY,
    )
    table = tables.select_related("currency").order_by("pk").first()
    return table.currency if table else None


def take_back(players: QuerySet[Model]) -> None:
    """Empty these players' wallets of play money for good, one posting and transaction each.

    One query finds the wallets that hold money, however many players hold none.
    """
    wallets = Account.objects.filter(
        kind=Account.Kind.PLAYER,
        owner__in=references_of(players),
        currency__kind=Currency.Kind.PLAY,
        balance__gt=0,
    )
    for wallet in wallets.select_related("currency").order_by("pk"):
        cashier.take_back(
            wallet.owner,
            wallet.currency,
            wallet.balance,
            key=posting_key(f"take back {wallet.owner} {wallet.currency_id}"),
            actor=HOUSE,
            reason=TAKEN_BACK,
        )


def welcome_key(player: Player, currency: Currency) -> UUID:
    """The key of a player's welcome, so that it is posted once."""
    return grant_key(player.pk, currency.code, FIRST)


def grant_key(player: int, currency: str, occasion: str) -> UUID:
    return posting_key(f"grant {player} {currency} {occasion}")


def _granted(player: Player) -> int:
    """Return what a player was given so far, in minor units of all currencies."""
    granted = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        account__owner=player_reference(player.pk),
        transaction__kind="grant",
    )
    return granted.aggregate(amount=Sum("amount"))["amount"] or 0


def _same_origin(player: Player) -> Any:
    """The players who signed up at the same address; one created by the house is alone."""
    players = get_user_model().objects.all()
    if not player.signed_up_from:
        return players.filter(pk=player.pk)
    return players.filter(signed_up_from=player.signed_up_from)


def _left_today(player: Player) -> int:
    """Return what is left today for players who signed up from the same address.

    Grants are found by their keys: the entries of all these players could be many.
    """
    most: int = settings.PLAY_MONEY_AN_ADDRESS
    if not player.signed_up_from:
        return most
    codes = Currency.objects.filter(kind=Currency.Kind.PLAY).values_list("code", flat=True)
    numbers = _same_origin(player).values_list("pk", flat=True)
    now = timezone.now()
    today = day_of(now)
    occasions = [FIRST, _refill_of(today), _refill_of(today - DAY)]
    for day in (today, today - DAY, today - 2 * DAY):
        occasions += [occasion for given_on in OCCASIONS.values() for occasion in given_on(day)]
    grants = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        transaction__key__in=[
            grant_key(pk, code, occasion)
            for pk in numbers
            for code in codes
            for occasion in occasions
        ],
        transaction__kind="grant",
        transaction__time__gt=now - DAY,
    )
    return most - (grants.aggregate(amount=Sum("amount"))["amount"] or 0)
