"""Profiles in tests: made, reckoned with figures that a test gives, and published by two people."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

import msgspec
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Profile, ProfileVersion, Reckoning, Table
from games.profiles import drafts, publishing, reckoning
from games.profiles.figures import Figure
from wallets.models import Currency
from wallets.models.staff_models import Proposal
from wallets.staff import approvals

WHY = "the club asked for it"
QUIET = (Figure("main", 0.01),)


def manager(name: str) -> Player:
    player = Player.objects.create_user(name)
    appoint(player, "managers")
    return Player.objects.get(pk=player.pk)


def play_money() -> Currency:
    currency, _made = Currency.objects.get_or_create(
        code="PLAY", defaults={"name": "play money", "kind": Currency.Kind.PLAY}
    )
    return currency


def draft(member: Player, game: str = "doudizhu", name: str = "Club rules") -> ProfileVersion:
    return drafts.make_profile(
        member, name, game, play_money().code, reason=WHY, now=timezone.now()
    )


def change(member: Player, version: ProfileVersion, **values: Any) -> ProfileVersion:
    """Save a draft with other options or settings."""
    options, settings = dict(version.options), dict(version.table_settings)
    for name, value in values.items():
        (options if name in options else settings)[name] = value
    return drafts.save_draft(member, version.pk, version.revision, options, settings, reason=WHY)


def reckoned(version: ProfileVersion, figures: Sequence[Figure] = QUIET) -> Reckoning:
    """The figures of a version, without a worker: a test says what they are."""
    row = reckoning.ask(version, timezone.now())
    Reckoning.objects.filter(pk=row.pk).update(
        state=Reckoning.State.DONE, figures=msgspec.to_builtins(list(figures)), done=row.wanted
    )
    return Reckoning.objects.get(pk=row.pk)


ANSWERS = {"rake.bound": "the house's custom"}


def proposed(
    member: Player,
    version: ProfileVersion,
    start: datetime | None = None,
    answers: dict[str, str] | None = None,
) -> Proposal:
    now = timezone.now()
    return publishing.propose(
        member,
        version.pk,
        version.revision,
        start or now,
        ANSWERS if answers is None else answers,
        reason=WHY,
        key=uuid4(),
        now=now,
    )


def published(
    maker: Player, checker: Player, version: ProfileVersion, start: datetime | None = None
) -> ProfileVersion:
    reckoned(version)
    proposal = proposed(maker, version, start)
    approvals.approve(checker, proposal.pk, reason=WHY, now=timezone.now())
    return ProfileVersion.objects.get(pk=version.pk)


def following(table: Table, profile: Profile) -> Table:
    Table.objects.filter(pk=table.pk).update(profile=profile)
    table.refresh_from_db()
    return table
