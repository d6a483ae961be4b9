"""The actions of staff from the floor: each with its permission, form, verb and effects.

One page asks for all of them: it says what would happen, counted, and asks why. The list of pages
and the page of roles are made from this list. Players and spectators see a message above the felt
until staff send another or an empty one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.forms import CharField, ChoiceField
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.office.floor import closing, halting
from casino.office.floor.closing import HOUSE, RUN, require
from casino.office.models import Closure
from games.models import Seat, Table
from games.models.tables import NOTICE_MAX
from games.rules.catalogue import GAMES
from games.tables import clock
from games.tables.formats import tables_of_operators
from games.tables.lock import lock_table, lock_tables, store_table
from games.words.naming import GAME_NAMES
from games.words.plain import one_line
from wallets.models import Currency
from wallets.of_record.verbs import under
from wallets.office.journalled_admin import ReasonForm
from wallets.staff import journal
from wallets.typed_form import TypedForm
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Viewer


class Effect(NamedTuple):
    amount: str
    words: str


def of_closing(tables: QuerySet[Table]) -> list[Effect]:
    """Hands to finish, players who leave their seats, and money returned to wallets."""
    live = tables.filter(hand__isnull=False).count()
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True)
    people = seats.filter(player__is_bot=False).count()
    return [
        *of_opening(tables),
        Effect(str(live), ngettext("hand is finished first", "hands are finished first", live)),
        Effect(str(people), ngettext("player stands up", "players stand up", people)),
        *_money(seats),
    ]


def of_opening(tables: QuerySet[Table]) -> list[Effect]:
    count = tables.count()
    return [Effect(str(count), ngettext("table is concerned", "tables are concerned", count))]


def of_message(tables: QuerySet[Table]) -> list[Effect]:
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True, player__is_bot=False)
    people = seats.values("player").distinct().count()
    words = ngettext("player reads it", "players read it", people)
    return [*of_opening(tables), Effect(str(people), words)]


def of_closing_house(tables: QuerySet[Table]) -> list[Effect]:
    running = Table.objects.exclude(status=Table.Status.CLOSED)
    others = running.exclude(tables_of_operators()).count()
    words = ngettext("tournament table continues", "tournament tables continue", others)
    return [*of_closing(tables), *([Effect(str(others), words)] if others else [])]


def of_halting() -> list[Effect]:
    counted = Table.objects.filter(status=Table.Status.OPEN).aggregate(
        tables=Count("pk"), live=Count("hand")
    )
    live, tables = counted["live"], counted["tables"]
    return [
        Effect(str(tables), ngettext("table gets no new hand", "tables get no new hand", tables)),
        Effect(str(live), ngettext("live hand is finished", "live hands are finished", live)),
    ]


def _money(seats: QuerySet[Seat]) -> Iterable[Effect]:
    sums = seats.order_by().values("table__currency").annotate(held=Sum("stack__balance"))
    held = dict(sums.values_list("table__currency", "held"))
    for currency in Currency.objects.filter(pk__in=held).order_by("code"):
        words = gettext("{currency} returns to wallets")
        yield Effect(
            show_amount(held[currency.pk], currency, is_exact=True),
            words.format(currency=currency.pk),
        )


MESSAGE: Final = "backoffice.message_players"
SENT: Final = journal.register("players.message", _("Sent a message to tables"), permission=MESSAGE)
RETRIED: Final = journal.register(
    "table.retry", _("Had the clock try a table again"), permission=RUN
)


def tell_table(member: Viewer, table_id: int, message: str, reason: str, _now: datetime) -> int:
    tables = Table.objects.filter(pk=table_id)
    if not tables.exists():
        raise Refused("no_such_table", _("There is no such table."))
    return _send(member, tables, f"table:{table_id}", message, reason)


def tell_game(member: Viewer, game: str, message: str, reason: str, _now: datetime) -> int:
    if game not in GAMES:
        raise Refused("no_such_game", _("The house has no such game."))
    return _send(member, _in_use().filter(game=game), f"game:{game}", message, reason)


def tell_house(member: Viewer, message: str, reason: str, _now: datetime) -> int:
    return _send(member, _in_use(), HOUSE, message, reason)


def _in_use() -> QuerySet[Table]:
    return Table.objects.exclude(status=Table.Status.CLOSED)


@under(SENT)
@transaction.atomic
def _send(member: Viewer, tables: QuerySet[Table], subject: str, typed: str, reason: str) -> int:
    require(member, MESSAGE)
    message = one_line(typed[: NOTICE_MAX * 10])
    if len(message) > NOTICE_MAX:
        raise Refused(
            "message_long", _("A message has at most {most} characters."), most=NOTICE_MAX
        )
    held = lock_tables(tables.values_list("pk", flat=True))
    before = sorted({table.notice for table in held})
    for table in held:
        table.notice = message
        table.save(update_fields=["notice"])
        store_table(table)
    journal.write(
        journal.by(member),
        SENT,
        subject,
        before={"messages": before},
        after={"message": message, "tables": len(held)},
        reason=reason,
    )
    closing.changed()
    return len(held)


@under(RETRIED)
@transaction.atomic
def retry(member: Viewer, table_id: int, reason: str, now: datetime) -> None:
    """Have the clock do what is due at a table, and say why where it cannot."""
    require(member, RUN)
    try:
        table = lock_table(table_id)
    except Table.DoesNotExist:
        raise Refused("no_such_table", _("There is no such table.")) from None
    if table.due_at is None or table.due_at > now:
        raise Refused("nothing_due", _("This table has already moved on."))
    before = {"due_at": table.due_at, "version": table.version}
    try:
        with transaction.atomic():
            clock.tick(table_id, now)
    except Exception as problem:
        raise Refused(
            "still_stuck",
            _("The clock has failed again: {why}. The hand can be voided."),
            why=type(problem).__name__,
        ) from problem
    table.refresh_from_db(fields=["due_at", "version"])
    journal.write(
        journal.by(member),
        RETRIED,
        table.reference,
        before=before,
        after={"due_at": table.due_at, "version": table.version},
        reason=reason,
    )
    closing.changed()


Values = dict[str, Any]


class MessageForm(ReasonForm):
    field_order = ("game", "message", "reason")
    message = CharField(
        label=_("Players read"),
        max_length=NOTICE_MAX,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_(
            "Shown above the felt until you replace it; send an empty message to remove it."
        ),
    )


def game_field() -> ChoiceField:
    return ChoiceField(
        label=_("Game"), choices=lambda: list(GAME_NAMES.items()), widget=UnfoldAdminSelectWidget
    )


class GameForm(ReasonForm):
    field_order = ("game", "reason")
    game = game_field()


class GameMessageForm(MessageForm):
    game = game_field()


class HaltForm(TypedForm):
    word = "STOP"


class CloseHouseForm(TypedForm):
    word = "CLOSE"


def nothing_counted(_number: int) -> list[Effect]:
    return []


@dataclass(frozen=True)
class Action:
    """One thing to do. `run` gets the member, the number of the table or 0, and the form."""

    name: str
    address: str
    words: str | Promise
    done: str | Promise
    permission: str
    run: Callable[[Viewer, int, Values, datetime], object]
    form: type[ReasonForm] = ReasonForm
    effects: Callable[[int], list[Effect]] = nothing_counted
    note: str | Promise = ""

    @property
    def of_table(self) -> bool:
        return "<int:number>" in self.address


def _table(number: int) -> Any:
    return Table.objects.filter(pk=number)


ACTIONS: Final[tuple[Action, ...]] = (
    Action(
        "floor-table-close",
        "floor/tables/<int:number>/close/",
        _("Close the table after this hand"),
        _("The table closes."),
        closing.RUN,
        lambda member, table, form, now: closing.close_table(member, table, form["reason"], now),
        effects=lambda number: of_closing(_table(number)),
        note=_("The hand is played to its end; then all players get their chips back."),
    ),
    Action(
        "floor-table-open",
        "floor/tables/<int:number>/open/",
        _("Open the table again"),
        _("The table is open."),
        closing.RUN,
        lambda member, table, form, now: closing.open_table(member, table, form["reason"], now),
    ),
    Action(
        "floor-table-message",
        "floor/tables/<int:number>/message/",
        _("Message to the table"),
        _("The message is shown."),
        MESSAGE,
        lambda member, table, form, now: tell_table(
            member, table, form["message"], form["reason"], now
        ),
        MessageForm,
        lambda number: of_message(_table(number)),
    ),
    Action(
        "floor-table-retry",
        "floor/tables/<int:number>/retry/",
        _("Have the clock try again"),
        _("The table continues."),
        closing.RUN,
        lambda member, table, form, now: retry(member, table, form["reason"], now),
        note=_("The clock runs the overdue step. It fails as before if the cause remains."),
    ),
    Action(
        "floor-game-close",
        "floor/games/close/",
        _("Close a game"),
        _("The tables of the game close."),
        closing.RUN,
        lambda member, _number, form, now: closing.close_game(
            member, form["game"], form["reason"], now
        ),
        GameForm,
        note=_("Hands are played to their end; then all players get their chips back."),
    ),
    Action(
        "floor-game-open",
        "floor/games/open/",
        _("Open a game again"),
        _("The tables of the game are open."),
        closing.RUN,
        lambda member, _number, form, now: closing.open_game(
            member, form["game"], form["reason"], now
        ),
        GameForm,
        note=_("All tables that were closed with the game."),
    ),
    Action(
        "floor-game-message",
        "floor/games/message/",
        _("Message to a game"),
        _("The message is shown."),
        MESSAGE,
        lambda member, _number, form, now: tell_game(
            member, form["game"], form["message"], form["reason"], now
        ),
        GameMessageForm,
    ),
    Action(
        "floor-house-message",
        "floor/house/message/",
        _("Message to all tables"),
        _("The message is shown."),
        MESSAGE,
        lambda member, _number, form, now: tell_house(member, form["message"], form["reason"], now),
        MessageForm,
        lambda _number: of_message(Table.objects.exclude(status=Table.Status.CLOSED)),
    ),
    Action(
        "floor-house-close",
        "floor/house/close/",
        _("Close the house after the running hands"),
        _("The house closes."),
        closing.CLOSE_HOUSE,
        lambda member, _number, form, now: closing.close_house(member, form["reason"], now),
        CloseHouseForm,
        lambda _number: of_closing_house(closing.closable()),
        _("No player can sit down. You can open everything again immediately."),
    ),
    Action(
        "floor-house-open",
        "floor/house/open/",
        _("Open the house again"),
        _("The house is open."),
        closing.CLOSE_HOUSE,
        lambda member, _number, form, now: closing.open_house(member, form["reason"], now),
        effects=lambda _number: of_opening(closing.to_open(Closure.Scope.HOUSE)),
        note=_("All tables that were closed with the house."),
    ),
    Action(
        "floor-halt",
        "floor/halt/",
        _("Kill switch: stop all new hands"),
        _("No new hand begins. A colleague must confirm it."),
        halting.HALT,
        lambda member, _number, form, now: halting.halt(member, form["reason"], form["key"], now),
        HaltForm,
        lambda _number: of_halting(),
        _(
            "Immediately, and at tournaments too. All players keep their seats. A colleague "
            "confirms it."
        ),
    ),
    Action(
        "floor-lift",
        "floor/lift/",
        _("Let new hands begin again"),
        _("Hands begin again within ten seconds."),
        closing.CLOSE_HOUSE,
        lambda member, _number, form, now: halting.lift(member, form["reason"], now),
    ),
)
