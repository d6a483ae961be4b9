"""The address of the wall screen; whoever has the code needs no sign-in."""

from django.urls import path

from casino.office.wall import pages

urlpatterns = [path("wall/<str:code>/", pages.wall_page, name="wall")]
