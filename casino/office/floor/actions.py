"""The actions of staff from the floor: each with its address, permission, form and verb.

One page asks for all of them: it says what would happen, counted, and asks why. The list of pages
and the page of roles are made from this list.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.forms import CharField, ChoiceField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.office.floor import closing, effects, halting, player_messages
from casino.office.floor.effects import Effect
from casino.office.models import Closure
from games.models import Table
from games.models.tables import NOTICE_MAX
from games.words.naming import GAME_NAMES
from wallets.office.journalled_admin import ReasonForm
from wallets.typed_form import TypedForm
from wallets.values.player import Viewer

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
    """A message to the tables of a game."""

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
        effects=lambda number: effects.of_closing(_table(number)),
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
        player_messages.MESSAGE,
        lambda member, table, form, now: player_messages.tell_table(
            member, table, form["message"], form["reason"], now
        ),
        MessageForm,
        lambda number: effects.of_message(_table(number)),
    ),
    Action(
        "floor-table-retry",
        "floor/tables/<int:number>/retry/",
        _("Have the clock try again"),
        _("The table continues."),
        closing.RUN,
        lambda member, table, form, now: player_messages.retry(member, table, form["reason"], now),
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
        player_messages.MESSAGE,
        lambda member, _number, form, now: player_messages.tell_game(
            member, form["game"], form["message"], form["reason"], now
        ),
        GameMessageForm,
    ),
    Action(
        "floor-house-message",
        "floor/house/message/",
        _("Message to all tables"),
        _("The message is shown."),
        player_messages.MESSAGE,
        lambda member, _number, form, now: player_messages.tell_house(
            member, form["message"], form["reason"], now
        ),
        MessageForm,
        lambda _number: effects.of_message(Table.objects.exclude(status=Table.Status.CLOSED)),
    ),
    Action(
        "floor-house-close",
        "floor/house/close/",
        _("Close the house after the running hands"),
        _("The house closes."),
        closing.CLOSE_HOUSE,
        lambda member, _number, form, now: closing.close_house(member, form["reason"], now),
        CloseHouseForm,
        lambda _number: effects.of_closing_house(closing.closable()),
        _("No player can sit down. You can open everything again immediately."),
    ),
    Action(
        "floor-house-open",
        "floor/house/open/",
        _("Open the house again"),
        _("The house is open."),
        closing.CLOSE_HOUSE,
        lambda member, _number, form, now: closing.open_house(member, form["reason"], now),
        effects=lambda _number: effects.of_opening(closing.to_open(Closure.Scope.HOUSE)),
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
        lambda _number: effects.of_halting(),
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
