"""How tables are told to programs: made of `Board` alone, as the pages are.

What is described in the schema and what is sent come from the same classes, so they cannot differ.
"""

from typing import Any

import msgspec
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.asking import Amount, Asked, Text, Whole
from games.api.schema import ACTION, CHOICE, VIEW
from games.boards.board import Board, told_view
from games.boards.lines import sentence_of_line
from games.hands import game_from
from games.models import Hand, Table, game_choices
from games.rules.contract import SEAT_MAX
from games.words.naming import game_name
from wallets.models import Currency


class CurrencyTold(serializers.ModelSerializer):
    """A unit of account; all amounts are in its minor units."""

    class Meta:
        model = Currency
        fields = ("code", "name", "exponent", "kind")


class LineTold(serializers.Serializer):
    """One reason for one amount."""

    key = serializers.CharField()
    source = serializers.CharField(help_text=_("A seat, the house, or a pool."))
    target = serializers.CharField()
    amount = serializers.IntegerField()
    values = serializers.DictField()
    sentence = serializers.CharField()


def told_lines(lines: Any, names: dict[int, str], currency: Currency) -> list[dict[str, Any]]:
    """The lines of a settlement with what each says in the reader's language."""
    return [
        {"values": {}} | line | {"sentence": sentence_of_line(line, names, currency)}
        for line in lines
    ]


class TableInLobby(serializers.ModelSerializer):
    """A table as the lobby has it."""

    game_name = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    currency = CurrencyTold()
    taken = serializers.IntegerField(help_text=_("Seats that are taken, by bots too."))
    bots = serializers.IntegerField()

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

    def get_game_name(self, table: Table) -> str:
        return str(game_name(table.game))

    def get_options(self, table: Table) -> dict[str, Any]:
        """The rules and stakes of this table, with all that was left at its default."""
        told: dict[str, Any] = msgspec.to_builtins(game_from(table.game, table.options))
        return told


class SeatTold(serializers.Serializer):
    """A seat as everybody sees it."""

    number = serializers.IntegerField()
    player = serializers.CharField()
    is_bot = serializers.BooleanField()
    purse = serializers.IntegerField()
    sits_out = serializers.BooleanField()
    absent = serializers.BooleanField()
    trustee = serializers.BooleanField(help_text=_("The house plays for the seat."))
    leaves = serializers.BooleanField(help_text=_("Leaves when the hand is over."))
    to_act = serializers.BooleanField()
    mine = serializers.BooleanField()


class ShoeTold(serializers.Serializer):
    """What has been published of the shoe on the table."""

    code = serializers.CharField()
    status = serializers.CharField()
    seal = serializers.CharField()
    lock = serializers.CharField()
    commits = serializers.DictField(child=serializers.CharField())
    wants_commit = serializers.BooleanField(help_text=_("Your commit would be taken now."))
    wants_reveal = serializers.BooleanField(help_text=_("Your bytes are waited for."))


class HandAtTable(serializers.Serializer):
    """The hand that runs, or the one that has just ended."""

    id = serializers.IntegerField()
    code = serializers.CharField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(Hand.Status.choices)


class MySeat(serializers.Serializer):
    """Your seat."""

    number = serializers.IntegerField()
    purse = serializers.IntegerField(source="stack.balance")
    top_up = serializers.IntegerField(help_text=_("What comes to the purse after the hand."))
    sits_out = serializers.BooleanField()
    sat_out_by_house = serializers.BooleanField(
        help_text=_("You left three turns in a row to the clock and were made to sit out.")
    )
    trustee = serializers.BooleanField()
    leaves = serializers.BooleanField()


class TableTold(serializers.Serializer):
    """A table as you see it: never more than a page would show you."""

    id = serializers.IntegerField(source="table.pk")
    name = serializers.CharField(source="table.name")
    game = serializers.ChoiceField(game_choices(), source="table.game")
    game_name = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    currency = CurrencyTold(source="table.currency")
    places = serializers.IntegerField(source="table.places")
    buy_in_min = serializers.IntegerField(source="table.buy_in_min")
    buy_in_max = serializers.IntegerField(source="table.buy_in_max")
    purse_min = serializers.IntegerField(source="table.purse_min")
    status = serializers.ChoiceField(Table.Status.choices, source="table.status")
    phase = serializers.ChoiceField(Table.Phase.choices, source="table.phase")
    version = serializers.IntegerField(
        source="table.version", help_text=_("Grows with every change; ask again with known=.")
    )
    stream = serializers.SerializerMethodField(help_text=_("Where new versions are told at once."))
    now = serializers.SerializerMethodField(help_text=_("The time by the clock of the house."))
    seats = SeatTold(many=True)
    free = serializers.ListField(child=serializers.IntegerField())
    mine = MySeat(allow_null=True)
    stood_up = serializers.CharField(
        help_text=_("Why the house has given your seat up, in words; otherwise empty.")
    )
    kept = serializers.IntegerField(
        source="kept.number",
        allow_null=True,
        help_text=_("The seat that is kept for you until the hand is over."),
    )
    short = serializers.BooleanField(help_text=_("Your purse is too small to be dealt in."))
    hand = HandAtTable(allow_null=True)
    names = serializers.DictField(
        child=serializers.CharField(), help_text=_("Who plays the hand, by seat.")
    )
    view = serializers.SerializerMethodField()
    choices = serializers.SerializerMethodField()
    turn = serializers.IntegerField(
        allow_null=True, help_text=_("The number of your turn; send it with your action.")
    )
    deadline = serializers.DateTimeField(allow_null=True)
    next_hand_at = serializers.DateTimeField(allow_null=True)
    lines = serializers.SerializerMethodField()
    shoe = ShoeTold(allow_null=True)

    def get_game_name(self, board: Board) -> str:
        return str(game_name(board.table.game))

    def get_options(self, board: Board) -> dict[str, Any]:
        """The rules and stakes of this table, with all that was left at its default."""
        table = board.table
        told: dict[str, Any] = msgspec.to_builtins(game_from(table.game, table.options))
        return told

    def get_stream(self, board: Board) -> str:
        stream: str = self.context["stream"]
        return stream

    @extend_schema_field(serializers.DateTimeField)
    def get_now(self, board: Board) -> str:
        return str(self.context["now"].isoformat())

    @extend_schema_field(
        {"anyOf": [VIEW, {"type": "null"}]}
        | {"description": "The hand as your seat sees it; `game` says whose view it is."}
    )
    def get_view(self, board: Board) -> dict[str, Any] | None:
        return told_view(board.view)

    @extend_schema_field(
        {"type": "array", "items": CHOICE}
        | {"description": "What you may do now: `do` names the action, with its bounds."}
    )
    def get_choices(self, board: Board) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = msgspec.to_builtins(board.choices)
        return told

    @extend_schema_field(LineTold(many=True))
    def get_lines(self, board: Board) -> list[dict[str, Any]]:
        return told_lines(board.lines, board.names, board.table.currency)


@extend_schema_field(ACTION)
class ActionField(serializers.DictField):
    """An action; the game of the table reads it."""


class ActAsked(Asked):
    hand = Whole(min_value=1, help_text=_("The id of the hand that runs."))
    turn = Whole(help_text=_("The number of your turn, as the table told it."))
    action = ActionField(
        allow_empty=False, help_text=_("The action by its name, in `do`, with its fields.")
    )


class SitAsked(Asked):
    seat = Whole(min_value=1, max_value=SEAT_MAX)
    amount = Amount(help_text=_("What you buy in for, in minor units."))


class TopUpAsked(Asked):
    amount = Amount(help_text=_("What you bring to the table, in minor units."))


class CommitAsked(Asked):
    shoe = Text(max_length=60)
    commit = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class RevealAsked(Asked):
    shoe = Text(max_length=60)
    reveal = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class Nothing(Asked):
    """An empty object, or no body at all."""
