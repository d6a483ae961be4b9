"""The reader's choice and order of the lobby's tables; the URL holds it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.lobby.listing import LEVELS, LobbyRow
from games.words.naming import FAMILIES, GAME_NAMES, games_of

LEVEL_NAMES: Final[dict[str, str | Promise]] = {
    "low": _("low stakes"),
    "middle": _("middle stakes"),
    "high": _("high stakes"),
}
ORDERS: Final[dict[str, tuple[str | Promise, Callable[[LobbyRow], Any]]]] = {
    "stakes": (_("smallest buy-in first"), lambda row: (row.currency, row.buy_in_min)),
    "people": (_("most people first"), lambda row: (-row.people, -len(row.faces))),
    "speed": (_("quickest moves first"), lambda row: row.seconds),
    "hands": (_("most hands an hour first"), lambda row: -row.hands_an_hour),
}


class LobbyFilters(NamedTuple):
    """The filters and the order. A field without a valid value in the URL is empty."""

    # A game or a family.
    game: str = ""
    currency: str = ""
    stakes: str = ""
    # Tables with a free seat.
    free: str = ""
    # Tables where people sit, not bots alone.
    people: str = ""
    # No tables where every seat is a person's.
    open: str = ""
    sort: str = ""

    @property
    def query(self) -> str:
        chosen = {name: value for name, value in self._asdict().items() if value}
        return f"?{urlencode(chosen)}" if chosen else ""

    @property
    def narrows(self) -> bool:
        return any(self._replace(sort=""))

    def wants(self, row: LobbyRow) -> bool:
        return (
            (not self.game or row.game in games_of(self.game))
            and (not self.currency or row.currency == self.currency)
            and (not self.stakes or row.level == self.stakes)
            and (not self.free or row.free > 0)
            and (not self.people or row.people > 0)
            and (not self.open or not row.is_full)
        )

    def choose(self, rows: Iterable[LobbyRow]) -> list[LobbyRow]:
        chosen = [row for row in rows if self.wants(row)]
        return sorted(chosen, key=ORDERS[self.sort][1]) if self.sort else chosen


def filters_from(query: Mapping[str, str]) -> LobbyFilters:
    game, stakes, sort = (query.get(name, "") for name in ("game", "stakes", "sort"))
    switches = {name: "1" if query.get(name) else "" for name in ("free", "people", "open")}
    return LobbyFilters(
        game=game if games_of(game) else "",
        currency=query.get("currency", "")[:8],
        stakes=stakes if stakes in LEVELS else "",
        sort=sort if sort in ORDERS else "",
        **switches,
    )


def game_choices() -> list[tuple[str | Promise, list[tuple[str, str | Promise]]]]:
    """The games to choose from, by family; a family of several can be chosen as a whole."""
    choices: list[tuple[str | Promise, list[tuple[str, str | Promise]]]] = []
    for family in FAMILIES:
        games = [(game, GAME_NAMES[game]) for game in family.games]
        whole = [(family.key, _("All of them"))] if len(games) > 1 else []
        choices.append((family.name, whole + games))
    return choices
