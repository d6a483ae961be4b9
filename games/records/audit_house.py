"""Checks across hands: none is missing, and chain, closed days and ledger agree.

Each table numbers its hands and shoes without a gap, and counts them. Every entry of the chain and
every posting for a hand must lead to an existing hand, and everything anchored must still exist.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import wraps
from hashlib import sha256
from typing import Any, Final, ParamSpec

from django.db.models import (
    Aggregate,
    Count,
    Exists,
    IntegerField,
    Max,
    Min,
    OuterRef,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from games.models import ChainEntry, Day, Hand, Seat, Shoe, Table, seat_reference
from games.records import closed_days, registered_audits
from games.records.audit import Auditor, first_digest
from games.records.audit_anchors import AnchorFile
from games.records.audit_rows import HAND, chunks, in_words
from games.records.ledger_lines import without_hand
from games.records.reversals import KIND as REVERSAL
from games.shoes import chain
from games.tables.jackpots import COMMITTED, OPENED, trigger_id
from wallets.models import Account, Transaction, Trigger

P = ParamSpec("P")

# How many missing numbers a finding names, and how many postings are read at once.
NAMED: Final = 10
POSTINGS: Final = 2_000


def unbroken(check: Callable[P, Iterator[str]]) -> Callable[P, Iterator[str]]:
    """Turn an exception in a check into a finding, so that the other checks still run."""

    @wraps(check)
    def checked(*args: P.args, **named: P.kwargs) -> Iterator[str]:
        try:
            yield from check(*args, **named)
        except Exception as fault:
            yield f"the check of {check.__name__} was broken off: {in_words(fault)}"

    return checked


@unbroken
def tables() -> Iterator[str]:
    """Tables whose hands or shoes are not numbered from one on without a gap."""
    # One statement reads everything about a table at the same moment.
    counted = Table.objects.annotate(
        hands_there=_of_table(Hand.objects.all(), Count("pk")),
        first=_of_table(Hand.objects.all(), Min("number")),
        last=_of_table(Hand.objects.all(), Max("number")),
        shoes_there=_of_table(Shoe.objects.all(), Count("pk")),
    )
    for table in counted.order_by("pk"):
        due = table.hands_dealt
        if (table.hands_there, table.first, table.last) != (due, min(due, 1), due):
            lacking = _missing(due, table.hands.values_list("number", flat=True))
            there = f"{table.hands_there} are there{lacking}"
            yield f"table {table.pk}: {due} hands were dealt, {there}"
        if table.shoes_there != table.shoes_sealed:
            numbers = (_number(code) for code in table.shoes.values_list("pk", flat=True))
            lacking = _missing(table.shoes_sealed, numbers)
            yield (
                f"table {table.pk}: {table.shoes_sealed} shoes were sealed, "
                f"{table.shoes_there} are there{lacking}"
            )


def _of_table(rows: QuerySet[Hand] | QuerySet[Shoe], what: Aggregate) -> Coalesce:
    """An aggregate over the rows of a table, as a subquery of the statement for the table."""
    of_table = rows.filter(table=OuterRef("pk")).order_by().values("table")
    totals = of_table.annotate(total=what).values("total")
    return Coalesce(Subquery(totals, output_field=IntegerField()), 0)


def _number(code: str) -> int:
    """The number of a shoe at its table: the second part of its name."""
    _table, number, *_chance = f"{code}-".split("-")
    return int(number) if number.isdecimal() else 0


def _missing(due: int, there: Iterable[int]) -> str:
    lacking = sorted(set(range(1, due + 1)) - set(there))
    if not lacking:
        return ""
    more = ", …" if len(lacking) > NAMED else ""
    return f" (without {', '.join(map(str, lacking[:NAMED]))}{more})"


@unbroken
def strangers() -> Iterator[str]:
    """Entries of the public chain about shoes that do not exist, and stacks of other seats."""
    there = Shoe.objects.filter(pk=OuterRef("shoe"))
    entries = ChainEntry.objects.exclude(shoe="").exclude(Exists(there)).order_by("pk")
    for entry in entries:
        yield f"entry {entry.pk} is about the shoe {entry.shoe}, and there is none"
    stacks = Seat.objects.order_by("pk").values_list("pk", "code", "stack__kind", "stack__owner")
    for seat, code, *account in stacks.iterator(chunk_size=POSTINGS):
        if account != [Account.Kind.STACK, seat_reference(code)]:
            yield f"seat {seat}: its stack is the account {' '.join(account)}"


@unbroken
def postings() -> Iterator[str]:
    """Postings for hands that do not exist."""
    transactions = Transaction.objects.filter(kind__in=(HAND, REVERSAL)).order_by("pk")
    rows = transactions.values_list("key", "kind", "reference")
    for some in chunks(rows.iterator(chunk_size=POSTINGS), POSTINGS):
        for key in without_hand(some):
            yield f"posting {key} is of a hand that is not there, or has another posting"


@unbroken
def published(progress: Callable[[int], object] = lambda done: None) -> Iterator[str]:
    """The public chain from its beginning, and the anchors against chain and ledger."""
    file, (end, _head) = AnchorFile(), chain.end()
    walk = chain.walk(file.positions, progress)
    for sentence, _at in walk.broken:
        yield f"the public chain: {sentence}"
    for sentence in file.findings(walk.heads, end):
        yield f"the anchors: {sentence}"
    since = first_digest()
    closed = since is not None and Day.objects.filter(closed_at__gte=since.made_at).exists()
    if closed and not file.anchors:
        yield "the anchors: days were closed, and there is no anchor"


@unbroken
def triggers() -> Iterator[str]:
    """Triggers of mystery prizes that are not what the public chain says."""
    yield from findings()


def days() -> Iterator[tuple[Day | None, str]]:
    """Closed days whose results differ from their hands, missing days, and sums of other days."""
    for sentence in _other_days():
        yield None, sentence
    for day in Day.objects.order_by("day"):
        for difference in _wrong_day(day):
            yield day, f"day {day}: {difference}"


@unbroken
def _other_days() -> Iterator[str]:
    for missing in closed_days.missing_days():
        yield f"day {missing}: it was not closed, or has been taken away"
    for stranger in closed_days.strangers():
        yield f"day {stranger}: it is not closed or summed up, and has sums"


@unbroken
def _wrong_day(day: Day) -> Iterator[str]:
    yield from closed_days.wrong_day(day)


def audit_day(day: date) -> Iterator[str]:
    """All findings about the hands that ended or were reversed on a day, and about the house."""
    auditor = Auditor()
    for wrong in auditor.hands(closed_days.hands_on(day)):
        yield from (f"hand {wrong.number}: {sentence}" for sentence in wrong.findings)
        yield from _of_shoes(auditor.shoes())
    yield from _of_shoes(auditor.other_shoes(day))
    for check in (tables, strangers, postings, triggers, published):
        yield from check()
    yield from (sentence for _day, sentence in days())
    for further in registered_audits.registered():
        yield from further.sentences(day)


def _of_shoes(found: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    for code, sentences in found:
        yield from (f"shoe {code}: {sentence}" for sentence in sentences)


def findings() -> Iterator[str]:
    """What is wrong with the triggers since the first one that the chain has."""
    entries = ChainEntry.objects.filter(kind=COMMITTED).order_by("pk")
    first = entries.first()
    committed: dict[str, list[Any]] = {}
    for entry in entries:
        committed.setdefault(entry.body["trigger"], []).append(entry.body["published"])
    opened = {
        entry.body["trigger"]: entry.body["text"]
        for entry in ChainEntry.objects.filter(kind=OPENED)
    }
    there = set()
    for row in Trigger.objects.order_by("pk"):
        name = trigger_id(row.jackpot_id, row.number)
        there.add(name)
        published = committed.get(name, [])
        older = first is None or row.committed_at < first.made_at
        if published != [row.published] and (published or not older):
            yield f"trigger {name} is not the one that the public chain has"
        if row.opened_at and not _opens(row, opened.get(name)) and published:
            yield f"trigger {name} was opened, and the public chain does not say so"
        if row.opened_at is None and name in opened:
            yield f"trigger {name} is closed, and the public chain says that it was opened"
    for name in committed.keys() - there:
        yield f"trigger {name} is in the public chain, and there is none"


def _opens(row: Trigger, text: str | None) -> bool:
    """Whether the opened text is the one in the chain, and that whose hash was published."""
    return text == row.opened and sha256(row.opened.encode()).hexdigest() == row.published
