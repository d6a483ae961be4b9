"""Changing the rules of a table: told to its players, and in force from the next hand.

A change becomes a version of the table's rules that waits. The players at the table read of it, and
may leave; the hand after that is dealt under it, and no sooner than `READ_TIME` after it was told.
Where no person sits, it is in force at once.
"""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from games.models import ProfileVersion, Seat, Table, TableRules
from games.models.profiles import SETTINGS
from games.rules.contract import most_seats
from games.tables.hand_state import game_from
from wallets.values.errors import Refused

log = logging.getLogger(__name__)

# So long players have to read what changes before a hand is dealt under it.
READ_TIME: Final = timedelta(seconds=10)


def version_in_force(profile_id: int, now: datetime) -> ProfileVersion | None:
    """The version that was published from the latest time that is not in the future."""
    published = ProfileVersion.objects.filter(
        profile=profile_id, state=ProfileVersion.State.PUBLISHED, published_from__lte=now
    )
    return published.order_by("-published_from", "-number").first()


def begin(table: Table, now: datetime, cause: str = "") -> TableRules:
    """The first version: the table as it is."""
    return TableRules.objects.create(
        table=table, number=1, cause=cause, announced_at=now, applied_at=now, **_present(table)
    )


def plan(table: Table, now: datetime, cause: str = "", **changes: Any) -> TableRules | None:
    """Have the next hand of a locked table dealt under other rules; the caller stores the table.

    `changes` are `places` and `jackpots`; options and settings are those of the profile's version
    in force. What waits already is part of it. Return what waits now.
    """
    present, waits = _present(table), table.coming_rules
    wanted = _content(waits) if waits else dict(present)
    wanted |= changes
    version = table.profile_id and version_in_force(table.profile_id, now)
    if version and version.pk != wanted["profile_version_id"]:
        if fits(wanted["places"], table.game, version):
            wanted |= _of_version(version)
        else:
            log.error("table %s cannot follow %s", table.pk, version.reference)
    if waits and wanted == _content(waits):
        return waits
    table.coming_rules = None
    table.save(update_fields=["coming_rules"])
    if waits:
        waits.delete()
    if wanted == present:
        return None
    last = table.rules.order_by("-number").first() or begin(table, now)
    table.coming_rules = TableRules.objects.create(
        table=table,
        number=last.number + 1,
        cause=cause or (waits.cause if waits else ""),
        announced_at=now,
        **wanted,
    )
    table.save(update_fields=["coming_rules"])
    return table.coming_rules


def follow(table: Table, seats: Iterable[Seat], now: datetime) -> datetime | None:
    """Put what waits in force where a locked table would deal its next hand.

    Return until when the deal waits: the players have just been told, or what was read for the deal
    has to be read again.
    """
    if not _differs(table, now):
        return None
    if (waits := plan(table, now)) is None:
        return None
    announced = waits.announced_at + READ_TIME
    if now < announced and any(not seat.player.is_bot for seat in seats):
        return announced
    _apply(table, waits, now)
    return now


def _differs(table: Table, now: datetime) -> bool:
    if table.coming_rules_id is not None:
        return True
    if table.profile_id is None:
        if table.profile_version_id is not None:
            table.profile_version = None
            table.save(update_fields=["profile_version"])
        return False
    version = version_in_force(table.profile_id, now)
    return version is not None and version.pk != table.profile_version_id


def _apply(table: Table, rules: TableRules, now: datetime) -> None:
    """The hand that ran before keeps its own rules: it has a copy of them."""
    table.options, table.profile_version = rules.options, rules.profile_version
    table.places, table.coming_rules = rules.places, None
    for name, value in rules.table_settings.items():
        setattr(table, name, value)
    columns = ("options", "profile_version", "places", "coming_rules")
    table.save(update_fields=[*columns, *rules.table_settings])
    if rules.jackpots != jackpots_of(table):
        table.jackpots.set(rules.jackpots)
    rules.applied_at = now
    rules.save(update_fields=["applied_at"])


def jackpots_of(table: Table) -> list[int]:
    return sorted(table.jackpots.values_list("pk", flat=True))


def settings_of(table: Table) -> dict[str, Any]:
    return {name: getattr(table, name) for name in SETTINGS}


def _present(table: Table) -> dict[str, Any]:
    return {
        "profile_version_id": table.profile_version_id,
        "options": table.options,
        "table_settings": settings_of(table),
        "places": table.places,
        "jackpots": jackpots_of(table),
    }


def _content(rules: TableRules) -> dict[str, Any]:
    names = ("profile_version_id", "options", "table_settings", "places", "jackpots")
    return {name: getattr(rules, name) for name in names}


def _of_version(version: ProfileVersion) -> dict[str, Any]:
    return {
        "profile_version_id": version.pk,
        "options": version.options,
        "table_settings": version.table_settings,
    }


def fits(places: int, game: str, version: ProfileVersion) -> bool:
    """Whether a version has places for so many seats."""
    options: Mapping[str, Any] = version.options
    try:
        most = most_seats(game_from(game, dict(options)))
    except (Refused, ValueError):
        return False
    return places <= most
