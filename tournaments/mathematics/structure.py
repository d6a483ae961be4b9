"""The structure of a tournament, as an operator writes it in a file.

`docs/tournaments.md` describes the file. Every file of the right shape can be read; `problems.py`
says what is wrong with what it means. All times are seconds, all money is minor units of the
structure's currency, and chips are worth no money.

**Periods.** The event passes through levels, some of them followed by a break. Levels of one
structure last for a time, or for hands: then the first table that has finished so many hands in the
level ends it for all, so that slow play gains nothing. The last level lasts until the end,
regardless of its duration.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, convert, json

from games.rules.catalogue import GAMES as CATALOGUE
from games.rules.catalogue import against_house, game_type, of_today
from games.rules.contract import Amount, AnyGame
from games.rules.reading import read_json
from tournaments.mathematics.match_points import Duplicate
from tournaments.mathematics.payouts import Money, Payouts
from tournaments.mathematics.rounds import KnockOut, Rounds
from wallets.values import AMOUNT_MAX

# The games that people play against one another.
GAMES: Final = tuple(key for key in CATALOGUE if not against_house(key))
# The most seats that a table has at any of them.
TABLE_SIZE_MAX: Final = max(game_type(key).seats[-1] for key in GAMES)
# Options of a game that the structure itself decides.
RESERVED: Final = ("point", "bet_min", "bet_max", "rake_bp", "tournament", "edition")
FIELD_MAX: Final = 10_000

Kind = Literal["sit_and_go", "freeze_out", "knock_out", "duplicate"]
LevelNumber = Annotated[int, Meta(ge=1, le=200)]
Seconds = Annotated[int, Meta(ge=1, le=7 * 24 * 3_600)]
DecisionSeconds = Annotated[int, Meta(ge=5, le=600)]
PauseSeconds = Annotated[int, Meta(ge=2, le=600)]
FieldSize = Annotated[int, Meta(ge=2, le=FIELD_MAX)]
Chips = Annotated[int, Meta(ge=1, le=AMOUNT_MAX // FIELD_MAX)]


class Level(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The stakes of a level, and its length: a time or a number of hands."""

    # Chips a point; at games with a banker the limits of a bet take its place.
    point: Amount | None = None
    bet_min: Amount | None = None
    bet_max: Amount | None = None
    seconds: Seconds | None = None
    hands: Annotated[int, Meta(ge=1, le=10_000)] | None = None


class Break(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pause for all players when a level has ended."""

    after_level: LevelNumber
    seconds: Seconds


class Reentries(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of re-entry, which costs stake and fee and gives the starting chips."""

    most: Annotated[int, Meta(ge=1, le=100)]
    until_level: LevelNumber


class AddOn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each player in the event may buy more chips, once, from one level to another."""

    chips: Chips
    stake: Amount
    fee: Money = 0
    from_level: LevelNumber = 1
    until_level: LevelNumber


class Structure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that is fixed before a tournament is announced."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    kind: Kind
    game: str
    options: dict[str, Any] = {}
    # The currency of stakes, fees and prizes.
    currency: Annotated[str, Meta(min_length=1, max_length=8)] = "PLAY"

    field_min: FieldSize
    field_max: FieldSize
    table_size: Annotated[int, Meta(ge=2, le=TABLE_SIZE_MAX)]

    # The price of an entry: the stake is for the prize pool, the fee for the house.
    stake: Money
    fee: Money = 0
    guarantee: Money = 0
    payouts: Payouts

    starting_chips: Chips
    levels: Annotated[tuple[Level, ...], Meta(min_length=1, max_length=200)]
    breaks: tuple[Break, ...] = ()

    # Players may enter until this level ends; 0: until the start.
    late_registration_level: Annotated[int, Meta(ge=0, le=200)] = 0
    reentries: Reentries | None = None
    add_on: AddOn | None = None
    # Hand-for-hand begins with so many players more than are paid; 0: never.
    hand_for_hand: Annotated[int, Meta(ge=0, le=100)] = 1

    knock_out: KnockOut | None = None
    rounds: Rounds | None = None
    duplicate: Duplicate | None = None

    # The clocks of the tables.
    decision_seconds: DecisionSeconds = 20
    betting_seconds: DecisionSeconds = 15
    pause_seconds: PauseSeconds = 5


class Period(Struct, frozen=True):
    """A level, or the break after it, with what it lasts; neither where it lasts until the end."""

    level: int
    on_break: bool = False
    seconds: int | None = None
    hands: int | None = None


_DECODER: Final = json.Decoder(Structure)


def read(text: bytes) -> Structure:
    """The structure in a file; `Unreadable` with a path where its shape is wrong."""
    return read_json(text, _DECODER)


def write(structure: Structure) -> bytes:
    """The file of a structure, such that reading it gives the structure again."""
    return json.format(json.encode(structure)) + b"\n"


def game_at(structure: Structure, level: int) -> AnyGame:
    """The game as it is played at a level, counted from 1."""
    return game_of(structure, stakes_of(structure.levels[level - 1]))


def stakes_of(level: Level) -> dict[str, int]:
    """The options of a game that a level decides."""
    named = {"point": level.point, "bet_min": level.bet_min, "bet_max": level.bet_max}
    return {name: value for name, value in named.items() if value is not None}


def game_of(structure: Structure, stakes: dict[str, int]) -> AnyGame:
    """The game at some stakes: as tournaments are played, without rake."""
    options: dict[str, object] = {
        **structure.options,
        **stakes,
        "rake_bp": 0,
        "tournament": True,
    }
    game: AnyGame = convert(of_today(structure.game, options), game_type(structure.game))
    return game


def first_period(structure: Structure) -> Period:
    """Return the period with which an event starts."""
    return _level(structure, 1)


def period_after(structure: Structure, period: Period) -> Period:
    """Return the period after this one; the last level is followed by itself."""
    if not period.on_break:
        for pause in structure.breaks:
            if pause.after_level == period.level:
                return Period(period.level, on_break=True, seconds=pause.seconds)
    return _level(structure, min(period.level + 1, len(structure.levels)))


def _level(structure: Structure, number: int) -> Period:
    level = structure.levels[number - 1]
    if number == len(structure.levels):
        return Period(number)
    return Period(number, seconds=level.seconds, hands=level.hands)
