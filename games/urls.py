"""The addresses of the front page, the lobby, tables and history."""

from django.urls import path

from games.chat import views as chat
from games.views import (
    coach,
    fairness,
    finding,
    hand,
    history,
    links,
    lobby,
    private,
    profit,
    rules,
    running,
    shared,
    shoes,
    table,
)

urlpatterns = [
    path("", lobby.front, name="front"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("running/", running.strip, name="running"),
    path("play/<slug:game>/", finding.play_now, name="play-now"),
    path("private/", private.mine, name="private-tables"),
    path("private/<int:table_id>/", private.invitation, name="private-table"),
    path("private/<int:table_id>/close/", private.close, name="private-close"),
    path("private/<int:table_id>/link/", private.new_link, name="private-link"),
    path("tables/<int:table_id>/", table.page, name="table"),
    path("tables/<int:table_id>/board/", table.part, name="board"),
    path("tables/<int:table_id>/rules/", rules.of_table, name="table-rules"),
    path("tables/<int:table_id>/rows/", table.rows, name="rows"),
    path("tables/<int:table_id>/reading/", table.reading, name="reading"),
    path("tables/<int:table_id>/roads/", shoes.roads, name="roads"),
    path("tables/<int:table_id>/shoes/", shoes.shoes, name="shoes"),
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
    path("history/profit/", profit.page, name="profit"),
    path("history/links/", links.page, name="links"),
    path("history/seats/<uuid:code>/", history.stay, name="stay"),
    path("history/<int:hand_id>/", hand.page, name="hand"),
    path("history/<int:hand_id>/step/<int:number>/", hand.step, name="hand-step"),
    path("history/<int:hand_id>/record/", hand.record, name="hand-record"),
    path("history/<int:hand_id>/coach/", coach.advice, name="hand-coach"),
    path("history/<int:hand_id>/open/", hand.open_cards, name="hand-open"),
    path("history/<int:hand_id>/share/", hand.share, name="hand-share"),
    path("history/<int:hand_id>/unshare/", hand.unshare, name="hand-unshare"),
    path("shared/<str:token>/", shared.page, name="shared"),
    path("shared/<str:token>/step/<int:number>/", shared.step, name="shared-step"),
    path("shared/<str:token>/record/", shared.record, name="shared-record"),
]
