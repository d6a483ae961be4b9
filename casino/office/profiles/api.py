"""Profiles for programs of staff: what each version says, since when it holds, and what it does.

Reading only: drafts are made and published on the pages, where a second person sees what changes.
"""

from datetime import datetime
from typing import Annotated, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.office.profiles.reading import standing
from games.models import Profile, ProfileVersion
from games.profiles import reckoning
from games.profiles.drafts import VIEW
from games.tables.table_rules import version_in_force
from games.web.operations import answer
from games.web.payloads import (
    Currency,
    GameKey,
    Moment,
    PageQuery,
    Payload,
    one_of,
    payload,
    read_query,
    turned,
)
from games.web.schema import refusals
from games.words.naming import game_name
from wallets.values.errors import Hidden, Refused

Fields = Annotated[object, Meta(extra_json_schema={"type": "object", "additionalProperties": True})]


class ProfilesQuery(PageQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The profiles to list."""

    game: GameKey | UnsetType = UNSET


class ProfileInList(Payload, frozen=True, kw_only=True):
    """A profile, and the number of the version that its tables follow now."""

    id: int
    name: str
    game: GameKey
    game_name: str
    currency: Currency
    made_at: Moment
    in_force: int | None
    tables: list[int]


class ProfilesResponse(Payload, frozen=True, kw_only=True):
    profiles: list[ProfileInList]
    next: int | None


class ReckonedFigure(Payload, frozen=True, kw_only=True):
    """The house's share of a bet, or what a hand brings among players; `error` if it is sampled."""

    key: str
    mean: float
    error: float | None
    samples: int


class VersionOfProfile(Payload, frozen=True, kw_only=True):
    """A version: options as the rules read them, amounts in minor units, shares in basis points."""

    number: int
    state: Annotated[str, one_of(ProfileVersion.State.values)]
    standing: str
    options: Fields
    table_settings: Fields
    made_by: str
    made_at: Moment
    published_from: Moment | None
    answers: Fields
    figures: list[ReckonedFigure]


class ProfileResponse(ProfileInList, frozen=True, kw_only=True):
    """A profile with its versions, the newest first."""

    versions: list[VersionOfProfile]
    next: int | None


def _facts(profile: Profile, now: datetime) -> dict[str, Any]:
    version = version_in_force(profile.pk, now)
    return {
        "game_name": str(game_name(profile.game)),
        "in_force": None if version is None else version.number,
        "tables": list(profile.tables.order_by("pk").values_list("pk", flat=True)),
    }


def _version(version: ProfileVersion, now: datetime) -> VersionOfProfile:
    try:
        figures = reckoning.figures_of_version(version)
    except Refused:
        # The rules read the options of this version no more.
        figures = {}
    return payload(
        VersionOfProfile,
        version,
        standing=str(standing(version, now)),
        made_by=version.made_by.username,
        figures=[payload(ReckonedFigure, figure) for figure in figures.values()],
    )


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
    def get(self, request: Request) -> HttpResponse:
        _require_view(request)
        query, now = read_query(ProfilesQuery, request.query_params), timezone.now()
        profiles = Profile.objects.select_related("currency").order_by("-pk")
        if query.game is not UNSET:
            profiles = profiles.filter(game=query.game)
        page, following = turned(profiles, query)
        listed = [payload(ProfileInList, profile, **_facts(profile, now)) for profile in page]
        return answer(ProfilesResponse(profiles=listed, next=following))


class OneProfile(APIView):
    """One profile with its versions, the newest first: what each says, and what it does."""

    @extend_schema(
        operation_id="profile",
        parameters=[PageQuery],
        responses={200: ProfileResponse} | refusals(400, 401, 403, 404, 429),
    )
    def get(self, request: Request, number: int) -> HttpResponse:
        _require_view(request)
        query, now = read_query(PageQuery, request.query_params), timezone.now()
        profile = Profile.objects.select_related("currency").filter(pk=number).first()
        if profile is None:
            raise Hidden("no_such_profile", _n("There is no such profile."))
        rows = profile.versions.select_related("made_by", "profile").order_by("-number")
        page, following = turned(rows, query, "number")
        versions = [_version(version, now) for version in page]
        facts = _facts(profile, now)
        return answer(payload(ProfileResponse, profile, **facts, versions=versions, next=following))
