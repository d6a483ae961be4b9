"""The end of an event: the best on the podium, and the next event of its kind."""

from typing import Final, NamedTuple

from games.words.naming import player_title
from games.words.podium import PLACES_SHOWN, Placed
from tournaments.event.organiser import structure_of
from tournaments.models import Tournament
from wallets.models import unit_of
from wallets.values.amounts import show_amount

SHOWN_IN: Final = (Tournament.State.PAYING, Tournament.State.FINISHED)


class Again(NamedTuple):
    """An event that can be entered now, made by the same template, and what that costs."""

    id: int
    cost: str


def podium(tournament: Tournament) -> tuple[Placed, ...]:
    """The players of the first places, with their prizes; empty until the event ends."""
    if tournament.state not in SHOWN_IN:
        return ()
    entries = tournament.all_entries.filter(place__lte=PLACES_SHOWN).order_by("place")
    return tuple(
        Placed(
            entry.place or 0,
            entry.player_id,
            player_title(entry.player.username, entry.player.is_bot),
            entry.player.face,
            entry.player.is_bot,
            _money(entry.prize, tournament) if entry.prize else "",
        )
        for entry in entries.select_related("player")
    )


def again(tournament: Tournament) -> Again | None:
    """The event to enter after one that is over: of those made alike, the one that begins next."""
    if tournament.state not in SHOWN_IN:
        return None
    alike = Tournament.objects.filter(
        template__name=tournament.name,
        state=Tournament.State.ANNOUNCED,
        registration_closed_at=None,
    )
    following = alike.select_related("currency").order_by("starts_at", "pk").first()
    if following is None:
        return None
    structure = structure_of(following)
    cost = structure.stake + structure.fee
    return Again(following.pk, _money(cost, following) if cost else "")


def _money(amount: int, tournament: Tournament) -> str:
    return f"{show_amount(amount, tournament.currency)} {unit_of(tournament.currency_id)}"
