"""The stages of an event in a row: past, present and coming ones."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.event.organiser import structure_of
from tournaments.mathematics.stage import ROUNDS_STAGE
from tournaments.models import Tournament
from tournaments.overview.progress_view import Progress
from tournaments.overview.terms import manner_name

PAST: Final = "past"
NOW: Final = "now"
NEXT: Final = "next"


class Stage(NamedTuple):
    """A part of the event; `when` is past, now or next."""

    name: str
    says: str
    when: str


def stages(tournament: Tournament, progress: Progress | None, paid: int) -> tuple[Stage, ...]:
    """The stages of an event that is open or played; none of one that is called off."""
    if tournament.state in (Tournament.State.CANCELLING, Tournament.State.CANCELLED):
        return ()
    named = list(_named(tournament, progress, paid))
    at = _reached(tournament, progress, len(named))
    return tuple(
        Stage(name, says, PAST if number < at else NOW if number == at else NEXT)
        for number, (name, says) in enumerate(named)
    )


def _named(
    tournament: Tournament, progress: Progress | None, paid: int
) -> Iterator[tuple[str, str]]:
    structure = structure_of(tournament)
    entered = ngettext("{players} player", "{players} players", tournament.entrants)
    yield _("Registration"), entered.format(players=tournament.entrants)
    if structure.knock_out is not None:
        yield _("Knock-out"), _("until {until} are left").format(until=structure.knock_out.until)
    if structure.rounds is not None:
        hands = ngettext("{hands} hand each", "{hands} hands each", structure.rounds.hands)
        yield (
            _numbered(manner_name(structure.rounds.manner), structure.rounds.count, progress),
            hands.format(hands=structure.rounds.hands),
        )
    elif structure.duplicate is not None:
        deals = ngettext("{deals} deal each", "{deals} deals each", structure.duplicate.deals)
        yield (
            _numbered(_("Rounds"), structure.duplicate.rounds, progress),
            deals.format(deals=structure.duplicate.deals),
        )
    elif structure.knock_out is None:
        yield pgettext("a tournament", "Play"), _("out without chips")
        if structure.field_max > structure.table_size:
            yield _("Final table"), _("the last {players}").format(players=structure.table_size)
    places = ngettext("{paid} place is paid", "{paid} places are paid", paid)
    yield pgettext("a tournament", "Prizes"), places.format(paid=paid)


def _numbered(name: str, count: int, progress: Progress | None) -> str:
    if progress is None or not progress.round:
        return _("{name}: {count}").format(name=name, count=count)
    return _("{name}: {number} of {count}").format(name=name, number=progress.round, count=count)


def _reached(tournament: Tournament, progress: Progress | None, count: int) -> int:
    if tournament.state in (Tournament.State.ANNOUNCED, Tournament.State.SEATING):
        return 0
    if tournament.state != Tournament.State.RUNNING:
        return count - 1
    if tournament.stage == ROUNDS_STAGE:
        return 2
    is_final = tournament.final_table and progress is None and tournament.kind != "knock_out"
    return count - 2 if is_final else 1
