"""All that one reader may know of an event now: its page is made of this alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.lobby.listing import fingerprint
from games.words.naming import game_name, player_title
from games.words.players import Placed
from tournaments.event import registration
from tournaments.event.organiser import no_such_tournament, structure_of
from tournaments.mathematics.structure import Structure
from tournaments.models import Elimination, EventShoe, Series, Tournament
from tournaments.overview.clock_view import (
    ClockView,
    LevelLine,
    Progress,
    clock_view,
    goes_out,
    level_lines,
    progress,
    to_the_money,
)
from tournaments.overview.heading import Again, again, podium
from tournaments.overview.my_entry import Mine, mine
from tournaments.overview.ranking import Ranking, Scale, ranking, scale
from tournaments.overview.tables_view import Tables, tables_view
from tournaments.overview.terms import Stage, Term, stages, terms
from tournaments.overview.words import chips, duration, kind_name, state_in_words
from tournaments.running.start import TOO_FEW
from wallets.values.player import Viewer

# The last who went out are named.
OUTS_SHOWN: Final = 4
PRIZES_SHOWN: Final = 24


class Turned(NamedTuple):
    """The pages of the long lists that a reader has turned to."""

    places: int | None = None
    tables: int | None = None
    levels: bool = False

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Turned":
        """From an address; what is no number is not there."""
        places, tables = (number_in(query, name) for name in ("places", "tables"))
        return cls(places, tables, query.get("levels") == "all")


class PrizeLine(NamedTuple):
    """A prize, for one place or several in a row."""

    first: int
    last: int
    amount: int
    mine: bool


class OutLine(NamedTuple):
    name: str
    place: int | None


class SeriesLink(NamedTuple):
    id: int
    name: str


class Pool(NamedTuple):
    """The parts of the prize pool, in minor units."""

    amount: int
    stakes: int
    # The house's addition, or its addition with the present field.
    added: int
    # Of a bar that is 100 wide.
    share: int
    is_settled: bool
    # With how many players so much is paid, where not so many have entered yet; else 0.
    expects: int


class EventView(NamedTuple):
    tournament: Tournament
    structure: Structure
    game: str
    kind: str
    state: str
    clock: ClockView
    levels: Sequence[LevelLine]
    prizes: Sequence[PrizeLine]
    # How many more prizes there are than are listed.
    prizes_more: int
    pool: Pool
    paid: int
    # Whether players go out one by one: otherwise no player is near or far from the money.
    goes_out: bool
    # How many have to go out before all who are left are paid; 0 from then on.
    to_the_money: int
    # How many have to go out before the rounds of a knock-out begin.
    to_the_rounds: int
    average: int
    progress: Progress | None
    stages: Sequence[Stage]
    terms: Sequence[Term]
    scale: Scale | None
    ranking: Ranking
    tables: Tables
    outs: Sequence[OutLine]
    mine: Mine
    likely: str
    # The closing of registration, in a sentence.
    late: str
    shoe: EventShoe | None
    why_cancelled: str
    podium: tuple[Placed, ...]
    again: Again | None
    series: SeriesLink | None

    @property
    def free_seats(self) -> int:
        return max(0, self.structure.field_max - self.tournament.entrants)

    @property
    def cost(self) -> int:
        return self.structure.stake + self.structure.fee

    @property
    def mark(self) -> str:
        """A hash of what the page shows; a browser that has it already gets an empty answer."""
        shown = self._replace(tournament=None, structure=None, shoe=None)  # type: ignore[arg-type]
        row = self.tournament
        mine_now = self.mine._replace(entry=None), self.mine.entry and self.mine.entry.state
        shoe = self.shoe and (self.shoe.status, self.shoe.lock, self.shoe.mix)
        return fingerprint(shown._replace(mine=None), mine_now, row.version, shoe)  # type: ignore[arg-type]


def tournament_for(number: int) -> Tournament:
    """A public event; one that does not exist is refused."""
    tournaments = Tournament.objects.select_related("currency", "shoe")
    tournament = tournaments.filter(pk=number).first()
    if tournament is None:
        raise no_such_tournament()
    return tournament


def event_view(viewer: Viewer, tournament: Tournament, turned: Turned, now: datetime) -> EventView:
    structure = structure_of(tournament)
    own = mine(viewer, tournament, now)
    paid = registration.places_paid(tournament)
    prizes = prize_lines(tournament, own.place)
    falls, played = goes_out(tournament), progress(tournament)
    until = structure.knock_out.until if structure.knock_out and falls else None
    return EventView(
        tournament=tournament,
        structure=structure,
        game=str(game_name(tournament.game)),
        kind=kind_name(tournament.kind),
        state=state_in_words(tournament),
        clock=clock_view(tournament),
        levels=level_lines(tournament, every=turned.levels),
        prizes=prizes[:PRIZES_SHOWN],
        prizes_more=max(0, len(prizes) - PRIZES_SHOWN),
        pool=pool_of(tournament),
        paid=paid,
        goes_out=falls,
        to_the_money=to_the_money(tournament, paid),
        to_the_rounds=max(0, tournament.players_left - until) if until else 0,
        average=tournament.chips // max(1, tournament.players_left),
        progress=played,
        stages=stages(tournament, played, paid),
        terms=terms(structure),
        scale=scale(tournament, own.entry),
        ranking=ranking(tournament, own.entry, own.place, turned.places, paid),
        tables=tables_view(tournament, own.table_id, turned.tables),
        outs=_outs(tournament),
        mine=own,
        likely=duration(tournament.likely_seconds),
        late=late_in_words(structure),
        shoe=getattr(tournament, "shoe", None),
        why_cancelled=_why_cancelled(tournament),
        podium=podium(tournament),
        again=again(tournament),
        series=_series(tournament),
    )


def _series(tournament: Tournament) -> SeriesLink | None:
    """The series to which an event belongs, or of which it is the final."""
    of_event = Q(events__tournament=tournament.pk) | Q(final=tournament.pk)
    series = Series.objects.filter(of_event).order_by("pk").first()
    return SeriesLink(series.pk, series.title) if series else None


def _why_cancelled(tournament: Tournament) -> str:
    """The house's reason in the reader's language, or that of staff as they wrote it."""
    if tournament.cancelled_why == TOO_FEW:
        return _("Too few players had entered.")
    return tournament.cancelled_why


def prize_lines(tournament: Tournament, place: int | None) -> list[PrizeLine]:
    """All prizes, equal ones in one line."""
    lines: list[PrizeLine] = []
    for number, amount in enumerate(registration.prizes(tournament), 1):
        own = number == place
        if lines and lines[-1].amount == amount:
            lines[-1] = lines[-1]._replace(last=number, mine=lines[-1].mine or own)
        else:
            lines.append(PrizeLine(number, number, amount, own))
    return lines


def pool_of(tournament: Tournament) -> Pool:
    amount, field = registration.pool(tournament), registration.field(tournament)
    return Pool(
        amount=amount,
        stakes=field.stakes,
        added=amount - field.stakes,
        share=100 if not amount else round(100 * field.stakes / amount),
        is_settled=tournament.added is not None,
        expects=field.entrants if field.entrants > tournament.entrants else 0,
    )


def late_in_words(structure: Structure) -> str:
    """Say in a sentence how long and how often players can enter."""
    said = []
    if structure.late_registration_level:
        said.append(
            _("You can join until level {level} ends.").format(
                level=structure.late_registration_level
            )
        )
    if structure.reentries is not None:
        said.append(
            ngettext(
                "A player who is out can enter again once, until level {level} ends.",
                "A player who is out can enter again up to {most} times, until level {level} ends.",
                structure.reentries.most,
            ).format(most=structure.reentries.most, level=structure.reentries.until_level)
        )
    if structure.add_on is not None:
        offer = structure.add_on
        said.append(
            _(
                "One add-on of {chips} chips, from the start of level {first} to the end of {last}."
            ).format(chips=chips(offer.chips), first=offer.from_level, last=offer.until_level)
        )
    return " ".join(said)


def _outs(tournament: Tournament) -> list[OutLine]:
    """The last who went out, the last one first."""
    gone: Any = Elimination.objects.filter(tournament=tournament).order_by("-sequence")
    return [
        OutLine(
            player_title(elimination.entry.player.username, elimination.entry.player.is_bot),
            elimination.entry.place,
        )
        for elimination in gone.select_related("entry__player")[:OUTS_SHOWN]
    ]


def number_in(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None
