"""The sheet of a table on the floor leads on."""

import pytest

from casino.players.models import Player
from games.models import Hand, Table
from tests.casino.floor_scene import flo, mona, table
from tests.games.house import House
from tests.people import client_of

__all__ = ["flo", "mona", "table"]


@pytest.mark.slow
def test_the_sheet_of_a_table_leads_to_its_hands_players_and_settings(
    house: House, table: Table, flo: Player, mona: Player
) -> None:
    """A finished hand opens as a page for whoever may see one, and as its row for all others."""
    house.until(table, lambda _table: Hand.objects.exclude(status=Hand.Status.LIVE).exists())
    hand = Hand.objects.exclude(status=Hand.Status.LIVE).latest("pk")
    row, page = f"/admin/games/hand/{hand.pk}/change/", f"/admin/hands/{hand.code}/"
    for member, due in ((flo, row), (mona, page)):
        client = client_of(member)
        text = client.get(f"/admin/floor/tables/{table.pk}/").text
        alice = house.person("alice").pk
        led = (due, f"/admin/players/{alice}/file/", f"/admin/games/table/{table.pk}/change/")
        for address in led:
            assert f'href="{address}"' in text
            assert client.get(address).status_code == 200
