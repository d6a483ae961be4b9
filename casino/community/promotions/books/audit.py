"""Play all facts through all versions again, and compare every progress, award and posting.

Nothing earned is missing, and nothing paid is unearned. Facts are read from hands, deposits and
what players gave up, as when they were taken; the rules are those of the engine.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from django.db.models import Sum

from casino.community.promotions.books import facts, paying, shop, stored_runs
from casino.community.promotions.books.earners import Earners
from casino.community.promotions.models import (
    PointsMonth,
    PromotionAward,
    PromotionVersion,
    Taking,
)
from casino.community.promotions.rules.engine import HELD, PAID, RELEASED, Room, Run
from casino.community.promotions.rules.levels import Months, Points
from tournaments.models import Ticket
from wallets.models import Account, Entry, Transaction
from wallets.models.holders import player_reference
from wallets.storage.replica import snapshot

HANDS_AT_ONCE: Final = 5_000
_PREFIX: Final = "promotions:"


def findings(_since: date | None = None) -> Iterator[str]:
    """The differences between what is stored and what the facts give."""
    with snapshot():
        findings = list(_differing())
    yield from (f"{_PREFIX} {sentence}" for sentence in findings)


def replayed(versions: list[PromotionVersion], position: Taking) -> Room:
    """All versions with every fact since the beginning."""
    runs = {version.pk: stored_runs.run_of(version) for version in versions}
    room = Room(stored_runs.linked(versions, runs), Points(), Earners())
    since = position.since
    while since < position.until:
        until = facts.next_until(since, position.until, HANDS_AT_ONCE)
        room.take(facts.events(since, until))
        since = until
    room.close(position.until)
    return room


def _differing() -> Iterator[str]:
    position = Taking.objects.filter(pk=1).first()
    if position is None:
        if PromotionAward.objects.exists():
            yield "there are awards, and no facts were taken"
        return
    versions = stored_runs.published(position.until)
    room = replayed(versions, position)
    for version in versions:
        yield from _of_version(version, room.runs[version.pk])
    for award in PromotionAward.objects.exclude(version__in=versions):
        values = f"{award.version_id} {award.currency_id} {stored_runs.award_of(award)}"
        yield f"award {award.pk} belongs to no version that was in force: {values}"
    idle = PromotionVersion.objects.exclude(pk__in=room.runs).exclude(stopped_at=None)
    for version in idle.select_related("promotion"):
        yield f"{version.reference} stopped at {version.stopped_at}, and was never in force"
    yield from _points(room.points.months)
    yield from _postings()
    yield from _tickets()
    yield from shop.findings()
    yield from _held()


def _of_version(version: PromotionVersion, run: Run) -> Iterator[str]:
    stored = {
        (row.player_id, row.window, row.entry): (stored_runs.progress_of(row), row.is_closed)
        for row in version.progress.all()
    }
    due = {key: (row, row.window in run.closed) for key, row in run.progress.items()}
    yield from _compared(f"{version.reference} progress", stored, due)
    awards = {(row.player_id, row.fact): stored_runs.award_of(row) for row in version.awards.all()}
    yield from _compared(f"{version.reference} award", awards, run.awards)
    for row in version.awards.exclude(currency=run.declaration.currency):
        yield f"{version.reference} award {row.pk} is in {row.currency_id}"
    if version.stopped_at != run.stopped_at:
        yield f"{version.reference} stopped at {version.stopped_at}, and not at {run.stopped_at}"


def _compared(what: str, stored: Mapping[Any, Any], due: Mapping[Any, Any]) -> Iterator[str]:
    for key in sorted(stored.keys() | due.keys()):
        if stored.get(key) != due.get(key):
            words = " ".join(map(str, key))
            if key not in stored:
                yield f"{what} {words} is missing"
            elif key not in due:
                yield f"{what} {words} is not earned: {stored[key]}"
            else:
                yield f"{what} {words} is {stored[key]}, and should be {due[key]}"


def _points(due: Months) -> Iterator[str]:
    rows = PointsMonth.objects.all()
    stored = {(row.player_id, row.currency_id, row.month): row.kept for row in rows}
    yield from _compared("points", stored, due)


def _postings() -> Iterator[str]:
    """Each award has its postings, and each posting its award."""
    wanted: dict[Any, tuple[str, int, int, str]] = {}
    for award in PromotionAward.objects.select_related("version__promotion"):
        if award.is_posted and not paying.is_ticket(award):
            target = Account.Kind.BONUS if paying.is_bonus(award) else Account.Kind.PLAYER
            key = paying.key_of(award)
            wanted[key] = (paying.AWARD, award.player_id, award.amount, str(target))
        if award.is_ended:
            kind = paying.RELEASE if award.state == RELEASED else paying.RETURN
            key = paying.end_key_of(award)
            wanted[key] = (kind, award.player_id, -award.amount, str(Account.Kind.BONUS))
            if award.state in (PAID, HELD):
                yield f"award {award.pk} is {award.state}, and has ended"
    kinds = (paying.AWARD, paying.RELEASE, paying.RETURN)
    posted = dict(Transaction.objects.filter(kind__in=kinds).values_list("key", "pk"))
    entries = defaultdict(list)
    rows = Entry.objects.filter(transaction__kind__in=kinds).select_related("account")
    for entry in rows:
        entries[entry.transaction_id].append(
            (entry.account.owner, entry.amount, entry.account.kind)
        )
    for key, number in posted.items():
        if key not in wanted:
            yield f"posting {key} belongs to no award"
            continue
        _kind, player, amount, account = wanted[key]
        if (player_reference(player), amount, account) not in entries[number]:
            yield f"posting {key} does not pay what its award says"
    for key in wanted.keys() - posted.keys():
        yield f"posting {key} is missing"


def _tickets() -> Iterator[str]:
    """Each award of a ticket has one, and each ticket of a promotion its award."""
    due = {
        paying.ticket_key_of(award): (award.player_id, award.amount, award.currency_id)
        for award in PromotionAward.objects.select_related("version__promotion")
        if award.is_posted and paying.is_ticket(award)
    }
    rows = Ticket.objects.filter(source__startswith="promotion:")
    given = {row.key: (row.player_id, row.worth, row.currency_id) for row in rows}
    yield from _compared(
        "ticket",
        {(key,): row for key, row in given.items()},
        {(key,): row for key, row in due.items()},
    )


def _held() -> Iterator[str]:
    """Accounts of bonuses hold what is still to be wagered."""
    due: defaultdict[tuple[str, str], int] = defaultdict(int)
    held = PromotionAward.objects.filter(to_wager__gt=0, is_posted=True, is_ended=False)
    for player, currency, amount in held.values_list("player", "currency").annotate(
        sum=Sum("amount")
    ):
        due[player_reference(player), currency] += amount
    accounts = Account.objects.filter(kind=Account.Kind.BONUS)
    for owner, currency, balance in accounts.values_list("owner", "currency", "balance"):
        if balance != due.pop((owner, currency), 0):
            yield f"the bonus of {owner} in {currency} is not what its awards say"
    for (owner, currency), amount in due.items():
        if amount:
            yield f"the bonus of {owner} in {currency} is missing"
