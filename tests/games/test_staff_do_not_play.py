"""No member of staff sits at a table or gets play money, whatever their role."""

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from games.lobby import private_tables, seat_finder
from games.models import Seat, Table
from games.tables import play_money, seating
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.models import Account
from wallets.values.errors import Refused

CODE = "staff_do_not_play"
SENTENCE = "Staff cannot play here."
# Roles that are added later are tested, too.
GROUPS = tuple(PERMISSIONS)


@pytest.fixture
def table(house: House) -> Table:
    return house.table("baccarat")


def staff(house: House, group: str, money: int = 0) -> Player:
    player = house.player("sam", money)
    appoint(player, group)
    return player


def held(player: Player) -> int:
    owned = Account.objects.filter(owner=f"player:{player.pk}")
    return sum(owned.values_list("balance", flat=True))


@pytest.mark.parametrize("group", GROUPS)
def test_staff_can_take_no_seat_table_or_money(house: House, table: Table, group: str) -> None:
    player = staff(house, group, money=50_000)
    for ask in (
        lambda: seating.sit(player, table.pk, 1, 20_000, house.now),
        lambda: seat_finder.find_seat(player, [table], house.now),
        lambda: seat_finder.find_or_open(player, [table], house.now),
        lambda: private_tables.open_table(player, table.pk, "usual", False, house.now),
        lambda: play_money.grant(
            player, house.currency, 1_000, occasion="a present", reason="a present"
        ),
    ):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.code == CODE
    play_money.welcome(player, house.currency)
    assert held(player) == 50_000
    assert not Seat.objects.exists()
    assert Table.objects.count() == 1


@pytest.mark.parametrize("group", GROUPS)
def test_pages_and_programs_are_refused_with_a_sentence(
    house: House, table: Table, group: str
) -> None:
    player = staff(house, group)
    client = client_of(player)
    for address, data in (
        (f"/tables/{table.pk}/sit/", {"seat": 1, "amount": "100"}),
        ("/play/baccarat/", {}),
        ("/play/baccarat/", {"table": table.pk}),
        ("/private/", {"like": table.pk, "speed": "usual"}),
    ):
        answer = client.post(address, data)
        assert (answer.status_code, SENTENCE in answer.text) == (409, True), address
        assert f'data-code="{CODE}"' in answer.text, address
    program = Program("sam")
    said = program.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert (program.status, said["code"], said["sentence"]) == (409, CODE, SENTENCE)
    assert (held(player), Seat.objects.count()) == (0, 0)


@pytest.mark.parametrize("group", GROUPS)
def test_no_page_offers_them_a_seat(house: House, table: Table, group: str) -> None:
    private = house.table("baccarat", private=True)
    pages = {
        "/lobby/": ('class="sit"', "/play/", "/private/"),
        f"/tables/{table.pk}/": ('id="sit"', "Take a seat"),
        "/play/baccarat/": ('action="/play/baccarat/"',),
        "/private/": ('name="like"',),
        f"/private/{private.pk}/?invitation={private.invitation}": ("Sit down",),
        "/": ("/play/", 'id="play-'),
        "/rules/baccarat/": ("/play/",),
    }
    player, guest = client_of(staff(house, group)), client_of(house.player("alice"))
    for address, offers in pages.items():
        for_staff, for_guest = player.get(address), guest.get(address)
        assert (for_staff.status_code, for_guest.status_code) == (200, 200), address
        for offer in offers:
            assert offer in for_guest.text, (address, offer)
            assert offer not in for_staff.text, (address, offer)
    for address in ("/lobby/", f"/tables/{table.pk}/", "/play/baccarat/", "/private/"):
        assert SENTENCE in player.get(address).text, address


def test_new_staff_member_leaves_the_tables(house: House, table: Table) -> None:
    """At once where nothing runs, and after the hand where one does."""
    player = house.player("sam", 300_000)
    other = house.table("baccarat")
    house.sit(player, table, 1)
    house.sit(player, other, 1)
    house.until(other, lambda table: table.phase == Table.Phase.PLAY)
    appoint(player, "auditors")
    house.until(other, lambda table: not table.seats.filter(left_at__isnull=True).exists())
    assert not Seat.objects.filter(left_at__isnull=True).exists()
    appoint(player)
    assert house.sit(Player.objects.get(pk=player.pk), table, 2).number == 2


def test_a_superuser_is_staff(house: House, table: Table) -> None:
    boss = Player.objects.create_superuser("boss")
    with pytest.raises(Refused):
        seating.sit(boss, table.pk, 1, 20_000, house.now)
