"""The verbs of staff about profiles, and about the rules of tables that follow them."""

from uuid import uuid4

from django.utils import timezone

from games.profiles import publishing
from tests.games import profiles
from tests.games.staff_scene import WHY, Scene
from wallets.staff import approvals


def change_profile(scene: Scene) -> None:
    version = scene.draft
    form = {
        name: ("on" if value else "") if isinstance(value, bool) else str(value)
        for name, value in version.table_settings.items()
    }
    form |= {"buy_in_min": "50", "buy_in_max": "500", "stack_min": "10", "revision": "1"}
    scene.post(f"profiles/{version.pk}/edit/", **form | {"options-point": "2"})


def publish_profile(scene: Scene) -> None:
    proposal = publishing.propose(
        scene.boss, scene.draft.pk, 1, timezone.now(), profiles.ANSWERS,
        reason=WHY, key=uuid4(), now=timezone.now(),
    )  # fmt: skip
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def add_table(scene: Scene) -> None:
    scene.post(
        "tables/new/",
        game="doudizhu",
        profile=scene.published.profile_id,
        places=3,
        name="New",
        overflow_max=0,
    )


def table_rules(scene: Scene) -> None:
    table = scene.house.table("doudizhu", name="Yard")
    profile = scene.published.profile_id
    proposal = scene.submit("table.rules", table=table.pk, profile=profile, places=3, jackpots=[])
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())
