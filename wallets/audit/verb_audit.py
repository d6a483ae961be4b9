"""Who made each recorded change: a verb of the house that may, sealed, and of staff in the journal.

The owner of the database can borrow a name and forge an entry of the journal. The key of
an act cannot be computed without the house's keys, so a borrowed name leaves a change unsealed.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from wallets.audit.findings import Finding
from wallets.models import ClosingHead
from wallets.models.record_models import RecordedChange
from wallets.models.staff_models import JournalEntry
from wallets.of_record import proofs
from wallets.of_record.chaining import JOURNAL_BOOK, RECORD_BOOK
from wallets.of_record.proofs import SealedChange
from wallets.of_record.verbs import UNPROVED, Kind, kind_of
from wallets.values.columns import known_verbs, of_table

CHECK: Final = "verb"
CLOSED_BY_HAND: Final = "command:close_books"
AT_ONCE: Final = 5_000
_OF_STAFF: Final = ~reduce(or_, (Q(verb__startswith=prefix) for prefix in UNPROVED), Q(verb=""))
_NO_VERB: Final = _("{subject}: this row was changed outside the application at {at}.")
_WRONG_VERB: Final = _("{subject}: {verb} changed this row at {at}, and may not.")
_UNKNOWN_VERB: Final = _(
    "{subject}: this row was changed at {at} by {verb}, which is no verb of the house."
)
_UNSEALED: Final = _(
    "{subject}: this row was changed at {at} as {verb}, and not by a program of the house."
)
_UNPROVED: Final = _(
    "{subject}: {verb} changed this row at {at}, and the journal has no entry of it."
)
_NOT_THESE: Final = _("Entry {subject} of the journal is not about the changes made with it.")


def check_verbs(*, everything: bool = True) -> Iterator[Finding]:
    """Yield each change without an authorised act, since the books were last closed by hand.

    Without `everything`, seals and entries are compared since the closing before the last one.
    """
    later = RecordedChange.objects.filter(Q(position=None) | Q(position__gt=accepted()))
    yield from _names(later)
    if not everything:
        later = later.filter(Q(position=None) | Q(position__gt=_closed_before()))
    yield from of_changes(later)
    yield from _lost(_closed_before(JOURNAL_BOOK) if not everything else 0)


def of_changes(later: Any) -> Iterator[Finding]:
    """Yield the changes without the seal of their act, or without the entry that proves them."""
    yield from _seals(later)
    yield from _entries(later)
    yield from _pointers(later)


def _names(later: Any) -> Iterator[Finding]:
    known = known_verbs()
    for table, verb in sorted(later.order_by().values_list("table", "verb").distinct()):
        declared = of_table(table)
        if verb and declared and declared.may_change(verb):
            continue
        sentence = _NO_VERB if not verb else _WRONG_VERB if verb in known else _UNKNOWN_VERB
        for change in later.filter(table=table, verb=verb).order_by("id"):
            values = {"verb": verb, "at": change.at}
            yield Finding(CHECK, f"{table} {change.row}", sentence, values)


def _seals(later: Any) -> Iterator[Finding]:
    rows = later.exclude(verb="").order_by("id").values_list("at", "seal", *SealedChange._fields)
    for at, seal, *values in rows.iterator(chunk_size=AT_ONCE):
        change = SealedChange(*values)
        if not proofs.is_sealed(change, seal):
            subject = f"{change.table} {change.row}"
            yield Finding(CHECK, subject, _UNSEALED, {"verb": change.verb, "at": at})


def _entries(later: Any) -> Iterator[Finding]:
    """Of staff, the entry has the verb of the changes, and the digest of all of them."""
    made: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for verb, act, at, *change in (
        later.filter(_OF_STAFF)
        .order_by("id")
        .values_list("verb", "act", "at", *proofs.PROVED)
        .iterator(chunk_size=AT_ONCE)
    ):
        made[act].append((verb, at, change))
    found = {
        entry.act: entry
        for acts in _parts(sorted(made))
        for entry in JournalEntry.objects.filter(act__in=acts)
    }
    for act, changes in made.items():
        entry = found.get(act)
        if entry is None:
            for verb, at, (table, row, *_rest) in changes:
                yield Finding(CHECK, f"{table} {row}", _UNPROVED, {"verb": verb, "at": at})
        elif {entry.verb} != {verb for verb, *_rest in changes} or entry.changes != proofs.digest(
            change for *_rest, change in changes
        ):
            yield Finding(CHECK, str(entry.position), _NOT_THESE)


def _pointers(later: Any) -> Iterator[Finding]:
    """Changes of staff point to the entry of their act, and no others point to any."""
    wrong = later.filter(
        Q(_OF_STAFF, Q(entry=None) | ~Q(entry=F("act"))) | Q(~_OF_STAFF, entry__isnull=False)
    )
    for change in wrong.order_by("id"):
        if change.entry_id is None or kind_of(change.verb) is Kind.STAFF:
            values = {"verb": change.verb, "at": change.at}
            yield Finding(CHECK, f"{change.table} {change.row}", _UNPROVED, values)
        else:
            yield Finding(CHECK, change.entry_id, _NOT_THESE)


def _lost(after: int) -> Iterator[Finding]:
    """Yield each entry after a position whose changes are no longer in the record.

    A change without its place can be deleted, and leaves no gap.
    """
    made = RecordedChange.objects.filter(entry=OuterRef("act"))
    entries = JournalEntry.objects.filter(~Exists(made), position__gt=after, act__isnull=False)
    for entry in entries.exclude(changes=proofs.digest(())).order_by("position"):
        yield Finding(CHECK, str(entry.position), _NOT_THESE)


def _parts(acts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(acts), 500):
        yield acts[start : start + 500]


def accepted() -> int:
    """The last change that was in a closing by hand."""
    entries = JournalEntry.objects.filter(verb=CLOSED_BY_HAND).values_list("after", flat=True)
    hashes = [after.get("hash") for after in entries if isinstance(after, dict)]
    heads: Any = ClosingHead.objects.filter(book=RECORD_BOOK, closing__hash__in=hashes)
    return max(heads.values_list("position", flat=True), default=0)


def _closed_before(book: str = RECORD_BOOK) -> int:
    """The end of a book at the closing before the last: what followed may not be checked yet."""
    heads = ClosingHead.objects.filter(book=book).order_by("-position")
    return next(iter(heads.values_list("position", flat=True)[1:2]), 0)
