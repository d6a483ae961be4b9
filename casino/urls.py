"""The URLs of the site."""

from django.apps import apps
from django.contrib import admin
from django.urls import URLResolver, include, path

from casino import installing
from casino.accounts.views import ChangePassword, SignOut, staff_sign_in
from casino.guest_page import play_as_guest
from casino.office.frame import navigation
from casino.office.frame.office_search import search_page, suggestions
from casino.office.house import files, reader_pages
from casino.ops.health import ready
from casino.ops.metrics.collecting import metrics
from casino.web.rate_limits import limit_passwords


def _if_installed(route: str, app: str) -> list[URLResolver]:
    """The addresses of an optional app."""
    return [path(route, include(f"{app}.urls"))] if apps.is_installed(app) else []


urlpatterns = [
    # First, because programs ask most.
    path("api/", include("casino.api_urls")),
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
    path("", include("wallets.urls")),
    path("", include("casino.office.desk.urls")),
    path("", include("casino.office.wall.urls")),
    *_if_installed("", "casino.office.payments"),
    path("ready/", ready),
    path("metrics", metrics),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    # At the root: a worker answers only for what is below its own address.
    path("service-worker.js", installing.service_worker, name="service-worker"),
    path("offline/", installing.offline, name="offline"),
    path("house/look/<str:colours>.css", files.sheet, name="house-sheet"),
    path("house/mark/<str:digest>", files.mark, name="house-mark"),
    path("house/<str:key>/icon-<str:name>", files.icon, name="house-icon"),
    path("terms/", reader_pages.terms, name="house-terms"),
    path("contacts/", reader_pages.contacts, name="house-contacts"),
    path("players/guest/", limit_passwords(play_as_guest), name="play-as-guest"),
    path("players/", include("casino.accounts.urls")),
    path("players/", include("casino.care.urls")),
    *_if_installed("players/", "casino.community.returning"),
    *_if_installed("players/", "casino.community.push"),
    *_if_installed("players/", "casino.community.promotions"),
    *_if_installed("players/", "casino.community.messages"),
    # Last of those under `players/`: any other word there is a player's name.
    *_if_installed("players/", "casino.community.social"),
    *_if_installed("evenings/", "casino.community.evenings"),
    path("admin/login/", staff_sign_in),
    path("admin/logout/", SignOut.as_view()),
    path("admin/password_change/", limit_passwords(ChangePassword.as_view())),
    path("admin/autocomplete/", admin.site.admin_view(suggestions)),
    path("admin/search/", admin.site.admin_view(search_page)),
    *navigation.addresses(),
    path("admin/", admin.site.urls),
]

handler400 = "casino.web.errors.bad_request"
handler403 = "casino.web.errors.forbidden"
handler404 = "casino.web.errors.not_found"
handler500 = "casino.web.errors.server_error"
