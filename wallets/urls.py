"""The URLs of the wallet."""

from django.urls import path

from wallets import views

urlpatterns = [path("wallet/", views.wallet, name="wallet")]
