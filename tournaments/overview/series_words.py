"""The rules of a series and the state of a ticket in words."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from tournaments.mathematics.series_points import Formula, SeriesRules
from tournaments.models import Ticket, Tournament
from wallets.values.amounts import show_amount
from wallets.values.days import house_time

MANNERS: Final[dict[str, str | Promise]] = {
    "root": _l("grow with the field: base × √(players ÷ place)"),
    "field": _l("share of the field: base × players not ahead ÷ players"),
    "table": _l("fixed for each place"),
}
PRESET_NAMES: Final[dict[str, str | Promise]] = {
    "month": _l("League of a month"),
    "season": _l("Season of ten weeks"),
    "week": _l("A week, every day"),
    "weekend": _l("Weekend"),
}


def formula_in_words(formula: Formula) -> str:
    if formula.manner == "table":
        says = _("Points by place: {points}.").format(points=" · ".join(map(str, formula.table)))
    elif formula.manner == "field":
        says = _(
            "Points: {base} × the share of the players who are not ahead of you, rounded down."
        ).format(base=formula.base)
    else:
        says = _("Points: {base} × √(players ÷ place), rounded down.").format(base=formula.base)
    if formula.for_playing:
        more = _("{points} more for playing.").format(points=formula.for_playing)
        says = f"{says} {more}"
    return says


def best_in_words(rules: SeriesRules) -> str:
    if rules.best == rules.events:
        return ngettext(
            "{count} event, and it counts.", "{count} events, and all of them count.", rules.events
        ).format(count=rules.events)
    return ngettext(
        "Your best event of {events} counts.",
        "Your best {best} of {events} events count.",
        rules.best,
    ).format(best=rules.best, events=rules.events)


def final_in_words(rules: SeriesRules, final: Tournament | None) -> str:
    if not rules.finalists:
        return ""
    if final is None:
        return ngettext(
            "The first player is the winner.",
            "The first {count} players are named at the end.",
            rules.finalists,
        ).format(count=rules.finalists)
    return ngettext(
        "The first player gets a ticket to the final.",
        "The first {count} players get a ticket to the final.",
        rules.finalists,
    ).format(count=rules.finalists)


def sentences(rules: SeriesRules, final: Tournament | None) -> list[str]:
    return list(_sentences(rules, final))


def _sentences(rules: SeriesRules, final: Tournament | None) -> Iterator[str]:
    yield best_in_words(rules)
    yield formula_in_words(rules.formula)
    if words := final_in_words(rules, final):
        yield words
    yield _("Of two players with the same points the one with the better single event is ahead.")


class TicketLine(NamedTuple):
    """A ticket as its player sees it: for what, worth what, and whether it can be used."""

    number: int
    name: str
    worth: str
    unit: str
    says: str
    is_valid: bool
    # The event that it is for, or that it was used for.
    event: int | None


def ticket_line(ticket: Ticket, now: datetime) -> TicketLine:
    says, is_valid = ticket_in_words(ticket, now)
    used = ticket.entry.tournament_id if ticket.entry is not None else None
    return TicketLine(
        ticket.pk,
        ticket.title,
        show_amount(ticket.worth, ticket.currency),
        ticket.currency.unit,
        says,
        is_valid,
        used or ticket.tournament_id,
    )


def ticket_in_words(ticket: Ticket, now: datetime) -> tuple[str, bool]:
    """The state of a ticket as a sentence, and whether it can still be used."""
    if ticket.entry_id is not None:
        return _("Used."), False
    event = ticket.tournament
    if event is not None and event.state == Tournament.State.CANCELLED:
        return _("The event was cancelled, so this ticket cannot be used."), False
    if event is not None and not event.registration_open:
        return _("The event began without you, so this ticket cannot be used."), False
    if ticket.expires_at is not None and ticket.expires_at <= now:
        return _("Expired on {day}.").format(day=house_time(ticket.expires_at)), False
    if ticket.expires_at is not None:
        return _("Valid until {day}.").format(day=house_time(ticket.expires_at)), True
    return _("Valid."), True
