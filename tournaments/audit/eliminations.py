"""Hands and what followed from them: chips, eliminations in their order, places and prizes."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, groupby

from msgspec import to_builtins

from games.models import Hand, HandSeat
from tournaments.audit import rounds
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.mathematics import match_points, payouts
from tournaments.mathematics.rounds import line_of
from tournaments.mathematics.stage import DUPLICATE
from tournaments.mathematics.structure import Structure, game_at, game_of
from tournaments.models import Elimination, Entry, HandEnded, Payout, Tournament


def hands(rows: Rows) -> Findings:
    """Each hand of the event has its row, was played for a level's stakes, and moved chips only."""
    ended = {row.hand_id: row for row in rows.ended}
    levels = [to_builtins(game_at(rows.structure, level + 1)) for level in range(_levels(rows))]
    for number in sorted(ended.keys() | rows.hands.keys()):
        row, hand = ended.get(number), rows.hands.get(number)
        if hand is None or row is None:
            yield Found("hand_row", f"hand {number} is known to the event or to its table alone")
            continue
        void = hand.status == Hand.Status.VOID
        if (row.table_id, row.at, row.void) != (hand.table_id, hand.ended_at, void):
            yield Found("hand_row", f"hand {hand.code} is in the event as another one")
        in_rounds = row.round and rows.structure.rounds is not None
        due = [_of_rounds(rows.structure)] if in_rounds else levels[: row.level]
        if hand.options not in due:
            yield Found("hand_stakes", f"hand {hand.code} was played for the stakes of no level")
        if rows.event.is_over and row.acted_at is None:
            yield Found("hand_waits", f"hand {hand.code} has not been acted on")
    for number, dealt in rows.dealt.items():
        if sum(seat.net for seat in dealt) or any(seat.rake for seat in dealt):
            yield Found("hand_chips", f"hand {rows.hands[number].code} does not sum to zero")


def _levels(rows: Rows) -> int:
    return min(rows.event.level, len(rows.structure.levels))


def _of_rounds(structure: Structure) -> object:
    assert structure.rounds is not None
    return to_builtins(game_of(structure, {"point": structure.rounds.point}))


def stacks(rows: Rows) -> Findings:
    """Check that players bring to a hand what the last one left them, or more.

    A deal of duplicate rounds is begun with the starting chips.
    """
    if rows.event.kind == DUPLICATE:
        for number, dealt in rows.dealt.items():
            for seat in dealt:
                if seat.starting_stack != rows.structure.starting_chips:
                    code = rows.hands[number].code
                    yield Found("stack", f"seat {seat.number} brought other chips to hand {code}")
        return
    last: dict[int, int] = {}
    for number, dealt in rows.dealt.items():
        for seat in dealt:
            had = last.get(seat.seat_id)
            if had is not None and seat.starting_stack < had:
                code = rows.hands[number].code
                yield Found("stack", f"seat {seat.number} brought too few chips to hand {code}")
            last[seat.seat_id] = seat.starting_stack + seat.net


def eliminated(rows: Rows) -> Findings:
    """Check that eliminated players had too few chips, and went out once for each entry."""
    numbers = [out.sequence for out in rows.eliminations]
    if numbers != list(range(1, rows.event.went_out + 1)):
        yield Found("out_number", f"{rows.event.went_out} went out, and {len(numbers)} are there")
    ended = {row.hand_id: row for row in rows.ended}
    lives: dict[int, int] = defaultdict(int)
    for out in rows.eliminations:
        entry, name = rows.entries.get(out.entry_id), rows.name(out.entry_id)
        lives[out.entry_id] += 1
        if entry is None or out.life != lives[out.entry_id]:
            yield Found("out_life", f"{name} went out of life {out.life}")
            continue
        if out.hand_id is not None:
            yield from _left_too_little(rows, out, entry, ended.get(out.hand_id))
    yield from _last_word(rows)


def _left_too_little(rows: Rows, out: Elimination, entry: Entry, row: HandEnded | None) -> Findings:
    dealt = rows.dealt.get(out.hand_id or 0, [])
    seat = next((seat for seat in dealt if seat.player_id == entry.player_id), None)
    if seat is None or row is None:
        yield Found("out_hand", f"entry {entry.number} went out in a hand without them")
        return
    if seat.starting_stack != out.stack:
        yield Found("out_stack", f"entry {entry.number} brought {seat.starting_stack} chips")
    line = out.why == Elimination.Why.LINE
    least = _line(rows, row) if line else 1
    if seat.starting_stack + seat.net >= least:
        yield Found("out_chips", f"entry {entry.number} went out with chips enough")
    if out.at < row.at:
        yield Found("out_time", f"entry {entry.number} went out before the hand had ended")


def _line(rows: Rows, row: HandEnded) -> int:
    """The line of a knock-out; it may have risen between the first hand of a step and the last."""
    knock_out = rows.structure.knock_out
    if knock_out is None:
        return 1
    in_step = [ended.level for ended in rows.ended if ended.acted_at == row.acted_at]
    level = min(max(in_step), len(rows.structure.levels))
    point = rows.structure.levels[level - 1].point
    return line_of(knock_out, point or 0)


def _last_word(rows: Rows) -> Findings:
    """An entry that is out says the same as its last elimination; no other player has one."""
    last = {out.entry_id: out for out in rows.eliminations}
    for entry in rows.entries.values():
        out = last.get(entry.pk)
        is_out = entry.state in (Entry.State.OUT, Entry.State.DISQUALIFIED)
        over = out is not None and out.life == entry.entries
        refunded = entry.state == Entry.State.REFUNDED
        if is_out != over and not refunded:
            yield Found("out_state", f"entry {entry.number} is {entry.state}")
        elif not (is_out or refunded) and (entry.out_sequence, entry.out_at) != (None, None):
            yield Found("out_state", f"entry {entry.number} went out, and is {entry.state}")
        elif is_out and out is not None:
            if (entry.out_sequence, entry.out_at) != (out.sequence, out.at):
                yield Found("out_state", f"entry {entry.number} went out as number {out.sequence}")
            banned = out.why == Elimination.Why.DISQUALIFIED
            if banned != (entry.state == Entry.State.DISQUALIFIED):
                yield Found("out_state", f"entry {entry.number} is {entry.state}, not {out.why}")


def survived(rows: Rows) -> Findings:
    """A player without chips does not play on without buying more."""
    gone = {(out.hand_id, out.entry_id) for out in rows.eliminations}
    after: dict[int, tuple[int, HandSeat]] = {}
    for number, dealt in rows.dealt.items():
        for seat in dealt:
            after[seat.seat_id] = (number, seat)
    for number, seat in after.values():
        entry = rows.by_player.get(seat.player_id)
        if entry is None:
            yield Found("hand_player", f"player {seat.player_id} played and has not entered")
        elif seat.starting_stack + seat.net == 0 and (number, entry.pk) not in gone:
            last = [out for out in rows.eliminations if out.entry_id == entry.pk]
            played = rows.event.state == Tournament.State.FINISHED
            if played and not entry.added_on and not last and not _keeps_all(rows):
                yield Found("out_missing", f"entry {entry.number} lost all chips and is not out")


def _keeps_all(rows: Rows) -> bool:
    """Whether a knock-out has come down to those it keeps, whatever chips they have."""
    knock_out, gone = rows.structure.knock_out, len(_gone(rows))
    return knock_out is not None and len(rows.took_part) - gone <= knock_out.until


def ordered(rows: Rows) -> Findings:
    """Of those who went out together, the one with fewer chips at the start went first."""
    ended = {row.hand_id: row for row in rows.ended}
    of_hands = [out for out in rows.eliminations if out.hand_id in ended]
    for _at, some in groupby(of_hands, key=lambda out: out.at):
        together = list(some)
        if not _in_order(rows, together, ended):
            names = ", ".join(rows.name(out.entry_id) for out in together)
            yield Found("out_order", f"{names} went out in another order than the rule's")


def _in_order(rows: Rows, outs: Sequence[Elimination], ended: dict[int, HandEnded]) -> bool:
    """Whether the order fits, where hands count as one or one after another."""
    in_step = [out.entry_id for out in _worst_first(rows, outs)]
    each = [
        out.entry_id
        for _hand, some in groupby(
            sorted(outs, key=lambda out: ended[out.hand_id or 0].pk), key=lambda out: out.hand_id
        )
        for out in _worst_first(rows, list(some))
    ]
    return [out.entry_id for out in outs] in (in_step, each)


def _worst_first(rows: Rows, outs: Sequence[Elimination]) -> list[Elimination]:
    by_entry = {out.entry_id: out for out in outs}
    best = payouts.best_first(
        payouts.Out(out.entry_id, out.stack, rows.entries[out.entry_id].drawn or 0) for out in outs
    )
    return [by_entry[out.entry] for out in reversed(best)]


def placed(rows: Rows) -> Findings:
    """Places and prizes follow from who went out when, and from the chips at the end."""
    if rows.event.state not in (Tournament.State.PAYING, Tournament.State.FINISHED):
        yield from _not_placed(rows)
        return
    groups = _groups(rows)
    event, structure = rows.event, rows.structure
    pool = event.stakes + (event.added or 0)
    by_place = payouts.prizes(structure.payouts, pool, event.entrants, event.entries)
    won = payouts.prizes_of(by_place, groups)
    due = {number: place for place, number in enumerate(chain.from_iterable(groups), 1)}
    for number, place in due.items():
        entry = rows.by_number[number]
        if entry.place != place:
            yield Found("place", f"entry {number} has place {entry.place} instead of {place}")
        if entry.prize != won[number]:
            yield Found("prize", f"entry {number} has a prize of {entry.prize}, not {won[number]}")
    owed = {number: (due[number], won[number]) for number in due if won[number]}
    there = {}
    for payout in rows.payouts:
        entry_or_none = rows.entries.get(payout.entry_id)
        number = entry_or_none.number if entry_or_none else 0
        if payout.kind != Payout.Kind.PRIZE or number in there:
            yield Found("payout_kind", f"entry {number} is owed a {payout.kind} besides")
        there[number] = (payout.place, payout.amount)
    for number in sorted(owed.keys() | there.keys()):
        if owed.get(number) != there.get(number):
            yield Found("payout", f"entry {number} is owed {there.get(number)} by place")


def _not_placed(rows: Rows) -> Findings:
    """While others play on, those who are out have the places below them, and no prize."""
    closed = rows.event.registration_closed_at and rows.event.state == Tournament.State.RUNNING
    gone = _gone(rows) if closed else []
    due = {entry.pk: place for place, entry in enumerate(gone, rows.event.players_left + 1)}
    for entry in rows.entries.values():
        if entry.place != due.get(entry.pk) and not _ends(rows):
            yield Found("place", f"entry {entry.number} has place {entry.place}")
        if entry.prize:
            yield Found("prize", f"entry {entry.number} has a prize of {entry.prize}")


def _ends(rows: Rows) -> bool:
    """Whether it is being called off, when places are taken back."""
    return rows.event.state in (Tournament.State.CANCELLING, Tournament.State.CANCELLED)


def _groups(rows: Rows) -> list[list[int]]:
    """The players' numbers, the best first; those who finished level are in one group."""
    left = [
        entry
        for entry in rows.took_part
        if entry.state not in (Entry.State.OUT, Entry.State.DISQUALIFIED)
    ]
    scores = {}
    for entry in left:
        burnt = rows.postings.get(rows.key(f"{entry.player_id} burnt at the end"))
        scores[entry.number] = -burnt.legs.get(entry.account_id, 0) if burnt else 0
        # Those who are not cleared away yet have them in their accounts.
        scores[entry.number] += rows.chips_of(entry)
    drawn = {entry.number: entry.drawn or entry.number for entry in left}
    if rows.event.kind == DUPLICATE:
        by_points = rounds.deal_scores(rows)
        ranked = match_points.ranking({number: by_points[number] for number in drawn}, drawn)
    else:
        ranked = payouts.ranking(scores, drawn)
    return [*ranked, *([entry.number] for entry in _gone(rows))]


def _gone(rows: Rows) -> list[Entry]:
    """Those who are out, the best first: who went out later is better."""
    outs: dict[int, int] = {out.entry_id: out.sequence for out in rows.eliminations}
    states = (Entry.State.OUT, Entry.State.DISQUALIFIED)
    return sorted(
        (entry for entry in rows.took_part if entry.state in states),
        key=lambda entry: (entry.state == Entry.State.DISQUALIFIED, -outs.get(entry.pk, 0)),
    )


CHECKS = (hands, stacks, eliminated, survived, ordered, placed)
