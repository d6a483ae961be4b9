"""The terms of an event, and the stages through which it goes."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.event.organiser import structure_of
from tournaments.mathematics.match_points import Duplicate
from tournaments.mathematics.rounds import KnockOut, Rounds
from tournaments.mathematics.stage import ROUNDS_STAGE
from tournaments.mathematics.structure import Structure
from tournaments.models import Tournament
from tournaments.overview.clock_view import Progress
from tournaments.overview.words import chips


class Term(NamedTuple):
    """A rule of the event, with what it is about."""

    about: str
    says: str


def terms(structure: Structure) -> tuple[Term, ...]:
    """The rules that a player of the event has to know; none where only chips count."""
    return tuple(_terms(structure))


def _terms(structure: Structure) -> Iterator[Term]:
    if structure.knock_out is not None:
        yield _knock_out(structure.knock_out)
    if structure.rounds is not None:
        yield Term(_("Carried over"), carry_in_words(structure.rounds))
        yield _rounds(structure.rounds)
    if structure.duplicate is not None:
        yield from _duplicate(structure.duplicate)


def _knock_out(played: KnockOut) -> Term:
    says = _(
        "The line is {times} × the point of the level. A player with fewer chips after a hand is "
        "out, until {until} are left. All tables play in step."
    )
    return Term(_("Knock-out"), says.format(times=chips(played.line_points), until=played.until))


def _rounds(played: Rounds) -> Term:
    hands = ngettext("{hands} hand each", "{hands} hands each", played.hands)
    length = ngettext("{rounds} round of {hands}", "{rounds} rounds of {hands}", played.count)
    says = _("{length}, at {point} chips a point. {manner} {ranking}").format(
        length=length.format(rounds=played.count, hands=hands.format(hands=played.hands)),
        point=chips(played.point),
        manner=_swiss_hands() if played.manner == "swiss" else _drawn(),
        ranking=_("Players rank by score: their chips less {chips}.").format(
            chips=chips(played.chips)
        ),
    )
    return Term(manner_name(played.manner), says)


def _swiss_hands() -> str:
    return _("After each round first places meet first places, second places second places.")


def _drawn() -> str:
    return _("The seats of each round are drawn.")


def manner_name(manner: str) -> str:
    """Return the name of an event's rounds."""
    return _("Swiss rounds") if manner == "swiss" else _("Fixed rounds")


def carry_in_words(played: Rounds) -> str:
    """The formula by which chips become the score of the first round."""
    carry = played.carry
    formula = _("chips ÷ {divisor}").format(divisor=chips(carry.divide_by))
    if carry.base:
        formula = f"{chips(carry.base)} + {formula}"
    if carry.most is not None:
        formula = _("{formula}, at most {most}").format(formula=formula, most=chips(carry.most))
    return _("Score = {formula}, rounded down. It is paid in chips on top of {chips}.").format(
        formula=formula, chips=chips(played.chips)
    )


def _duplicate(played: Duplicate) -> Iterator[Term]:
    deals = ngettext("{deals} deal each", "{deals} deals each", played.deals)
    length = ngettext("{rounds} round of {deals}", "{rounds} rounds of {deals}", played.rounds)
    manner = (
        _("After each round the ranking is cut into tables.")
        if played.manner == "swiss"
        else _drawn()
    )
    says = length.format(rounds=played.rounds, deals=deals.format(deals=played.deals))
    yield Term(
        _("Same cards"), _("{length}: every table plays the same deals.").format(length=says)
    )
    yield Term(
        _("Match points"),
        _(
            "Your result is compared with those of all who held your cards: 2 points for each"
            " lower result, 1 for an equal one. No player is eliminated."
        ),
    )
    yield Term(manner_name(played.manner), manner)


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
