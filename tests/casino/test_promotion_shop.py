"""The shop: a ticket for points, once a press, never for points that are not there."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import connection

from casino.accounts.models import Player
from casino.community.promotions.books import audit, shop
from casino.community.promotions.models import PointsMonth, ShopOffer, ShopPurchase
from casino.community.promotions.office import offers
from casino.community.promotions.rules.levels import A_POINT
from tests.casino.promotion_scene import Scene
from tests.games.house import House
from tests.games.simultaneous import at_once
from tests.people import client_of
from tests.tournaments.events import plain, structure
from tournaments.models import Ticket
from tournaments.running import announcing
from wallets.models import Currency
from wallets.staff import approvals
from wallets.values.errors import Refused

POINTS = 500


@pytest.fixture
def scene(house: House) -> Scene:
    announcing.store_template(structure(field_min=2), "player:1", house.now)
    return Scene(house)


@pytest.fixture
def alice(scene: Scene) -> Player:
    """A player with 800 points, and an offer for 500."""
    alice = scene.house.player("alice")
    for currency in (scene.house.currency, other_currency()):
        PointsMonth.objects.create(
            player=alice, currency=currency, month=date(2026, 2, 1), kept=800 * A_POINT
        )
    offered(scene)
    return alice


def other_currency() -> Currency:
    """Its points buy nothing here."""
    return Currency.objects.create(code="EUR", name="Euro", kind=Currency.Kind.MONEY)


def offered(scene: Scene, **given: object) -> ShopOffer:
    second = Player.objects.create_superuser("second")
    wanted = {"event": "Evening", "points": POINTS} | given
    stated = {"reason": "x", "now": scene.now}
    proposal = approvals.submit(scene.boss, offers.OFFER, wanted, key=uuid4(), **stated).proposal  # type: ignore[arg-type]
    assert proposal is not None
    approvals.approve(second, proposal.pk, **stated)  # type: ignore[arg-type]
    return ShopOffer.objects.get()


@pytest.mark.always
def test_points_buy_a_ticket_once(scene: Scene, alice: Player) -> None:
    offer, key = ShopOffer.objects.get(), uuid4()
    page = plain(client_of(alice).get("/players/rewards/").text)
    assert "800 points to spend" in page
    assert "500 points" in page
    for _twice in range(2):
        shop.take(alice, offer.pk, key, scene.now)
    ticket = Ticket.objects.get()
    assert (ticket.player_id, ticket.name, ticket.worth) == (alice.pk, "Evening", 1_100)
    assert shop.left(alice.pk, "PLAY") == 300
    assert list(shop.findings()) == []
    with pytest.raises(Refused) as error:
        shop.take(alice, offer.pk, uuid4(), scene.now)
    assert error.value.code == "too_few_points"
    page = plain(client_of(alice).get("/players/rewards/").text)
    assert "200 points missing" in page


def test_the_page_takes_it_for_its_reader_alone(scene: Scene, alice: Player) -> None:
    offer, sent = ShopOffer.objects.get(), {"key": str(uuid4())}
    address = f"/players/rewards/shop/{offer.pk}/"
    client = client_of(alice)
    assert client.get(address).status_code == 405
    assert client.post(address, {"key": "x"}).status_code == 404
    assert client.post("/players/rewards/shop/99/", sent).status_code == 404
    mallory = client_of(scene.house.player("mallory"))
    assert "you have 0" in mallory.post(address, sent, follow=True).text
    answer = client.post(address, sent, follow=True)
    assert "The ticket is yours" in answer.text
    assert Ticket.objects.get().player_id == alice.pk


@pytest.mark.always
def test_an_offer_is_withdrawn_and_its_tickets_stay(scene: Scene, alice: Player) -> None:
    offer = ShopOffer.objects.get()
    shop.take(alice, offer.pk, uuid4(), scene.now)
    office = client_of(scene.boss)
    office.post("/admin/promotions/shop/", {"withdraw": offer.pk, "reason": "too cheap"})
    with pytest.raises(Refused) as error:
        shop.take(alice, offer.pk, uuid4(), scene.now)
    assert error.value.code == "offer_withdrawn"
    assert Ticket.objects.count() == 1
    assert list(shop.findings()) == []


@pytest.mark.parametrize(
    ("given", "code"),
    [({"event": "Morning"}, "no_such_template"), ({"points": 0}, "no_price")],
)
def test_offers_of_nothing_are_refused(scene: Scene, given: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as error:
        offered(scene, **given)
    assert error.value.code == code


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE promotions_shoppurchase SET points = 1",
        "DELETE FROM promotions_shoppurchase",
        "UPDATE tournaments_ticket SET worth = 7",
        "DELETE FROM tournaments_ticket",
    ],
)
def test_every_edit_is_noticed(scene: Scene, alice: Player, edit: str) -> None:
    shop.take(alice, ShopOffer.objects.get().pk, uuid4(), scene.now)
    with connection.cursor() as cursor:
        cursor.execute(edit)
    assert list(shop.findings()) != []
    assert any("ticket" in finding or "purchase" in finding for finding in audit.findings())


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_two_tabs_spend_points_once(scene: Scene, alice: Player) -> None:
    """Enough for one ticket: of two presses one is refused."""
    offer, now = ShopOffer.objects.get(), scene.now
    answers = at_once(*[lambda: shop.take(alice, offer.pk, uuid4(), now)] * 2)
    assert answers.count("too_few_points") == 1
    assert ShopPurchase.objects.count() == Ticket.objects.count() == 1
