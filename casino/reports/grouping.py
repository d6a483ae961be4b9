"""Grouping figures by day, game, table, profile or player, and saying what each group is."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from casino.reports.profiles import profile_in_words
from casino.reports.report import By, Column
from casino.reports.sums import Place, PlayerFigure, TableFigure
from games.models import Table

CURRENCY: Final = Column("currency", _("Currency"))
_COLUMNS: Final[dict[By, tuple[Column, ...]]] = {
    "day": (Column("day", _("Day"), "day"),),
    "game": (Column("game", _("Game")),),
    "table": (
        Column("table", _("Table")),
        Column("number", _("Number"), "text"),
        Column("game", _("Game")),
    ),
    "profile": (Column("profile", _("Profile")), Column("game", _("Game"))),
    "player": (Column("player", _("Player")), Column("number", _("Number"), "text")),
}
# What a group is, in a row, by how it is grouped.
Group = tuple[Any, ...]
Figure = TypeVar("Figure", TableFigure, PlayerFigure)


def key_columns(by: By) -> tuple[Column, ...]:
    return (*_COLUMNS[by], CURRENCY)


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


def described(groups: Iterable[Group], by: By) -> Callable[[Group], dict[str, Any]]:
    """The first columns of a row for each group, and what opens the hands behind it."""
    names = _names([one[0] for one in groups], by)

    def row(group: Group) -> dict[str, object]:
        of, currency = group
        found: dict[str, Any] = {"currency": currency, "_only": {"currency": currency}}
        only = found["_only"]
        if by == "day":
            found["day"] = of
            only |= {"from": of, "to": of}
        elif by == "game":
            found["game"] = only["game"] = of
        elif by == "table":
            found |= {"table": names.get(of[0], ""), "number": of[0], "game": of[1]}
            only |= {"table": of[0], "game": of[1]}
        elif by == "profile":
            found |= {"profile": profile_in_words(of[0]), "game": of[1]}
            only |= {"profile": of[0], "game": of[1]}
        else:
            found |= {"player": names.get(of, ""), "number": of}
            only["player"] = of
        return found

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
