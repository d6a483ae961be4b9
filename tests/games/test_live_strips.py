"""What a stream says beside versions: that a page's strip has news, and what pools show."""

import asyncio

import pytest
from django.test import Client

from casino.accounts.models import Player
from games.live import hub, sources
from games.models import Table
from games.tables import admission
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import address, meet
from tests.people import client_of
from wallets.money import jackpots
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)

STRIP = "event: strip\n"


@pytest.fixture(autouse=True)
def _undisturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a test itself has the hub look at the house."""
    monkeypatch.setattr(hub, "LOOK_SECONDS", 86_400)
    monkeypatch.setattr(hub, "LOOK_SECONDS_WITHOUT_REDIS", 86_400)


@pytest.fixture
def here(house: House) -> Table:
    return house.table("doudizhu")


@pytest.fixture
def elsewhere(house: House) -> Table:
    return house.table("doudizhu")


@pytest.fixture
def alice(house: House) -> Player:
    return house.player("alice")


async def streams(at: Streams, *readers: tuple[Player | None, Table]) -> list[Listener]:
    """Open the streams of these readers, one after the other."""
    listeners = []
    for player, table in readers:
        listeners.append(await asyncio.to_thread(stream_of, at, player, table))
        listeners[-1].open()
        await listeners[-1].until("event: version")
    return listeners


def stream_of(at: Streams, player: Player | None, table: Table) -> Listener:
    return Listener(at, address(client_of(player) if player else Client(), table))


def test_a_strip_hears_of_moves_at_the_player_s_other_tables(
    house: House, here: Table, elsewhere: Table, alice: Player
) -> None:
    house.sit(alice, elsewhere, 1)
    house.sit(alice, here, 1)
    bob = house.player("bob")

    async def meeting(at: Streams) -> None:
        hers, there, his = await streams(at, (alice, here), (alice, elsewhere), (bob, here))
        await at.hub.look_at_house()
        # A player's seat is news to a page that does not have it.
        await hers.until(STRIP)
        at.hub.tell(elsewhere.pk, 99)
        await there.until("data: 99\n\n")
        at.hub.tell(here.pk, 98)
        for reader in (hers, his):
            await reader.until("data: 98\n\n")
        assert STRIP not in his.text

    meet(meeting)


def test_many_moves_are_one_message_to_a_strip(
    house: House, here: Table, elsewhere: Table, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.sit(alice, elsewhere, 1)

    async def meeting(at: Streams) -> None:
        (hers,) = await streams(at, (alice, here))
        await at.hub.look_at_house()
        await hers.until(STRIP)
        for version in range(100, 200):
            at.hub.tell(elsewhere.pk, version)
        at.hub.tell(here.pk, 200)
        await hers.until("data: 200\n\n")
        # The next may come after a pause.
        assert hers.text.count(STRIP) == 1

    meet(meeting)


def test_a_page_of_the_only_table_has_no_news_in_its_strip(
    house: House, here: Table, alice: Player
) -> None:
    house.sit(alice, here, 1)

    async def meeting(at: Streams) -> None:
        (hers,) = await streams(at, (alice, here))
        await at.hub.look_at_house()
        at.hub.tell(here.pk, 99)
        await hers.until("data: 99\n\n")
        assert STRIP not in hers.text

    meet(meeting)


def test_every_page_learns_what_the_pools_show_and_that_the_house_pauses(
    house: House, here: Table, elsewhere: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}

    def change() -> None:
        made["pool"] = jackpots.create(
            "Dragon", "progressive", house.currency, actor="operator:olga", seed=1_234_50
        )
        monkeypatch.setattr(admission, "held", lambda _now: Refused("maintenance", "No new hands."))

    async def meeting(at: Streams) -> None:
        both = await streams(at, (None, here), (None, elsewhere))
        await at.hub.look_at_house()
        await asyncio.to_thread(change)
        await at.hub.look_at_house()
        for reader in both:
            await reader.until(f'event: pools\ndata: {{"{made["pool"].pk}":"1,234.50"}}\n\n')
            await reader.until(STRIP)

    meet(meeting)


@pytest.mark.always
def test_a_table_of_an_event_tells_of_the_event(house: House, here: Table) -> None:
    Table.objects.filter(pk=here.pk).update(organiser="tournament:12", private=False)
    here.refresh_from_db()
    key = sources.key_of("tournaments", 12)

    async def meeting(at: Streams) -> None:
        (reader,) = await streams(at, (None, here))
        at.hub.tell(key, 7)
        await reader.until("event: heading\n")

    meet(meeting)
