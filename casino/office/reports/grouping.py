"""Grouping figures by day, game, table, profile or player, and saying what each group is."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext

from casino.office.reports.columns import By, Row
from casino.office.reports.profiles import profile_in_words
from casino.office.reports.sums import Place
from games.models import Table

# The kind of group in a row, by grouping.
Group = tuple[Any, ...]


def group_of(place: Place, by: By, player: int = 0) -> Group:
    """The key of a group: what it is grouped by, and the currency, which is never mixed."""
    of: object = {
        "day": place.on,
        "game": place.game,
        "table": (place.table, place.game),
        "profile": (place.profile, place.game),
        "player": player,
    }[by]
    return of, place.currency


def described(groups: Iterable[Group], by: By) -> Callable[[Group], Row]:
    """Begin a row for each group: its first columns, and what selects the hands behind it."""
    names = _names([one[0] for one in groups], by)
    events = gettext("Tournaments")

    def row(group: Group) -> Row:
        of, currency = group
        found: dict[str, Any] = {"currency": currency}
        only: dict[str, Any] = {"currency": currency}
        if by == "day":
            found["day"] = of
            only |= {"from": of, "to": of}
        elif by == "game":
            found["game"] = only["game"] = of
        elif by == "table":
            # A fee of an event belongs to no table and to no profile.
            title = names.get(of[0], "") if of[0] else events
            found |= {"table": title, "number": of[0] or "", "game": of[1]}
            only |= {"table": of[0], "game": of[1]}
        elif by == "profile":
            found |= {"profile": profile_in_words(of[0]) if of[0] else events, "game": of[1]}
            only |= {"profile": of[0], "game": of[1]}
        else:
            found |= {"player": names.get(of, ""), "number": of}
            only["player"] = of
        return Row(found, only)

    return row


def _names(keys: list[Any], by: By) -> Mapping[int, str]:
    if by == "table":
        rows = Table.objects.filter(pk__in={number for number, _game in keys})
        return {one.pk: one.title for one in rows}
    if by == "player":
        # All at once: so many numbers do not fit into one statement.
        players = get_user_model().objects.values_list("pk", "username")
        return dict(players) if keys else {}
    return {}
