"""A new password by e-mail: for the owner of the address, once, and without a word to others."""

from functools import partial
from typing import Any

import pytest
from celery import current_app
from django.core import mail
from django.test import Client
from django.urls import reverse

from casino.accounts import password_reset
from casino.accounts.models import AccessToken, Player
from casino.accounts.staff import appoint
from tests.casino.authenticators import app_code, enrolled
from tests.casino.browsers import name_of, sign_in
from tests.casino.letters_read import latest, link_in
from tests.casino.mailbox import mail_server
from tests.people import PASSWORD

ASK = "/players/forgotten/"
CHOSEN = "a river in the north"
ADDRESS = "alice@club.example"

pytestmark = pytest.mark.usefixtures("letters")


@pytest.fixture
def alice(alice: Player) -> Player:
    alice.email = ADDRESS
    alice.save()
    return alice


def ask(who: str, client: Client | None = None) -> Any:
    return (client or Client()).post(ASK, {"who": who})


def choose(client: Client, link: str, password: str = CHOSEN) -> Any:
    """Open a link, and send the form to which it leads."""
    page = client.get(link, follow=True)
    address = page.redirect_chain[-1][0] if page.redirect_chain else link
    return client.post(address, {"new_password1": password, "new_password2": password})


@pytest.mark.always
def test_the_owner_of_the_address_gets_in_again(alice: Player, settings: Any) -> None:
    elsewhere, here = Client(), Client()
    sign_in(elsewhere, "alice")
    program = {"name": "alice", "password": PASSWORD}
    Client().post(reverse("api-sign-in"), program, "application/json")
    with mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.address
        ask("alice@CLUB.example", here)
        (letter,) = server.letters
        assert (letter["To"], letter["Subject"]) == (ADDRESS, "Card room: Choose a new password")
        text = letter.get_content()
        link = next(line for line in text.splitlines() if line.startswith("http"))
        link = link.removeprefix("http://testserver")
        # The token leaves the address before the form is shown.
        token = link.rstrip("/").rpartition("/")[2]
        shown = here.get(link, follow=True)
        assert token not in shown.redirect_chain[-1][0] + shown.text
        assert choose(here, link)["Location"] == reverse("lobby")
        assert server.letters[1]["Subject"] == "Card room: Your password was changed"
    assert name_of(here) == "alice"
    assert name_of(elsewhere) == ""
    assert not AccessToken.objects.exists()
    assert sign_in(Client(), "alice").status_code == 422
    assert sign_in(Client(), "alice", CHOSEN).status_code == 302
    assert "This link has been used" in Client().get(link).text


@pytest.mark.always
def test_the_answer_says_nothing_of_accounts(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.create_user("bob", password=PASSWORD)
    waiting: list[Any] = []
    work = current_app.send_task

    def wait(task: str, arguments: tuple[object, ...]) -> None:
        (waiting.append if task == password_reset.TASK else partial(work, task))(arguments)

    monkeypatch.setattr(current_app, "send_task", wait)
    typed = ("alice", ADDRESS, "bob", "nobody", "nobody@club.example", "a password, in this field")
    texts = {ask(who).text.partition("<main")[2].partition("</main>")[0] for who in typed}
    assert len(texts) == 1
    # Nothing of what was typed is in the broker, and each has its task.
    house = "http://testserver"
    assert waiting == [([alice.pk], house)] * 2 + [([], house)] * 4
    for arguments in waiting:
        password_reset.send_links(*arguments)
    assert len(mail.outbox) == 2
    assert {address for letter in mail.outbox for address in letter.to} == {ADDRESS}


@pytest.mark.parametrize(
    "change",
    [
        {"is_active": False},
        {"password": "!"},
        {"email": ""},
        {"is_bot": True, "password": "!", "email": ADDRESS},
    ],
)
def test_some_accounts_have_no_password_to_replace(alice: Player, change: dict[str, Any]) -> None:
    ask("alice")
    link = link_in(latest())
    Player.objects.update(**change)
    ask("alice")
    assert len(mail.outbox) == 1
    # Nor does a link from before help.
    assert "This link has been used" in Client().get(link).text


def test_staff_are_asked_for_their_code_all_the_same(alice: Player, settings: Any) -> None:
    settings.STAFF_CODES = True
    appoint(alice, "managers")
    ask("alice")
    assert not mail.outbox
    enrolled(alice)
    ask("alice")
    client = Client()
    answer = choose(client, link_in(latest()))
    assert answer["Location"].startswith(reverse("sign-in-code"))
    assert name_of(client) == ""
    client.post(reverse("sign-in-code"), {"code": app_code(alice)})
    assert name_of(client) == "alice"


@pytest.mark.parametrize("change", ["an hour", "password", "address", "sign-in"])
def test_a_link_ends(alice: Player, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ask("alice")
    link = link_in(latest())
    if change == "an hour":
        monkeypatch.setattr(password_reset, "LINK_SECONDS_MAX", 0)
    elif change == "password":
        alice.set_password("another way to the river")
        alice.save()
    elif change == "address":
        Player.objects.update(email="new@club.example")
    else:
        sign_in(Client(), "alice")
    password = Player.objects.get().password
    choose(Client(), link)
    assert Player.objects.get().password == password


def test_of_two_with_one_link_the_first_sets_the_password(alice: Player) -> None:
    ask("alice")
    first, second, link = Client(), Client(), link_in(latest())
    pages = [client.get(link)["Location"] for client in (first, second)]
    form = {"new_password1": CHOSEN, "new_password2": CHOSEN}
    first.post(pages[0], form)
    other = {"new_password1": "quite another one", "new_password2": "quite another one"}
    second.post(pages[1], other)
    assert name_of(first) == "alice"
    assert name_of(second) == ""
    assert Player.objects.get().check_password(CHOSEN)


def test_a_weak_password_is_refused(alice: Player) -> None:
    ask("alice")
    client, link = Client(), link_in(latest())
    assert choose(client, link, "12345678").status_code == 422
    assert choose(client, link).status_code == 302


def test_each_account_of_an_address_is_named(alice: Player) -> None:
    Player.objects.create_user("anna", password=PASSWORD, email=ADDRESS)
    ask(ADDRESS)
    bodies = [letter.body for letter in mail.outbox]
    assert ["alice" in bodies[0], "anna" in bodies[1]] == [True, True]


def test_letters_are_few(alice: Player) -> None:
    for _time in range(8):
        ask("alice")
    assert len(mail.outbox) == 5
    answers = {ask("nobody").status_code for _time in range(12)}
    assert answers == {200}
    assert ask("nobody").status_code == 422
    assert ask("nobody", Client(REMOTE_ADDR="192.0.2.9")).status_code == 200


def test_a_house_without_mail_has_no_such_page(alice: Player, settings: Any) -> None:
    assert ASK in Client().get(reverse("sign-in")).text
    ask("alice")
    settings.ACCOUNT_EMAILS = False
    assert ASK not in Client().get(reverse("sign-in")).text
    assert ask("alice").status_code == Client().get(link_in(latest())).status_code == 404
