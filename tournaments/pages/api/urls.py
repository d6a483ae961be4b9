"""The addresses of tournaments for programs."""

from django.urls import path

from tournaments.pages.api import events

urlpatterns = [
    path("tournaments/", events.Tournaments.as_view(), name="api-tournaments"),
    path("tournaments/<int:number>/", events.OneTournament.as_view(), name="api-tournament"),
    path("tournaments/<int:number>/places/", events.Places.as_view(), name="api-places"),
    path("tournaments/<int:number>/hands/", events.Hands.as_view(), name="api-event-hands"),
    path("tournaments/<int:number>/shoe/", events.Shoe.as_view(), name="api-event-shoe"),
    path("tournaments/<int:number>/reveal/", events.Reveal.as_view(), name="api-event-reveal"),
    *[
        path(
            f"tournaments/<int:number>/{name}/",
            events.answered(verb).as_view(),
            name=f"api-event-{name}",
        )
        for name, verb in events.VERBS.items()
    ],
]
