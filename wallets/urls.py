"""The URLs of the wallet."""

from django.urls import path

from wallets.pages import views

urlpatterns = [path("wallet/", views.wallet, name="wallet")]
