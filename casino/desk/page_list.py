"""The desk's pages of the back office, as its list of pages takes them.

Each is a name, an address, a view, words, a symbol if it is in the menu, and who opens it.
"""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.desk.pages import desk_pages, receipt_pages, shift_file, till_pages
from casino.desk.receipts import SEE_ALL, WORK
from casino.desk.shifts import MANAGE

DESK_PAGES: Final[tuple[tuple[Any, ...], ...]] = (
    ("desk", "desk/", desk_pages.desk_page, _("Cash desk"), "payments", WORK, SEE_ALL),
    (
        "desk-find",
        "desk/find/",
        desk_pages.find_page,
        _("Search at the desk"),
        "",
        WORK,
        SEE_ALL,
    ),
    (
        "desk-deposit",
        "desk/deposit/",
        desk_pages.pay_page("deposit", _("Deposit")),
        _("Deposit at the desk"),
        "",
        "wallets.deposit",
    ),
    (
        "desk-withdrawal",
        "desk/withdrawal/",
        desk_pages.pay_page("withdrawal", _("Withdrawal")),
        _("Withdrawal at the desk"),
        "",
        "wallets.withdraw",
    ),
    ("desk-transfer", "desk/transfer/", desk_pages.transfer_page, _("Between tills"), "", WORK),
    (
        "desk-requests",
        "desk/requests/",
        desk_pages.requests_page,
        _("Requests"),
        "request_quote",
        WORK,
        SEE_ALL,
    ),
    (
        "desk-request",
        "desk/requests/<int:number>/",
        desk_pages.request_page,
        _("A withdrawal"),
        "",
        "wallets.withdraw",
    ),
    (
        "desk-receipts",
        "desk/receipts/",
        receipt_pages.receipts_page,
        pgettext_lazy("desk", "Receipts"),
        "receipt",
        WORK,
        SEE_ALL,
    ),
    (
        "desk-receipt",
        "desk/receipts/<str:number>/",
        receipt_pages.receipt_page,
        _("One receipt"),
        "",
        WORK,
        SEE_ALL,
    ),
    (
        "desk-correct",
        "desk/receipts/<str:number>/correct/",
        receipt_pages.correct_page,
        _("Correct a receipt"),
        "",
        WORK,
    ),
    (
        "desk-tills",
        "desk/tills/",
        till_pages.tills_page,
        _("Tills and shifts"),
        "point_of_sale",
        WORK,
        SEE_ALL,
    ),
    ("desk-till-new", "desk/tills/new/", till_pages.new_till_page, _("Add a till"), "", MANAGE),
    (
        "desk-shift-open",
        "desk/tills/<int:number>/open/",
        till_pages.open_page,
        _("Open a shift"),
        "",
        WORK,
    ),
    (
        "desk-shift-close",
        "desk/tills/<int:number>/close/",
        till_pages.close_page,
        _("Close a shift"),
        "",
        WORK,
    ),
    ("desk-count", "desk/count/", till_pages.count_page, _("Count now"), "", WORK),
    (
        "desk-shift",
        "desk/shifts/<int:number>/",
        till_pages.shift_page,
        _("One shift"),
        "",
        WORK,
        SEE_ALL,
    ),
    (
        "desk-shift-file",
        "desk/shifts/<int:number>/shift.csv",
        shift_file.shift_file,
        _("One shift as a file"),
        "",
        WORK,
        SEE_ALL,
    ),
)
