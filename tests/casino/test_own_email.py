"""The e-mail address of a player: optional, proved by a link, and never needed."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from celery import current_app
from django.core import mail
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from casino.accounts import own_email
from casino.accounts.models import Player
from tests.casino.browsers import NEW, SignedIn
from tests.casino.letters_read import latest, link_in
from tests.people import PASSWORD

NEW_ADDRESS = "alice@club.example"
PAGE = "/players/email/"

pytestmark = pytest.mark.usefixtures("letters")


@pytest.fixture
def page(alice: Player, signed_in: SignedIn) -> Client:
    return signed_in(alice)


def ask(page: Client, address: str = NEW_ADDRESS, password: str = PASSWORD, **more: str) -> Any:
    return page.post(PAGE, {"email": address, "password": password, **more})


def address_of(player: Player) -> str:
    return Player.objects.get(pk=player.pk).email


def prove(page: Client, address: str = NEW_ADDRESS) -> None:
    ask(page, address)
    page.post(link_in(latest()))


@pytest.mark.always
def test_an_address_counts_once_its_reader_has_pressed_the_button(
    alice: Player, page: Client
) -> None:
    assert ask(page).status_code == 302
    assert latest().to == [NEW_ADDRESS]
    link = link_in(latest())
    # A program that looks at links presses no button.
    assert NEW_ADDRESS in page.get(link).text
    assert address_of(alice) == ""
    page.post(link)
    assert address_of(alice) == NEW_ADDRESS
    assert NEW_ADDRESS in page.get(PAGE).text
    # The link is used up.
    assert page.post(link).status_code == 404


def test_an_address_takes_the_password(alice: Player, page: Client) -> None:
    assert ask(page, password="wrong").status_code == 422
    assert not mail.outbox
    assert AccessAttempt.objects.get().failures_since_start == 1
    prove(page)
    assert ask(page, "", "wrong", remove="1").status_code == 422
    assert address_of(alice) == NEW_ADDRESS


@pytest.mark.parametrize(
    "address", ["", "alice", "alice@", "a@b@c.example", "alice@club\n.example"]
)
def test_what_is_no_address_gets_no_letter(page: Client, address: str) -> None:
    assert ask(page, address).status_code == 422
    assert not mail.outbox


@pytest.mark.parametrize("change", ["another player", "password", "another address", "a day"])
def test_a_link_is_of_one_player_and_one_moment(
    alice: Player,
    bob: Player,
    page: Client,
    signed_in: SignedIn,
    change: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask(page)
    link, reader = link_in(latest()), page
    if change == "another player":
        reader = signed_in(bob)
    elif change == "password":
        alice.set_password("another way to the river")
        alice.save()
        reader = signed_in(alice)
    elif change == "another address":
        prove(page, "elsewhere@club.example")
    else:
        monkeypatch.setattr(own_email, "LINK_MAX", timedelta(seconds=-1))
    before = address_of(alice)
    assert reader.get(link).status_code == reader.post(link).status_code == 404
    assert address_of(alice) == before
    assert address_of(bob) == ""
    # A stranger signs in first.
    assert Client().post(link).status_code == 302


def test_the_old_address_hears_of_the_change(alice: Player, page: Client) -> None:
    prove(page)
    assert len(mail.outbox) == 1
    prove(page, "new@club.example")
    assert (latest().to, latest().subject) == (
        [NEW_ADDRESS],
        "Card room: Your e-mail address was changed",
    )
    ask(page, "", remove="1")
    assert latest().to == ["new@club.example"]
    assert address_of(alice) == ""
    assert "example" not in page.get(PAGE).text


@pytest.mark.always
@pytest.mark.parametrize(
    ("language", "word"), [("zh-hans", "请在您以 alice 登录"), ("zh-hant", "請在您以 alice 登入")]
)
def test_a_letter_has_the_language_of_its_reader(
    alice: Player, page: Client, language: str, word: str
) -> None:
    Player.objects.update(language=language)
    ask(page)
    assert word in latest().body


def test_a_new_player_may_give_one(stranger: Client) -> None:
    assert 'name="email"' in stranger.get(reverse("sign-up")).text
    stranger.post(reverse("sign-up"), NEW | {"email": "dora@club.example"})
    assert latest().to == ["dora@club.example"]
    dora = Player.objects.get(username="dora")
    assert dora.email == ""
    stranger.post(link_in(latest()))
    assert address_of(dora) == "dora@club.example"


def test_nobody_can_flood_an_address(page: Client) -> None:
    answers = [ask(page).status_code for _time in range(7)]
    assert answers == [302] * 5 + [422] * 2
    assert len(mail.outbox) == 5


def test_without_a_broker_the_page_says_so(
    alice: Player, page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_task: object) -> None:
        raise OperationalError

    monkeypatch.setattr(current_app, "send_task", away)
    answer = ask(page)
    assert answer.status_code == 422
    assert "The house cannot send mail right now" in answer.text
    # What is only a notice stops nothing.
    Player.objects.update(email=NEW_ADDRESS)
    ask(page, "", remove="1")
    assert address_of(alice) == ""


def test_a_house_without_mail_does_not_offer_it(page: Client, settings: Any) -> None:
    assert PAGE in page.get(reverse("profile")).text
    settings.ACCOUNT_EMAILS = False
    assert PAGE not in page.get(reverse("profile")).text
    assert page.get(PAGE).status_code == ask(page).status_code == 404
    assert 'name="email"' not in Client().get(reverse("sign-up")).text
