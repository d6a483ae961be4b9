"""Private tables: opened by a player, shared by a link, closed by the opener or by themselves."""

import re

import pytest
from django.test import Client

from casino.players.models import Player
from games import clock, seating, stays
from games.lobby import opening
from games.models import Seat, Table
from games.refusal import Hidden, Refused
from games.rules.errors import Unreadable
from games.tasks import close_deserted
from tests.games.house import House
from tests.people import client_of
from wallets import jackpots


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
    return opening.open_table(house.player(name), model.pk, "usual", False, house.now)


def sit(house: House, player: Player, table: Table, number: int) -> None:
    seating.sit(player, table.pk, number, 50_000, house.now, table.invitation)


def link_in(text: str) -> str:
    found = re.search(r'value="http://testserver(/private/\d+/\?invitation=[\w-]+)"', text)
    assert found
    return found[1]


def test_a_private_table_is_like_one_of_the_house(house: House, model: Table) -> None:
    alice = client_of(house.player("alice"))
    assert f'<option value="{model.pk}"' in alice.get("/private/").text
    told = {"like": model.pk, "speed": "quick", "bots": "1"}
    answer = alice.post("/private/", told)
    table = Table.objects.get(private=True)
    assert answer["Location"] == f"/private/{table.pk}/"
    for name in ("game", "options", "currency", "places", "buy_in_min", "buy_in_max", "purse_min"):
        assert getattr(table, name) == getattr(model, name)
    assert table.opened_by == house.person("alice")
    assert (table.decision_seconds, table.betting_seconds) == (15, 5)
    assert table.bots_max == 2
    assert table.name in alice.get("/private/").text
    assert table.name not in Client().get("/lobby/").text


def test_bots_stay_away_unless_they_are_asked_for(house: House, model: Table) -> None:
    assert opened(house, model).bots_max == 0


def test_bots_that_are_asked_for_come_without_an_invitation(house: House, model: Table) -> None:
    house.bots(3)
    table = opening.open_table(house.player("alice"), model.pk, "usual", True, house.now)
    sit(house, house.person("alice"), table, 1)
    house.now += stays.NOTICE
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


def test_whoever_has_the_link_learns_who_invites_and_sits_down(house: House, model: Table) -> None:
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
    for verb in (
        lambda: opening.invite_anew(house.person("bob"), table.pk),
        lambda: opening.close_table(house.person("bob"), table.pk, house.now),
        lambda: opening.close_table(house.person("bob"), 999_999, house.now),
    ):
        with pytest.raises(Hidden):
            verb()
    again = Table.objects.get(pk=table.pk)
    assert (again.status, again.invitation) == (Table.Status.OPEN, table.invitation)


def test_a_guest_who_sits_there_is_told_that_it_is_not_theirs(house: House, model: Table) -> None:
    table = opened(house, model)
    bob = client_of(house.player("bob"))
    bob.get(f"/private/{table.pk}/?invitation={table.invitation}")
    bob.post(f"/private/{table.pk}/")
    answer = bob.post(f"/private/{table.pk}/close/")
    assert answer.status_code == 409
    assert 'data-code="not_opener"' in answer.text


def test_the_opener_closes_it_after_the_hand_that_runs(house: House, model: Table) -> None:
    table = opened(house, model)
    alice = client_of(house.person("alice"))
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        sit(house, house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert alice.post(f"/private/{table.pk}/close/").status_code == 302
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert table.hands_dealt == 1
    assert not table.seats.filter(left_at__isnull=True).exists()
    answer = alice.post(f"/private/{table.pk}/close/")
    assert answer.status_code == 409
    assert 'data-code="table_closed"' in answer.text
    assert "This table is closed." in alice.get(f"/private/{table.pk}/").text
    # Whoever looks at it is told why nothing comes any more, and where to go.
    told = alice.get(f"/tables/{table.pk}/").text
    assert "Waiting for players" not in told
    assert 'href="/private/">Private tables' in told
    assert house.total() == 0


def test_an_empty_table_is_closed_at_once(house: House, model: Table) -> None:
    table = opened(house, model)
    opening.close_table(house.person("alice"), table.pk, house.now)
    clock.sweep(house.now)
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED


def test_a_player_has_a_few_tables_open_and_no_more(house: House, model: Table) -> None:
    alice = house.player("alice")
    client = client_of(alice)
    told = {"like": model.pk, "speed": "usual"}
    for _ in range(opening.OPEN_MAX):
        assert client.post("/private/", told).status_code == 302
    refused = client.post("/private/", told)
    assert refused.status_code == 409
    assert 'data-code="too_many_tables"' in refused.text
    opening.close_table(alice, opening.opened_by(alice)[0].pk, house.now)
    clock.sweep(house.now)
    assert client.post("/private/", told).status_code == 302
    assert len(set(Table.objects.values_list("name", flat=True))) == opening.OPEN_MAX + 2


def test_nobody_opens_and_closes_tables_without_end(house: House, model: Table) -> None:
    alice = house.player("alice")
    for _ in range(opening.OPENED_A_DAY_MAX):
        table = opening.open_table(alice, model.pk, "usual", False, house.now)
        opening.close_table(alice, table.pk, house.now)
        clock.sweep(house.now)
    with pytest.raises(Refused) as refused:
        opening.open_table(alice, model.pk, "usual", False, house.now)
    assert refused.value.code == "opened_often"
    opening.open_table(house.player("bob"), model.pk, "usual", False, house.now)
    house.pass_time(24 * 3600)
    opening.open_table(alice, model.pk, "usual", False, house.now)


REFUSED = [
    ({"like": "0"}, 409, "not_offered"),
    ({"like": "x"}, 409, "not_offered"),
    ({"like": "9" * 40}, 409, "not_offered"),
    ({"speed": "instant"}, 400, "speed"),
    ({"speed": ""}, 400, "speed"),
]


@pytest.mark.parametrize(("told", "status", "code"), REFUSED)
def test_what_is_not_offered_is_refused(
    house: House, model: Table, told: dict[str, str], status: int, code: str
) -> None:
    client = client_of(house.player("alice"))
    answer = client.post("/private/", {"like": str(model.pk), "speed": "usual"} | told)
    assert answer.status_code == status
    assert f'data-code="{code}"' in answer.text
    assert not Table.objects.filter(private=True).exists()


def test_only_what_the_house_plays_in_public_can_be_opened(house: House, model: Table) -> None:
    alice = house.player("alice")
    private = opening.open_table(alice, model.pk, "usual", False, house.now)
    closing = house.table("baccarat", status=Table.Status.CLOSING)
    for not_offered in (private, closing):
        with pytest.raises(Refused, match="offered"):
            opening.open_table(alice, not_offered.pk, "usual", False, house.now)
    with pytest.raises(Unreadable):
        opening.open_table(alice, model.pk, "never", False, house.now)
    alice.is_active = False
    with pytest.raises(Refused, match="cannot play"):
        opening.open_table(alice, model.pk, "usual", False, house.now)


def test_a_name_that_the_house_has_taken_is_passed_over(house: House, model: Table) -> None:
    house.table("baccarat", name="alice 1")
    assert opened(house, model).name == "alice 2"


def test_where_nobody_has_sat_for_a_while_the_table_closes(house: House, model: Table) -> None:
    table = opened(house, model)
    of_the_house = house.table("baccarat", private=True)
    house.pass_time(opening.DESERTED.total_seconds() - 1)
    assert close_deserted() == 0
    sit(house, house.player("bob"), table, 1)
    house.pass_time(60)
    assert close_deserted() == 0
    house.leave(house.person("bob"), table)
    house.pass_time(opening.DESERTED.total_seconds() - 1)
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


def test_a_full_private_table_says_so(house: House, model: Table) -> None:
    table = opened(house, model)
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        sit(house, house.player(name), table, number)
    answer = client_of(house.person("alice")).post(f"/private/{table.pk}/")
    assert answer.status_code == 409
    assert 'data-code="table_full"' in answer.text
