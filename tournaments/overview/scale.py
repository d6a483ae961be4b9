"""The remaining players as faces on one scale of chips, with the lines to stay above."""

from typing import Final, NamedTuple

from games.words.naming import player_title
from tournaments.event.organiser import structure_of
from tournaments.event.ranked import entries_ranked
from tournaments.mathematics.rounds import line_of
from tournaments.models import Entry, Tournament
from tournaments.overview.progress_view import goes_out
from tournaments.overview.words import chips

# With more players faces would cover one another.
FACES_MAX: Final = 24
FACES_MIN: Final = 3
# Faces hang in so many rows, so that neighbours do not cover one another.
ROWS: Final = 3


class Face(NamedTuple):
    name: str
    face: int
    # Where it is, in per cent of the whole width, and in which row.
    at: str
    row: int
    mine: bool
    is_below_next: bool


class Mark(NamedTuple):
    """A number of chips on the scale."""

    at: str
    words: str


class Scale(NamedTuple):
    """The scale; without a knock-out it has no lines."""

    faces: tuple[Face, ...]
    marks: tuple[Mark, ...]
    line: Mark | None
    next_line: Mark | None


def scale(tournament: Tournament, mine: Entry | None) -> Scale | None:
    """The scale of an event that is played until others are out, once few enough are left."""
    if tournament.state != Tournament.State.RUNNING or not goes_out(tournament):
        return None
    if not FACES_MIN <= tournament.players_left <= FACES_MAX:
        return None
    left = list(entries_ranked(tournament).filter(group=0).select_related("player"))
    now, later = _lines(tournament)
    most = max([one.chips for one in left] + [later or 0]) or 1
    faces = tuple(
        Face(
            name=player_title(one.player.username, one.player.is_bot),
            face=one.player.face,
            at=_at(one.chips, most),
            row=number % ROWS,
            mine=mine is not None and one.pk == mine.pk,
            is_below_next=later is not None and one.chips < later,
        )
        for number, one in enumerate(left)
    )
    marks = tuple(Mark(_at(amount, most), chips(amount)) for amount in (0, most // 2, most))
    return Scale(faces, marks, _mark(now, most), _mark(later, most))


def _lines(tournament: Tournament) -> tuple[int | None, int | None]:
    """The line of the present level, and that of the next."""
    structure = structure_of(tournament)
    if structure.knock_out is None:
        return None, None
    at = max(1, tournament.level)
    points = [level.point or 0 for level in structure.levels[at - 1 : at + 1]]
    lines = [line_of(structure.knock_out, point) for point in points]
    return lines[0], lines[1] if len(lines) > 1 else None


def _mark(amount: int | None, most: int) -> Mark | None:
    return None if amount is None else Mark(_at(amount, most), chips(amount))


def _at(amount: int, most: int) -> str:
    """In per cent, with a point in every language: it is an attribute of a drawing."""
    return f"{100 * amount / most:.1f}%"
