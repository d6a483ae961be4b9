"""Accounts of the company: they sign staff in, and never give anybody a role."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import company
from casino.accounts.models import CompanyAccount, Player
from casino.accounts.rights_check import differences
from casino.accounts.staff import appoint
from tests.casino.approvals_scene import person
from tests.casino.authenticators import app_code, enrolled
from tests.casino.browsers import name_of
from tests.casino.company_provider import Provider, company_provider
from tests.people import PASSWORD, client_of, journal_staff
from wallets.models.staff_models import JournalEntry, Proposal

STAFF = "/admin/staff/"
PAGE = "/players/company/account/"

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with company_provider() as running:
        yield running


@pytest.fixture
def provider(running: Provider, settings: Any) -> Provider:
    settings.OIDC_ISSUER = running.address
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = "card-room", "a secret"
    settings.OIDC_ROLES = {"casino-cash": "cashiers", "casino-bosses": "managers"}
    return running


def manager(name: str) -> Player:
    player = person(name, "managers")
    player.set_password(PASSWORD)
    player.save()
    return player


@pytest.fixture
def mona(db: None) -> Player:
    return manager("mona")


@pytest.fixture
def max_(db: None) -> Player:
    return manager("max")


def decide(member: Player) -> None:
    address = reverse("proposal", args=[Proposal.objects.latest("pk").pk])
    client_of(member).post(address, {"approve": "1", "reason": "spoke to her"})


def connected(provider: Provider, player: Player, subject: str) -> None:
    client = client_of(player)
    client.post(PAGE, {"password": PASSWORD})
    provider.sign_in(client, subject)
    assert player.company_accounts.exists()


@pytest.mark.always
def test_two_managers_appoint_whom_the_company_claims(
    provider: Provider, mona: Player, max_: Player, stranger: Client
) -> None:
    provider.knows("p-1", preferred_username="petra", groups=["casino-cash", "all-staff"])
    answer = provider.sign_in(stranger, "p-1")
    assert "Two managers have to appoint you." in stranger.get(answer["Location"]).text
    assert not Player.objects.filter(username="petra").exists()

    page = client_of(mona)
    listed = page.get(STAFF)
    (claim,) = listed.context["company"]
    assert claim["claimed"] == "Cashiers"
    filled = page.get(f"{STAFF}?{claim['proposes']}").context["form"]
    wanted = {name: filled[name].value() for name in ("name", "create", "role", "company")}
    page.post(STAFF, wanted | {"reason": "new at the desk"})
    provider.sign_in(stranger, "p-1")
    assert not Player.objects.filter(username="petra").exists()
    decide(max_)
    entry = JournalEntry.objects.get(verb="staff.appoint")
    assert (entry.actor_name, entry.after) == ("mona", {"roles": ["cashiers"]})

    assert provider.sign_in(stranger, "p-1")["Location"] == "/admin/"
    assert name_of(stranger) == "petra"
    assert not page.get(STAFF).context["company"]
    # What the company says later changes nothing either.
    provider.knows("p-1", preferred_username="petra", groups=["casino-bosses"])
    provider.sign_in(Client(), "p-1")
    petra = Player.objects.get(username="petra")
    assert [group.name for group in petra.groups.all()] == ["cashiers"]
    (claim,) = page.get(STAFF).context["company"]
    assert (claim["claimed"], claim["here"]) == ("Managers", "Cashiers")


@pytest.mark.always
def test_staff_connect_their_own_account(provider: Provider, mona: Player, settings: Any) -> None:
    settings.STAFF_CODES = True
    enrolled(mona)
    client = client_of(mona)
    session = client.session
    session["by_code"] = True
    session.save()
    provider.knows("m-1", preferred_username="mona.manager")
    # Only who has just proved who they are.
    assert provider.sign_in(client, "m-1")["Location"] == PAGE
    assert not mona.company_accounts.exists()
    assert client.post(PAGE, {"code": "000000"}).status_code == 422
    client.post(PAGE, {"code": app_code(mona)})
    provider.sign_in(client, "m-1")
    assert "mona.manager" in client.get(PAGE).text

    # It replaces the password, and the code only where the company has asked for one.
    stranger = Client()
    assert provider.sign_in(stranger, "m-1")["Location"].startswith(reverse("sign-in-code"))
    assert name_of(stranger) == ""
    provider.knows("m-1", preferred_username="mona.manager", amr=["pwd", "otp"])
    assert provider.sign_in(Client(), "m-1")["Location"].startswith(reverse("sign-in-code"))
    settings.OIDC_AMR = ["otp", "hwk"]
    trusted = Client()
    assert provider.sign_in(trusted, "m-1")["Location"] == "/admin/"
    assert trusted.get("/admin/").status_code == 200
    trusted.post(PAGE, {"remove": str(mona.company_accounts.get().pk)})
    assert name_of(Client()) == ""
    assert not mona.company_accounts.exists()


def another_browser(provider: Provider, client: Client) -> str:
    return provider.returns(Client(), "m-1")


def used_before(provider: Provider, client: Client) -> str:
    address = provider.returns(client, "m-1")
    client.get(address)
    client.post(reverse("sign-out"))
    return address


def otherwise(old: str, new: str) -> Callable[[Provider, Client], str]:
    def address(provider: Provider, client: Client) -> str:
        return provider.returns(client, "m-1").replace(old, new)

    return address


def denied(provider: Provider, client: Client) -> str:
    state = provider.returns(client, "m-1").partition("state=")[2]
    return f"/players/company/back/?error=access_denied&state={state}"


@pytest.mark.parametrize(
    "address",
    [
        another_browser,
        used_before,
        otherwise("state=", "state=a"),
        otherwise("code=", "code=a"),
        otherwise("code=", "other="),
        denied,
        lambda _provider, _client: "/players/company/back/",
    ],
)
def test_nothing_else_signs_in(
    provider: Provider,
    mona: Player,
    stranger: Client,
    address: Callable[[Provider, Client], str],
) -> None:
    provider.knows("m-1", preferred_username="mona")
    connected(provider, mona, "m-1")
    answer = stranger.get(address(provider, stranger), follow=True)
    assert "The company&#x27;s sign-in did not work." in answer.text
    assert name_of(stranger) == ""


@pytest.mark.parametrize(
    ("name", "value"), [("OIDC_CLIENT_ID", "another"), ("OIDC_ISSUER", "http://localhost:9")]
)
def test_a_token_is_for_this_house_and_of_its_provider(
    provider: Provider, mona: Player, stranger: Client, settings: Any, name: str, value: str
) -> None:
    provider.knows("m-1")
    connected(provider, mona, "m-1")
    address = provider.returns(stranger, "m-1")
    setattr(settings, name, value)
    stranger.get(address)
    assert name_of(stranger) == ""


def test_a_provider_that_is_away_harms_nobody(
    mona: Player, stranger: Client, settings: Any
) -> None:
    settings.OIDC_ISSUER = "http://localhost:9"
    assert stranger.get("/players/company/")["Location"] == reverse("sign-in")
    assert "did not work" in stranger.get(reverse("sign-in")).text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("dismissed", "You have no role in this house."),
        ("frozen", "Your account is frozen."),
    ],
)
def test_who_left_does_not_get_in(
    provider: Provider, mona: Player, stranger: Client, change: str, words: str
) -> None:
    provider.knows("m-1", groups=["casino-bosses"])
    connected(provider, mona, "m-1")
    if change == "dismissed":
        appoint(mona)
    else:
        Player.objects.filter(pk=mona.pk).update(is_active=False)
    answer = provider.sign_in(stranger, "m-1")
    assert words in stranger.get(answer["Location"]).text
    assert name_of(stranger) == ""


def test_an_account_is_one_persons(provider: Provider, mona: Player, max_: Player) -> None:
    provider.knows("m-1")
    connected(provider, mona, "m-1")
    client = client_of(max_)
    client.post(PAGE, {"password": PASSWORD})
    answer = provider.sign_in(client, "m-1")
    assert "already uses this company account" in client.get(answer["Location"]).text
    assert CompanyAccount.objects.get().player == mona
    # Nor is it given away by an appointment.
    wanted = {"name": "petra", "create": "on", "role": "floor", "reason": "new"}
    number = CompanyAccount.objects.get().pk
    answer = client.post(STAFF, wanted | {"company": number})
    assert "already uses this company account" in answer.text
    assert not Proposal.objects.exists()


def test_players_have_no_company_account(
    provider: Provider, alice: Player, stranger: Client
) -> None:
    client = client_of(alice)
    assert client.get(PAGE).status_code == 403
    assert "/players/company/" not in client.get(reverse("profile")).text


def test_names_of_strangers_are_forgotten(
    provider: Provider, mona: Player, stranger: Client
) -> None:
    provider.knows("m-1")
    connected(provider, mona, "m-1")
    provider.knows("x-1", name="nobody in particular")
    provider.sign_in(stranger, "x-1")
    now = timezone.now()
    assert company.forget_unknown(now + timedelta(days=29)) == 0
    assert company.forget_unknown(now + timedelta(days=31)) == 1
    assert CompanyAccount.objects.get().player == mona


def test_rights_still_agree_with_the_journal(
    provider: Provider, mona: Player, stranger: Client
) -> None:
    journal_staff()
    provider.knows("m-1", groups=["casino-bosses", "casino-cash"])
    connected(provider, mona, "m-1")
    provider.sign_in(stranger, "m-1")
    assert not list(differences())


def test_a_house_without_a_provider_offers_none(mona: Player, stranger: Client) -> None:
    page = client_of(mona)
    assert "/players/company/" not in stranger.get(reverse("sign-in")).text
    assert "/players/company/" not in page.get(reverse("profile")).text
    for name in ("company-start", "company-back", "company-account"):
        assert page.get(reverse(name)).status_code == 404
