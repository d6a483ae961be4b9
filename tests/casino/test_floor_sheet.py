"""The sheet of a table on the floor leads on."""

import pytest

from casino.accounts.models import Player
from games.models import Hand, HandSeat, Move, Table
from tests.casino.floor_scene import flo, mona, table
from tests.games.house import House
from tests.people import client_of
from wallets.values.amounts import show_signed

__all__ = ["flo", "mona", "table"]


@pytest.mark.slow
def test_the_sheet_of_a_table_leads_to_its_hands_players_and_settings(
    house: House, table: Table, flo: Player, mona: Player
) -> None:
    """A finished hand opens as a page for staff who may see it, and as its row for all others."""
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
        # The felt as spectators see it, and what the hand has brought to each seat.
        assert '<section id="felt"' in text
        for seat in hand.seats.select_related("player"):
            assert f"{seat.player.username} {show_signed(seat.net or 0, table.currency)}" in text


@pytest.mark.always
def test_the_sheet_says_what_each_seat_did(house: House, table: Table, flo: Player) -> None:
    """The log has no card that a spectator has not seen, and each seat its last move."""
    house.until(table, lambda _table: Move.objects.filter(seat__gt=0).count() > 3)
    page = client_of(flo).get(f"/admin/floor/tables/{table.pk}/")
    hand = Hand.objects.latest("pk")
    assert len(page.context["moves"]) == min(hand.moves.count(), 12)
    newest = page.context["moves"][0]
    (seat,) = [seat for seat in page.context["seats"] if seat.sitter.name == newest.who]
    assert seat.act == newest
    won = sum(
        hand_seat.net for hand_seat in HandSeat.objects.filter(seat__number=seat.sitter.number)
    )
    assert seat.change == show_signed(won, table.currency)
    assert f"{seat.change} since" in page.text
