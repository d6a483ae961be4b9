"""Tables as JSON for programs: made from the table view alone, as the pages are.

The same classes make the schema and the responses, so they cannot differ.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.requests import Amount, RequestSerializer, Text, Whole
from games.api.schema import ACTION, CHOICE, SENT_CHOICE, VIEW
from games.api.shoe_payloads import CountedSerializer, ShoeStatusSerializer
from games.boards.for_programs import free_seats, help_for, is_done, waits_for
from games.boards.help import Hint
from games.boards.settlement_text import sentence_of_line
from games.boards.table_view import TableView, view_as_json
from games.models import Hand, Seat, Table, game_choices
from games.rules.contract import SEAT_MAX
from games.rules.settlement import StoredLine
from games.tables.formats import format_of
from games.tables.jackpots import game_at
from games.tables.next_bets import BETS_MAX
from games.words.naming import game_name
from wallets.models import Currency


class CurrencySerializer(serializers.ModelSerializer):
    """A unit of account; all amounts are in its minor units."""

    class Meta:
        model = Currency
        fields = ("code", "name", "exponent", "kind")


class SettlementLineSerializer(serializers.Serializer):
    """One reason for one amount."""

    key = serializers.CharField()
    source = serializers.CharField(help_text=_("A seat, the house, or a pool."))
    target = serializers.CharField()
    amount = serializers.IntegerField()
    values = serializers.DictField()
    sentence = serializers.CharField()


def settlement_lines(
    lines: Iterable[StoredLine], names: dict[int, str], currency: Currency
) -> list[dict[str, object]]:
    """The lines of a settlement, each with its sentence in the reader's language."""
    return [
        {"values": {}, **line, "sentence": sentence_of_line(line, names, currency)}
        for line in lines
    ]


class TableInLobby(serializers.ModelSerializer):
    """A table as the lobby has it."""

    game_name = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    currency = CurrencySerializer()
    taken = serializers.IntegerField(help_text=_("Seats that are taken, by bots as well."))
    bots = serializers.IntegerField()
    free = serializers.IntegerField(
        help_text=_("Seats that a player could take, those of bots among them.")
    )

    class Meta:
        model = Table
        fields = (
            "id",
            "name",
            "game",
            "game_name",
            "options",
            "currency",
            "places",
            "taken",
            "bots",
            "free",
            "buy_in_min",
            "buy_in_max",
            "purse_min",
            "decision_seconds",
            "betting_seconds",
            "pause_seconds",
            "status",
            "phase",
            "version",
        )
        extra_kwargs: ClassVar[dict[str, Any]] = {"purse_min": {"source": "stack_min"}}

    def get_game_name(self, table: Table) -> str:
        return str(game_name(table.game))

    def get_options(self, table: Table) -> dict[str, Any]:
        """The rules and stakes of this table, with all that was left at its default."""
        options: dict[str, object] = msgspec.to_builtins(game_at(table))
        return options


class SeatViewSerializer(serializers.Serializer):
    """A seat as everybody sees it."""

    number = serializers.IntegerField()
    player = serializers.CharField()
    is_bot = serializers.BooleanField()
    purse = serializers.IntegerField(source="stack")
    sits_out = serializers.BooleanField()
    absent = serializers.BooleanField(
        help_text=_("Offline for longer than the grace period: the house plays on without waiting.")
    )
    offline = serializers.BooleanField(help_text=_("Offline."))
    trustee = serializers.BooleanField(
        source="auto_play", help_text=_("The house plays for the seat until the hand is over.")
    )
    leaves = serializers.BooleanField(help_text=_("Leaves when the hand is over."))
    to_act = serializers.BooleanField()
    mine = serializers.BooleanField()


class HandAtTable(serializers.Serializer):
    """The hand that runs, or the one that has just ended."""

    id = serializers.IntegerField()
    code = serializers.CharField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(Hand.Status.choices)


class MySeat(serializers.Serializer):
    """Your seat."""

    number = serializers.IntegerField()
    purse = serializers.SerializerMethodField("stack_of")
    top_up = serializers.IntegerField(
        help_text=_("The top-up that is added to the stack after the hand.")
    )
    sits_out = serializers.BooleanField()
    sat_out_by_house = serializers.BooleanField(
        help_text=_("The house sat you out: you timed out three times in a row, or were offline.")
    )
    trustee = serializers.BooleanField(source="auto_play")
    leaves = serializers.BooleanField()
    time_bank = serializers.IntegerField(
        help_text=_("The seconds you have beyond the time of a turn, at tables among players.")
    )

    def stack_of(self, seat: Seat) -> int:
        return format_of(seat.table).funds(seat)


class BetweenSerializer(serializers.Serializer):
    """Between two hands, for a player who plays on."""

    after = serializers.IntegerField(
        help_text=_("The number of the hand that is over; send it with `ready` and `again`.")
    )
    ready = serializers.BooleanField(help_text=_("You are ready for the next hand."))
    again = serializers.BooleanField(
        help_text=_("You can begin the next round with your last bets.")
    )


class HintSerializer(serializers.Serializer):
    """An action as it can be sent, and what it is called."""

    action = serializers.SerializerMethodField()
    words = serializers.CharField()

    @extend_schema_field(ACTION)
    def get_action(self, hint: Hint) -> dict[str, object]:
        action: dict[str, object] = msgspec.to_builtins(hint.action)
        return action


class HelpSerializer(serializers.Serializer):
    """Help with your decision."""

    plays = HintSerializer(
        many=True,
        help_text=_(
            "Every legal action at Dou Dizhu, each once whatever the suits; empty at other games, "
            "where `choices` says it all."
        ),
    )
    suggestions = HintSerializer(
        many=True,
        help_text=_(
            "What the house advises, the best first; empty where the table allows no hints."
        ),
    )


class TableViewSerializer(serializers.Serializer):
    """A table as you see it: never more than a page would show you."""

    id = serializers.IntegerField(source="table.pk")
    name = serializers.CharField(source="table.name")
    game = serializers.ChoiceField(game_choices(), source="table.game")
    game_name = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    currency = CurrencySerializer(source="table.currency")
    places = serializers.IntegerField(source="table.places")
    buy_in_min = serializers.IntegerField(source="table.buy_in_min")
    buy_in_max = serializers.IntegerField(source="table.buy_in_max")
    purse_min = serializers.IntegerField(source="table.stack_min")
    status = serializers.ChoiceField(Table.Status.choices, source="table.status")
    phase = serializers.ChoiceField(Table.Phase.choices, source="table.phase")
    version = serializers.IntegerField(
        source="table.version",
        help_text=_("Grows with every change; send it as `known` with the next request."),
    )
    stream = serializers.SerializerMethodField(
        help_text=_("The event stream that announces new versions.")
    )
    now = serializers.SerializerMethodField(help_text=_("The time on the server's clock."))
    seats = SeatViewSerializer(many=True)
    free = serializers.SerializerMethodField(
        help_text=_("The seats that a player could take, those of bots among them.")
    )
    mine = MySeat(allow_null=True)
    stood_up = serializers.CharField(
        help_text=_("Why the house has given your seat up, in words; otherwise empty.")
    )
    sat_out = serializers.CharField(
        help_text=_("Why the house made you sit out, in words; otherwise empty.")
    )
    kept = serializers.IntegerField(
        source="kept.number",
        allow_null=True,
        help_text=_("The seat that is reserved for you until the hand is over."),
    )
    short = serializers.BooleanField(help_text=_("Your stack is too small to be dealt in."))
    hand = HandAtTable(allow_null=True)
    names = serializers.DictField(
        child=serializers.CharField(), help_text=_("The players of the hand, by seat.")
    )
    view = serializers.SerializerMethodField()
    choices = serializers.SerializerMethodField()
    turn = serializers.IntegerField(
        allow_null=True, help_text=_("The number of your turn; send it with your action.")
    )
    decision = serializers.CharField(
        help_text=_(
            "The mark of your decision, made of `choices`; empty while you bet. Send it with your "
            "action to be refused if the decision is another one by then."
        )
    )
    waits_for = serializers.SerializerMethodField(
        help_text=_("The seats that the table waits for until their time is up.")
    )
    done = serializers.SerializerMethodField(
        help_text=_("You have ended your betting, or are ready for the next hand.")
    )
    between = BetweenSerializer(allow_null=True)
    help = serializers.SerializerMethodField(
        help_text=_("Help with your decision, if you asked for it; otherwise null.")
    )
    deadline = serializers.DateTimeField(allow_null=True)
    next_hand_at = serializers.DateTimeField(allow_null=True)
    lines = serializers.SerializerMethodField()
    shoe = ShoeStatusSerializer(allow_null=True)
    next_shoe = ShoeStatusSerializer(
        allow_null=True,
        help_text=_("The shoe that is mixed while this hand is played; only for seated players."),
    )
    counted = CountedSerializer(allow_null=True)

    def get_game_name(self, board: TableView) -> str:
        return str(game_name(board.table.game))

    def get_options(self, board: TableView) -> dict[str, Any]:
        """The rules and stakes of this table, with all that was left at its default."""
        table = board.table
        options: dict[str, object] = msgspec.to_builtins(game_at(table))
        return options

    def get_stream(self, board: TableView) -> str:
        stream: str = self.context["stream"]
        return stream

    @extend_schema_field(serializers.DateTimeField)
    def get_now(self, board: TableView) -> str:
        return str(self.context["now"].isoformat())

    @extend_schema_field(
        {"anyOf": [VIEW, {"type": "null"}]}
        | {"description": "The hand as your seat sees it; `game` says whose view it is."}
    )
    def get_view(self, board: TableView) -> dict[str, object] | None:
        return view_as_json(board.view)

    @extend_schema_field(
        {"type": "array", "items": CHOICE}
        | {
            "description": "What you may do now: `do` names the action, with its bounds. Each can "
            "be sent back as your action: it takes the least amount and the first of `among`."
        }
    )
    def get_choices(self, board: TableView) -> list[dict[str, object]]:
        choices: list[dict[str, object]] = msgspec.to_builtins(board.choices)
        return choices

    def get_free(self, board: TableView) -> list[int]:
        return list(free_seats(board))

    def get_waits_for(self, board: TableView) -> list[int]:
        return list(waits_for(board))

    def get_done(self, board: TableView) -> bool:
        return is_done(board)

    @extend_schema_field(HelpSerializer(allow_null=True))
    def get_help(self, board: TableView) -> dict[str, object] | None:
        if not self.context.get("help"):
            return None
        data: dict[str, object] = HelpSerializer(help_for(board)).data
        return data

    @extend_schema_field(SettlementLineSerializer(many=True))
    def get_lines(self, board: TableView) -> list[dict[str, object]]:
        return settlement_lines(board.lines, board.names, board.table.currency)


@extend_schema_field(ACTION)
class ActionField(serializers.DictField):
    """An action; the game of the table reads it."""


@extend_schema_field({"anyOf": [ACTION, SENT_CHOICE]})
class ActionOrChoiceField(serializers.DictField):
    """An action, or one of the choices as the table offers them."""


class ActRequest(RequestSerializer):
    hand = Whole(min_value=1, help_text=_("The id of the live hand."))
    turn = Whole(help_text=_("The number of your turn, from the table's data."))
    action = ActionOrChoiceField(
        allow_empty=False,
        help_text=_(
            "The action by its name, in `do`, with its fields; or one of `choices`, as it is or "
            "with fields of the action added."
        ),
    )
    decision = Text(
        max_length=40,
        required=False,
        allow_blank=True,
        help_text=_("The decision that you answer, from the table's data."),
    )


class SitRequest(RequestSerializer):
    seat = Whole(min_value=1, max_value=SEAT_MAX)
    amount = Amount(help_text=_("The buy-in, in minor units."))


class TopUpRequest(RequestSerializer):
    amount = Amount(help_text=_("The top-up, in minor units."))


class AfterRequest(RequestSerializer):
    after = Whole(help_text=_("The number of the hand that is over, from `between`."))


class NextBetsRequest(AfterRequest):
    bets = serializers.ListField(
        child=ActionField(allow_empty=False),
        min_length=1,
        max_length=BETS_MAX,
        help_text=_("The bets, as actions: all are placed or none, and your betting is over."),
    )


class CommitRequest(RequestSerializer):
    shoe = Text(max_length=60)
    commit = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class RevealRequest(RequestSerializer):
    shoe = Text(max_length=60)
    reveal = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class EmptyRequest(RequestSerializer):
    """An empty object, or no body at all."""
