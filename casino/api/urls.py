"""The URLs of the API and of its description."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from casino.players.api import SignIn, SignOut
from casino.reports.api import OneReport

urlpatterns = [
    path("v1/sign-in/", SignIn.as_view(), name="api-sign-in"),
    path("v1/sign-out/", SignOut.as_view(), name="api-sign-out"),
    path("v1/reports/<slug:name>/", OneReport.as_view(), name="api-report"),
    path("v1/", include("games.api.urls")),
    path("v1/", include("tournaments.api.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="api-schema"), name="api-docs"),
]
