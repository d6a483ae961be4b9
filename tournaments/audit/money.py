"""Every posting of an event, derived again: stakes, fees, guarantee, prizes, and chips."""

from collections import defaultdict
from collections.abc import Iterator
from uuid import UUID

from games.models import HandSeat
from games.tables.settle import posting_key
from tournaments.audit.rows import Findings, Found, Posting, Rows
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Entry, Payout, Tournament


def paid_in(rows: Rows) -> Findings:
    """Check that each entry paid what its postings took, at the structure's price."""
    structure, event = rows.structure, rows.event
    for entry in rows.entries.values():
        stake = fee = by_ticket = 0
        for posting in _payments(rows, entry):
            legs = dict(posting.legs)
            stake += legs.pop(event.prize_account_id, 0)
            fee += legs.pop(event.fee_account_id, 0)
            by_ticket -= legs.pop(rows.promotions, 0)
            if legs.keys() - {rows.wallet(entry)} or sum(posting.legs.values()):
                yield Found("payment", f"a payment of entry {entry.number} moved other money")
        if (stake, fee) != (entry.stake_paid, entry.fee_paid):
            yield Found("paid_in", f"entry {entry.number} has paid {stake} and {fee}")
        if by_ticket != entry.ticket_paid:
            yield Found("ticket_paid", f"a ticket has paid {by_ticket} of entry {entry.number}")
        given_back = entry.state in (Entry.State.WITHDRAWN, Entry.State.REFUNDED)
        offer, times = structure.add_on, 0 if given_back else entry.entries
        bought = entry.added_on and not given_back and offer is not None
        due = (times * structure.stake, times * structure.fee)
        if bought and offer is not None:
            due = (due[0] + offer.stake, due[1] + offer.fee)
        if (entry.stake_paid, entry.fee_paid) != due and not _owed(rows, entry):
            yield Found("price", f"entry {entry.number} should have paid {due[0]} and {due[1]}")


def _payments(rows: Rows, entry: Entry) -> Iterator[Posting]:
    for number in range(1, entry.payments + 1):
        posting = rows.postings.get(rows.key(f"{entry.player_id} payment {number}"))
        if posting is not None:
            yield posting


def counted(rows: Rows) -> Findings:
    """Each payment that an entry counts has its posting, unless entering costs nothing."""
    if not rows.structure.stake and not rows.structure.fee:
        return
    for entry in rows.entries.values():
        there = len(list(_payments(rows, entry)))
        if entry.payments != there:
            yield Found("paid_in", f"entry {entry.number} counts {entry.payments} payments")


def _owed(rows: Rows, entry: Entry) -> bool:
    """Whether everything is being given back to an entry."""
    return any(
        payout.kind == Payout.Kind.REFUND and payout.entry_id == entry.pk for payout in rows.payouts
    )


def chips(rows: Rows) -> Findings:
    """Chips were issued for each entry, moved by hands alone, and burnt."""
    won: dict[int, int] = defaultdict(int)
    for seat in _kept(rows):
        won[seat.player_id] += seat.net
    in_play = 0
    for entry in rows.entries.values():
        issued, burnt = _chips(rows, entry)
        in_play += sum(issued.values()) - sum(burnt.values())
        registered = {
            key: amount for key, amount in issued.items() if key != "chips for the rounds"
        }
        due = _chips_due(rows, entry)
        if sum(registered.values()) != due:
            given = sum(registered.values())
            yield Found("chips_issued", f"entry {entry.number} was given {given} chips, not {due}")
        left = sum(issued.values()) + won[entry.player_id] - sum(burnt.values())
        if rows.event.is_over and left:
            yield Found("chips_left", f"entry {entry.number} ends with {left} chips too many")
    if in_play != rows.event.chips:
        yield Found("chips_sum", f"{in_play} chips are in play, and the event says otherwise")


def _kept(rows: Rows) -> Iterator[HandSeat]:
    """Yield the seats whose chips a hand moved for good; duplicate rounds return theirs."""
    if rows.event.kind != DUPLICATE:
        for dealt in rows.dealt.values():
            yield from dealt


def evened(rows: Rows) -> Findings:
    """Check that the chips which a duplicate deal moved went back to the seats it moved them at."""
    if rows.event.kind != DUPLICATE:
        return
    for number, dealt in rows.dealt.items():
        hand = rows.hands[number]
        posting = rows.postings.get(rows.key(f"{hand.reference} evened"))
        due = {rows.seats[seat.seat_id].stack_id: -seat.net for seat in dealt if seat.net}
        if (posting.legs if posting else {}) != due:
            yield Found("evened", f"what hand {hand.code} moved was not given back")


def _chips(rows: Rows, entry: Entry) -> tuple[dict[str, int], dict[str, int]]:
    """Return the chips issued to an entry, and those burnt, by occasion."""
    lives = [f"payment {number}" for number in range(1, entry.payments + 1)]
    lives += [f"life {number}" for number in range(1, entry.entries + 1)]
    issued: dict[str, int] = {}
    burnt: dict[str, int] = {}
    for occasion in (*lives, "for the rounds", "at the end"):
        for word, amounts, sign in (("chips", issued, 1), ("burnt", burnt, -1)):
            posting = rows.postings.get(rows.key(f"{entry.player_id} {word} {occasion}"))
            if posting is not None:
                amounts[f"{word} {occasion}"] = sign * posting.legs.get(entry.account_id, 0)
    return issued, burnt


def _chips_due(rows: Rows, entry: Entry) -> int:
    """By the number of registrations, withdrawals and re-entries."""
    structure, state = rows.structure, entry.state
    extra = structure.add_on.chips if structure.add_on and entry.added_on else 0
    if state == Entry.State.WITHDRAWN:
        return entry.payments // 2 * structure.starting_chips
    others = entry.entries + entry.added_on + (state == Entry.State.REFUNDED)
    unregistered = (entry.payments - others) // 2
    return (entry.entries + unregistered) * structure.starting_chips + extra


def moved(rows: Rows) -> Findings:
    """Check that a player brings all chips of the entry to a seat, and takes all away again."""
    brought = {
        (move.to_table_id, move.to_seat, move.at, move.entry_id): move.chips for move in rows.moves
    }
    net: dict[int, int] = defaultdict(int)
    for hand_seat in _kept(rows):
        net[hand_seat.seat_id] += hand_seat.net
    for seat in rows.seats.values():
        entry = rows.by_player.get(seat.player_id)
        if entry is None:
            continue
        fill = rows.postings.get(posting_key(f"buy-in {seat.code} sitting down"))
        amount = fill.legs.get(seat.stack_id, 0) if fill else 0
        key = (seat.table_id, seat.number, seat.sat_down_at, entry.pk)
        if brought.get(key, amount) != amount:
            yield Found(
                "move_chips", f"entry {entry.number} was moved with {brought[key]}, not {amount}"
            )
        if seat.left_at is None:
            continue
        took = rows.postings.get(posting_key(f"cash-out {seat.code}"))
        out = -took.legs.get(seat.stack_id, 0) if took else 0
        if amount + _bought(rows, entry, str(seat.code), seat.stack_id) + net[seat.pk] != out:
            yield Found("seat_chips", f"entry {entry.number} left a seat with {out} chips")


def _bought(rows: Rows, entry: Entry, code: str, stack: int) -> int:
    """The chips that were bought while a player sat there."""
    keys = (
        posting_key(f"buy-in {code} payment {number}") for number in range(1, entry.payments + 1)
    )
    return sum(rows.postings[key].legs.get(stack, 0) for key in keys if key in rows.postings)


def sums(rows: Rows) -> Findings:
    """The sums in the event's row are those of its entries."""
    event, there = rows.event, rows.took_part
    due = {
        "entrants": len(there),
        "entries": sum(entry.entries for entry in there),
        "add_ons": sum(entry.added_on for entry in there),
        "stakes": sum(entry.stake_paid for entry in rows.entries.values()),
        "fees": sum(entry.fee_paid for entry in rows.entries.values()),
        "numbers_given": len(rows.entries),
        "guarantee": rows.structure.guarantee,
    }
    if event.state not in (Tournament.State.CANCELLING, Tournament.State.CANCELLED):
        left = (*Entry.LEFT, Entry.State.PLACED)
        due["players_left"] = sum(entry.state in left for entry in there)
    for name, value in due.items():
        if getattr(event, name) != value:
            yield Found("sum", f"{name} are stored as {getattr(event, name)} instead of {value}")
    if sorted(rows.by_number) != list(range(1, event.numbers_given + 1)):
        yield Found("entry_number", "the entries are not numbered one after another")
    for entry in rows.entries.values():
        if not entry.payments:
            yield Found("entry_number", f"entry {entry.number} has never paid")


def guarantee(rows: Rows) -> Findings:
    """The house added what the stakes lacked, and took back the rest."""
    event, pot = rows.event, rows.structure.guarantee
    if event.state == Tournament.State.FINISHED:
        due = max(0, pot - event.stakes)
        if event.added != due:
            yield Found("guarantee", f"the house added {event.added} instead of {due}")
    for what, held in (("guarantee held", pot), ("guarantee settled", -pot)):
        posting = rows.postings.get(rows.key(what))
        amount = posting.legs.get(event.guarantee_account_id, 0) if posting else 0
        expected = what == "guarantee held" or event.added is not None
        if amount != (held if expected else 0):
            yield Found("guarantee", f"{what}: {amount} moved")
        if posting is not None and what == "guarantee settled":
            added = posting.legs.get(event.prize_account_id, 0)
            if event.state == Tournament.State.FINISHED and added != event.added:
                yield Found("guarantee", f"{added} came into the prize pool")


def prizes(rows: Rows) -> Findings:
    """Each payout was paid by its own posting, and nothing else left the pool."""
    event = rows.event
    for payout in rows.payouts:
        entry, where = rows.entries[payout.entry_id], f"the payout of {payout.amount}"
        wallet = rows.wallet(entry)
        if payout.paid_at is None:
            if event.is_over:
                yield Found("payout_unpaid", f"{where} to entry {entry.number} was not paid")
            continue
        posting = rows.postings.get(payout.posting) if payout.posting else None
        got = posting.legs.get(wallet, 0) if posting else 0
        if posting is not None and payout.kind == Payout.Kind.REFUND:
            got += posting.legs.get(rows.promotions, 0)
        if posting is None or got != payout.amount:
            yield Found("payout_posting", f"{where} to entry {entry.number} has no such posting")
        elif payout.kind == Payout.Kind.PRIZE and posting.key != rows.key(f"place {payout.place}"):
            yield Found("payout_posting", f"{where} was paid by the posting of another place")
    if event.is_over:
        yield from _empty(rows)


def _empty(rows: Rows) -> Findings:
    """Nothing is left in the accounts of an event that is over, but for its fees."""
    event = rows.event
    due = {
        event.prize_account_id: 0,
        event.guarantee_account_id: 0,
        event.fee_account_id: event.fees,
        event.chip_account_id: 0,
    }
    for number, account in rows.accounts.items():
        if account.balance != due[number]:
            yield Found(
                "account",
                f"its account {account.kind!r} holds {account.balance}, not {due[number]}",
            )


def strangers(rows: Rows) -> Findings:
    """The book of the event has no posting that nothing in the event asks for."""
    known = set(_keys(rows))
    for posting in rows.postings.values():
        if posting.key not in known:
            yield Found("posting_strange", f"posting {posting.key} ({posting.kind}) is of nothing")


def _keys(rows: Rows) -> Iterator[UUID]:
    for what in ("held", "settled", "returned"):
        yield rows.key(f"guarantee {what}")
    for payout in rows.payouts:
        yield rows.key(f"place {payout.place}")
    yield from (rows.key(f"{hand.reference} evened") for hand in rows.hands.values())
    codes: dict[int, list[str]] = defaultdict(list)
    for seat in rows.seats.values():
        codes[seat.player_id].append(str(seat.code))
    for entry in rows.entries.values():
        player = entry.player_id
        payments = [f"payment {number}" for number in range(1, entry.payments + 1)]
        lives = [f"life {number}" for number in range(1, entry.entries + 1)]
        for occasion in payments:
            yield rows.key(f"{player} {occasion}")
        for occasion in (*payments, *lives, "for the rounds", "at the end"):
            yield rows.key(f"{player} chips {occasion}")
            yield rows.key(f"{player} burnt {occasion}")
        for code in codes[player]:
            yield posting_key(f"cash-out {code}")
            for occasion in ("sitting down", *payments):
                yield posting_key(f"buy-in {code} {occasion}")


def tickets(rows: Rows) -> Findings:
    """Each entry that was paid by a ticket has one of its player that is worth as much."""
    for entry in rows.entries.values():
        ticket = rows.tickets.get(entry.pk)
        if (ticket is not None) != (entry.ticket_paid > 0) and rows.structure.stake:
            yield Found("ticket", f"entry {entry.number} and its ticket do not fit")
        if ticket is None:
            if rows.event.tickets_only and entry.state in (*Entry.LEFT, Entry.State.PLACED):
                yield Found("ticket", f"entry {entry.number} has no ticket")
            continue
        is_for_it = ticket.tournament_id == rows.event.pk or (
            ticket.tournament_id is None and ticket.name == rows.event.name
        )
        if not is_for_it or ticket.player_id != entry.player_id:
            yield Found("ticket_strange", f"the ticket of entry {entry.number} is not for it")
        if ticket.worth < entry.ticket_paid or ticket.currency_id != rows.event.currency_id:
            yield Found("ticket_worth", f"the ticket of entry {entry.number} is worth less")


CHECKS = (paid_in, counted, chips, evened, moved, sums, guarantee, prizes, tickets, strangers)
