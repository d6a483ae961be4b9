"""The faults of a structure that can be read: each with a code, a path and a sentence.

A structure with a problem is refused before it becomes a template. The order is that of the file.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec import ValidationError

from games.rules.contract import AnyGame, refused_options
from games.rules.errors import Unreadable
from tournaments.mathematics.payouts import (
    BASIS_POINTS,
    ByAmounts,
    ByFieldSize,
    ByPercentage,
    Share,
    prizes,
)
from tournaments.mathematics.preview import likely_length
from tournaments.mathematics.structure import GAMES, RESERVED, Level, Structure, game_of, stakes_of
from wallets.values.errors import Refused

SIT_AND_GO_MAX: Final = 27
HOURS_MAX: Final = 24


def problems(structure: Structure) -> list[Unreadable]:
    """Everything that is wrong; empty where the structure can be played."""
    game = list(_game(structure))
    unreadables = [*game, *_field(structure), *_payouts(structure), *_chips(structure)]
    unreadables += [*_levels(structure), *_breaks(structure), *_late(structure), *_kind(structure)]
    return unreadables or [*_below_entry(structure), *_length(structure)]


def require_sound(structure: Structure) -> None:
    """Refuse a structure that has a problem, with its first one."""
    for problem in problems(structure):
        raise problem


def _length(structure: Structure) -> Iterator[Unreadable]:
    hours = likely_length(structure, structure.field_max)[0] // 3_600
    if hours > HOURS_MAX:
        yield Unreadable(
            "too_long",
            "With {count} players it is likely to last {hours} hours: the last levels are too low.",
            count=structure.field_max,
            hours=hours,
        ).at("$.levels")


def _built(structure: Structure, level: Level) -> AnyGame | None:
    """The game at a level, or None where it cannot be built."""
    try:
        return game_of(structure, stakes_of(level))
    except (ValidationError, Refused):
        return None


def _default_game(structure: Structure) -> AnyGame | None:
    """The game with its options, at stakes of no matter; None where there is no such game."""
    return _built(structure, Level()) if structure.game in GAMES else None


def _has_banker(game: AnyGame) -> bool:
    return getattr(game, "bet_limits", None) is not None


def _game(structure: Structure) -> Iterator[Unreadable]:
    if structure.game not in GAMES:
        yield Unreadable(
            "not_for_tournaments",
            "There are no tournaments of the game {game}.",
            game=structure.game[:40],
        ).at("$.game")
        return
    for name in RESERVED:
        if name in structure.options:
            yield Unreadable(
                "option_decided_elsewhere",
                "The option {option} is not set here: the levels or the house decide it.",
                option=name,
            ).at(f"$.options.{name}")
            return
    try:
        game = game_of(structure, {})
    except ValidationError as error:
        yield Unreadable("options_refused", "The game refuses {reason}.", reason=str(error)).at(
            "$.options"
        )
        return
    refusal = refused_options(game)
    if refusal is not None:
        yield Unreadable(
            "options_refused", "The game refuses {reason}.", reason=refusal.sentence
        ).at("$.options")
    if _has_banker(game) and structure.options.get("banker") == "fixed":
        yield Unreadable(
            "banker_fixed",
            "At a tournament the banker rotates: no player can be banker throughout.",
        ).at("$.options.banker")
    if structure.table_size not in game.seats:
        yield Unreadable(
            "table_size",
            "{name} is played by {least} to {most} seats, not {count}.",
            name=game.name,
            least=game.seats[0],
            most=game.seats[-1],
            count=structure.table_size,
        ).at("$.table_size")


def _field(structure: Structure) -> Iterator[Unreadable]:
    least = _least_seats(structure)
    if structure.field_min < least:
        yield Unreadable(
            "field_too_small",
            "{count} players are too few: a table needs {least}.",
            count=structure.field_min,
            least=least,
        ).at("$.field_min")
    if structure.field_max < structure.field_min:
        yield Unreadable(
            "field_bounds", "The largest field is smaller than the smallest field."
        ).at("$.field_max")


def _least_seats(structure: Structure) -> int:
    game = _default_game(structure)
    return game.seats[0] if game is not None else 2


def least_pool(structure: Structure) -> int:
    """The prize pool of the smallest field, with the house's part of a guarantee."""
    return max(structure.stake * structure.field_min, structure.guarantee)


def _payouts(structure: Structure) -> Iterator[Unreadable]:
    pool = least_pool(structure)
    if not pool:
        yield Unreadable(
            "empty_pool", "Without a stake or a guarantee there is nothing to win."
        ).at("$.stake")
    match structure.payouts:
        case ByAmounts(amounts):
            yield from _amounts(structure, amounts, pool)
        case ByPercentage(shares):
            yield from _shares(shares, "$.payouts.shares")
        case ByFieldSize(tables):
            for number, table in enumerate(tables):
                yield from _shares(table.shares, f"$.payouts.tables[{number}].shares")
            starts = [table.entries_from for table in tables]
            if any(second <= first for first, second in pairwise(starts)):
                yield Unreadable(
                    "payouts_order", "List the prize tables from the smallest field upwards."
                ).at("$.payouts.tables")
            if starts[0] > structure.field_min:
                yield Unreadable(
                    "payouts_missing",
                    "No prize table covers a field of {count} players.",
                    count=structure.field_min,
                ).at("$.payouts.tables")


def _below_entry(structure: Structure) -> Iterator[Unreadable]:
    """At a sit-and-go each prize is at least the price of an entry."""
    if structure.kind != "sit_and_go":
        return
    players = structure.field_max
    pool = max(structure.stake * players, structure.guarantee)
    if min(prizes(structure.payouts, pool, players, players)) < structure.stake + structure.fee:
        yield Unreadable(
            "prize_below_entry", "At a sit-and-go no prize may be less than the entry costs."
        ).at("$.payouts")


def _amounts(structure: Structure, amounts: tuple[int, ...], pool: int) -> Iterator[Unreadable]:
    if structure.field_min != structure.field_max or structure.reentries or structure.add_on:
        yield Unreadable(
            "payouts_not_fixed",
            "Fixed prizes need a pool of known size; use shares instead.",
        ).at("$.payouts")
    elif sum(amounts) != pool:
        yield Unreadable(
            "payouts_do_not_sum",
            "The prizes add up to {sum}, and the pool is {pool}.",
            sum=sum(amounts),
            pool=pool,
        ).at("$.payouts.amounts")
    if len(amounts) > structure.field_min:
        yield Unreadable(
            "payouts_too_many",
            "{places} places are paid, and there are {players} players.",
            places=len(amounts),
            players=structure.field_min,
        ).at("$.payouts.amounts")
    yield from _rise(amounts, "$.payouts.amounts")


def _shares(shares: tuple[Share, ...], path: str) -> Iterator[Unreadable]:
    total = sum(share.share * share.places for share in shares)
    # Equal shares of three places, say, are 3,333 each: the prizes still make up the whole pool.
    equal = len(shares) == 1 and shares[0].share == BASIS_POINTS // shares[0].places
    if total != BASIS_POINTS and not equal:
        yield Unreadable(
            "payouts_do_not_sum",
            "The shares add up to {sum} basis points, and the pool is {pool}.",
            sum=total,
            pool=BASIS_POINTS,
        ).at(path)
    yield from _rise(tuple(share.share for share in shares), path)


def _rise(prizes: tuple[int, ...], path: str) -> Iterator[Unreadable]:
    for place, (first, second) in enumerate(pairwise(prizes), start=1):
        if second > first:
            yield Unreadable("payouts_rise", "A lower place is paid more than a higher one.").at(
                f"{path}[{place}]"
            )


def _chips(structure: Structure) -> Iterator[Unreadable]:
    unit = structure.levels[0].point or structure.levels[0].bet_min or 0
    needed = unit * (structure.knock_out.line_points if structure.knock_out else 1)
    if structure.starting_chips < max(needed, unit):
        yield Unreadable(
            "chips_too_few",
            "With {chips} chips all players are out at once: the first level needs {needed}.",
            chips=structure.starting_chips,
            needed=max(needed, unit),
        ).at("$.starting_chips")


def _levels(structure: Structure) -> Iterator[Unreadable]:
    for number, level in enumerate(structure.levels, start=1):
        yield from _level(structure, level, number)
    for number, (first, second) in enumerate(pairwise(structure.levels), start=2):
        falls = (second.point or 0) < (first.point or 0)
        falls |= (second.bet_min or 0) < (first.bet_min or 0)
        falls |= (second.bet_max or 0) < (first.bet_max or 0)
        if falls:
            yield Unreadable(
                "levels_fall", "Level {number} is lower than the one before.", number=number
            ).at(f"$.levels[{number - 1}]")


def _level(structure: Structure, level: Level, number: int) -> Iterator[Unreadable]:
    path = f"$.levels[{number - 1}]"
    game = _default_game(structure)
    bets = [bet for bet in (level.bet_min, level.bet_max) if bet is not None]
    if game is not None and _has_banker(game):
        if level.point is not None or len(bets) < 2:
            yield Unreadable(
                "level_stakes",
                "Level {number} needs a smallest and a largest bet, and no point value.",
                number=number,
            ).at(path)
    elif level.point is None or bets:
        yield Unreadable(
            "level_stakes", "Level {number} needs a point value, and no bets.", number=number
        ).at(path)
    elif game is not None and _built(structure, level) is None:
        yield Unreadable(
            "level_too_high", "The game is not played as high as level {number}.", number=number
        ).at(path)
    if bets != sorted(bets):
        yield Unreadable(
            "level_bets", "The smallest bet of level {number} is above its largest.", number=number
        ).at(path)
    is_last = number == len(structure.levels)
    timed = structure.levels[0].seconds is not None
    wanted, other = (level.seconds, level.hands) if timed else (level.hands, level.seconds)
    if other is not None or (wanted is None and not is_last):
        yield Unreadable(
            "level_duration",
            "Level {number} must be measured like the first one: by time or by hands.",
            number=number,
        ).at(path)


def _breaks(structure: Structure) -> Iterator[Unreadable]:
    after = [pause.after_level for pause in structure.breaks]
    for number, level in enumerate(after):
        if level >= len(structure.levels):
            yield Unreadable(
                "break_too_late", "There is no level after level {level}.", level=level
            ).at(f"$.breaks[{number}]")
        if level in after[:number]:
            yield Unreadable("break_twice", "Two breaks follow level {level}.", level=level).at(
                f"$.breaks[{number}]"
            )


def _late(structure: Structure) -> Iterator[Unreadable]:
    last = len(structure.levels) - 1
    until = {
        "late_registration_level": structure.late_registration_level,
        "reentries": structure.reentries.until_level if structure.reentries else 0,
        "add_on": structure.add_on.until_level if structure.add_on else 0,
    }
    for name, level in until.items():
        if level and structure.kind != "freeze_out":
            yield Unreadable(
                "freeze_out_only",
                "Only a freeze-out has late registration, re-entries or an add-on.",
            ).at(f"$.{name}")
        elif level > last:
            yield Unreadable(
                "level_without_end",
                "Level {level} does not end: entries would never close.",
                level=level,
            ).at(f"$.{name}")
    if structure.add_on and structure.add_on.from_level > structure.add_on.until_level:
        yield Unreadable("add_on_levels", "The add-on ends before it begins.").at("$.add_on")


def _kind(structure: Structure) -> Iterator[Unreadable]:
    parts = {"knock_out": "knock_out", "rounds": "knock_out", "duplicate": "duplicate"}
    for name, kind in parts.items():
        if getattr(structure, name) is not None and structure.kind != kind:
            yield Unreadable(
                "part_of_another_kind",
                "The part {part} belongs to another kind of tournament.",
                part=name,
            ).at(f"$.{name}")
    match structure.kind:
        case "sit_and_go":
            yield from _sit_and_go(structure)
        case "knock_out":
            yield from _knock_out(structure)
        case "duplicate":
            yield from _duplicate(structure)


def _sit_and_go(structure: Structure) -> Iterator[Unreadable]:
    size = structure.field_max
    if structure.field_min != size or size % structure.table_size or size > SIT_AND_GO_MAX:
        yield Unreadable(
            "sit_and_go_field",
            "A sit-and-go starts when all its seats are taken: its field is one size, a multiple "
            "of {seats}, and at most {most}.",
            seats=structure.table_size,
            most=SIT_AND_GO_MAX,
        ).at("$.field_max")


def _knock_out(structure: Structure) -> Iterator[Unreadable]:
    if structure.knock_out is None:
        yield _part_missing("knock_out")
        return
    until = structure.knock_out.until
    if until < _least_seats(structure) or until >= structure.field_min:
        yield Unreadable(
            "knock_out_until",
            "The knock-out cannot end with {count} players: a table needs {least}, and the field "
            "is at least {field}.",
            count=until,
            least=_least_seats(structure),
            field=structure.field_min,
        ).at("$.knock_out.until")
    if structure.rounds is not None and until % structure.table_size:
        yield Unreadable(
            "rounds_field",
            "{count} players do not fill tables of {seats}.",
            count=until,
            seats=structure.table_size,
        ).at("$.knock_out.until")
    yield from _needs_points(structure)


def _duplicate(structure: Structure) -> Iterator[Unreadable]:
    if structure.duplicate is None:
        yield _part_missing("duplicate")
    if len(structure.levels) > 1:
        yield Unreadable(
            "duplicate_levels", "The deals of a duplicate are all played at one level."
        ).at("$.levels")
    if structure.field_min < 2 * structure.table_size:
        yield Unreadable(
            "field_too_small",
            "With {count} players there are no two tables to compare.",
            count=structure.field_min,
        ).at("$.field_min")
    yield from _needs_points(structure)


def _part_missing(part: str) -> Unreadable:
    return Unreadable(
        "part_missing", "This kind of tournament needs the part {part}.", part=part
    ).at(f"$.{part}")


def _needs_points(structure: Structure) -> Iterator[Unreadable]:
    game = _default_game(structure)
    if game is not None and _has_banker(game):
        yield Unreadable(
            "needs_points",
            "This kind of tournament needs a game that is played for points, without a banker.",
        ).at("$.game")
