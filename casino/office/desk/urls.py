"""The players' addresses of the desk; those of the back office are in its list of pages."""

from django.urls import path

from casino.office.desk.pages import player_page

urlpatterns = [
    path("wallet/withdrawals/", player_page.withdrawals, name="withdrawals"),
    path("wallet/withdrawals/<int:number>/cancel/", player_page.cancel, name="withdrawal-cancel"),
]
