"""The road maps as pictures: SVG made on the server from the results of a shoe.

They look as players know them. Banker and red entries are round, player and blue ones are square
with round corners, so that no map is told by colour alone; beads carry their letter. On the big
road a tie is a stroke, with its number where there are several, a pair a dot at the corner of its
side, a natural a dot in the middle. Of the derived roads the big eye boy is drawn in rings, the
small road in discs, the cockroach road in strokes that lean right for red and left for blue.

A cell is ten units wide; the style sheet says how many pixels that is, and lays the grid under it.
The strings are put together here and not in a template, which would take ten times as long.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.rules.baccarat.roads import (
    ROWS,
    Answer,
    BigRoadCell,
    ColourCell,
    Counts,
    Result,
    big_road,
    roads,
)
from games.words.naming import term

UNIT: Final = 10
# How many columns are drawn at least, and how many results are told in words.
COLUMNS: Final = 8
TOLD: Final = 10
# The places of pair marks, by the corner of their side.
BANKER_PAIR: Final = '<circle class="pair banker" cx="1.8" cy="1.8" r="1.5"/>'
PLAYER_PAIR: Final = '<circle class="pair player" cx="8.2" cy="8.2" r="1.5"/>'
NATURAL: Final = '<circle class="natural" cx="5" cy="5" r="1.2"/>'
TIE: Final = '<path class="tied" d="M1 9L9 1"/>'
DISC: Final = '<circle cx="5" cy="5" r="4.4"/>'
RING: Final = '<circle cx="5" cy="5" r="3.7"/>'
SQUARE: Final = '<rect x="1.3" y="1.3" width="7.4" height="7.4" rx="2.4"/>'
WIDE: Final = '<rect x=".6" y=".6" width="8.8" height="8.8" rx="2.8"/>'
RIGHT: Final = '<path d="M1.8 8.2L8.2 1.8"/>'
LEFT: Final = '<path d="M1.8 1.8L8.2 8.2"/>'
BEADS: Final = {"banker": DISC, "player": WIDE, "tie": DISC}
SHAPES: Final = {"banker": RING, "player": SQUARE, "red": RING, "blue": SQUARE}
STROKES: Final = {"red": RIGHT, "blue": LEFT}

# How many columns stand in a row of the lobby, and the entries there, each from its cell's corner.
COLUMNS_SMALL: Final = 14
SMALL: Final = {"banker": "m1 5a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "player": "m1.5 1.5h7v7h-7z"}

DERIVED: Final = ("big_eye_boy", "small_road", "cockroach_road")
NAMES: Final = {
    "bead_plate": _l("Bead plate"),
    "big_road": _l("Big road"),
    "big_eye_boy": _l("Big eye boy"),
    "small_road": _l("Small road"),
    "cockroach_road": _l("Cockroach road"),
}
COLOURS: Final = {"red": _l("red"), "blue": _l("blue")}


class Cell(NamedTuple):
    """An entry in its place: what it is, and the marks that say so."""

    column: int
    row: int
    kind: str
    marks: str


class Drawn(NamedTuple):
    """The five maps of a shoe, what is asked of them, and all that in words."""

    bead_plate: SafeString
    big_road: SafeString
    big_eye_boy: SafeString
    small_road: SafeString
    cockroach_road: SafeString
    # What the derived roads would show next, were it banker or player.
    if_banker: SafeString
    if_player: SafeString
    counts: Counts
    told: str


def small_big_road(results: Sequence[Result]) -> SafeString:
    """The end of the big road for a row of the lobby; nothing where nothing has come yet."""
    return _small_big_road(tuple(results), get_language() or "") if results else SafeString("")


@lru_cache(maxsize=1024)
def _small_big_road(results: tuple[Result, ...], _language: str) -> SafeString:
    """One path for each side: a few hundred bytes, where a map of entries has some kilobytes."""
    cells = [cell for cell in big_road(results) if cell.result]
    first = max((cell.column for cell in cells), default=0) - COLUMNS_SMALL + 1
    drawn = {"banker": "", "player": ""}
    for cell in cells:
        if cell.result and cell.column >= max(0, first):
            place = f"M{(cell.column - max(0, first)) * UNIT} {cell.row * UNIT}"
            drawn[cell.result.winner] += place + SMALL[cell.result.winner]
    paths = "".join(f'<path class="{side}" d="{path}"/>' for side, path in drawn.items() if path)
    label = f"{NAMES['big_road']}: {_run_told(results)}"
    rows = 1 + max((cell.row for cell in cells), default=0)
    return _svg("small", COLUMNS_SMALL * UNIT, rows * UNIT, paths, label)


def draw(results: Sequence[Result]) -> Drawn:
    """The maps of these results, in the language that is spoken now."""
    return _draw(tuple(results), get_language() or "")


@lru_cache(maxsize=512)
def _draw(results: tuple[Result, ...], _language: str) -> Drawn:
    found = roads(results)
    bead = _bead_marks()
    beads = [
        Cell(one.column, one.row, one.result.winner, bead(one.result)) for one in found.bead_plate
    ]
    return Drawn(
        _map("bead_plate", beads, _latest_told(results)),
        _map("big_road", [_on_big_road(cell) for cell in found.big_road], _run_told(results)),
        _derived("big_eye_boy", found.big_eye_boy),
        _derived("small_road", found.small_road),
        _derived("cockroach_road", found.cockroach_road),
        _asked("banker", found.if_banker),
        _asked("player", found.if_player),
        found.counts,
        _told(found.counts, results),
    )


# Entries.


def letter(winner: str) -> str:
    """The letter on a bead."""
    if winner == "banker":
        return pgettext("a bead of baccarat", "B")
    return (
        pgettext("a bead of baccarat", "P")
        if winner == "player"
        else pgettext("a bead of baccarat", "T")
    )


def _bead_marks() -> Callable[[Result], str]:
    """What a bead shows; its letters are looked up once for a whole plate."""
    faces = {
        winner: f'{BEADS[winner]}<text x="5" y="7.4">{escape(letter(winner))}</text>'
        for winner in BEADS
    }
    return lambda result: faces[result.winner] + _pairs(result)


def _on_big_road(cell: BigRoadCell) -> Cell:
    result = cell.result
    marks = ""
    if result:
        marks = SHAPES[result.winner] + _pairs(result) + (NATURAL if result.natural else "")
    if cell.ties:
        marks += TIE
    if cell.ties > 1:
        marks += f'<text x="5" y="7.4">{cell.ties}</text>'
    return Cell(cell.column, cell.row, result.winner if result else "tie", marks)


def _pairs(result: Result) -> str:
    return f"{BANKER_PAIR if result.banker_pair else ''}{PLAYER_PAIR if result.player_pair else ''}"


def _shapes_of(road: str) -> dict[str, str]:
    return STROKES if road == "cockroach_road" else SHAPES


# Maps.


def _map(name: str, cells: Sequence[Cell], told: str) -> SafeString:
    """One map; a column stays free for what comes next."""
    columns = max(COLUMNS, 2 + max((cell.column for cell in cells), default=0))
    drawn = "".join(
        [
            f'<g class="{kind}" transform="translate({column * UNIT} {row * UNIT})">{marks}</g>'
            for column, row, kind, marks in cells
        ]
    )
    return _svg(
        name.replace("_", "-"), columns * UNIT, ROWS * UNIT, drawn, f"{NAMES[name]}: {told}"
    )


def _derived(name: str, cells: Sequence[ColourCell]) -> SafeString:
    shapes = _shapes_of(name)
    drawn = [Cell(cell.column, cell.row, cell.colour, shapes[cell.colour]) for cell in cells]
    latest = ", ".join(str(COLOURS[cell.colour]) for cell in cells[-TOLD:])
    return _map(name, drawn, latest or _("not begun"))


def _asked(side: str, answer: Answer) -> SafeString:
    """The entries that a win of this side would add, side by side."""
    drawn, told = "", []
    for place, road in enumerate(DERIVED):
        colour = getattr(answer, road)
        told.append(f"{NAMES[road]} {COLOURS[colour] if colour else '–'}")
        if colour:
            drawn += (
                f'<g class="{colour} {road.replace("_", "-")}"'
                f' transform="translate({place * UNIT} 0)">{_shapes_of(road)[colour]}</g>'
            )
    asked = _("If {side} comes next").format(side=term(side))
    return _svg("asked", len(DERIVED) * UNIT, UNIT, drawn, f"{asked}: {', '.join(told)}")


def _svg(kind: str, width: int, height: int, drawn: str, label: str) -> SafeString:
    # Everything in it is ours, or is escaped.
    return mark_safe(  # noqa: S308
        f'<svg class="map {kind}" role="img" aria-label="{escape(label)}" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}" preserveAspectRatio="xMinYMin meet">'
        f"{drawn}</svg>"
    )


# In words.


def _latest_told(results: Sequence[Result]) -> str:
    latest = [term(result.winner) for result in results[-TOLD:]]
    return (
        _("the latest last: {results}").format(results=", ".join(latest)) if latest else _("empty")
    )


def _run_told(results: Sequence[Result]) -> str:
    """Who has won last, and how often in a row; ties do not end a run."""
    winners = [result.winner for result in results if result.winner != "tie"]
    if not winners:
        return _("empty")
    times = 1
    while times < len(winners) and winners[-1 - times] == winners[-1]:
        times += 1
    return ngettext("{side} {times} time", "{side} {times} times in a row", times).format(
        side=term(winners[-1]), times=times
    )


def _told(counts: Counts, results: Sequence[Result]) -> str:
    """The shoe in one sentence, for those who hear the page."""
    if not results:
        return _("No round of this shoe has been played.")
    told = ngettext(
        "{rounds} round: {banker}, {player}, {tie}.",
        "{rounds} rounds: {banker}, {player}, {tie}.",
        counts.rounds,
    )
    spots = {spot: f"{term(spot)} {getattr(counts, spot)}" for spot in ("banker", "player", "tie")}
    return f"{told.format(rounds=counts.rounds, **spots)} {_run_told(results)}"
