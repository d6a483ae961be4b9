"""URLs under `/players/`, for players who come back."""

from django.urls import path

from casino.community.returning import pages

urlpatterns = [
    path("returning/", pages.my_week, name="my-week"),
    path("returning/take/", pages.take, name="take-reward"),
]
