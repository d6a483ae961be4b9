"""Profiles for programs of staff: what each version says, since when it holds, and what it does.

Reading only: drafts are made and published on the pages, where a second person sees what changes.
"""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.office.profiles.reading import standing
from games.api.hands import PageQuery
from games.models import Profile, ProfileVersion, game_choices
from games.profiles import reckoning
from games.profiles.drafts import VIEW
from games.tables.table_rules import version_in_force
from games.web.payloads import CurrencySerializer
from games.web.requests import read
from games.web.schema import refusals
from games.words.naming import game_name
from wallets.values.errors import Hidden, Refused


class ProfilesQuery(PageQuery):
    game = serializers.ChoiceField(game_choices(), required=False)


class ProfileSerializer(serializers.ModelSerializer):
    """A profile, and the number of the version that its tables follow now."""

    game_name = serializers.SerializerMethodField()
    currency = CurrencySerializer()
    in_force = serializers.SerializerMethodField()
    tables = serializers.SerializerMethodField()

    class Meta:
        model = Profile
        fields: tuple[str, ...] = (
            "id",
            "name",
            "game",
            "game_name",
            "currency",
            "made_at",
            "in_force",
            "tables",
        )

    def get_game_name(self, profile: Profile) -> str:
        return str(game_name(profile.game))

    def get_in_force(self, profile: Profile) -> int | None:
        version = version_in_force(profile.pk, timezone.now())
        return None if version is None else version.number

    def get_tables(self, profile: Profile) -> list[int]:
        return list(profile.tables.order_by("pk").values_list("pk", flat=True))


class FigureSerializer(serializers.Serializer):
    """The house's share of a bet, or what a hand brings among players; `error` if it is sampled."""

    key = serializers.CharField()
    mean = serializers.FloatField()
    error = serializers.FloatField(allow_null=True)
    samples = serializers.IntegerField()


class ProfileVersionSerializer(serializers.ModelSerializer):
    """A version: options as the rules read them, amounts in minor units, shares in basis points."""

    made_by = serializers.CharField(source="made_by.username")
    standing = serializers.SerializerMethodField()
    figures = serializers.SerializerMethodField()

    class Meta:
        model = ProfileVersion
        fields = (
            "number",
            "state",
            "standing",
            "options",
            "table_settings",
            "made_by",
            "made_at",
            "published_from",
            "answers",
            "figures",
        )

    def get_standing(self, version: ProfileVersion) -> str:
        return standing(version, timezone.now())

    @extend_schema_field(FigureSerializer(many=True))
    def get_figures(self, version: ProfileVersion) -> Any:
        try:
            found = reckoning.figures_of_version(version)
        except Refused:
            # The rules read the options of this version no more.
            found = {}
        return FigureSerializer(found.values(), many=True).data


class ProfilesResponse(serializers.Serializer):
    profiles = ProfileSerializer(many=True)
    next = serializers.IntegerField(allow_null=True)


class ProfileResponse(ProfileSerializer):
    """A profile with its versions, the newest first."""

    versions = serializers.SerializerMethodField()

    class Meta(ProfileSerializer.Meta):
        fields: tuple[str, ...] = (*ProfileSerializer.Meta.fields, "versions", "next")

    next = serializers.SerializerMethodField()

    @extend_schema_field(ProfileVersionSerializer(many=True))
    def get_versions(self, _profile: Profile) -> Any:
        return ProfileVersionSerializer(self.context["versions"], many=True).data

    def get_next(self, _profile: Profile) -> int | None:
        following: int | None = self.context["next"]
        return following


def _require_view(request: Request) -> None:
    if not request.user.has_perm(VIEW):
        raise PermissionDenied


class Profiles(APIView):
    """All profiles, the newest first; for those who see them on their pages."""

    @extend_schema(
        operation_id="profiles",
        parameters=[ProfilesQuery],
        responses={200: ProfilesResponse} | refusals(400, 401, 403, 429),
    )
    def get(self, request: Request) -> Response:
        _require_view(request)
        query = read(ProfilesQuery, request.query_params)
        found = Profile.objects.select_related("currency").order_by("-pk")
        for name, column in (("game", "game"), ("before", "pk__lt")):
            if name in query:
                found = found.filter(**{column: query[name]})
        rows = list(found[: query["limit"] + 1])
        page = rows[: query["limit"]]
        following = page[-1].pk if len(rows) > len(page) else None
        return Response(ProfilesResponse({"profiles": page, "next": following}).data)


class OneProfile(APIView):
    """One profile with its versions, the newest first: what each says, and what it does."""

    @extend_schema(
        operation_id="profile",
        parameters=[PageQuery],
        responses={200: ProfileResponse} | refusals(400, 401, 403, 404, 429),
    )
    def get(self, request: Request, number: int) -> Response:
        _require_view(request)
        query = read(PageQuery, request.query_params)
        profile = Profile.objects.select_related("currency").filter(pk=number).first()
        if profile is None:
            raise Hidden("no_such_profile", _n("There is no such profile."))
        versions = profile.versions.select_related("made_by", "profile").order_by("-number")
        if "before" in query:
            versions = versions.filter(number__lt=min(query["before"], 2**31 - 1))
        rows = list(versions[: query["limit"] + 1])
        page = rows[: query["limit"]]
        following = page[-1].number if len(rows) > len(page) else None
        context = {"versions": page, "next": following}
        return Response(ProfileResponse(profile, context=context).data)
