"""The addresses of tournaments."""

from django.urls import path

from tournaments.pages.views import event, lists, mixing, series

urlpatterns = [
    path("tournaments/", lists.every, name="tournaments"),
    path("tournaments/mine/", lists.mine, name="my-tournaments"),
    path("tournaments/series/", series.every, name="all-series"),
    path("tournaments/series/<int:number>/", series.page, name="series"),
    path("tournaments/tables/<int:table_id>/heading/", event.heading, name="tournament-heading"),
    path("tournaments/<int:number>/", event.page, name="tournament"),
    path("tournaments/<int:number>/part/", event.part, name="tournament-part"),
    path("tournaments/<int:number>/deals/", event.deals, name="tournament-deals"),
    path("tournaments/<int:number>/hands/", event.hands, name="tournament-hands"),
    path("tournaments/<int:number>/shoe/", mixing.page, name="tournament-shoe-page"),
    path("tournaments/<int:number>/shoe.json", mixing.shoe, name="tournament-shoe"),
    *[
        path(f"tournaments/<int:number>/{name}/", event.verb, {"name": name}, name=f"event-{name}")
        for name in event.VERBS
    ],
    *[
        path(f"tournaments/<int:number>/{name}/", mixing.verb, {"name": name}, name=f"event-{name}")
        for name in mixing.VERBS
    ],
]
