"""The addresses of the front page, the lobby, tables and history."""

from django.urls import path

from games.views import (
    chat,
    coach,
    fairness,
    guided,
    hand,
    history,
    lobby,
    private,
    profit,
    rules,
    seat_finder,
    shared_hand,
    table,
)

urlpatterns = [
    path("", lobby.front, name="front"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("lobby/baccarat/", lobby.baccarat, name="baccarat-tables"),
    path("welcome/", lobby.page, name="welcome"),
    path("running/", lobby.strip, name="running"),
    path("running/lost/<int:seat_id>/", lobby.saw_lost, name="saw-lost-seat"),
    path("play/<slug:game>/", seat_finder.play_now, name="play-now"),
    path("learn/<slug:game>/", guided.lesson, name="learn"),
    path("private/", private.mine, name="private-tables"),
    path("private/<int:table_id>/", private.invitation, name="private-table"),
    path("private/<int:table_id>/close/", private.close, name="private-close"),
    path("private/<int:table_id>/link/", private.new_link, name="private-link"),
    path("tables/<int:table_id>/", table.page, name="table"),
    path("tables/<int:table_id>/board/", table.part, name="board"),
    path("tables/<int:table_id>/stream/", table.address, name="stream-address"),
    path("tables/<int:table_id>/rules/", rules.of_table, name="table-rules"),
    path("tables/<int:table_id>/rows/", table.rows, name="rows"),
    path("tables/<int:table_id>/best/", table.best, name="best"),
    path("tables/<int:table_id>/reading/", table.reading, name="reading"),
    path("tables/<int:table_id>/roads/", fairness.roads, name="roads"),
    path("tables/<int:table_id>/shoes/", fairness.shoes, name="shoes"),
    *[
        path(f"tables/<int:table_id>/{name}/", table.verb, {"name": name}, name=f"table-{name}")
        for name in table.VERBS
    ],
    *[
        path(
            f"tables/<int:table_id>/{name}/",
            fairness.verb,
            {"name": name},
            name=f"table-{name}",
        )
        for name in fairness.VERBS
    ],
    path("tables/<int:table_id>/chat/", chat.chat, name="chat"),
    *[
        path(f"tables/<int:table_id>/chat/{name}/", chat.verb, {"name": name}, name=f"chat-{name}")
        for name in chat.VERBS
    ],
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:game>/", rules.of_game, name="game-rules"),
    path("fairness/", fairness.fairness, name="fairness"),
    path("fairness/voided/", fairness.voided, name="voided"),
    path("verify/", fairness.verify, name="verify"),
    path("fairness/chain.jsonl", fairness.public_chain, name="public-chain"),
    path("fairness/hands/<slug:code>.json", fairness.hand_entry, name="hand-entry"),
    path("fairness/verify.py", fairness.verifier, {"name": "verify.py"}, name="verifier"),
    *(
        path(f"fairness/{name}.py", fairness.verifier, {"name": f"{name}.py"}, name=name)
        for name in ("verify_package", "verify_shoe", "verify_signature")
    ),
    path("fairness/keys.json", fairness.keys, name="signing-keys"),
    path("fairness/shoes/<slug:code>.json", fairness.shoe, name="published-shoe"),
    path("fairness/anchors.jsonl", fairness.anchors_file, name="anchors"),
    path("fairness/witnesses.json", fairness.witness_signatures, name="witnesses"),
    path("history/", history.hands, name="history"),
    path("history/profit/", profit.page, name="profit"),
    path("history/links/", shared_hand.own_links, name="links"),
    path("history/seats/<uuid:code>/", history.stay, name="stay"),
    path("history/<int:hand_id>/", hand.page, name="hand"),
    path("history/<int:hand_id>/step/<int:number>/", hand.step, name="hand-step"),
    path("history/<int:hand_id>/record/", hand.record, name="hand-record"),
    path("history/<int:hand_id>/coach/", coach.advice, name="hand-coach"),
    path("history/<int:hand_id>/open/", hand.open_cards, name="hand-open"),
    path("history/<int:hand_id>/share/", hand.share, name="hand-share"),
    path("history/<int:hand_id>/unshare/", hand.unshare, name="hand-unshare"),
    path("shared/<str:token>/", shared_hand.page, name="shared"),
    path("shared/<str:token>/step/<int:number>/", shared_hand.step, name="shared-step"),
    path("shared/<str:token>/preview.png", shared_hand.picture, name="shared-picture"),
    path("shared/<str:token>/record/", shared_hand.record, name="shared-record"),
]
