"""Every posting of a tournament says truly who made it and why, as docs/ledger.md lists it."""

import re
from pathlib import Path
from uuid import uuid4

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments.models import Entry
from tournaments.running import entries
from wallets.models import Transaction
from wallets.staff import approvals
from wallets.tasks import reconcile

pytestmark = pytest.mark.django_db

# What the ledger has besides the tournaments' own postings.
OTHERS = {"deposit", "hand", "grant"}


def documented(repository: Path) -> set[tuple[str, str, str]]:
    page = (repository / "docs" / "ledger.md").read_text()
    section = page.partition("## Who and why in tournaments")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| tournament \|$", section, re.MULTILINE)
    return {(kind, actor.strip(), reason.strip()) for kind, actor, reason in rows}


def a_whole_event(event: Event) -> None:
    """Late entries, a re-entry, an add-on, a player who leaves, and a guarantee that is needed."""
    levels = [{"point": 1_000, "seconds": 120}, {"point": 1_000}]
    event.announce(
        structure(
            guarantee=90_000,
            levels=levels,
            late_registration_level=1,
            reentries={"most": 3, "until_level": 1},
            add_on={"chips": 500, "stake": 300, "until_level": 1},
        )
    )
    players = event.people(4)
    event.enter(players)
    entries.unregister(players[3], event.number, event.house.now)
    event.until(event.is_running)
    entries.add_on(players[0], event.number, event.house.now)
    event.until(lambda: Entry.objects.filter(state="out", tournament=event.number).exists())
    out = Entry.objects.filter(state="out", tournament=event.number)[0]
    entries.enter_again(out.player, event.number, event.house.now)
    event.play()


def cancelled_by_staff(event: Event) -> None:
    event.open(structure(guarantee=5_000), 2)
    event.until(event.is_running)
    appoint(event.house.player("sam"), "managers")
    sam, now = Player.objects.get(username="sam"), event.house.now
    arguments = {"tournament": event.number}
    approvals.submit(sam, "tournament.cancel", arguments, reason="a test", key=uuid4(), now=now)
    event.play()


def one_without_need(event: Event) -> None:
    """A guarantee that the stakes reach, and one that too few people came for."""
    event.open(structure(guarantee=100, levels=[{"point": 1_000}]), 2)
    event.play()
    event.open(structure(guarantee=100), 1)
    event.play()


def with_deals_that_lie_at_all_tables(event: Event) -> None:
    event.open(
        structure(
            kind="duplicate",
            field_min=4,
            table_size=2,
            levels=[{"point": 10}],
            duplicate={"rounds": 1, "deals": 1},
        ),
        4,
    )
    event.play()


def with_bots(event: Event) -> None:
    event.announce(sit_and_go(levels=[{"point": 1_000}]))
    event.house.bots(2)
    event.enter(Player.objects.filter(is_bot=True))
    event.play()


def test_all_of_them_are_in_the_table(event: Event, repository: Path) -> None:
    a_whole_event(event)
    cancelled_by_staff(event)
    one_without_need(event)
    with_deals_that_lie_at_all_tables(event)
    with_bots(event)
    known, seen = documented(repository), set()
    bots = {f"player:{bot.pk}" for bot in Player.objects.filter(is_bot=True)}
    staff = {f"player:{player.pk}" for player in Player.objects.filter(is_staff=True)} | {
        "player:1"
    }
    for posted in Transaction.objects.exclude(kind__in=OTHERS):
        whose = {
            owner
            for owner in posted.entries.values_list("account__owner", flat=True)
            if owner.startswith("player:")
        }
        (actor,) = {who for kind, who, why in known if (kind, why) == (posted.kind, posted.reason)}
        seen.add((posted.kind, actor, posted.reason))
        allowed = {
            "the player": {"house"} if whose <= bots else whose,
            "staff, or house": {"house", *staff},
            "house": {"house"},
        }
        assert posted.actor in allowed[actor], (posted.kind, posted.actor)
        assert posted.book_id.startswith("tournament:")
    assert seen == known
    assert reconcile(everything=True) == 0
