"""Promotions for tests: versions in force, hands that count, and what the facts brought."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from casino.accounts.models import Player
from casino.community.promotions.books import audit, preview, taking_facts
from casino.community.promotions.models import (
    Promotion,
    PromotionAward,
    PromotionProgress,
    PromotionVersion,
)
from casino.community.promotions.office import drafts, publishing
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.shares import Mission
from tests.games.house import House
from wallets.staff import approvals


def drafted(member: Player, name: str) -> PromotionVersion:
    """A draft whose cost is known."""
    now = timezone.now()
    terms = Declaration(
        kind=Mission(goal=3, pay=250),
        currency="PLAY",
        starts=now,
        ends=now + timedelta(days=7),
        budget=100_000,
    )
    version = drafts.make(member, name, declaration.stored(terms), reason="x", now=now)
    preview.run(preview.ask(version, now).pk)
    return version


def published(
    proposer: Player, approver: Player, version: PromotionVersion, reason: str = "x"
) -> PromotionVersion:
    proposal = publishing.propose(
        proposer, version.pk, version.revision, "on purpose", reason=reason, key=uuid4()
    )
    approvals.approve(approver, proposal.pk, reason="yes", now=timezone.now())
    version.refresh_from_db()
    return version


class Scene:
    """A house in which facts have been taken since its beginning."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.boss = Player.objects.create_superuser("boss")
        taking_facts.begin(house.now - timedelta(seconds=1))

    def publish(self, kind: AnyKind, **terms: Any) -> PromotionVersion:
        """A version in force from now on, for a week unless it says otherwise."""
        now = self.house.now
        given: dict[str, Any] = {
            "currency": self.house.currency.code,
            "starts": now - timedelta(seconds=1),
            "ends": now + timedelta(days=7),
            "budget": 1_000_000,
        }
        values = Declaration(kind=kind, **(given | terms))
        promotion = Promotion.objects.create(
            name=f"{kind.key} {Promotion.objects.count()}", made_at=now
        )
        return PromotionVersion.objects.create(
            promotion=promotion,
            number=1,
            state=PromotionVersion.State.PUBLISHED,
            terms=declaration.stored(values),
            made_by=self.boss,
            made_at=now,
            published_from=values.starts,
        )

    def take(self) -> None:
        taking_facts.take(self.house.now)

    def pass_days(self, days: float) -> None:
        self.house.pass_time(days * 86_400)
        self.take()

    def awards(self, name: str) -> list[tuple[int, str]]:
        """The amounts and states of a player's awards, the oldest first."""
        rows = PromotionAward.objects.filter(player__username=name).order_by("at", "pk")
        return list(rows.values_list("amount", "state"))

    def progress(self, name: str) -> int:
        return PromotionProgress.objects.get(player__username=name).points

    def held(self, name: str) -> int:
        return self.house.wallet(self.house.person(name)).balance

    def findings(self) -> list[str]:
        return list(audit.findings())

    @property
    def now(self) -> datetime:
        return self.house.now
