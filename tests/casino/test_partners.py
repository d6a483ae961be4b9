"""Who sat with whom: on a player's file, in the search of hands, and by the office's search."""

import pytest
from django.utils import timezone

from casino.accounts.models import Device, Player
from casino.office.players.traces import partners_of
from games.models import Hand, HandSeat
from tests.casino.player_file_scene import PlayedScene
from tests.people import client_of
from wallets.models.staff_models import JournalEntry

pytestmark = pytest.mark.django_db


def test_partners_say_what_went_between_the_two(scene: PlayedScene) -> None:
    hands = Hand.objects.filter(table=scene.table, status="finished")
    partners = partners_of(scene.alice)
    assert {person.player.username for person in partners.people} == {"bob", "carol"}
    assert partners.hands == hands.count() > 0
    # Between the two is what the player won from each, so all of it is the player's own result
    # before rake.
    between = sum(amount for person in partners.people for _currency, amount in person.between)
    own = HandSeat.objects.filter(player=scene.alice, hand__in=hands)
    assert between == sum(row.net + row.rake for row in own) != 0
    for person in partners.people:
        back = {other.player: other for other in partners_of(person.player).people}[scene.alice]
        assert [amount for _, amount in back.between] == [-amount for _, amount in person.between]
        assert person.hands == back.hands == partners.hands
        assert [table.number for table in person.tables] == [scene.table.pk]


def test_shared_devices_and_addresses_are_counted(scene: PlayedScene) -> None:
    bob, now = Player.objects.get(username="bob"), timezone.now()
    for player, digest, address in (
        (scene.alice, "d1", "192.0.2.1"),
        (bob, "d1", "192.0.2.2"),
        (bob, "d2", "192.0.2.1"),
    ):
        Device.objects.create(
            player=player, digest=digest, address=address, signed_in_at=now, seen_at=now
        )
    partners = {person.player.username: person for person in partners_of(scene.alice).people}
    assert (partners["bob"].devices, partners["bob"].addresses) == (1, 1)
    assert (partners["carol"].devices, partners["carol"].addresses) == (0, 0)
    page = scene.read("auditors", "partners/")
    assert "1 device" in page
    assert "/admin/hands/?player=alice%20bob" in page


def test_who_may_read_partners(scene: PlayedScene) -> None:
    for group in ("managers", "auditors"):
        assert "bob" in scene.read(group, "partners/")
        assert scene.address("partners/") in scene.read(group)
    for group in ("floor", "cashiers", "technicians"):
        assert client_of(scene.staff[group]).get(scene.address("partners/")).status_code == 403
    assert client_of(scene.alice).get(scene.address("partners/")).status_code in {302, 403, 404}
    assert client_of(scene.staff["managers"]).post(scene.address("partners/")).status_code == 405


@pytest.mark.parametrize(
    ("typed", "finds"),
    [
        ("alice", True),
        ("ALICE bob", True),
        ("alice, bob,carol", True),
        ("alice，bob", True),
        ("alice dora", False),
    ],
)
def test_hands_are_found_by_several_names(scene: PlayedScene, typed: str, finds: bool) -> None:
    Player.objects.create_user("dora")
    hand = Hand.objects.filter(table=scene.table, status="finished").latest("pk")
    for group in ("managers", "auditors"):
        page = client_of(scene.staff[group]).get("/admin/hands/", {"player": typed}).text
        assert (f'href="/admin/hands/{hand.code}/"' in page) == finds, group


@pytest.mark.always
@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"player": "nobody9"}, "There is no player nobody9."),
        ({"player": "alice nobody9"}, "There is no player nobody9."),
        ({"player": "a1 a2 a3 a4 a5"}, "Name at most 4 players."),
        ({"cards": "Zz"}, "cannot be searched"),
        ({"option": "x"}, "Write an option of a game"),
        ({"least": "-"}, "wrong-one"),
        ({"first_day": "soon"}, "wrong-one"),
        ({"address": "here"}, "wrong-one"),
        ({"table": "99999999"}, "wrong-one"),
    ],
)
def test_what_cannot_be_read_is_said_and_lists_nothing(
    scene: PlayedScene, query: dict[str, str], sentence: str
) -> None:
    hand = Hand.objects.filter(table=scene.table, status="finished").latest("pk")
    page = client_of(scene.staff["managers"]).get("/admin/hands/", query).text
    assert sentence in page
    assert f'href="/admin/hands/{hand.code}/"' not in page
    if not {"player", "cards", "option", "address"} & set(query):
        own = client_of(scene.alice).get("/history/", query).text
        assert sentence in own
        assert hand.code not in own


def test_the_search_of_the_office_answers_two_names(scene: PlayedScene) -> None:
    def found(group: str, typed: str) -> list[str]:
        answer = client_of(scene.staff[group]).get("/admin/search/", {"s": typed, "extended": "1"})
        return [result.address for result in answer.context["results"]]

    assert "/admin/hands/?player=alice+bob" in found("managers", "Alice bob")
    assert not any("player=" in address for address in found("managers", "alice nobody9"))
    assert not any("player=" in address for address in found("floor", "alice bob"))


@pytest.mark.always
def test_reading_partners_takes_no_more_statements_for_more_hands(
    scene: PlayedScene, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        partners_of(scene.alice)


def test_a_search_by_cards_is_noted_whoever_makes_it(scene: PlayedScene) -> None:
    for group in ("managers", "auditors"):
        client_of(scene.staff[group]).get("/admin/hands/", {"cards": "As"})
    noted = JournalEntry.objects.filter(verb="hands.search_cards")
    assert noted.values("actor").distinct().count() == 2
