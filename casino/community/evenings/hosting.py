"""Open an evening: its points, the host's choices, its scores, and another one on the same terms.

Each seat gets as many points as the table's buy-in when a player sits down and returns them when
they leave, so players need no money, and no score depends on who sat down first. Every hand is a
posting of the ledger like any other.

A hand counts for the scores when it has moved points. One without a call, or one that was voided,
is played again.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext_noop as _n
from msgspec import to_builtins

from casino.community.evenings.models import KIND, Evening
from games.boards import drawing
from games.lobby import private_tables
from games.lobby.overflow_tables import COPIED_FIELDS
from games.lobby.private_tables import at_speed
from games.models import Hand, HandSeat, Seat, Table
from games.profiles.options import Option, defaults, options_of, read
from games.rules.catalogue import GAMES, against_house, game_type, of_today
from games.rules.contract import refused_options
from games.rules.errors import Unreadable
from games.tables.clock import release
from games.tables.formats import Posting
from games.tables.hand_state import game_from
from games.tables.lock import lock_table, store_table
from games.tables.settings import seat_bounds
from wallets.models import Account, Currency
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.of_record.verbs import verb
from wallets.values.amounts import require_digits, show_signed
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Player

CODE: Final = "PTS"
# The stack of each player in stakes: more than a player loses in an evening.
STAKES_IN_A_STACK: Final = 10_000


def points() -> Currency:
    """The currency of points, which have no smaller unit."""
    return Currency.objects.get_or_create(
        code=CODE,
        defaults={"name": _n("Points of an evening"), "kind": Currency.Kind.CHIPS, "exponent": 0},
    )[0]


def move(table: Table, seat: Seat, amount: int, posting: Posting) -> None:
    """Put points on a seat, or take them from it with a negative amount."""
    source = account(Account.Kind.ISSUE, table.reference, CODE)
    legs = [Leg(source.pk, -amount), Leg(seat.stack_id, amount)]
    post(
        posting.key,
        "chips_issued" if amount > 0 else "chips_burnt",
        legs,
        book=table.reference,
        actor=posting.actor,
        reason=posting.reason,
        reference=seat.reference,
    )


# The games that people play against one another.
PLAYED: Final = tuple(key for key in GAMES if not against_house(key))
HANDS: Final = range(1, 101)
HANDS_USUAL: Final = 12
STAKES: Final = range(1, 101)
# Where there is a banker, the largest bet in stakes.
BET_STAKES_MAX: Final = 10
# The house's usual times; the next hand begins as soon as all are ready.
SECONDS: Final = {"decision_seconds": 30, "betting_seconds": 15}
PAUSE_SECONDS: Final = 3
# Below so many stakes a stack is filled up again.
STAKES_LEAST: Final = 100


class Terms(NamedTuple):
    """The host's choices for an evening."""

    game: str
    places: int
    hands: int
    stake: int
    speed: str
    options: Mapping[str, Any]


def options_to_choose(game: str) -> list[Option]:
    """The options of a game that are a manner of playing; amounts follow from the stake."""
    if game not in PLAYED:
        raise Unreadable("no_such_game", _n("There is no such game."))
    return [option for option in options_of(game) if option.kind in ("choice", "switch", "number")]


def read_terms(sent: Mapping[str, str]) -> Terms:
    game = sent.get("game", "")
    options = {
        option.name: read(option, sent.get(option.name, ""), Currency())
        for option in options_to_choose(game)
    }
    least, most = seat_bounds(game, options)
    return Terms(
        game,
        _within(sent.get("places", ""), range(least, most + 1), most),
        _within(sent.get("hands", ""), HANDS),
        _within(sent.get("stake", ""), STAKES),
        sent.get("speed", ""),
        options,
    )


def _within(typed: str, bounds: range, usual: int | None = None) -> int:
    if not typed and usual is not None:
        return usual
    require_digits(typed)
    if not typed.isdecimal() or len(typed) > 9 or int(typed) not in bounds:
        raise Unreadable(
            "number_bounds",
            _n("{typed} is not a whole number from {least} to {most}."),
            typed=typed[:20],
            least=bounds[0],
            most=bounds[-1],
        )
    return int(typed)


def settings_of(terms: Terms) -> dict[str, Any]:
    """The settings of a table on these terms: without rake, as a tournament is played."""
    stakes = {
        "point": terms.stake,
        "bet_min": terms.stake,
        "bet_max": BET_STAKES_MAX * terms.stake,
        "rake_bp": 0,
    }
    has = defaults(terms.game)
    options: dict[str, object] = {name: amount for name, amount in stakes.items() if name in has}
    options |= {**terms.options, "tournament": True}
    game = game_from(terms.game, of_today(terms.game, options))
    if refusal := refused_options(game):
        raise refusal
    return {
        "game": terms.game,
        "options": to_builtins(game),
        "places": terms.places,
        "buy_in_min": STAKES_IN_A_STACK * terms.stake,
        "buy_in_max": STAKES_IN_A_STACK * terms.stake,
        "stack_min": STAKES_LEAST * terms.stake,
        "pause_seconds": PAUSE_SECONDS,
        **at_speed(terms.speed, **SECONDS),
    }


@verb("player:evening.open")
def open_evening(player: Player, terms: Terms, now: datetime) -> Evening:
    with transaction.atomic():
        return _opened(player, settings_of(terms), terms.hands, terms.stake, now)


@verb("player:evening.begin")
def begin_now(player: Player, table_id: int, now: datetime) -> None:
    """Let an evening begin without those who have not come; later they sit down as at any table."""
    with transaction.atomic():
        rows = Evening.objects.select_for_update(of=("self",)).select_related("table")
        evening = rows.filter(table=table_id, table__opened_by=player.pk).first()
        if evening is None:
            raise Hidden("no_such_table", _n("There is no such table."))
        if is_over(evening):
            raise Refused("evening_over", _n("This evening is over."))
        seated = evening.table.seats.filter(left_at=None).count()
        least = game_type(evening.table.game).seats[0]
        if seated < least:
            raise Refused(
                "too_few_players", _n("This game needs {least} players at the table."), least=least
            )
        if evening.begun_at is None:
            evening.begun_at = now
            evening.save(update_fields=["begun_at"])
    release([table_id], now)


@verb("player:evening.rematch")
def rematch(player: Player, table_id: int, now: datetime) -> Evening:
    """Open another evening like one that is over; later requests lead to the first one."""
    with transaction.atomic():
        # The rematch is read after the lock: a request before this one may just have opened it.
        rows = Evening.objects.select_for_update(of=("self",)).select_related("table")
        evening = rows.filter(table=table_id).first()
        if evening is None or not takes_part(player, evening):
            raise Hidden("no_such_table", _n("There is no such table."))
        if evening.rematch is not None:
            return evening.rematch
        if not is_over(evening):
            raise Refused("evening_goes_on", _n("This evening is not over yet."))
        settings = {name: getattr(evening.table, name) for name in COPIED_FIELDS}
        evening.rematch = _opened(player, settings, evening.hands, evening.stake, now)
        evening.save(update_fields=["rematch"])
        # Viewers of the old table learn of it.
        store_table(lock_table(table_id))
        return evening.rematch


def takes_part(player: Player, evening: Evening) -> bool:
    """Whether the player has played there, or has opened it."""
    return evening.table.opened_by_id == player.pk or has_played(evening.table_id, player.pk)


def _opened(
    player: Player, settings: dict[str, object], hands: int, stake: int, now: datetime
) -> Evening:
    private_tables.require_may_open(player, now)
    code = uuid4()
    given = settings | {"currency": points(), "organiser": f"{KIND}:{code}"}
    table = private_tables.stored(player, given, now)
    return Evening.objects.create(code=code, table=table, hands=hands, stake=stake)


FINISHED: Final = Hand.Status.FINISHED


class Score(NamedTuple):
    """The result of a player; players with the same points share a place."""

    place: int
    player_id: int
    name: str
    face: int
    hands: int
    points: int


def counted(table_id: int) -> int:
    """Return how many hands of a table count."""
    moved = _results(table_id).exclude(net=0)
    return moved.aggregate(hands=Count("hand", distinct=True))["hands"] or 0


def is_over(evening: Evening) -> bool:
    """Whether its last hand has been played, or its host has ended it."""
    return evening.table.status != Table.Status.OPEN or counted(evening.table_id) >= evening.hands


def scoreboard(table_id: int) -> Sequence[Score]:
    """All who have played there, the best first."""
    sums = (
        _results(table_id)
        .values("player", "player__username", "player__face")
        .annotate(hands=Count("hand"), points=Sum("net"))
    )
    rows = sorted(sums, key=lambda row: (-row["points"], row["player__username"]))
    points = [row["points"] for row in rows]
    return [
        Score(
            points.index(row["points"]) + 1,
            row["player"],
            row["player__username"],
            row["player__face"],
            row["hands"],
            row["points"],
        )
        for row in rows
    ]


def has_played(table_id: int, player_id: int) -> bool:
    return _results(table_id).filter(player=player_id).exists()


def _results(table_id: int) -> QuerySet[HandSeat]:
    return HandSeat.objects.filter(table=table_id, status=FINISHED)


FACES: Final = "casino/faces.svg"
MARGIN: Final = 52
ROW_MAX: Final = 150
# As many as the picture has room for; more than that rarely come and go in an evening.
ROWS_MAX: Final = 8
COLUMN: Final = 760
LINE: Final = "#86a797"


def picture(scores: Sequence[Score], currency: Currency) -> str:
    shown = scores[:ROWS_MAX]
    height = min(ROW_MAX, (drawing.HEIGHT - 2 * MARGIN) / max(1, len(shown)))
    top = (drawing.HEIGHT - len(shown) * height) / 2
    drawn = [_row(score, currency, top + row * height, height) for row, score in enumerate(shown)]
    faces = {f"face-{score.face:02}" for score in shown}
    marks = drawing.marks_of(drawing.CARDS) + drawing.marks_of(FACES, faces)
    return drawing.picture(marks, "".join(drawn))


def _row(score: Score, currency: Currency, top: float, height: float) -> str:
    left, middle = (drawing.WIDTH - COLUMN) / 2, top + height / 2
    share, size = height / 70, height * 0.8
    place, points = str(score.place), show_signed(score.points, currency)
    x = left + height
    # The best has a ring of gold.
    ring = drawing.colours()["brass"] if score.place == 1 else LINE
    return (
        drawing.figure(place, left, middle, drawing.PLAIN, share)
        + f'<clipPath id="at-{score.player_id}"><circle cx="{x + size / 2:.1f}" cy="{middle:.1f}"'
        f' r="{size / 2:.1f}"/></clipPath><g clip-path="url(#at-{score.player_id})"><use'
        f' href="#face-{score.face:02}" x="{x:.1f}" y="{middle - size / 2:.1f}" width="{size:.1f}"'
        f' height="{size:.1f}"/></g><circle cx="{x + size / 2:.1f}" cy="{middle:.1f}"'
        f' r="{size / 2:.1f}" fill="none" stroke="{ring}" stroke-width="4"/>'
        + drawing.figure(
            points,
            left + COLUMN - drawing.length(points) * share,
            middle,
            drawing.colour_of(score.points),
            share,
        )
    )
