"""Checks that a reversed hand moved back all its money, to those it came from."""

from collections.abc import Iterator, Mapping

from games.models import Seat
from games.tables.hand_digest import Rows
from wallets.holders import player_reference
from wallets.models import Account


def given_back(rows: Rows, paid: Mapping[int, int], back: Mapping[int, int]) -> Iterator[str]:
    """Compare what a hand moved with what its reversal moved back, account by account."""
    hand, paid, back = rows.hand, dict(paid), dict(back)
    if hand.reversed_at is None:
        if back:
            yield "it was paid back, and stands as finished"
        return
    missing = 0
    for row in rows.seats:
        seats = Seat.objects.filter(table=hand.table_id, player=row.player_id)
        own = {*seats.values_list("stack_id", flat=True)}
        wallet = Account.objects.filter(
            kind=Account.Kind.PLAYER,
            owner=player_reference(row.player_id),
            currency=hand.table.currency_id,
        )
        own |= {*wallet.values_list("pk", flat=True)}
        won, returned = (sum(moved.pop(number, 0) for number in own) for moved in (paid, back))
        lacking = won + returned
        if not 0 <= lacking <= max(won, 0):
            yield f"seat {row.number} got {returned} back for {won}"
        missing += lacking
    promotions = Account.objects.filter(kind=Account.Kind.PROMOTION, pk__in=back)
    made_good = -sum(back.pop(number) for number in promotions.values_list("pk", flat=True))
    if made_good != missing:
        yield f"the house made {made_good} good instead of {missing}"
    for account in sorted(paid.keys() | back.keys()):
        if paid.get(account, 0) + back.get(account, 0):
            yield f"account {account} got {back.get(account, 0)} back for {paid.get(account, 0)}"
