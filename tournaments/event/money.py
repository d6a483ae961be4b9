"""Every posting of a tournament: stakes, fees, guarantees, prizes, and chips; and their links.

Stakes and prizes are in the event's currency, and meet in its prize pool. Chips are a currency of
their own: an entry's are issued when it is paid, move between seats with every hand, and are burnt
at the end. Each posting is made under the organiser's lock with a key from what it is for, so that
none is made twice; all are in the book of the event.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_noop as _n

from games.models import Hand
from games.tables.settle import posting_key
from tournaments.event import tickets
from tournaments.event.organiser import KIND, locked, save
from tournaments.models import Entry, Payout, Tournament
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.money.accounts import account, new_account
from wallets.money.cashier import HOUSE
from wallets.money.ledger import Leg, post
from wallets.money.references import FINDERS, Link
from wallets.values.player import Player

# The currency of all chips; whose they are is in the owner of each account.
CHIPS: Final = "CHIP"

# The columns of an event that name its accounts.
ACCOUNTS: Final = ("prize_account", "fee_account", "guarantee_account", "chip_account")

# The columns of an entry that a payment changes.
PAID: Final = ("stake_paid", "fee_paid", "ticket_paid", "payments")

ENTERED: Final = _n("entered a tournament")
ENTERED_AGAIN: Final = _n("entered a tournament again")
ADDED_ON: Final = _n("bought the add-on")
UNREGISTERED: Final = _n("left a tournament before it began")
GIVEN_BACK: Final = _n("the tournament was cancelled")
PRIZE: Final = _n("prize of a tournament")
GUARANTEE_HELD: Final = _n("guarantee set aside before the tournament is announced")
GUARANTEE_ADDED: Final = _n("guarantee: what the stakes lacked")
GUARANTEE_FREE: Final = _n("guarantee: what was not needed")
CHIPS_ISSUED: Final = _n("chips of an entry")
CHIPS_BURNT: Final = _n("chips taken out of the tournament")
SEATED: Final = _n("seated by the tournament")
BROUGHT: Final = _n("bought chips come to the seat")
EVENED: Final = _n("every deal begins with the same chips")
UNSEATED: Final = _n("taken from the seat by the tournament")


def chips() -> Currency:
    """The currency of chips, which have no smaller unit."""
    return Currency.objects.get_or_create(
        code=CHIPS,
        defaults={"name": _n("Tournament chips"), "kind": Currency.Kind.CHIPS, "exponent": 0},
    )[0]


def open_accounts(tournament: Tournament) -> None:
    """The accounts of an event that was announced; its row is not used before it has them."""
    owner, currency = tournament.reference, tournament.currency
    tournament.prize_account = account(Account.Kind.PRIZE, owner, currency)
    tournament.fee_account = account(Account.Kind.FEE, owner, currency)
    tournament.guarantee_account = account(Account.Kind.ESCROW, owner, currency)
    tournament.chip_account = account(Account.Kind.ISSUE, owner, chips())


def entry_reference(tournament_id: int, player_id: int) -> str:
    """Return the ledger's reference for a player's entry."""
    return f"entry:{tournament_id}-{player_id}"


def chips_account(tournament: Tournament, player: Player) -> Account:
    """Open the account of a player's chips while they have no seat; each entry has its own."""
    return new_account(Account.Kind.ESCROW, entry_reference(tournament.pk, player.pk), CHIPS)


# Stakes and fees.


def take(
    tournament: Tournament,
    entry: Entry,
    player: Player,
    amounts: tuple[int, int],
    reason: str,
    *,
    by_ticket: bool = False,
) -> None:
    """Take stake and fee from the player's wallet, or from who gives tickets."""
    stake, fee = amounts
    entry.payments += 1
    entry.stake_paid += stake
    entry.fee_paid += fee
    tournament.stakes += stake
    tournament.fees += fee
    if not stake + fee:
        return
    if by_ticket:
        entry.ticket_paid += stake + fee
        source = promotions(tournament)
    else:
        source = account(Account.Kind.PLAYER, player_reference(player.pk), tournament.currency)
    _post(
        tournament,
        _key(tournament, f"{entry.player_id} payment {entry.payments}"),
        "tournament_entry",
        {
            source.pk: -stake - fee,
            tournament.prize_account_id: stake,
            tournament.fee_account_id: fee,
        },
        actor=actor_of(player),
        reason=reason,
    )


def promotions(tournament: Tournament) -> Account:
    """The account that pays the entries of tickets."""
    return account(Account.Kind.PROMOTION, HOUSE, tournament.currency)


def promotions_of(tournament: Tournament) -> int:
    """The number of that account; 0 in a house without it."""
    accounts = Account.objects.filter(
        kind=Account.Kind.PROMOTION, owner=HOUSE, currency=tournament.currency_id
    )
    return accounts.values_list("pk", flat=True).first() or 0


def give_back(tournament: Tournament, entry: Entry, *, actor: str, reason: str) -> UUID:
    """Return all that was paid for a player; the key tells whether that has been done."""
    stake, fee, by_ticket = entry.stake_paid, entry.fee_paid, entry.ticket_paid
    entry.payments += 1
    entry.stake_paid = entry.fee_paid = entry.ticket_paid = 0
    tournament.stakes -= stake
    tournament.fees -= fee
    key = _key(tournament, f"{entry.player_id} payment {entry.payments}")
    if stake + fee:
        wallet = account(
            Account.Kind.PLAYER, player_reference(entry.player_id), tournament.currency
        )
        _post(
            tournament,
            key,
            "tournament_refund",
            {
                wallet.pk: stake + fee - by_ticket,
                **({promotions(tournament).pk: by_ticket} if by_ticket else {}),
                tournament.prize_account_id: -stake,
                tournament.fee_account_id: -fee,
            },
            actor=actor,
            reason=reason,
        )
    return key


def pay_prize(tournament: Tournament, payout: Payout) -> UUID:
    player = player_reference(payout.entry.player_id)
    wallet = account(Account.Kind.PLAYER, player, tournament.currency)
    key = _key(tournament, f"place {payout.place}")
    _post(
        tournament,
        key,
        "tournament_prize",
        {tournament.prize_account_id: -payout.amount, wallet.pk: payout.amount},
        actor=HOUSE,
        reason=PRIZE,
    )
    return key


# The guarantee.


def hold_guarantee(tournament: Tournament, actor: str) -> None:
    """Set the guarantee aside, out of the house's account, before it is announced."""
    if not tournament.guarantee:
        return
    house = account(Account.Kind.HOUSE, HOUSE, tournament.currency)
    _post(
        tournament,
        _key(tournament, "guarantee held"),
        "guarantee_held",
        {house.pk: -tournament.guarantee, tournament.guarantee_account_id: tournament.guarantee},
        actor=actor,
        reason=GUARANTEE_HELD,
    )


def settle_guarantee(tournament: Tournament, needed: int) -> None:
    """Add to the pool what the stakes lack, and give the rest back to the house; once."""
    tournament.added = needed
    if not tournament.guarantee:
        return
    house = account(Account.Kind.HOUSE, HOUSE, tournament.currency)
    _post(
        tournament,
        _key(tournament, "guarantee settled"),
        "guarantee_settled",
        {
            tournament.guarantee_account_id: -tournament.guarantee,
            tournament.prize_account_id: needed,
            house.pk: tournament.guarantee - needed,
        },
        actor=HOUSE,
        reason=GUARANTEE_ADDED if needed else GUARANTEE_FREE,
    )


def return_addition(tournament: Tournament) -> None:
    """Give the house back what it added to the pool of an event that is cancelled."""
    if not tournament.added:
        return
    house = account(Account.Kind.HOUSE, HOUSE, tournament.currency)
    _post(
        tournament,
        _key(tournament, "guarantee returned"),
        "guarantee_returned",
        {tournament.prize_account_id: -tournament.added, house.pk: tournament.added},
        actor=HOUSE,
        reason=GIVEN_BACK,
    )


# Chips.


def issue_chips(tournament: Tournament, entry: Entry, amount: int, occasion: str) -> None:
    """Give an entry its chips; its player has no seat yet, or gets them there between hands."""
    tournament.chips += amount
    _post(
        tournament,
        _key(tournament, f"{entry.player_id} chips {occasion}"),
        "chips_issued",
        {tournament.chip_account_id: -amount, entry.account_id: amount},
        actor=HOUSE,
        reason=CHIPS_ISSUED,
    )


def burn_chips(tournament: Tournament, entry: Entry, occasion: str) -> int:
    """Take an entry's chips, which are not at a table, out of the event."""
    amount = Account.objects.values_list("balance", flat=True).get(pk=entry.account_id)
    if not amount:
        return 0
    tournament.chips -= amount
    _post(
        tournament,
        _key(tournament, f"{entry.player_id} burnt {occasion}"),
        "chips_burnt",
        {tournament.chip_account_id: amount, entry.account_id: -amount},
        actor=HOUSE,
        reason=CHIPS_BURNT,
    )
    return int(amount)


def even_out(tournament: Tournament, hand: Hand) -> None:
    """Give back what a deal of a duplicate moved: the next one begins with the starting chips."""
    nets = dict(hand.seats.values_list("seat__stack", "net"))
    sums = {stack: -net for stack, net in nets.items()}
    if any(sums.values()):
        what = _key(tournament, f"{hand.reference} evened")
        _post(tournament, what, "chips_evened", sums, actor=HOUSE, reason=EVENED)


def to_seat(book: str, key: UUID, source: int, stack: int, amount: int, reason: str) -> None:
    """Put chips of an entry on the player's seat, or take them from it with a negative amount."""
    post(
        key,
        "chips_moved",
        [Leg(source, -amount), Leg(stack, amount)],
        book=book,
        actor=HOUSE,
        reason=reason,
    )


def _post(
    tournament: Tournament,
    key: UUID,
    kind: str,
    sums: dict[int, int],
    *,
    actor: str,
    reason: str,
) -> None:
    legs = [Leg(number, amount) for number, amount in sums.items() if amount]
    post(
        key,
        kind,
        legs,
        book=tournament.reference,
        actor=actor,
        reason=reason,
        reference=tournament.reference,
    )


def _key(tournament: Tournament, what: str) -> UUID:
    return posting_key(f"{tournament.reference} {what}")


def actor_of(player: Player) -> str:
    return HOUSE if player.is_bot else player_reference(player.pk)


def unpaid(tournament: Tournament) -> list[int]:
    """The payouts still to be made, in the order in which they are paid."""
    due = tournament.payouts.filter(paid_at=None).order_by("place", "pk")
    return list(due.values_list("pk", flat=True))


def pay(payout_id: int, now: datetime) -> bool:
    """Pay a payout that is not paid; whether this call did it."""
    tournament_id = Payout.objects.values_list("tournament", flat=True).get(pk=payout_id)
    with transaction.atomic():
        tournament = locked(tournament_id)
        held = Payout.objects.select_for_update(of=("self",)).select_related("entry")
        payout = held.get(pk=payout_id)
        if payout.paid_at is not None:
            return False
        if payout.kind == Payout.Kind.PRIZE:
            payout.posting = pay_prize(tournament, payout)
        else:
            payout.posting = _give_back(tournament, payout.entry, now)
        payout.paid_at = now
        payout.save(update_fields=["posting", "paid_at"])
        save(tournament, ["stakes", "fees"])
        return True


def _give_back(tournament: Tournament, entry: Entry, now: datetime) -> UUID:
    key = give_back(tournament, entry, actor=tournament.cancelled_by, reason=GIVEN_BACK)
    tickets.free(entry, now, by_house=True)
    entry.state = Entry.State.REFUNDED
    entry.save(update_fields=["state", *PAID])
    return key


def events(references: list[str]) -> dict[str, Link]:
    """Links to events, for references such as `tournament:12`."""
    suffixes = (reference.partition(":")[2] for reference in references)
    numbers = [int(suffix) for suffix in suffixes if suffix.isdecimal()]
    return {
        tournament.reference: Link(reverse("tournament", args=[tournament.pk]), tournament.name)
        for tournament in Tournament.objects.filter(pk__in=numbers)
    }


def tell_wallets() -> None:
    FINDERS.add(KIND, events)
