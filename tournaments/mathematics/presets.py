"""Eight events to start from, and the same event with other stakes or for another game."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import convert
from msgspec.structs import replace

from games.rules.catalogue import game_type
from tournaments.mathematics.prize_curve import Curve, Shape, payouts_of
from tournaments.mathematics.structure import Level, Structure, game_of

# Figures are rounded to what players expect to read: two digits, the second one 0 or 5, such as
# 15, 20, 300 or 4,500. Below ten every number is used.

RISE_USUAL: Final = 1.5


def rounded(amount: float) -> int:
    """The nearest figure that players expect, at least 1."""
    if amount < 10:
        return max(1, round(amount))
    unit = 5 * 10 ** (len(str(int(amount))) - 2)
    return int(unit * round(amount / unit))


def filled(first: int, rise_percent: int, count: int) -> tuple[int, ...]:
    """So many stakes from the first one up, each at least 1 above the one before."""
    exact, stakes = float(first), [first]
    for _ in range(count - 1):
        exact *= 1 + rise_percent / 100
        stakes.append(max(rounded(exact), stakes[-1] + 1))
    return tuple(stakes)


def raised(stakes: Sequence[int]) -> tuple[int, ...]:
    """Each level gets the stake of the next one; the last one rises as it has done before."""
    return (*stakes[1:], _above(stakes))


def lowered(stakes: Sequence[int]) -> tuple[int, ...]:
    """Each level gets the stake of the one before; the first one falls as the second has risen."""
    rise = stakes[1] / stakes[0] if len(stakes) > 1 and stakes[0] else RISE_USUAL
    return (min(stakes[0], rounded(stakes[0] / max(rise, 1.0))), *stakes[:-1])


def _above(stakes: Sequence[int]) -> int:
    rise = stakes[-1] / stakes[-2] if len(stakes) > 1 and stakes[-2] else RISE_USUAL
    return max(rounded(stakes[-1] * max(rise, 1.0)), stakes[-1])


# A ticket of a satellite is paid for by so many entries.
ENTRIES_PER_TICKET: Final = 5
TICKET_USUAL: Final = 100
FEE_PERCENT: Final = 10

Fields = dict[str, Any]


def preset(name: str, title: str, currency: str, unit: int, ticket: int | None = None) -> Structure:
    """A preset under a title. `ticket` is what a satellite's prizes are worth, in minor units."""
    fields = PRESETS[name](unit)
    if name == SATELLITE:
        fields |= _ticket_price(ticket or TICKET_USUAL * unit)
    return convert({"name": title, "currency": currency, **fields}, Structure)


def _price(unit: int, stake: int) -> Fields:
    return {"stake": stake * unit, "fee": stake * unit * FEE_PERCENT // 100}


def _ticket_price(ticket: int) -> Fields:
    """The price of a fifth of a ticket, rounded up so that five entries always pay for one."""
    stake = -(-ticket // ENTRIES_PER_TICKET)
    return {"stake": stake, "fee": stake * FEE_PERCENT // 100}


def _prizes(paid: int, shape: Shape, entries_max: int) -> Fields:
    return {"payouts": payouts_of(Curve(paid, shape), entries_max)}


def _timed(first: int, count: int, minutes: int) -> Fields:
    *levels, last = filled(first, 45, count)
    timed = [{"point": point, "seconds": 60 * minutes} for point in levels]
    return {"levels": [*timed, {"point": last}]}


def _thirteen(entries: int) -> Fields:
    return {
        "game": "chinese_poker",
        "table_size": 4,
        "field_max": entries,
        "starting_chips": 2_000,
        "decision_seconds": 40,
    }


def _doudizhu(entries: int) -> Fields:
    return {"game": "doudizhu", "table_size": 3, "field_max": entries, "starting_chips": 1_000}


def _sit_and_go(unit: int) -> Fields:
    *levels, last = filled(20, 60, 6)
    return {
        **_thirteen(4),
        **_price(unit, 10),
        "kind": "sit_and_go",
        "field_min": 4,
        "payouts": {"by": "percentage", "shares": [{"share": 6_200}, {"share": 3_800}]},
        "levels": [*({"point": point, "hands": 6} for point in levels), {"point": last}],
    }


def _evening(unit: int) -> Fields:
    return {
        **_doudizhu(120),
        **_price(unit, 20),
        **_prizes(15, "even", 120),
        **_timed(10, 14, 6),
        "kind": "knock_out",
        "field_min": 9,
        "guarantee": 500 * unit,
        "knock_out": {"line_points": 15, "until": 3},
    }


def _freezeout(unit: int) -> Fields:
    return {
        **_thirteen(300),
        **_price(unit, 50),
        **_prizes(15, "even", 600),
        **_timed(10, 18, 10),
        "kind": "freeze_out",
        "field_min": 8,
        "guarantee": 2_000 * unit,
        "breaks": [{"after_level": 4, "seconds": 300}, {"after_level": 9, "seconds": 300}],
        "late_registration_level": 4,
        "reentries": {"most": 1, "until_level": 4},
    }


def _with_rounds(unit: int, rounds: Fields) -> Fields:
    return {
        **_doudizhu(300),
        **_price(unit, 50),
        **_prizes(10, "even", 300),
        **_timed(10, 14, 6),
        "kind": "knock_out",
        "field_min": 18,
        "knock_out": {"line_points": 15, "until": 12},
        "rounds": {
            "point": 10,
            "chips": 2_000,
            "carry": {"divide_by": 20, "most": 500},
            **rounds,
        },
    }


def _fixed_rounds(unit: int) -> Fields:
    return _with_rounds(unit, {"manner": "fixed", "count": 2, "hands": 6})


def _swiss_rounds(unit: int) -> Fields:
    return _with_rounds(unit, {"manner": "swiss", "count": 4, "hands": 3})


def _duplicate(unit: int) -> Fields:
    return {
        **_doudizhu(60),
        **_price(unit, 20),
        **_prizes(25, "even", 60),
        "kind": "duplicate",
        "field_min": 6,
        "starting_chips": 2_000,
        "levels": [{"point": 10}],
        "duplicate": {"rounds": 3, "deals": 8, "manner": "swiss"},
    }


def _free(unit: int) -> Fields:
    return {
        **_thirteen(100),
        **_prizes(20, "flat", 100),
        **_timed(20, 14, 6),
        "kind": "freeze_out",
        "field_min": 4,
        "stake": 0,
        "guarantee": 50 * unit,
        "late_registration_level": 2,
    }


def _satellite(_unit: int) -> Fields:
    return {
        **_thirteen(100),
        **_prizes(100 // ENTRIES_PER_TICKET, "equal", 100),
        **_timed(20, 14, 6),
        "kind": "freeze_out",
        "field_min": ENTRIES_PER_TICKET,
        "late_registration_level": 2,
    }


SATELLITE: Final = "satellite"
PRESETS: Final[dict[str, Callable[[int], Fields]]] = {
    "sit_and_go": _sit_and_go,
    "evening": _evening,
    "freezeout": _freezeout,
    "fixed_rounds": _fixed_rounds,
    "swiss_rounds": _swiss_rounds,
    "duplicate": _duplicate,
    "free": _free,
    SATELLITE: _satellite,
}


# At games with a banker, the highest bet of a level is so many times its lowest one.
BETS: Final = 5


def with_game(structure: Structure, game: str) -> Structure:
    """The same structure for another game of `GAMES`."""
    if game == structure.game:
        return structure
    changed = replace(structure, game=game, options={})
    played, banker = game_of(changed, {}), has_banker(game)
    size = min(played.seats, key=lambda seats: abs(seats - structure.table_size))
    levels = tuple(level_for(level, banker) for level in structure.levels)
    return _seated(replace(changed, levels=levels), size, played.seats[0])


def has_banker(game: str) -> bool:
    """Whether players of a game bet against a banker, instead of playing for points."""
    return getattr(game_type(game)(), "bet_limits", None) is not None


def _seated(structure: Structure, size: int, least: int) -> Structure:
    """With tables of another size, of which each plays with at least so many."""
    field = structure.field_min
    if structure.kind == "sit_and_go":
        field = max(1, structure.field_max // structure.table_size) * size
        return replace(structure, table_size=size, field_min=field, field_max=field)
    if structure.kind == "duplicate":
        # At fewer than two tables there is nothing to compare.
        field = max(field, 2 * size)
    knock_out = structure.knock_out
    if knock_out is not None:
        knock_out = replace(knock_out, until=max(knock_out.until, least))
    return replace(structure, table_size=size, field_min=max(field, least), knock_out=knock_out)


def level_for(level: Level, banker: bool) -> Level:
    """A level with bets in place of a point, or the other way round, as the game has them."""
    if banker and level.point is not None:
        return replace(level, point=None, bet_min=level.point, bet_max=BETS * level.point)
    if not banker and level.bet_min is not None:
        return replace(level, point=level.bet_min, bet_min=None, bet_max=None)
    return level
