"""URLs under `/players/`, for notifications."""

from django.urls import path

from casino.community.push import pages

urlpatterns = [path("push/", pages.push, name="push")]
