"""The addresses of the house."""

from django.contrib import admin
from django.urls import include, path

from casino.health import health
from casino.pace import paced
from casino.players.views import ChangePassword, SignOut, staff_sign_in

urlpatterns = [
    path("", include("games.urls")),
    path("", include("wallets.urls")),
    path("api/", include("casino.api.urls")),
    path("health/", health),
    path("players/", include("casino.players.urls")),
    path("admin/login/", staff_sign_in),
    path("admin/logout/", SignOut.as_view()),
    path("admin/password_change/", paced(ChangePassword.as_view())),
    path("admin/", admin.site.urls),
]

handler400 = "casino.errors.bad_request"
handler403 = "casino.errors.forbidden"
handler404 = "casino.errors.not_found"
handler500 = "casino.errors.server_error"
