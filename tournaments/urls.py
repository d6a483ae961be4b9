"""The addresses of tournaments."""

from django.urls import path

from tournaments.pages import views

urlpatterns = [
    path("tournaments/", views.all_tournaments, name="tournaments"),
    path("tournaments/mine/", views.my_tournaments, name="my-tournaments"),
    path("tournaments/series/", views.all_series, name="all-series"),
    path("tournaments/series/<int:number>/", views.series_page, name="series"),
    path("tournaments/tables/<int:table_id>/heading/", views.heading, name="tournament-heading"),
    path("tournaments/<int:number>/", views.event_page, name="tournament"),
    path("tournaments/<int:number>/part/", views.event_part, name="tournament-part"),
    path("tournaments/<int:number>/deals/", views.deals, name="tournament-deals"),
    path("tournaments/<int:number>/hands/", views.event_hands, name="tournament-hands"),
    path("tournaments/<int:number>/shoe/", views.shoe_page, name="tournament-shoe-page"),
    path("tournaments/<int:number>/shoe.json", views.shoe, name="tournament-shoe"),
    *[
        path(
            f"tournaments/<int:number>/{name}/",
            views.event_verb,
            {"name": name},
            name=f"event-{name}",
        )
        for name in views.VERBS
    ],
    *[
        path(
            f"tournaments/<int:number>/{name}/",
            views.shoe_verb,
            {"name": name},
            name=f"event-{name}",
        )
        for name in views.SHOE_VERBS
    ],
]
