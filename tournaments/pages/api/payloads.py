"""Tournaments as JSON: made from what the pages show, and from nothing else.

The same classes make the schema and the responses, so they cannot differ.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.models import game_choices
from games.web.payloads import CurrencySerializer
from games.web.requests import RequestSerializer, Text
from tournaments.models import Entry, EventShoe, Tournament
from tournaments.overview.event_view import EventView
from tournaments.overview.words import KINDS


class TournamentInList(serializers.ModelSerializer):
    """A tournament as the list has it."""

    kind = serializers.ChoiceField(KINDS)
    game = serializers.ChoiceField(game_choices())
    currency = CurrencySerializer()
    stake = serializers.IntegerField(source="structure.stake")
    fee = serializers.SerializerMethodField()
    field_min = serializers.IntegerField(source="structure.field_min")
    field_max = serializers.IntegerField(source="structure.field_max")
    registration_open = serializers.BooleanField()
    entered = serializers.BooleanField(help_text=_("You have entered it."))

    class Meta:
        model = Tournament
        fields = (
            "id",
            "name",
            "kind",
            "game",
            "currency",
            "state",
            "starts_at",
            "started_at",
            "ended_at",
            "stake",
            "fee",
            "guarantee",
            "field_min",
            "field_max",
            "entrants",
            "players_left",
            "registration_open",
            "entered",
            "version",
        )

    def get_fee(self, tournament: Tournament) -> int:
        fee: int = tournament.structure.get("fee", 0)
        return fee


class LevelSerializer(serializers.Serializer):
    """A level: what is played for, and how long."""

    point = serializers.IntegerField(required=False)
    bet_min = serializers.IntegerField(required=False)
    bet_max = serializers.IntegerField(required=False)
    seconds = serializers.IntegerField(required=False)
    hands = serializers.IntegerField(required=False)


class PrizeSerializer(serializers.Serializer):
    """A prize, for one place or several in a row, as the field is now."""

    first = serializers.IntegerField()
    last = serializers.IntegerField()
    amount = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer):
    """The progress of duplicate rounds, or of the rounds of a knock-out."""

    round = serializers.IntegerField(help_text=_("Counted from 1; 0 before the first."))
    rounds = serializers.IntegerField()
    number = serializers.IntegerField(
        help_text=_("Of the deal; in a knock-out of the slowest table's hand.")
    )
    of = serializers.IntegerField(help_text=_("How many a round has."))
    of_deals = serializers.BooleanField(help_text=_("Deals of a duplicate, not hands."))
    is_over = serializers.BooleanField(help_text=_("All tables have finished it."))


class MyPart(serializers.Serializer):
    """Your part in a tournament."""

    number = serializers.IntegerField(
        source="entry.number", help_text=_("Your number in the draws of the shoe.")
    )
    state = serializers.ChoiceField(Entry.State.choices, source="entry.state")
    table = serializers.IntegerField(
        source="table_id",
        allow_null=True,
        help_text=_("Where you sit; play there as at any table."),
    )
    chips = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(
        allow_null=True, help_text=_("Match points; null where there are none.")
    )
    score = serializers.IntegerField(
        allow_null=True, help_text=_("What you rank by in the rounds of a knock-out.")
    )
    above_line = serializers.IntegerField(
        allow_null=True, help_text=_("How many chips more than the line you have.")
    )
    prize = serializers.IntegerField(source="entry.prize")
    net = serializers.IntegerField(
        help_text=_("The prize less stakes and fees; final once the tournament has ended."),
    )
    entries = serializers.IntegerField(
        source="entry.entries", help_text=_("How often you have entered.")
    )
    added_on = serializers.BooleanField(source="entry.added_on")
    wants = serializers.ChoiceField(
        ["commit", "reveal"],
        allow_blank=True,
        help_text=_("What you must send next to mix the shoe; empty if nothing."),
    )
    may = serializers.ListField(
        child=serializers.CharField(), help_text=_("The actions available now.")
    )


class TournamentSerializer(serializers.Serializer):
    """A tournament as you see it."""

    id = serializers.IntegerField(source="tournament.pk")
    name = serializers.CharField(source="tournament.name")
    kind = serializers.ChoiceField(KINDS, source="tournament.kind")
    game = serializers.ChoiceField(game_choices(), source="tournament.game")
    currency = CurrencySerializer(source="tournament.currency")
    state = serializers.ChoiceField(Tournament.State.choices, source="tournament.state")
    version = serializers.IntegerField(
        source="tournament.version", help_text=_("Grows with every change; ask again with known=.")
    )
    stream = serializers.SerializerMethodField(
        help_text=_("The event stream that announces new versions.")
    )
    starts_at = serializers.DateTimeField(
        source="tournament.starts_at", allow_null=True, help_text=_("Null: when it is full.")
    )
    started_at = serializers.DateTimeField(source="tournament.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="tournament.ended_at", allow_null=True)
    structure = serializers.DictField(
        source="tournament.structure", help_text=_("As in a structure file.")
    )
    level = serializers.IntegerField(
        source="tournament.level", help_text=_("Counted from 1; 0 before the start.")
    )
    stakes = LevelSerializer(help_text=_("What the present level is played for."))
    level_ends_at = serializers.DateTimeField(source="tournament.level_ends_at", allow_null=True)
    on_break = serializers.BooleanField(source="tournament.on_break")
    paused = serializers.BooleanField()
    stage = serializers.IntegerField(
        source="tournament.stage", help_text=_("2 in the rounds after a knock-out.")
    )
    progress = ProgressSerializer(
        allow_null=True, help_text=_("The rounds; null where none are played.")
    )
    hand_for_hand = serializers.BooleanField(source="tournament.hand_for_hand")
    final_table = serializers.BooleanField(source="tournament.final_table")
    registration_open = serializers.BooleanField(source="tournament.registration_open")
    entrants = serializers.IntegerField(source="tournament.entrants")
    entries = serializers.IntegerField(source="tournament.entries")
    players_left = serializers.IntegerField(source="tournament.players_left")
    chips = serializers.IntegerField(
        source="tournament.chips", help_text=_("All chips that are in play.")
    )
    average = serializers.IntegerField()
    pool = serializers.IntegerField(source="pool.amount")
    places_paid = serializers.IntegerField(source="paid")
    prizes = PrizeSerializer(many=True)
    mine = serializers.SerializerMethodField()
    why_not = serializers.SerializerMethodField(
        help_text=_("The code of the refusal, if you could not enter now; otherwise empty.")
    )

    def get_stream(self, _view: EventView) -> str:
        stream: str = self.context["stream"]
        return stream

    @extend_schema_field(MyPart(allow_null=True))
    def get_mine(self, view: EventView) -> Any:
        if view.mine.entry is None:
            return None
        outlook = view.mine.outlook
        more = {
            "may": [offer.verb for offer in view.mine.offers],
            "score": outlook.score if outlook else None,
            "above_line": outlook.above if outlook else None,
            "net": view.mine.net,
        }
        return MyPart({**view.mine._asdict(), **more}).data

    def get_why_not(self, view: EventView) -> str:
        return view.mine.why_not.code if view.mine.why_not else ""


class PlaceSerializer(serializers.Serializer):
    """An entrant: those who play come first, by their chips."""

    place = serializers.IntegerField()
    player = serializers.CharField()
    is_bot = serializers.BooleanField()
    state = serializers.ChoiceField(Entry.State.choices)
    chips = serializers.IntegerField(
        help_text=_("In duplicate rounds those won in all deals, which may be negative.")
    )
    points = serializers.IntegerField(
        allow_null=True, help_text=_("Match points; null where there are none.")
    )
    share_bp = serializers.IntegerField(
        allow_null=True, help_text=_("Match points in basis points of the most that can be had.")
    )
    score = serializers.IntegerField(
        allow_null=True, help_text=_("What players rank by in the rounds of a knock-out.")
    )
    gained = serializers.IntegerField(
        help_text=_("Places gained since the level, round or deal began; lost if below zero.")
    )
    table = serializers.IntegerField(allow_null=True)
    prize = serializers.IntegerField()


class HandInEvent(serializers.Serializer):
    """A hand that you have played in a tournament."""

    id = serializers.IntegerField(source="hand.pk", help_text=_("Its record is at hands/{id}/."))
    code = serializers.CharField(source="hand.code")
    table = serializers.IntegerField(help_text=_("The tournament's number of the table."))
    level = serializers.IntegerField()
    round = serializers.IntegerField(help_text=_("0 where there are no rounds."))
    net = serializers.IntegerField(help_text=_("In chips."))
    is_void = serializers.BooleanField()
    ended_at = serializers.DateTimeField(source="hand.ended_at")


class HandsInEvent(serializers.Serializer):
    hands = HandInEvent(many=True)


class HandsQuery(RequestSerializer):
    """The part of one's hands to send, the latest first."""

    before = serializers.IntegerField(
        required=False, min_value=1, help_text=_("Only hands with a smaller number.")
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=200)


class PlacesResponse(serializers.Serializer):
    places = PlaceSerializer(many=True)
    count = serializers.IntegerField()


class EntrantPart(serializers.Serializer):
    """An entrant's part in mixing the shoe."""

    entrant = serializers.IntegerField()
    who = serializers.ChoiceField(["player", "house"])
    commit = serializers.CharField()
    reveal = serializers.CharField(allow_blank=True)


class DrawSerializer(serializers.Serializer):
    """An order that was drawn: any reader can compute it from the mix and the opened link."""

    label = serializers.CharField()
    link = serializers.IntegerField()
    x_m = serializers.CharField()
    things = serializers.ListField(child=serializers.IntegerField())
    order = serializers.ListField(child=serializers.IntegerField())


class FirstSeat(serializers.Serializer):
    """The seat that the first draw gave to an entrant."""

    entrant = serializers.IntegerField()
    table = serializers.IntegerField(help_text=_("The tournament's number of the table."))
    seat = serializers.IntegerField()


class EventShoePublished(serializers.Serializer):
    """The published values of a tournament's shoe; docs/verify.py checks them as they are."""

    format = serializers.CharField()
    id = serializers.CharField()
    status = serializers.ChoiceField(EventShoe.Status.choices)
    seal = serializers.CharField()
    key = serializers.CharField()
    x_0 = serializers.CharField()
    leaves = serializers.ListField(child=serializers.CharField())
    sealed = serializers.CharField(help_text=_("The seal of the shoe without those of its deals."))
    deals = serializers.ListField(child=serializers.CharField())
    lock = serializers.CharField(allow_blank=True)
    mix = serializers.CharField(allow_blank=True)
    entrants = EntrantPart(many=True)
    draws = DrawSerializer(many=True)
    sizes = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=_("With how many players a table can play, and how many it has at most."),
    )
    seats = FirstSeat(many=True)


class EntrantCommit(RequestSerializer):
    commit = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class EntrantReveal(RequestSerializer):
    reveal = Text(max_length=64, help_text=_("32 bytes in hexadecimal digits."))


class ListQuery(RequestSerializer):
    """The filters of the list."""

    state = serializers.ChoiceField(
        ["open", "running", "over", "mine"],
        required=False,
        help_text=_("Default: all announced and running tournaments."),
    )
    game = serializers.ChoiceField(game_choices(), required=False)
    before = serializers.IntegerField(
        required=False, min_value=1, help_text=_("Only tournaments with a smaller number.")
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=100)


class PageQuery(RequestSerializer):
    """The part of a long list to send."""

    offset = serializers.IntegerField(required=False, min_value=0, max_value=100_000)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=200)


class KnownQuery(RequestSerializer):
    known = serializers.IntegerField(
        required=False, help_text=_("The version you have: without a newer one the answer is 204.")
    )
