"""What reports add up, as plain values: measures by place and day, and what selects them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple, Self, TypeVar

from django.contrib.auth import get_user_model
from django.db.models import Model

from casino.office.reports.columns import By
from casino.office.reports.models import PlayerDay, PoolDay, TableDay
from games.rules.catalogue import GAMES, against_house
from wallets.values.days import end_of, start_of

# The bets against the house except the spots of baccarat: the main bet of a box, and its bonus bet.
WHOLE, MAIN, BONUS = "", "main", "bonus"
# Against whom hands are played.
HOUSE, PLAYERS = "house", "players"
# The kind of group in a row, by grouping, and its currency.
Group = tuple[Any, str]
Key = TypeVar("Key")


class Span(NamedTuple):
    """The days of a report, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def bounds(span: Span) -> tuple[datetime, datetime]:
    """From when to when the days of a range last, the end not included."""
    return start_of(span.first), end_of(span.last)


class Place(NamedTuple):
    """The table and profile of hands, with the day and the currency."""

    on: date
    table: int
    profile: str
    game: str
    currency: str


@dataclass(slots=True)
class Sums:
    """All measures that reports add up, in minor units; each kind of fact has some of them.

    The handle is what was bet before the cards, on which the promised returns are reckoned; where
    players play one another it is what the winners won, rake included.
    """

    hands: int = 0
    # Hands of earlier days that were reversed; their measures are subtracted.
    reversed: int = 0
    # Hands in which a person played; the others are the house's bots among themselves.
    with_people: int = 0
    handle: int = 0
    # The house's win before the pools' shares.
    won: int = 0
    rake: int = 0
    # The pools' income less their payments.
    pools: int = 0
    # The part of the gross revenue that came from the house's own bots.
    from_bots: int = 0
    # Over the hands: kept x kept, kept x handle, handle x handle.
    kept_squares: int = 0
    products: int = 0
    handle_squares: int = 0
    # A player's result after rake, as the stack changed, and the days with a hand.
    net: int = 0
    days: int = 0
    # What hands put into a jackpot, what it paid, and how often.
    fed: int = 0
    hit: int = 0
    hits: int = 0
    # What tournaments charged, and what the house gave to people.
    fees: int = 0
    grants: int = 0

    def add(self, other: Self) -> None:
        for name in MEASURES:
            if amount := getattr(other, name):
                setattr(self, name, getattr(self, name) + amount)

    @property
    def counted(self) -> int:
        """The hands that stand."""
        return self.hands - self.reversed

    @property
    def kept(self) -> int:
        """The part of the handle that the house keeps, with rake and without the pools' money."""
        return self.won + self.rake - self.pools

    @property
    def gross(self) -> int:
        return self.won + self.rake + self.fees

    @property
    def from_people(self) -> int:
        return self.gross - self.from_bots

    @property
    def earned(self) -> int:
        """The gross revenue from people less the jackpots' shares and grants."""
        return self.from_people - self.pools - self.grants


MEASURES: Final[tuple[str, ...]] = tuple(Sums.__slots__)
# Squares of amounts outgrow a column of numbers, so they are stored as text.
TEXTS: Final = ("kept_squares", "products", "handle_squares")
Kind = type[Model]
# By kind of fact: whose it is - a bet's (`WHOLE` for all bets), a player's, or a jackpot's.
SUBJECTS: Final[dict[Kind, str]] = {
    TableDay: "bet", PlayerDay: "player_id", PoolDay: "jackpot_id",
}  # fmt: skip
STORED: Final[dict[Kind, tuple[str, ...]]] = {
    kind: tuple(field.name for field in kind._meta.concrete_fields if field.name in MEASURES)
    for kind in SUBJECTS
}


class Fact(NamedTuple):
    """The measures of one bet, player or jackpot at a place."""

    place: Place
    of: Any
    sums: Sums


class Only(NamedTuple):
    """The facts behind a figure; empty fields do not matter."""

    currency: str = ""
    game: str = ""
    table: int = 0
    profile: str = ""
    player: int = 0
    # One bet, all bets of a hand together, or with None each of them.
    bet: str | None = WHOLE
    jackpot: int = 0
    against: str = ""
    # Without the house's bots.
    people: bool = False
    less_grants: bool = False
    # With the fees of tournaments.
    fees: bool = False

    @property
    def kind(self) -> Kind:
        if self.jackpot:
            return PoolDay
        return PlayerDay if self.player or self.people else TableDay

    def fits(self, place: Place) -> bool:
        return (
            self.currency in ("", place.currency)
            and self.game in ("", place.game)
            and self.table in (0, place.table)
            and self.profile in ("", place.profile)
            and (not self.against or (self.against == HOUSE) == against_house(place.game))
        )

    def fits_subject(self, kind: Kind, of: Any, bots: frozenset[int]) -> bool:
        if kind is TableDay:
            return self.bet in (None, of)
        if kind is PoolDay:
            return self.jackpot in (0, of)
        return self.player in (0, of) and not (self.people and of in bots)

    def filters(self, kind: Kind) -> dict[str, object]:
        """The same conditions for the database."""
        columns = {
            "currency": self.currency,
            "game": self.game,
            "table": self.table,
            "profile": self.profile,
        }
        filters: dict[str, object] = {name: value for name, value in columns.items() if value}
        if self.against:
            house = self.against == HOUSE
            filters["game__in"] = [game for game in GAMES if against_house(game) == house]
        if kind is TableDay and self.bet is not None:
            filters["bet"] = self.bet
        elif kind is PoolDay and self.jackpot:
            filters["jackpot"] = self.jackpot
        elif kind is PlayerDay:
            filters |= {"player": self.player} if self.player else {}
            filters |= {"player__is_bot": False} if self.people else {}
        return filters


EVERY: Final = Only()


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


def summed(facts: Iterable[Fact], key: Callable[[Fact], Key]) -> dict[Key, Sums]:
    sums: dict[Key, Sums] = {}
    for fact in facts:
        sums.setdefault(key(fact), Sums()).add(fact.sums)
    return sums


def added_up(facts: Iterable[Fact], by: By) -> dict[Group, Sums]:
    return summed(facts, lambda fact: group_of(fact.place, by, fact.of))


def bots() -> frozenset[int]:
    """The numbers of the house's bots. A player is a person; the bots' money is the house's own."""
    players: Any = get_user_model().objects
    return frozenset(players.filter(is_bot=True).values_list("pk", flat=True))


def player_sums(game: str, *, is_bot: bool, **measures: int) -> Sums:
    """A player's measures, with what the house won of them: their losses to it, or their rake."""
    sums = Sums(**measures)
    sums.won = -(sums.net + sums.rake) if against_house(game) else 0
    sums.from_bots = sums.gross if is_bot else 0
    return sums
