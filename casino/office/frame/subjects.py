"""The pages behind the journal's opaque references: lists of the back office, and proposals."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final

from django.contrib import admin
from django.db.models import Model
from django.urls import reverse

from casino.accounts.models import Player
from casino.office.desk.links import DESK
from casino.office.models import AuditRun
from games.models import Hand, Profile, ProfileVersion
from wallets.models.holders import player_reference
from wallets.models.staff_models import Proposal
from wallets.money.limits import LIMITS
from wallets.money.references import Link

# What has a page of its own under the name of its kind.
NUMBERED: Final[dict[str, type[Model]]] = {
    "audit": AuditRun,
    "proposal": Proposal,
}


def register(kind: str, model: type[Model]) -> None:
    """Link references of this kind to the page of the same name."""
    NUMBERED[kind] = model


def _hands(keys: list[str]) -> dict[str, Link]:
    """The page of a hand, where approvers see how it was played."""
    hands = Hand.objects.filter(pk__in=keys)
    return {one.reference: Link(reverse("office-hand", args=[one.code]), one.code) for one in hands}


def _versions(keys: list[str]) -> dict[str, Link]:
    versions = ProfileVersion.objects.select_related("profile").filter(pk__in=keys)
    return {one.reference: Link(reverse("profile", args=[one.pk]), str(one)) for one in versions}


def _profiles(keys: list[str]) -> dict[str, Link]:
    profiles = Profile.objects.filter(pk__in=keys)
    return {one.reference: Link(reverse("profiles"), str(one)) for one in profiles}


def _players(keys: list[str]) -> dict[str, Link]:
    players = Player.objects.filter(pk__in=keys)
    return {
        player_reference(one.pk): Link(reverse("player-file", args=[one.pk]), one.username)
        for one in players
    }


# By kind, what finds the pages of rows by their keys.
PAGES: Final[dict[str, Callable[[list[str]], dict[str, Link]]]] = DESK | {
    "hand": _hands,
    "player": _players,
    "profileversion": _versions,
    "profile": _profiles,
}


def links(references: Iterable[str]) -> dict[str, Link]:
    """A link for each reference that is the row of a list, or a proposal; for others none."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for reference in sorted(set(references)):
        kind, _colon, key = reference.partition(":")
        if (key.isdecimal() and len(key) < 19) or (kind == "limit" and key in LIMITS):
            by_kind[kind].append(key)
    lists = {model._meta.model_name: model for model in admin.site._registry}
    found: dict[str, Link] = {}
    for kind, keys in by_kind.items():
        if kind == "limit":
            rows = {f"limit:{key}": Link(reverse("limits"), str(LIMITS[key][1])) for key in keys}
        elif kind in NUMBERED:
            there = NUMBERED[kind]._default_manager.filter(pk__in=keys)
            rows = {
                f"{kind}:{key}": Link(reverse(kind, args=[key]), f"#{key}")
                for key in there.values_list("pk", flat=True)
            }
        elif kind in PAGES:
            rows = PAGES[kind](keys)
        elif kind in lists:
            model = lists[kind]
            page = f"admin:{model._meta.app_label}_{kind}_change"
            rows = {
                f"{kind}:{key}": Link(reverse(page, args=[key]), str(row))
                for key, row in model._default_manager.in_bulk(keys).items()
            }
        else:
            continue
        found |= rows
    return found
