"""Operators read the ledger and set up jackpots; money is never edited by hand."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings
from django.urls import reverse

from casino.accounts.staff import appoint
from tests.people import BY_TEST, client_of
from wallets import tasks
from wallets.models import Account, Currency, Entry, Jackpot, Transaction
from wallets.models.staff_models import JournalEntry
from wallets.money import cashier, jackpots
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.values.days import day_of

pytestmark = pytest.mark.django_db

LEDGER = ("account", "transaction", "entry", "book", "closing")


@pytest.fixture
def olga() -> Client:
    """An operator with every right there is."""
    client = Client()
    client.force_login(
        get_user_model().objects.create_superuser("olga", password="a long password"),
    )
    return client


@pytest.fixture
def stranger() -> Client:
    client = Client()
    client.force_login(
        get_user_model().objects.create_user("stranger", password="a long password"),
    )
    return client


@pytest.fixture
def hand(alice: Account, bob: Account) -> Transaction:
    legs = [Leg(alice.pk, -12_34), Leg(bob.pk, 12_34)]
    posted = post(uuid4(), "hand", legs, book="table:1", reference="hand:7", **BY_TEST)
    return Transaction.objects.get(pk=posted.transaction)


def page(model: str, what: str = "changelist", *arguments: Any) -> str:
    return reverse(f"admin:wallets_{model}_{what}", args=arguments)


@pytest.mark.parametrize("model", LEDGER)
def test_the_ledger_is_read(model: str, olga: Client, hand: Transaction) -> None:
    assert olga.get(page(model)).status_code == 200
    assert olga.get(page(model, "add")).status_code == 403


@pytest.mark.parametrize("model", [*LEDGER, "currency", "jackpot"])
def test_a_stranger_sees_nothing(model: str, stranger: Client, hand: Transaction) -> None:
    assert stranger.get(page(model)).status_code == 302


def test_a_hand_is_found_with_its_entries(olga: Client, hand: Transaction) -> None:
    listed = olga.get(page("transaction"), {"q": "hand:7"})
    assert "hand:7" in listed.content.decode()
    shown = olga.get(page("transaction", "change", hand.pk)).content.decode()
    assert "\N{MINUS SIGN}12.34 EUR" in shown
    assert "62.34 EUR" in shown


def test_ledger_admin_neither_edits_nor_deletes(olga: Client, hand: Transaction) -> None:
    entry = Entry.objects.filter(transaction=hand).first()
    assert entry is not None
    for model, key in (
        ("account", entry.account_id),
        ("transaction", hand.pk),
        ("entry", entry.pk),
    ):
        assert olga.post(page(model, "change", key), {"balance": 1}).status_code == 403
        assert olga.post(page(model, "delete", key), {"post": "yes"}).status_code == 403
    assert Account.objects.get(pk=entry.account_id).balance == entry.balance_after


@pytest.mark.always
def test_a_currency_keeps_its_point(olga: Client, euro: Currency) -> None:
    fields = {"name": "The euro", "exponent": 0, "kind": "play", "reason": "its name"}
    assert olga.post(page("currency", "change", "EUR"), fields).status_code == 302
    euro.refresh_from_db()
    assert (euro.name, euro.exponent, euro.kind) == ("The euro", 2, "money")


FIELDS: dict[str, Any] = {
    "name": "Dragon",
    "kind": "progressive",
    "currency": "EUR",
    "seed": "10",
    "reserve": "0",
    "share_bp": "5",
    "lowest": 1,
    "highest": 2,
    "active": "on",
    "reason": "for the spring",
}


def olga_id() -> int:
    return int(get_user_model().objects.get(username="olga").pk)


def house_of(euro: Currency) -> int:
    return account(Account.Kind.HOUSE, "house", euro).balance


@pytest.fixture
def small_changes_need_no_colleague() -> Iterator[None]:
    with override_settings(APPROVAL_JACKPOT=1_000_000):
        yield


@pytest.mark.usefixtures("small_changes_need_no_colleague")
class TestJackpot:
    def test_is_opened_with_its_pool(self, olga: Client, euro: Currency) -> None:
        assert olga.post(page("jackpot", "add"), FIELDS).status_code == 302
        jackpot = Jackpot.objects.get()
        assert (jackpot.name, jackpot.share_bp) == ("Dragon", 500)
        assert jackpots.amount(jackpot) == 1_000
        posted = Transaction.objects.get(kind="seed")
        assert (posted.actor, posted.reason) == (f"player:{olga_id()}", "for the spring")
        assert "10.00 EUR" in olga.get(page("jackpot")).content.decode()

    def test_a_bad_setting_is_refused_with_a_sentence(self, olga: Client, euro: Currency) -> None:
        answer = olga.post(page("jackpot", "add"), {**FIELDS, "seed": -1})
        assert "-1 is not an amount." in answer.text
        assert not Jackpot.objects.exists()

    @pytest.mark.always
    def test_is_changed_but_for_its_name(self, olga: Client, euro: Currency) -> None:
        jackpot = jackpots.create("Dragon", "progressive", euro, actor="operator:olga")
        fields = {**FIELDS, "name": "Tiger", "share_bp": "7 %"}
        assert olga.post(page("jackpot", "change", jackpot.pk), fields).status_code == 302
        jackpot.refresh_from_db()
        assert (jackpot.name, jackpot.share_bp) == ("Dragon", 700)
        pool = account(Account.Kind.JACKPOT, "jackpot:Dragon", euro)
        # What it lacks of the seed that was set comes at once.
        assert pool.balance == 1_000

    @pytest.mark.parametrize("reason", ["", "   "])
    def test_says_why(self, olga: Client, euro: Currency, reason: str) -> None:
        answer = olga.post(page("jackpot", "add"), {**FIELDS, "reason": reason})
        assert "This field is required." in answer.text
        assert not Jackpot.objects.exists()
        assert not Transaction.objects.exists()

    @pytest.mark.parametrize(
        "settings", [{"seed": "9,000,000,000"}, {"seed": "99,999.99", "reserve": "0.02"}]
    )
    def test_the_house_puts_no_more_into_it_than_is_allowed(
        self, olga: Client, euro: Currency, settings: dict[str, str]
    ) -> None:
        """Neither in a new jackpot nor in one that is there."""
        jackpot = jackpots.create("Tiger", "progressive", euro, actor="operator:olga")
        for address in (page("jackpot", "add"), page("jackpot", "change", jackpot.pk)):
            answer = olga.post(address, {**FIELDS, **settings})
            assert "Seed and reserve are 100,000 together at most." in answer.text
        assert not Transaction.objects.exists()

    def test_a_higher_seed_is_paid_at_once_by_whoever_set_it(
        self, olga: Client, euro: Currency
    ) -> None:
        jackpot = jackpots.create("Dragon", "progressive", euro, actor="operator:olga", seed=500)
        address = page("jackpot", "change", jackpot.pk)
        assert olga.post(address, {**FIELDS, "reason": "a better prize"}).status_code == 302
        tasks.fill_jackpots()
        posted = Transaction.objects.filter(kind="seed").latest("pk")
        assert (posted.actor, posted.reason) == (f"player:{olga_id()}", "a better prize")
        assert house_of(euro) == -1_000
        entry = JournalEntry.objects.get(verb="jackpot.change")
        assert (entry.actor, entry.reason) == (f"player:{olga_id()}", "a better prize")
        assert (entry.before["seed"], entry.after["seed"]) == (500, 1_000)

    def test_a_pool_is_drained_back_to_the_house(self, olga: Client, euro: Currency) -> None:
        jackpot = jackpots.create("Dragon", "progressive", euro, actor="o", seed=1_000)
        address = reverse("admin:wallets_jackpot_drain", args=[jackpot.pk])
        fields = {"amount": "9.50", "reason": "a seed too many"}
        assert "deactivate it" in olga.post(address, fields).text
        jackpots.configure(jackpot, actor="o", reason="rests", active=False)
        assert address in olga.get(page("jackpot", "change", jackpot.pk)).text
        assert "10.00 EUR" in olga.get(address).text
        assert "you cannot take out more" in olga.post(address, {**fields, "amount": "10.01"}).text
        assert "This field is required." in olga.post(address, {**fields, "reason": " "}).text
        assert "is not an amount" in olga.post(address, {**fields, "amount": "-1"}).text
        assert house_of(euro) == -1_000
        assert olga.post(address, fields).status_code == 302
        posted = Transaction.objects.get(kind="drain")
        assert (posted.actor, posted.reason) == (f"player:{olga_id()}", "a seed too many")
        assert (house_of(euro), Account.objects.get(pk=jackpot.pool_id).balance) == (-50, 50)
        entry = JournalEntry.objects.get(verb="jackpot.drain")
        assert (entry.before["pool"], entry.after["pool"]) == (1_000, 50)

    @pytest.mark.always
    @pytest.mark.parametrize(
        ("typed", "stored"), [("1", 100), ("2.5 %", 250), ("100", 10_000), ("101", 0), ("1,5", 0)]
    )
    def test_a_share_is_typed_in_percent(
        self, olga: Client, euro: Currency, typed: str, stored: int
    ) -> None:
        answer = olga.post(page("jackpot", "add"), {**FIELDS, "share_bp": typed})
        if not stored:
            assert "A share is 0 to 100 percent" in answer.text
        assert [jackpot.share_bp for jackpot in Jackpot.objects.all()] == (
            [stored] if stored else []
        )

    def test_has_a_page_with_what_it_holds_and_who_changed_it(
        self, olga: Client, euro: Currency
    ) -> None:
        assert olga.post(page("jackpot", "add"), FIELDS).status_code == 302
        address = page("jackpot", "change", Jackpot.objects.get().pk)
        shown = olga.get(address).text
        for words in ("10.00", "5 %", "for the spring", "No table plays for it."):
            assert words in shown, words
        assert address in olga.get("/admin/search/", {"s": "drag"}).text
        auditor = get_user_model().objects.create_user("ada")
        appoint(auditor, "auditors")
        client = client_of(auditor)
        assert "for the spring" in client.get(address).text
        assert 'name="share_bp"' not in client.get(address).text
        assert client.post(address, {**FIELDS, "seed": "20"}).status_code == 403
        assert Jackpot.objects.get().seed == 1_000

    @pytest.mark.always
    def test_says_what_other_settings_cost_before_they_are_sent(
        self, olga: Client, euro: Currency
    ) -> None:
        jackpot = jackpots.create("Dragon", "progressive", euro, actor="o", seed=1_000)
        address = page("jackpot", "change", jackpot.pk)
        typed = {"part": "outlook", "seed": "25", "reserve": "0", "share_bp": "5", "active": "on"}
        assert "15.00 EUR" in olga.get(address, typed).text
        assert "must approve" not in olga.get(address, typed).text
        with override_settings(APPROVAL_JACKPOT=20):
            assert "must approve" in olga.get(address, typed).text
        assert "Complete the form" in olga.get(address, typed | {"seed": "x"}).text
        assert Jackpot.objects.get().seed == 1_000

    def test_cashiers_and_auditors_cannot_drain_a_jackpot(self, euro: Currency) -> None:
        jackpot = jackpots.create("Dragon", "progressive", euro, actor="o", seed=1_000, active=0)
        address = reverse("admin:wallets_jackpot_drain", args=[jackpot.pk])
        for group in ("cashiers", "auditors"):
            player = get_user_model().objects.create_user(f"one-of-{group}")
            appoint(player, group)
            client = client_of(player)
            assert client.get(address).status_code == 403
            assert client.post(address, {"amount": "1", "reason": "x"}).status_code == 403
        assert Account.objects.get(pk=jackpot.pool_id).balance == 1_000


@pytest.mark.always
def test_the_ledger_is_read_in_words_and_found_by_name_amount_day_and_kind(olga: Client) -> None:
    euro, _made = Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    lin = get_user_model().objects.create_user("lin")
    reference = f"player:{lin.pk}"
    cashier.deposit(reference, euro, 7_77, key=uuid4(), actor=reference, reason="paid in")
    day = day_of(Transaction.objects.latest("pk").time).isoformat()
    for model in ("entry", "transaction"):
        for query in ({"q": "lin"}, {"q": "7.77"}, {"q": day}, {"posting": "deposit"}):
            text = olga.get(page(model), query).content.decode()
            assert "Paid in" in text, (model, query)
            assert f'<a href="/admin/players/{lin.pk}/file/">lin</a>' in text, (model, query)
        for other in ({"q": "mona"}, {"q": "7.78"}, {"q": "2001-01-01"}, {"posting": "grant"}):
            assert "Paid in</" not in olga.get(page(model), other).content.decode()
