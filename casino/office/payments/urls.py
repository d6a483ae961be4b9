"""The players' addresses of payments, and those that providers call."""

from django.urls import path

from casino.office.payments.pages import calls, player_pages

urlpatterns = [
    path("wallet/pay-in/", player_pages.pay_in, name="pay-in"),
    path("wallet/pay-out/", player_pages.pay_out, name="pay-out"),
    path("wallet/payments/<int:number>/", player_pages.payment_page, name="payment"),
    path("wallet/payments/<int:number>/cancel/", player_pages.cancel, name="payment-cancel"),
    path("calls/payments/<slug:provider>/", calls.called, name="payment-call"),
]
