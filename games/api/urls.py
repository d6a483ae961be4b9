"""The addresses of lobby, tables, hands and wallet."""

from django.urls import path

from games.api import hands, shoes, tables, wallet

urlpatterns = [
    path("tables/", tables.Lobby.as_view(), name="api-lobby"),
    path("tables/<int:table_id>/", tables.AtTable.as_view(), name="api-table"),
    path("tables/<int:table_id>/act/", tables.Act.as_view(), name="api-act"),
    *[
        path(f"tables/<int:table_id>/{name}/", tables.answered(verb).as_view(), name=f"api-{name}")
        for name, verb in tables.VERBS.items()
    ],
    path("hands/", hands.Hands.as_view(), name="api-hands"),
    path("hands/<int:hand_id>/", hands.OneHand.as_view(), name="api-hand"),
    path("hands/<int:hand_id>/record/", hands.Record.as_view(), name="api-record"),
    path("shoes/<slug:code>/", shoes.OneShoe.as_view(), name="api-shoe"),
    path("wallet/", wallet.Wallet.as_view(), name="api-wallet"),
    path("wallet/<str:currency>/", wallet.WalletStatement.as_view(), name="api-statement"),
]
