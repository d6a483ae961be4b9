"""URLs under `/players/`, for what players arrange for themselves."""

from django.urls import path

from casino.care import pages
from casino.rate_limits import limit_passwords

urlpatterns = [
    path("limits/", pages.limits_page, name="own-limits"),
    path("exclusion/", limit_passwords(pages.exclusion_page), name="exclusion"),
    path("reality-check/", pages.reality_page, name="reality-check"),
    path("session/", pages.session_part, name="session"),
]
