"""The players' addresses of the desk; those of the back office are in its list of pages."""

from django.urls import path

from casino.office.desk.pages import pay_pages

urlpatterns = [
    path("wallet/withdrawals/", pay_pages.withdrawals, name="withdrawals"),
    path(
        "wallet/withdrawals/<int:number>/cancel/",
        pay_pages.cancel_withdrawal,
        name="withdrawal-cancel",
    ),
]
