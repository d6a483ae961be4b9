"""The road maps as pictures: SVG made on the server from the results of a shoe.

They look as players know them. Banker and red entries are round, player and blue ones are square
with round corners, so that no map relies on colour alone; beads carry their letter. On the big
road a tie is a stroke, with its number where there are several, a pair a dot at the corner of its
side, a natural a dot in the middle. Of the derived roads the big eye boy is drawn in rings, the
small road in discs, the cockroach road in strokes that lean right for red and left for blue.

A cell is ten units wide; the style sheet says how many pixels that is, and lays the grid under it.
The five maps are put together here and not in a template, which would take ten times as long.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.pieces.engine import Html, joined, remembered
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
# How many columns are drawn at least, and how many results are put into words.
COLUMNS: Final = 8
SPOKEN: Final = 10
# The places of pair marks, by the corner of their side.
BANKER_PAIR: Final = SafeString('<circle class="pair banker" cx="1.8" cy="1.8" r="1.5"/>')
PLAYER_PAIR: Final = SafeString('<circle class="pair player" cx="8.2" cy="8.2" r="1.5"/>')
NATURAL: Final = SafeString('<circle class="natural" cx="5" cy="5" r="1.2"/>')
TIE: Final = SafeString('<path class="tied" d="M1 9L9 1"/>')
DISC: Final = SafeString('<circle cx="5" cy="5" r="4.4"/>')
RING: Final = SafeString('<circle cx="5" cy="5" r="3.7"/>')
SQUARE: Final = SafeString('<rect x="1.3" y="1.3" width="7.4" height="7.4" rx="2.4"/>')
WIDE: Final = SafeString('<rect x=".6" y=".6" width="8.8" height="8.8" rx="2.8"/>')
RIGHT: Final = SafeString('<path d="M1.8 8.2L8.2 1.8"/>')
LEFT: Final = SafeString('<path d="M1.8 1.8L8.2 8.2"/>')
NOTHING: Final = SafeString("")
SPACE: Final = SafeString(" ")
OPENINGS: Final = {
    kind: format_html('<g class="{}" transform="translate(', kind)
    for kind in ("banker", "player", "tie", "red", "blue")
}
CLOSES: Final = SafeString(')">')
ENDS: Final = SafeString("</g>")
PAIRS: Final = {
    (False, False): NOTHING,
    (True, False): BANKER_PAIR,
    (False, True): PLAYER_PAIR,
    (True, True): BANKER_PAIR + PLAYER_PAIR,
}
BEADS: Final = {"banker": DISC, "player": WIDE, "tie": DISC}
SHAPES: Final = {"banker": RING, "player": SQUARE, "red": RING, "blue": SQUARE}
STROKES: Final = {"red": RIGHT, "blue": LEFT}

# How many columns a row of the lobby shows, and its entries, each placed from its cell's corner.
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
    """An entry of a map: its place, its kind and the marks that show it."""

    column: int
    row: int
    kind: str
    marks: SafeString


class Drawn(NamedTuple):
    """The five maps of a shoe, the forecasts drawn from them, and a summary in words."""

    bead_plate: SafeString
    big_road: SafeString
    big_eye_boy: SafeString
    small_road: SafeString
    cockroach_road: SafeString
    # The next entries of the derived roads if banker or player wins.
    if_banker: SafeString
    if_player: SafeString
    counts: Counts
    summary: str


class SmallRoad(NamedTuple):
    """The end of the big road: one path for each side, on a canvas of this size."""

    paths: tuple[tuple[str, str], ...]
    width: int
    height: int
    label: str


def small_big_road(results: Sequence[Result]) -> Html:
    """The end of the big road for a row of the lobby; nothing where nothing has come yet."""
    if not results:
        return SafeString("")
    return remembered("families/baccarat/small_road.html", results=tuple(results))


def small_road(results: Sequence[Result]) -> SmallRoad:
    """A few hundred bytes, where a map of entries has some kilobytes."""
    cells = [cell for cell in big_road(results) if cell.result]
    first = max(0, max((cell.column for cell in cells), default=0) - COLUMNS_SMALL + 1)
    paths = {"banker": "", "player": ""}
    for cell in cells:
        if cell.result and cell.column >= first:
            place = f"M{(cell.column - first) * UNIT} {cell.row * UNIT}"
            paths[cell.result.winner] += place + SMALL[cell.result.winner]
    rows = 1 + max((cell.row for cell in cells), default=0)
    return SmallRoad(
        tuple((side, path) for side, path in paths.items() if path),
        COLUMNS_SMALL * UNIT,
        rows * UNIT,
        f"{NAMES['big_road']}: {_run_in_words(results)}",
    )


def draw(results: Sequence[Result]) -> Drawn:
    """The maps of these results, in the language that is spoken now."""
    return _draw(tuple(results), get_language() or "")


@lru_cache(maxsize=512)
def _draw(results: tuple[Result, ...], _language: str) -> Drawn:
    all_roads = roads(results)
    bead = _bead_marks()
    beads = [
        Cell(cell.column, cell.row, cell.result.winner, bead(cell.result))
        for cell in all_roads.bead_plate
    ]
    return Drawn(
        _map("bead_plate", beads, _latest_in_words(results)),
        _map(
            "big_road", [_on_big_road(cell) for cell in all_roads.big_road], _run_in_words(results)
        ),
        _derived("big_eye_boy", all_roads.big_eye_boy),
        _derived("small_road", all_roads.small_road),
        _derived("cockroach_road", all_roads.cockroach_road),
        _forecast("banker", all_roads.if_banker),
        _forecast("player", all_roads.if_player),
        all_roads.counts,
        _summary(all_roads.counts, results),
    )


# Entries.


def letter(winner: str) -> str:
    if winner == "banker":
        return pgettext("a bead of baccarat", "B")
    return (
        pgettext("a bead of baccarat", "P")
        if winner == "player"
        else pgettext("a bead of baccarat", "T")
    )


def _bead_marks() -> Callable[[Result], SafeString]:
    """Return a function that draws a bead; it looks up the letters once for a whole plate."""
    faces = {
        winner: format_html('{}<text x="5" y="7.4">{}</text>', BEADS[winner], letter(winner))
        for winner in BEADS
    }
    return lambda result: faces[result.winner] + _pairs(result)


def _on_big_road(cell: BigRoadCell) -> Cell:
    result = cell.result
    marks = NOTHING
    if result:
        marks = SHAPES[result.winner] + _pairs(result) + (NATURAL if result.natural else NOTHING)
    if cell.ties:
        marks += TIE
    if cell.ties > 1:
        marks += format_html('<text x="5" y="7.4">{}</text>', cell.ties)
    return Cell(cell.column, cell.row, result.winner if result else "tie", marks)


def _pairs(result: Result) -> SafeString:
    return PAIRS[result.banker_pair, result.player_pair]


def _shapes_of(road: str) -> dict[str, SafeString]:
    return STROKES if road == "cockroach_road" else SHAPES


# Maps.


def _map(name: str, cells: Sequence[Cell], words: str) -> SafeString:
    """One map; a column stays free for the next result."""
    columns = max(COLUMNS, 2 + max((cell.column for cell in cells), default=0))
    places = [SafeString(number * UNIT) for number in range(max(columns, ROWS))]  # nosec B703
    parts: list[SafeString] = []
    for column, row, kind, marks in cells:
        parts += OPENINGS[kind], places[column], SPACE, places[row], CLOSES, marks, ENDS
    return _svg(
        name.replace("_", "-"),
        columns * UNIT,
        ROWS * UNIT,
        joined(parts),
        f"{NAMES[name]}: {words}",
    )


def _derived(name: str, cells: Sequence[ColourCell]) -> SafeString:
    shapes = _shapes_of(name)
    drawn = [Cell(cell.column, cell.row, cell.colour, shapes[cell.colour]) for cell in cells]
    latest = ", ".join(str(COLOURS[cell.colour]) for cell in cells[-SPOKEN:])
    return _map(name, drawn, latest or _("not begun"))


def _forecast(side: str, answer: Answer) -> SafeString:
    """The entries that a win of this side would add, side by side."""
    entries: list[str] = []
    drawn = NOTHING
    for place, road in enumerate(DERIVED):
        colour = getattr(answer, road)
        entries.append(f"{NAMES[road]} {COLOURS[colour] if colour else '–'}")
        if colour:
            drawn += format_html(
                '<g class="{} {}" transform="translate({} 0)">{}</g>',
                colour,
                road.replace("_", "-"),
                place * UNIT,
                _shapes_of(road)[colour],
            )
    condition = _("If {side} comes next").format(side=term(side))
    return _svg("asked", len(DERIVED) * UNIT, UNIT, drawn, f"{condition}: {', '.join(entries)}")


def _svg(kind: str, width: int, height: int, drawn: Html, label: str) -> SafeString:
    return format_html(
        '<svg class="map {kind}" role="img" aria-label="{label}" width="{width}" height="{height}"'
        ' viewBox="0 0 {width} {height}" preserveAspectRatio="xMinYMin meet">{drawn}</svg>',
        kind=kind,
        label=label,
        width=width,
        height=height,
        drawn=drawn,
    )


# In words.


def _latest_in_words(results: Sequence[Result]) -> str:
    latest = [term(result.winner) for result in results[-SPOKEN:]]
    return (
        _("the latest last: {results}").format(results=", ".join(latest)) if latest else _("empty")
    )


def _run_in_words(results: Sequence[Result]) -> str:
    """The latest winner and the length of the run; ties do not end a run."""
    winners = [result.winner for result in results if result.winner != "tie"]
    if not winners:
        return _("empty")
    times = 1
    while times < len(winners) and winners[-1 - times] == winners[-1]:
        times += 1
    return ngettext("{side} {times} time", "{side} {times} times in a row", times).format(
        side=term(winners[-1]), times=times
    )


def _summary(counts: Counts, results: Sequence[Result]) -> str:
    """The shoe in one sentence, for screen readers."""
    if not results:
        return _("No round of this shoe has been played.")
    counted = ngettext(
        "{rounds} round: {banker}, {player}, {tie}.",
        "{rounds} rounds: {banker}, {player}, {tie}.",
        counts.rounds,
    )
    spots = {spot: f"{term(spot)} {getattr(counts, spot)}" for spot in ("banker", "player", "tie")}
    return f"{counted.format(rounds=counts.rounds, **spots)} {_run_in_words(results)}"
