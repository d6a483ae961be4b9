"""URLs under `/evenings/`."""

from django.urls import path

from casino.community.evenings import pages

urlpatterns = [
    path("", pages.mine, name="evenings"),
    path("<int:table_id>/begin/", pages.begin, name="evening-begin"),
    path("<int:table_id>/rematch/", pages.rematch, name="evening-rematch"),
    path("<int:table_id>/scores.png", pages.final_picture, name="evening-picture"),
]
