"""URLs under `/players/`, for notifications."""

from django.urls import path

from casino.community.push import subscribing

urlpatterns = [path("push/", subscribing.push, name="push")]
