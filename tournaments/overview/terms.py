"""The special terms of a knock-out and of duplicate rounds, as sentences for players."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.mathematics.match_points import Duplicate
from tournaments.mathematics.rounds import KnockOut, Rounds
from tournaments.mathematics.structure import Structure
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
