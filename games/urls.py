"""The addresses of lobby, tables and history."""

from django.urls import path

from games.chat import views as chat
from games.views import coach, fairness, history, lobby, rules, table

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("play/<slug:game>/", lobby.play_now, name="play-now"),
    path("tables/<int:table_id>/", table.page, name="table"),
    path("tables/<int:table_id>/board/", table.part, name="board"),
    path("tables/<int:table_id>/rules/", rules.of_table, name="table-rules"),
    path("tables/<int:table_id>/rows/", table.rows, name="rows"),
    *[
        path(f"tables/<int:table_id>/{name}/", table.verb, {"name": name}, name=f"table-{name}")
        for name in table.VERBS
    ],
    path("tables/<int:table_id>/chat/", chat.chat, name="chat"),
    *[
        path(f"tables/<int:table_id>/chat/{name}/", chat.verb, {"name": name}, name=f"chat-{name}")
        for name in chat.VERBS
    ],
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:game>/", rules.of_game, name="game-rules"),
    path("fairness/", fairness.fairness, name="fairness"),
    path("verify/", fairness.verify, name="verify"),
    path("fairness/chain.jsonl", fairness.public_chain, name="public-chain"),
    path("fairness/verify.py", fairness.verifier, name="verifier"),
    path("history/", history.hands, name="history"),
    path("history/<int:hand_id>/", history.hand, name="hand"),
    path("history/<int:hand_id>/coach/", coach.advice, name="hand-coach"),
    path("history/<int:hand_id>/record/", history.record, name="hand-record"),
]
