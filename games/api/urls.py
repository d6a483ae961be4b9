"""The addresses of hands, shoes and wallet; those of tables are operations (`tables.py`)."""

from django.urls import path

from games.api import hands, wallet

urlpatterns = [
    path("hands/", hands.Hands.as_view(), name="api-hands"),
    path("hands/<int:hand_id>/", hands.OneHand.as_view(), name="api-hand"),
    path("hands/<int:hand_id>/record/", hands.Record.as_view(), name="api-record"),
    path("shoes/<slug:code>/", hands.OneShoe.as_view(), name="api-shoe"),
    path("wallet/", wallet.Wallet.as_view(), name="api-wallet"),
    path("wallet/<str:currency>/", wallet.WalletStatement.as_view(), name="api-statement"),
]
