"""The journal: every change by staff, with who, from where, when, what and why; its search.

Entries form one chain of hashes, the book `journal`, which the daily closing and the anchors cover
like the books of the ledger. A verb writes its entry in its own transaction, as the last thing that
it locks: the order of locks is tables, accounts, books, journal. `docs/ledger.md` says more.

A verb says when it is registered whether it needs a person who has confirmed (`journal.register`).
While the person behind a request has not, `journal.write` refuses such a verb with an exception
that undoes its transaction, whichever page or program called it. The site answers with a question,
and sends the same form again after it.

Times of entries never run backwards, so days become a range of positions, and every combination of
filters reads one range of an index.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, Model, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.models.holders import player_reference
from wallets.models.staff_models import REASON_MAX, JournalEntry
from wallets.of_record import bulk, digests
from wallets.of_record.chain import JOURNAL_BOOK, chained, hashed, locked_book
from wallets.of_record.verbs import declare, settle, under
from wallets.storage.signing import canonical
from wallets.values.days import ONE_DAY, start_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry

_due: ContextVar[bool] = ContextVar("confirmation_due", default=False)


class ConfirmationNeeded(Exception):
    """Nothing was done; the same may be sent again once the person has confirmed."""


@contextmanager
def request_of(*, due: bool) -> Iterator[None]:
    """All that runs inside belongs to one request, whose sender has to confirm or has not."""
    token = _due.set(due)
    try:
        yield
    finally:
        _due.reset(token)


def set_due(due: bool) -> None:
    """Change it for the rest of the request."""
    _due.set(due)


def require() -> None:
    if _due.get():
        raise ConfirmationNeeded


def is_due() -> bool:
    return _due.get()


BOOK: Final = JOURNAL_BOOK
WRITE: Final = declare("house:journal.write")
_COVERED: Final = (
    "position",
    "actor",
    "actor_name",
    "origin",
    "verb",
    "subject",
    "before",
    "after",
    "reason",
    "cause",
    "act",
    "changes",
)
Values = Mapping[str, object]

_origin: ContextVar[str] = ContextVar("origin", default="house")


class By(NamedTuple):
    """The actor: an opaque reference, and their name at the time."""

    reference: str
    name: str


HOUSE: Final = By("house", "house")


def by(member: Viewer) -> By:
    return By(player_reference(int(member.pk or 0)), member.username)


@contextmanager
def coming_from(origin: str) -> Iterator[None]:
    """All entries written inside name this origin: an address, or the command line."""
    token = _origin.set(origin[:100])
    try:
        yield
    finally:
        _origin.reset(token)


@dataclass(frozen=True)
class JournalVerb:
    """A verb of staff, as the journal names it; most verbs need a reason.

    `confirmed` verbs move money, change rights or open cards: after idle minutes staff type a code
    or the password first. `permission` is what they need, or else `also`.
    """

    name: str
    words: str | Promise
    needs_reason: bool = True
    confirmed: bool = False
    permission: str = ""
    also: str = ""


_VERBS: Final = Registry[JournalVerb]("verb of the journal")


def register(
    name: str,
    words: str | Promise,
    *,
    needs_reason: bool = True,
    confirmed: bool = False,
    permission: str = "",
    also: str = "",
) -> str:
    """Packages register their verbs; the journal accepts no other."""
    return _VERBS.add(
        name, JournalVerb(name, words, needs_reason, confirmed, permission, also)
    ).name


def verbs() -> Mapping[str, JournalVerb]:
    return dict(sorted(_VERBS.items()))


def words_of(name: str) -> str:
    """A verb in the reader's language; an older entry may name one that exists no more."""
    return str(_VERBS[name].words) if name in _VERBS else name


def permits(member: Viewer, name: str) -> bool:
    """Whether a role allows a verb; no role allows one that has no permission."""
    verb = _VERBS[name]
    return any(
        member.has_perm(permission) for permission in (verb.permission, verb.also) if permission
    )


class NewEntry(NamedTuple):
    """An entry before it has its place; `now` is given by a history written later."""

    who: By
    verb: str
    subject: str
    before: Values
    after: Values
    reason: str
    cause: str = ""
    now: datetime | None = None
    # The changes of the record that it proves.
    act: str = ""


def write(  # noqa: PLR0913 - what an entry is
    who: By,
    verb: str,
    subject: str,
    *,
    before: Values,
    after: Values,
    reason: str,
    cause: str = "",
    now: datetime | None = None,
) -> JournalEntry:
    """Write one entry, or refuse; it is part of the caller's transaction.

    A history that is written afterwards says when it was (`wallets/money/backdating.py`).
    """
    if _VERBS[verb].confirmed:
        require()
    with transaction.atomic():
        # What was changed under this verb is proved by this entry, and no later one.
        act = settle(verb)
        (entry,) = _following(
            [NewEntry(who, verb, subject, before, after, reason, cause, now, act)]
        )
        with under(WRITE, alone=True):
            # A trigger moves the book on.
            entry.save(force_insert=True)
    return entry


def write_all(lines: Iterable[NewEntry]) -> None:
    """Write many entries of a history together, in the order of their times."""
    with transaction.atomic(), under(WRITE, alone=True):
        bulk.insert(_following(lines))


def _following(lines: Iterable[NewEntry]) -> list[JournalEntry]:
    """The entries that come after the last one, chained and not stored; the book is locked."""
    book = locked_book(BOOK)
    last = JournalEntry.objects.filter(position=book.position).first()
    position, head, at = book.position, book.head, last.at if last else None
    entries = []
    for who, verb, subject, before, after, reason, cause, now, act in lines:
        # Never before the entry before it, so the entries of a day are one range of positions.
        moment = now or timezone.now()
        at, position = moment if at is None else max(moment, at), position + 1
        entry = JournalEntry(
            position=position,
            at=at,
            actor=who.reference,
            actor_name=who.name,
            origin=_origin.get(),
            verb=verb,
            subject=subject,
            before=value_of(before),
            after=value_of(after),
            reason=reason_of(reason, needed=_VERBS[verb].needs_reason),
            cause=cause,
            act=act or None,
            changes=digests.digest_of_act(act) if act else "",
            previous=head,
        )
        entry.hash = head = hash_of(entry)
        entries.append(entry)
    return entries


def covered(entry: JournalEntry) -> dict[str, object]:
    """Return the part of an entry that its digest covers, besides its time and the last hash."""
    return {name: getattr(entry, name) for name in _COVERED}


def hash_of(entry: JournalEntry) -> str:
    body = canonical(covered(entry)).decode()
    return chained(entry.previous, hashed(body), entry.at, ())


def reason_of(typed: str, *, needed: bool = True) -> str:
    """A reason as journal and ledger store it: without spaces at its ends, and not too long."""
    reason = " ".join(typed.replace("\0", " ").split())
    if len(reason) > REASON_MAX or (needed and not reason):
        raise Refused("reason", _("Say why, in 1 to {most} characters."), most=REASON_MAX)
    return reason


def value_of(value: object) -> object:
    """A value as JSON: what is no number, switch, text, list or mapping becomes its text.

    A text has no NUL, which PostgreSQL does not store; a number has no fraction. So the JSON that
    is read is exactly the JSON that was hashed.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Mapping):
        return {str(name): value_of(inner) for name, inner in value.items()}
    if isinstance(value, QuerySet | list | tuple | set | frozenset):
        return [value_of(inner) for inner in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Model):
        return reference_of(value)
    text = str(value) if not isinstance(value, UUID) else value.hex
    return text.replace("\0", " ").encode(errors="replace").decode()


def reference_of(row: Model) -> str:
    """The opaque reference of a row: its own, or its kind and its key."""
    own = getattr(row, "reference", None)
    return own if isinstance(own, str) and own else f"{row._meta.model_name}:{row.pk}"


PAGE: Final = 50


class Search(NamedTuple):
    """The search; an empty one finds everything. `before` is a position: the page before it."""

    actor: str = ""
    verb: str = ""
    subject: str = ""
    since: date | None = None
    until: date | None = None
    before: int | None = None


class Found(NamedTuple):
    entries: list[JournalEntry]
    # Where the next page of older entries begins, if there is one.
    older: int | None


def search(wanted: Search) -> Found:
    rows = JournalEntry.objects.order_by("-position")
    for name in ("actor", "verb", "subject"):
        if getattr(wanted, name):
            rows = rows.filter(**{name: getattr(wanted, name)})
    rows = _within(rows, wanted)
    entries = list(rows[: PAGE + 1])
    return Found(entries[:PAGE], entries[PAGE - 1].position if len(entries) > PAGE else None)


def _within(rows: QuerySet[JournalEntry], wanted: Search) -> QuerySet[JournalEntry]:
    """Limit a search to its days, by the positions at which they begin and end."""
    if wanted.before is not None:
        rows = rows.filter(position__lt=wanted.before)
    if wanted.since or wanted.until:
        first, behind = _bounds(wanted.since, wanted.until)
        if wanted.since:
            rows = rows.none() if first is None else rows.filter(position__gte=first)
        if behind is not None:
            rows = rows.filter(position__lt=behind)
    return rows


def _bounds(since: date | None, until: date | None) -> tuple[int | None, int | None]:
    """The first position of the first day, and that behind the last day, in one statement."""
    days = (since, until and until + ONE_DAY)
    # Any row serves to carry the two positions.
    carrier = JournalEntry.objects.order_by("position").values_list(*map(_first_from, days))
    bounds: tuple[int | None, int | None] | None = carrier.first()
    return bounds or (None, None)


def _first_from(day: date | None) -> Combinable:
    if day is None:
        return Value(None, BigIntegerField())
    times = JournalEntry.objects.filter(at__gte=start_of(day)).order_by("at", "position")
    return Subquery(times.values("position")[:1])
