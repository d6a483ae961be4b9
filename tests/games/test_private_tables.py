"""Private tables: opened by a player, shared by a link, closed by the opener or by themselves."""

import re

import pytest
from django.test import Client

from casino.accounts.models import Player
from games.lobby import private_tables
from games.models import Seat, Table
from games.rules.errors import Unreadable
from games.tables import buy_in, clock, seating
from games.tasks import close_deserted
from tests.casino.browsers import NEW
from tests.games.house import House
from tests.people import client_of
from wallets.money import jackpots
from wallets.values.errors import Hidden, Refused

pytestmark = pytest.mark.usefixtures("versions_watched")


@pytest.fixture
def model(house: House) -> Table:
    """A table of the house that private ones are like."""
    return house.table(
        "doudizhu",
        name="Yard",
        options={"point": 200},
        decision_seconds=30,
        betting_seconds=8,
        bots_max=2,
    )


def opened(house: House, model: Table, name: str = "alice") -> Table:
    return private_tables.open_table(house.player(name), model.pk, "usual", False, house.now)


def sit(house: House, player: Player, table: Table, number: int) -> None:
    seating.sit(player, table.pk, number, 50_000, house.now, table.invitation)


def link_in(text: str) -> str:
    match = re.search(r'value="http://testserver(/private/\d+/\?invitation=[\w-]+)"', text)
    assert match
    return match[1]


@pytest.mark.always
def test_the_form_groups_the_tables_by_family_and_keeps_what_was_chosen(
    house: House, model: Table
) -> None:
    house.table("baccarat", name="Dragon")
    alice = client_of(house.player("alice"))
    page = alice.get("/private/").text
    assert re.findall('<optgroup label="([^"]+)"', page) == ["Dou Dizhu", "Baccarat"]
    lines = re.findall(r'<option value="\d+"[^>]*>([^<]+)</option>', page)
    assert [line.split(" · ")[0] for line in lines] == [
        "Dou Dizhu",
        "Baccarat without commission",
    ]
    assert " selected" not in page
    # The refusal leaves the form as it was sent.
    answer = alice.post("/private/", {"like": model.pk, "speed": "never"})
    assert answer.status_code != 200
    assert f'<option value="{model.pk}" selected>' in answer.text


def test_a_private_table_is_like_one_of_the_house(house: House, model: Table) -> None:
    alice = client_of(house.player("alice"))
    assert f'<option value="{model.pk}"' in alice.get("/private/").text
    form = {"like": model.pk, "speed": "quick", "bots": "1"}
    answer = alice.post("/private/", form)
    table = Table.objects.get(private=True)
    assert answer["Location"] == f"/private/{table.pk}/"
    for name in ("game", "options", "currency", "places", "buy_in_min", "buy_in_max", "stack_min"):
        assert getattr(table, name) == getattr(model, name)
    assert table.opened_by == house.person("alice")
    assert (table.decision_seconds, table.betting_seconds) == (15, 5)
    assert table.bots_max == 2
    assert table.name in alice.get("/private/").text
    assert table.name not in Client().get("/lobby/").text


def test_bots_come_to_a_private_table_only_if_its_player_wants_them(
    house: House, model: Table
) -> None:
    assert opened(house, model).bots_max == 0
    house.bots(3)
    table = private_tables.open_table(house.player("bob"), model.pk, "usual", True, house.now)
    sit(house, house.person("bob"), table, 1)
    house.now += buy_in.NOTICE
    clock.tick(table.pk, house.now)
    assert Seat.objects.filter(table=table, player__is_bot=True).count() == 2


def test_a_progressive_pool_is_played_for_in_private_and_a_mystery_prize_is_not(
    house: House,
) -> None:
    model = house.table("blackjack")
    pots = [
        jackpots.create(kind, kind, house.currency, actor="test")
        for kind in ("progressive", "mystery")
    ]
    model.jackpots.set(pots)
    assert list(opened(house, model).jackpots.all()) == pots[:1]


def test_invitation_names_the_host_and_offers_a_seat(house: House, model: Table) -> None:
    table = opened(house, model)
    link = link_in(client_of(house.person("alice")).get(f"/private/{table.pk}/").text)
    bob = client_of(house.player("bob"))
    assert bob.get(f"/private/{table.pk}/").status_code == 404
    page = bob.get(link).text
    assert "opened by alice" in page
    assert "Close the table" not in page
    assert 'id="link"' not in page
    assert bob.post(f"/private/{table.pk}/")["Location"] == f"/tables/{table.pk}/"
    assert Seat.objects.get(player__username="bob").stack.balance == table.buy_in_min
    assert bob.get(f"/tables/{table.pk}/").status_code == 200


@pytest.mark.always
def test_a_stranger_with_the_link_signs_up_first(house: House, model: Table) -> None:
    table = opened(house, model)
    stranger = Client()
    link = f"/private/{table.pk}/?invitation={table.invitation}"
    assert stranger.get(link).status_code == 200
    answer = stranger.post(f"/private/{table.pk}/")
    assert answer["Location"].startswith("/players/sign-up/?next=/private/")
    assert table.invitation in answer["Location"]
    assert Client().post(f"/private/{table.pk}/").status_code == 404
    assert not Seat.objects.exists()
    answer = stranger.post("/players/sign-up/", NEW | {"next": link}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/tables/{table.pk}/"
    assert Seat.objects.get().table == table


def test_after_a_new_link_the_old_one_lets_nobody_in(house: House, model: Table) -> None:
    table = opened(house, model)
    old = f"/private/{table.pk}/?invitation={table.invitation}"
    alice, bob, carol = (
        client_of(house.person("alice")),
        client_of(house.player("bob")),
        client_of(house.player("carol")),
    )
    for guest in (bob, carol):
        assert guest.get(old).status_code == 200
    bob.post(f"/private/{table.pk}/")
    assert alice.post(f"/private/{table.pk}/link/").status_code == 302
    # Who sits there stays; who had only the link is out, on every way in.
    assert bob.get(f"/tables/{table.pk}/").status_code == 200
    assert carol.get(old).status_code == 404
    assert carol.get(f"/tables/{table.pk}/board/").status_code == 404
    assert carol.post(f"/private/{table.pk}/").status_code == 404
    new = link_in(alice.get(f"/private/{table.pk}/").text)
    assert new != old
    assert carol.get(new).status_code == 200


def test_only_the_opener_closes_the_table_or_changes_its_link(house: House, model: Table) -> None:
    table = opened(house, model)
    bob = client_of(house.player("bob"))
    for verb in ("close", "link"):
        address = f"/private/{table.pk}/{verb}/"
        assert bob.post(address).status_code == 404
        assert bob.get(address).status_code == 405
        assert "/players/sign-in/" in Client().post(address)["Location"]
    for refused in (
        lambda: private_tables.invite_anew(house.person("bob"), table.pk),
        lambda: private_tables.close_table(house.person("bob"), table.pk, house.now),
        lambda: private_tables.close_table(house.person("bob"), 999_999, house.now),
    ):
        with pytest.raises(Hidden):
            refused()
    # A guest who sits there sees it, and is told whose it is.
    bob.get(f"/private/{table.pk}/?invitation={table.invitation}")
    bob.post(f"/private/{table.pk}/")
    answer = bob.post(f"/private/{table.pk}/close/")
    assert (answer.status_code, 'data-code="not_opener"' in answer.text) == (409, True)
    again = Table.objects.get(pk=table.pk)
    assert (again.status, again.invitation) == (Table.Status.OPEN, table.invitation)


def test_the_opener_closes_it_after_the_hand_that_runs(house: House, model: Table) -> None:
    table = opened(house, model)
    alice = client_of(house.person("alice"))
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        sit(house, house.player(name), table, number)
    # It is full then.
    refused = alice.post(f"/private/{table.pk}/")
    assert (refused.status_code, 'data-code="table_full"' in refused.text) == (409, True)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert alice.post(f"/private/{table.pk}/close/").status_code == 302
    assert Table.objects.get(pk=table.pk).hand_id is not None
    house.void(table, "a test")
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert table.hands_dealt == 1
    assert not table.seats.filter(left_at__isnull=True).exists()
    answer = alice.post(f"/private/{table.pk}/close/")
    assert answer.status_code == 409
    assert 'data-code="table_closed"' in answer.text
    assert "This table is closed." in alice.get(f"/private/{table.pk}/").text
    # The page says why no hand follows, and where to go.
    page = alice.get(f"/tables/{table.pk}/").text
    assert "Waiting for players" not in page
    assert 'href="/private/">Private tables' in page
    assert house.total() == 0


@pytest.mark.always
def test_a_player_has_a_few_tables_open_and_no_more(house: House, model: Table) -> None:
    alice = house.player("alice")
    client = client_of(alice)
    form = {"like": model.pk, "speed": "usual"}
    for _ in range(private_tables.OPEN_MAX):
        assert client.post("/private/", form).status_code == 302
    refused = client.post("/private/", form)
    assert refused.status_code == 409
    assert 'data-code="too_many_tables"' in refused.text
    empty = private_tables.opened_by(alice)[0]
    private_tables.close_table(alice, empty.pk, house.now)
    clock.sweep(house.now)
    empty.refresh_from_db()
    assert empty.status == Table.Status.CLOSED
    assert client.post("/private/", form).status_code == 302
    assert len(set(Table.objects.values_list("name", flat=True))) == private_tables.OPEN_MAX + 2


def test_opening_private_tables_is_limited(
    house: House, model: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_tables, "OPENED_A_DAY_MAX", 3)
    alice = house.player("alice")
    for _ in range(private_tables.OPENED_A_DAY_MAX):
        table = private_tables.open_table(alice, model.pk, "usual", False, house.now)
        private_tables.close_table(alice, table.pk, house.now)
        clock.sweep(house.now)
    with pytest.raises(Refused) as refused:
        private_tables.open_table(alice, model.pk, "usual", False, house.now)
    assert refused.value.code == "opened_often"
    private_tables.open_table(house.player("bob"), model.pk, "usual", False, house.now)
    house.pass_time(24 * 3600)
    private_tables.open_table(alice, model.pk, "usual", False, house.now)


REFUSED = [
    ({"like": "0"}, 409, "not_offered"),
    ({"like": "x"}, 409, "not_offered"),
    ({"like": "9" * 40}, 409, "not_offered"),
    ({"speed": "instant"}, 400, "speed"),
    ({"speed": ""}, 400, "speed"),
]


def test_unlisted_models_are_refused(house: House, model: Table) -> None:
    client = client_of(house.player("alice"))
    for fields, status, code in REFUSED:
        answer = client.post("/private/", {"like": str(model.pk), "speed": "usual"} | fields)
        assert answer.status_code == status, fields
        assert f'data-code="{code}"' in answer.text, fields
        assert not Table.objects.filter(private=True).exists()


def test_only_what_the_house_plays_in_public_can_be_opened(house: House, model: Table) -> None:
    alice = house.player("alice")
    private = private_tables.open_table(alice, model.pk, "usual", False, house.now)
    closing = house.table("baccarat", status=Table.Status.CLOSING)
    for not_offered in (private, closing):
        with pytest.raises(Refused, match="offered"):
            private_tables.open_table(alice, not_offered.pk, "usual", False, house.now)
    with pytest.raises(Unreadable):
        private_tables.open_table(alice, model.pk, "never", False, house.now)
    alice.is_active = False
    with pytest.raises(Refused, match="cannot play"):
        private_tables.open_table(alice, model.pk, "usual", False, house.now)


def test_a_name_that_the_house_has_taken_is_passed_over(house: House, model: Table) -> None:
    house.table("baccarat", name="alice 1")
    assert opened(house, model).name == "alice 2"


@pytest.mark.always
def test_table_closes_after_standing_empty(house: House, model: Table) -> None:
    table = opened(house, model)
    of_the_house = house.table("baccarat", private=True)
    house.pass_time(private_tables.DESERTED.total_seconds() - 1)
    assert close_deserted() == 0
    sit(house, house.player("bob"), table, 1)
    house.pass_time(60)
    assert close_deserted() == 0
    house.leave(house.person("bob"), table)
    house.pass_time(private_tables.DESERTED.total_seconds() - 1)
    assert close_deserted() == 0
    house.pass_time(2)
    assert close_deserted() == 1
    clock.sweep(house.now)
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED
    assert close_deserted() == 0
    assert Table.objects.get(pk=of_the_house.pk).status == Table.Status.OPEN


def test_these_pages_are_for_private_tables_and_players(house: House, model: Table) -> None:
    alice = client_of(house.player("alice"))
    assert alice.get(f"/private/{model.pk}/").status_code == 404
    assert alice.get("/private/999999/").status_code == 404
    assert alice.put("/private/").status_code == 405
    assert "/players/sign-in/" in Client().get("/private/")["Location"]
    assert "/players/sign-in/" in Client().post("/private/")["Location"]
    table = opened(house, model, "bob")
    assert table.name not in alice.get("/private/").text


@pytest.mark.parametrize("fields", [{}, {"pk": 900_001}], ids=["numbered", "given a number"])
def test_each_table_has_an_invitation_of_its_own(house: House, fields: dict[str, int]) -> None:
    """Also one that comes with its number, as from a copy: bots could not sit down there."""
    table = Table.objects.get(pk=house.table("doudizhu", **fields).pk)
    assert len(table.invitation) > 20
    assert table.invitation != house.table("doudizhu").invitation
