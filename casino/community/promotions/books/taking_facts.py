"""Taking facts in: the one verb that changes progress and awards.

A worker takes what has happened since, in the order of time and in portions, each of which is one
transaction with the position up to which it came. So no act of a player waits for it, no fact
counts twice however many workers take at once, and nothing is lost while no worker runs.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from casino.community.promotions.books import facts, paying, shown_levels, stored_runs
from casino.community.promotions.books.earners import Earners
from casino.community.promotions.models import Taking
from casino.community.promotions.rules.engine import Event, Reversal, Room
from casino.community.promotions.rules.facts import HandFact
from wallets.of_record.verbs import verb

# The transactions of hands and deposits have ended by then.
SETTLED: Final = timedelta(minutes=1)
HANDS_AT_ONCE: Final = 400
PORTIONS_MAX: Final = 50


@verb("house:promotions.take")
def take(now: datetime) -> int:
    """Take what has happened, then post what is due; return how many portions there were."""
    if not settings.PROMOTIONS:
        return 0
    portions = 0
    while portions < PORTIONS_MAX and _take_portion(now):
        portions += 1
    paying.post_due()
    shown_levels.refresh(now)
    return portions


def begin(at: datetime) -> Taking:
    """The position; facts before the first one never count."""
    return Taking.objects.get_or_create(pk=1, defaults={"since": at, "until": at})[0]


def _take_portion(now: datetime) -> bool:
    with transaction.atomic():
        begin(now - SETTLED)
        position = Taking.objects.select_for_update(skip_locked=True).filter(pk=1).first()
        if position is None or position.until >= now - SETTLED:
            # Another worker takes, or there is nothing new.
            return False
        since = position.until
        until = facts.next_until(since, now - SETTLED, HANDS_AT_ONCE)
        _take(facts.events(since, until), since, until, now)
        position.until = until
        position.save(update_fields=["until"])
    return until < now - SETTLED


def _take(events: list[Event], since: datetime, until: datetime, now: datetime) -> None:
    players = {player for event in events for player in players_of(event)}
    versions = stored_runs.published(until)
    runs = {version.pk: stored_runs.loaded(version, events, players) for version in versions}
    players |= {player for run in runs.values() for player in run.ending(until)}
    earners = Earners(players)
    earners.learn(players, since, now)
    ranked = {row.player for run in runs.values() for row in run.progress.values()}
    points = stored_runs.points_of(players | ranked)
    before = dict(points.months)
    room = Room(stored_runs.linked(versions, runs), points, earners)
    room.take(events)
    room.close(until)
    for version in versions:
        stored_runs.save(version, runs[version.pk])
    stored_runs.save_points(points, before)


def players_of(event: Event) -> set[int]:
    """Whom an event can bring something: the player, and who invited the player."""
    fact = event.fact if isinstance(event, Reversal) else event
    inviter = fact.inviter if isinstance(fact, HandFact) else 0
    return {fact.player, inviter} - {0}
