"""The URLs of the site."""

from django.contrib import admin
from django.urls import include, path

from casino.backoffice import pages
from casino.backoffice.views import search, suggestions
from casino.health import health, ready
from casino.metrics.page import metrics
from casino.players.views import ChangePassword, SignOut, staff_sign_in
from casino.rate_limits import limit_passwords

urlpatterns = [
    # First, because programs ask most.
    path("api/", include("casino.api.urls")),
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
    path("", include("wallets.urls")),
    path("", include("casino.desk.urls")),
    path("health/", health),
    path("ready/", ready),
    path("metrics", metrics),
    path("", include("casino.returning.root_urls")),
    path("players/", include("casino.players.urls")),
    path("players/", include("casino.care.urls")),
    path("players/", include("casino.returning.urls")),
    path("players/", include("casino.push.urls")),
    # Last of those under `players/`: a name is whatever no page above is called.
    path("players/", include("casino.social.urls")),
    path("evenings/", include("casino.evenings.urls")),
    path("admin/login/", staff_sign_in),
    path("admin/logout/", SignOut.as_view()),
    path("admin/password_change/", limit_passwords(ChangePassword.as_view())),
    path("admin/autocomplete/", admin.site.admin_view(suggestions)),
    path("admin/search/", admin.site.admin_view(search)),
    *pages.addresses(),
    path("admin/", admin.site.urls),
]

handler400 = "casino.errors.bad_request"
handler403 = "casino.errors.forbidden"
handler404 = "casino.errors.not_found"
handler500 = "casino.errors.server_error"
