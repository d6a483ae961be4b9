"""Every verb of staff, sent by a member of each role: done where the page of roles says so.

The verbs are played as for the tests of the journal, in one house, and each is taken back.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.core.management import CommandError
from django.db import transaction
from django.test import override_settings

from casino.accounts import appointing
from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS
from casino.office.frame import members
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.games.staff_scene import ABOUT, OF_TESTS, Scene
from tests.games.staff_verbs import VERBS
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.staff import approvals, journal
from wallets.values.errors import Refused

# A house is founded before it has staff; the house lets proposals expire; and what a role
# may propose and decide is in `test_roles.py`.
OF_NO_ROLE: tuple[str, ...] = (OF_TESTS, "command:found", approvals.EXPIRED)
OF_NO_ROLE += (approvals.PROPOSED, approvals.WITHDRAWN)
NOT_DONE: Final = (AssertionError, CommandError, ObjectDoesNotExist, PermissionDenied, Refused)
# A role tries so many shares of the verbs one by one; a sample takes another share for each role.
SHARES: Final = len(PERMISSIONS)
# What a role does otherwise than here: managers change a table by another verb, and technicians
# take alarms, but see none of a table.
OTHERWISE: Final = {("managers", "table.run"), ("technicians", "alarm.take")}


def play(house: House) -> Scene:
    scene = Scene(house)
    for make in ABOUT:
        make(scene)
    return scene


evening = played_once(play)


@pytest.fixture
def scene(house: House, tonight: Evening[Scene]) -> Iterator[Scene]:
    with override_settings(APPROVAL_JACKPOT=10**6):
        yield tonight.made


def is_done(scene: Scene, member: Player, verb: str, folder: Path) -> bool:
    """Play a verb as this user, and say whether the journal has it; then nothing has happened."""
    before = JournalEntry.objects.count()
    anchors = folder / f"{member.username} {verb}.jsonl"
    with transaction.atomic(), override_settings(ANCHORS_FILE=anchors):
        try:
            with transaction.atomic():
                VERBS[verb](scene)
        except NOT_DONE:
            pass
        done = JournalEntry.objects.filter(
            position__gt=before, verb=verb, actor=journal.by(member).reference
        ).exists()
        transaction.set_rollback(True)
    return done


@pytest.fixture
def member(scene: Scene, group: str) -> Player:
    """A member of this role, who does what the scene's staff do."""
    player = Player.objects.create_user(f"one-of-{group}")
    appointing.give(player, group, journal.HOUSE, "A new colleague")
    member = Player.objects.get(pk=player.pk)
    scene.boss = scene.auditor = scene.flo = member
    scene.browser = client_of(member)
    return member


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("group", PERMISSIONS)
def test_a_role_does_what_the_page_says_and_nothing_else(
    scene: Scene, member: Player, group: str, share: int, tmp_path: Path
) -> None:
    verbs = [verb for verb in VERBS if not verb.startswith(OF_NO_ROLE)]
    for verb in verbs[share::SHARES]:
        done = is_done(scene, member, verb, tmp_path)
        otherwise = (group, verb) in OTHERWISE
        assert done == (members.does(group, verb) is not otherwise), verb
