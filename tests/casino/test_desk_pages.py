"""The pages of the cash desk, and the players' page of withdrawals, as a browser uses them."""

import re
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from pypdf import PdfReader

from casino.accounts.models import Player
from casino.office.desk import requests
from casino.office.desk.models import Receipt, Shift, Till, WithdrawalRequest
from tests.casino.desk_scene import FLOAT, WHY, Desk
from tests.people import HTMX, client_of
from wallets.models import Transaction
from wallets.models.staff_models import Proposal
from wallets.staff import approvals
from wallets.values.errors import Refused

KEY = re.compile(r'name="key" value="([0-9a-f-]{36})"')
DEPOSIT, WITHDRAWAL = "/admin/desk/deposit/", "/admin/desk/withdrawal/"


def send(client: Client, address: str, **form: Any) -> Any:
    """The form as its page offers it, with its key, sent twice as by a double click."""
    (key,) = KEY.findall(client.get(address).text)
    sent = {"reason": WHY, "key": key} | {name.replace("__", "-"): v for name, v in form.items()}
    answers = [client.post(address, sent) for _twice in range(2)]
    assert [answer.status_code < 500 for answer in answers] == [True, True]
    return answers[0]


@pytest.mark.always
@pytest.mark.slow
def test_a_cashier_works_a_shift_in_the_browser(desk: Desk) -> None:
    tom = client_of(desk.tom)
    assert "Open a shift" in tom.get("/admin/desk/").text
    assert "Till 1" in tom.get("/admin/desk/tills/").text
    send(tom, f"/admin/desk/tills/{desk.first.pk}/open/", sum__EUR="0")
    send(
        tom, "/admin/desk/transfer/",
        source=desk.vault.pk, target=desk.first.pk, currency="EUR", amount="5,000.00",
    )  # fmt: skip
    client_of(desk.ruth).post(
        f"/admin/approvals/{Proposal.objects.latest('pk').pk}/", {"approve": "1", "reason": "yes"}
    )
    assert desk.held(desk.first) == FLOAT
    assert tom.get(f"{DEPOSIT}?q=mei")["Location"] == f"{DEPOSIT}?player={desk.mei.pk}"
    answer = send(tom, f"{DEPOSIT}?player={desk.mei.pk}", currency="EUR", amount="300.50")
    assert desk.wallet() == 30_050
    page = tom.get(answer["Location"]).text
    paid_in = Receipt.objects.get(kind="deposit")
    for words in (paid_in.number, "mei", "300.50", "Wallet after", "tom"):
        assert words in page
    send(tom, f"{WITHDRAWAL}?player={desk.mei.pk}", currency="EUR", amount="0.50")
    assert desk.wallet() == 30_000
    page = tom.get("/admin/desk/").text
    for words in ("300.50", "−0.50", "This shift", "shown after a count"):
        assert words in page
    # Counting is blind: no page tells a cashier what should be in the till before a count.
    payment = f"{DEPOSIT}?player={desk.mei.pk}&amount=1"
    close = f"/admin/desk/tills/{desk.first.pk}/close/"
    own = f"/admin/desk/shifts/{Shift.objects.get().pk}/"
    for address in (
        "/admin/",
        "/admin/desk/",
        payment,
        close,
        own,
        f"{own}shift.csv",
        "/admin/desk/count/",
    ):
        answer = tom.get(address)
        text = answer.getvalue().decode() if answer.streaming else answer.text
        assert "5,300" not in text.replace("5300", "5,300"), address
    assert "5,300" in client_of(desk.ruth).get(own).text
    pieces = {"piece-EUR-20000": 26, "piece-EUR-5000": 1, "piece-EUR-1000": 4, "piece-EUR-500": 1}
    send(tom, "/admin/desk/count/", **{n.replace("-", "__"): v for n, v in pieces.items()})
    assert "5,300" in tom.get("/admin/desk/").text
    form = tom.get(close).context["form"]
    assert form["reason"].value() is None
    key = form["key"].value()
    # A count that differs is stored before its page says by how much, and so is another one.
    shift = Shift.objects.get()
    for counted, stored in (("5290", 3), ("5295", 4), ("5295", 4)):
        refused = tom.post(close, {"sum-EUR": counted, "reason": "", "key": key})
        assert "5,300" in refused.text
        assert shift.counts.count() == stored
    assert "5.00 EUR short: what happened?" in refused.text
    send(tom, close, sum__EUR="5295", reason="gave 5 away")
    shift.refresh_from_db()
    assert shift.closed_at is not None
    ruth = client_of(desk.ruth)
    assert re.search(r"<b class=.bad.>−5", ruth.get("/admin/desk/tills/").text)
    Shift.objects.update(closed_at=timezone.now())
    assert re.search(r"Variances of tills.*−5\.00 EUR", ruth.get("/admin/").text, re.DOTALL)
    assert "Variances of tills" not in tom.get("/admin/").text
    page = tom.get(f"/admin/desk/shifts/{shift.pk}/").text
    assert "gave 5 away" in page
    assert "−5" in page


@pytest.mark.always
@pytest.mark.slow
def test_a_receipt_is_printed_once_and_then_copied(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    tom, address = client_of(desk.tom), reverse("desk-receipt", args=[receipt.number])
    for copies, copy in ((1, False), (2, True), (3, True)):
        page = tom.post(address, follow=True)
        assert ("COPY" in page.text) == copy
        assert "data-print" in page.text
        receipt.refresh_from_db()
        assert receipt.prints == copies
    # A file is as good as a print, and counted like one.
    file = tom.post(address, {"pdf": "1"})
    assert file["Content-Type"] == "application/pdf"
    text = PdfReader(BytesIO(file.content)).pages[0].extract_text()
    for words in ("COPY", receipt.number, "+10", str(receipt.posting), str(receipt.key)):
        assert words in text
    receipt.refresh_from_db()
    assert receipt.prints == 4
    # An auditor looks, and prints nothing.
    anna = client_of(desk.anna)
    assert anna.get(address).status_code == 200
    anna.post(address)
    assert anna.post(address, {"pdf": "1"}).status_code == 302
    receipt.refresh_from_db()
    assert receipt.prints == 4


@pytest.mark.always
def test_a_correction_is_proposed_and_approved(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 8_500)
    assert receipt is not None
    tom = client_of(desk.tom)
    answer = send(tom, reverse("desk-correct", args=[receipt.number]), amount="80")
    proposal = Proposal.objects.latest("pk")
    assert answer["Location"] == reverse("desk-waiting", args=[proposal.pk])
    assert desk.wallet() == 8_500
    address = reverse("proposal", args=[proposal.pk])
    page = client_of(desk.ruth).get(address).text
    assert "85.00 EUR" in page
    assert "80.00 EUR" in page
    client_of(desk.ruth).post(address, {"approve": "1", "reason": "I saw it"})
    assert desk.wallet() == 8_000
    assert "Corrected by" in tom.get(reverse("desk-receipt", args=[receipt.number])).text


@pytest.mark.always
@override_settings(APPROVAL_WITHDRAWAL=1_000)
def test_what_waits_for_a_colleague_stands_at_the_desk(desk: Desk) -> None:
    desk.with_float()
    desk.give(200_000)
    tom = client_of(desk.tom)
    send(tom, f"{WITHDRAWAL}?player={desk.mei.pk}", currency="EUR", amount="1500")
    assert Proposal.objects.filter(verb="desk.withdrawal").count() == 1
    assert "Waiting for a colleague" in tom.get("/admin/desk/").text
    assert "Waiting for a colleague" not in client_of(desk.grace).get("/admin/desk/").text


HOUSES_OWN = ("/admin/wallets/account/", "/admin/wallets/entry/", "/admin/wallets/transaction/")


@override_settings(APPROVAL_WITHDRAWAL=1_000)
def test_no_page_tells_a_cashier_what_a_till_holds(desk: Desk) -> None:
    """Counting is blind, also by receipts, proposals, refusals and lists of the ledger."""
    shift = desk.with_float()
    paid_in = desk.pay("deposit", 123_457)
    assert paid_in is not None
    desk.give(900_000)
    proposals = [
        desk.submit(desk.tom, "desk.transfer", source=desk.first.pk, target=desk.vault.pk,
                    currency="EUR", amount=100),
        desk.submit(desk.tom, "desk.withdrawal", player=desk.reference, currency="EUR",
                    amount=150_000, till=desk.first.pk),
    ]  # fmt: skip
    posting = f"{HOUSES_OWN[2]}{paid_in.posting}/change/"
    tom, ruth = client_of(desk.tom), client_of(desk.ruth)
    pages = [reverse("desk-receipt", args=[paid_in.number]), reverse("desk-receipts"), posting]
    pages += [reverse(name, args=[proposal.pk]) for proposal in proposals if proposal
              for name in ("proposal", "desk-waiting")]  # fmt: skip
    pages += [*HOUSES_OWN, reverse("proposals"), f"/admin/desk/shifts/{shift.pk}/"]
    for page in pages:
        assert "6,234.57" not in tom.get(page).text, page
    for page in (*HOUSES_OWN[:2], posting, pages[0]):
        assert "6,234.57" in ruth.get(page).text, page
    too_much: dict[str, Any] = {"source": desk.first.pk, "target": desk.vault.pk, "currency": "EUR"}
    with pytest.raises(Refused) as refusal:
        desk.submit(desk.tom, "desk.transfer", **too_much, amount=9_000_000)
    assert "6,234.57" not in refusal.value.sentence


def test_a_decision_says_for_ever_what_was_decided(desk: Desk) -> None:
    """Names and amounts are those of the moment, in the language of each reader."""
    desk.move(desk.ruth, None, desk.first, 25_000)
    decided = Proposal.objects.latest("pk")
    desk.move(desk.ruth, desk.first, None, 5_000)
    Till.objects.filter(pk=desk.first.pk).update(name="Renamed")
    page = client_of(desk.max).get(reverse("proposal", args=[decided.pk])).text
    for words in ("Outside the house", "Till 1", "+250.00 EUR"):
        assert words in page, words
    for identifier in ("Source", "Target"):
        assert identifier not in page
    lines = [("Outside the house", "", "−250.00 EUR"), ("Till 1", "", "+250.00 EUR")]
    assert approvals.describe(decided) == lines
    with override("zh-hant"):
        assert [line.words for line in approvals.describe(decided)] == ["場外", "Till 1"]
    # What was decided before the words were kept has those of today.
    decided.lines = None
    assert [line.words for line in approvals.describe(decided)] == ["Outside the house", "Renamed"]


def test_the_journal_names_tills_and_amounts(desk: Desk) -> None:
    desk.move(desk.ruth, desk.vault, desk.first, 25_000)
    page = " ".join(client_of(desk.max).get(reverse("journal")).text.split())
    assert "From: Vault" in page
    assert "250.00 EUR" in page
    assert "minor units" not in page


@pytest.mark.always
def test_a_player_asks_and_the_desk_pays(desk: Desk) -> None:
    desk.with_float()
    desk.give(50_000)
    mei, tom = client_of(desk.mei), client_of(desk.tom)
    send(mei, "/wallet/withdrawals/", currency="EUR", amount="400")
    (made,) = WithdrawalRequest.objects.all()
    assert (desk.wallet(), desk.wallet("escrow")) == (10_000, 40_000)
    assert "Set aside for a withdrawal" in mei.get("/wallet/").text
    assert "400" in tom.get("/admin/desk/requests/").text
    answer = send(tom, f"/admin/desk/requests/{made.pk}/")
    assert "−400" in tom.get(answer["Location"]).text
    assert "paid" in mei.get("/wallet/withdrawals/").text
    assert desk.wallet("escrow") == 0


def test_a_player_cancels_and_nobody_elses(desk: Desk) -> None:
    desk.give(50_000)
    made = requests.ask(desk.mei, desk.euro, 100, key=uuid4(), now=desk.now)
    other = Player.objects.create_user("otto")
    address = reverse("withdrawal-cancel", args=[made.pk])
    assert client_of(other).post(address).status_code == 409
    assert client_of(desk.mei).get(address).status_code == 405
    assert Client().post(address).status_code == 302
    assert desk.wallet("escrow") == 100
    for _twice in range(2):
        assert client_of(desk.mei).post(address).status_code == 302
    assert desk.wallet("escrow") == 0


def test_the_desk_refuses_a_request_with_a_reason(desk: Desk) -> None:
    desk.give(50_000)
    made = requests.ask(desk.mei, desk.euro, 100, key=uuid4(), now=desk.now)
    tom, address = client_of(desk.tom), f"/admin/desk/requests/{made.pk}/"
    assert "Open a shift first." in tom.get(address).text
    form = {"reason": "bring a passport", "refuse": "1"}
    assert tom.post(address, form).status_code == 302
    assert tom.post(address, form).status_code == 200
    assert "bring a passport" in client_of(desk.mei).get("/wallet/withdrawals/").text
    assert desk.wallet() == 50_000


WRONG = ("", "0", "-5", "1.234", "1e3", "=1+1", "99999999999999999", "x" * 99)


@pytest.mark.slow
def test_amounts_that_make_no_sense_are_answered(desk: Desk) -> None:
    desk.with_float()
    desk.give(50_000)
    before = Transaction.objects.count()
    tom, mei, player = client_of(desk.tom), client_of(desk.mei), desk.mei.pk
    places = [f"{DEPOSIT}?player={player}", f"{WITHDRAWAL}?player={player}"]
    ends = {"source": desk.vault.pk, "target": desk.first.pk}
    currencies: list[dict[str, str]] = [{"currency": "XXX"}, {}]
    for amount, form in (
        *((amount, {"currency": "EUR"}) for amount in WRONG), *(("5", form) for form in currencies),
    ):  # fmt: skip
        sent = {"amount": amount, "reason": WHY, **form}
        for address in (*places, "/admin/desk/transfer/"):
            assert tom.post(address, sent | ends).status_code == 200, (amount, address)
        assert mei.post("/wallet/withdrawals/", sent).status_code == 200, amount
        assert Transaction.objects.count() == before, amount
        assert not Proposal.objects.filter(status="proposed").exists(), amount


def test_counts_that_make_no_sense_are_answered(desk: Desk) -> None:
    desk.with_float()
    tom, address = client_of(desk.tom), f"/admin/desk/tills/{desk.first.pk}/close/"
    counts: list[dict[str, str]] = [
        {"piece-EUR-20000": "1", "sum-EUR": "300"}, {"piece-EUR-20000": "-1"},
        {"piece-EUR-20000": "9" * 30}, {"sum-EUR": "-1"}, {"sum-EUR": "=1"}, {},
    ]  # fmt: skip
    for count in counts:
        assert tom.post(address, {"reason": WHY, **count}).status_code == 200, count
        assert Shift.objects.get().closed_at is None, count


@pytest.mark.always
def test_odd_addresses_are_answered_and_others_not_found(desk: Desk) -> None:
    desk.open()
    tom = client_of(desk.tom)
    for address in (
        "deposit/?player=99999999999999999999", "deposit/?player=x&q=x",
        "withdrawal/?q=%F0%9F%92%A9", "find/?q=" + "9" * 100, "find/?q=12.50",
        "receipts/?q=R-260301-0001", "receipts/?q=" + "x" * 500,
    ):  # fmt: skip
        assert tom.get(f"/admin/desk/{address}").status_code == 200, address
    for address in (
        "receipts/R-000000-0000/", "receipts/x/correct/", "shifts/999999999999999999999/",
        "shifts/0/", "tills/999999999999999999999/open/", "tills/0/close/",
        "requests/99999999999999999999/",
    ):  # fmt: skip
        answer = tom.get(f"/admin/desk/{address}", headers=HTMX)
        assert answer.status_code == 404, address


def test_a_cashier_sees_their_own_shift_alone(desk: Desk) -> None:
    shift = desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    readers = [client_of(member) for member in (desk.tom, desk.grace, desk.ruth)]
    for address in (
        f"receipts/{receipt.number}/", f"receipts/{receipt.number}/correct/",
        f"shifts/{shift.pk}/", f"tills/{desk.first.pk}/close/",
    ):  # fmt: skip
        statuses = [reader.get(f"/admin/desk/{address}").status_code for reader in readers]
        assert statuses == [200, 404, 200], address


def test_only_those_who_see_every_till_read_what_each_holds(desk: Desk) -> None:
    desk.with_float()
    words = "Tills and the vault"
    assert words not in client_of(desk.grace).get("/admin/desk/").text
    for member in (desk.ruth, desk.anna):
        assert words in client_of(member).get("/admin/desk/").text


def test_a_manager_adds_a_till(desk: Desk) -> None:
    ruth, address = client_of(desk.ruth), "/admin/desk/tills/new/"
    send(ruth, address, name="Till 3")
    assert "Till 3" in ruth.get("/admin/desk/tills/").text
    for name in ("Till 3", " ", "x" * 41, "Vault", "a\u202eb"):
        assert ruth.post(address, {"name": name, "reason": WHY}).status_code == 200
    assert client_of(desk.tom).get(address).status_code == 403


def test_names_are_text_and_no_markup(desk: Desk) -> None:
    desk.mei.username = "<b>mei"
    desk.mei.save()
    desk.with_float()
    desk.pay("deposit", 1_000)
    page = client_of(desk.tom).get("/admin/desk/").text
    assert "<b>mei" not in page.replace("<b>&lt;b&gt;mei", "")


def test_the_journal_leads_to_shifts_and_receipts(desk: Desk) -> None:
    shift = desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=900))
    page = client_of(desk.ruth).get("/admin/journal/").text
    for address in ("/admin/desk/tills/", f"/admin/desk/shifts/{shift.pk}/", receipt.number):
        assert address in page


def test_a_shift_is_a_file_without_formulas(desk: Desk) -> None:
    Player.objects.filter(pk=desk.mei.pk).update(username="=HYPERLINK(1)")
    shift = desk.with_float()
    desk.pay("deposit", 1_050)
    desk.pay("withdrawal", 50)
    address = f"/admin/desk/shifts/{shift.pk}/shift.csv"
    text = client_of(desk.ruth).get(address).getvalue().decode()
    _header, _transfer, paid_in, paid_out = text.splitlines()
    assert paid_in.endswith(",deposit,'=HYPERLINK(1),,EUR,10.50,5010.50")
    assert paid_out.endswith(",withdrawal,'=HYPERLINK(1),,EUR,-0.50,5010")
    assert client_of(desk.grace).get(address).status_code == 404
