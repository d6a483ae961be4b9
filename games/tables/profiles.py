"""Tables that follow a profile: where the next hand is dealt, under the table's lock."""

import logging
from datetime import datetime

from games.models import ProfileVersion, Table
from games.rules.contract import most_seats
from games.tables.replay import game_from
from wallets.values.errors import Refused

log = logging.getLogger(__name__)


def version_in_force(profile_id: int, now: datetime) -> ProfileVersion | None:
    """The version that was published from the latest time that is not in the future."""
    published = ProfileVersion.objects.filter(
        profile=profile_id, state=ProfileVersion.State.PUBLISHED, published_from__lte=now
    )
    return published.order_by("-published_from", "-number").first()


def follow(table: Table, now: datetime) -> None:
    """Give a locked table the options and settings of its profile, if they are others.

    The hand that runs keeps its own: it has a copy of them.
    """
    if table.profile_id is None:
        if table.profile_version_id is not None:
            table.profile_version = None
            table.save(update_fields=["profile_version"])
        return
    version = version_in_force(table.profile_id, now)
    if version is None or version.pk == table.profile_version_id:
        return
    if not fits(table, version):
        log.error("table %s cannot follow %s", table.pk, version.reference)
        return
    table.options, table.profile_version = version.options, version
    for name, value in version.table_settings.items():
        setattr(table, name, value)
    table.save(update_fields=["options", "profile_version", *version.table_settings])


def fits(table: Table, version: ProfileVersion) -> bool:
    """Whether the table has no more seats than the version has places for."""
    try:
        most = most_seats(game_from(table.game, version.options))
    except (Refused, ValueError):
        return False
    return table.places <= most
