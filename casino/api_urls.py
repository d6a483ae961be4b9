"""The URLs of the API and of its description."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from casino.accounts.api import SignIn, SignOut, addresses_of
from casino.care import api as care
from casino.office.desk import api as desk
from casino.office.profiles.api import OneProfile, Profiles
from casino.office.reports.api import OneReport
from games.api.tables import OPERATIONS

urlpatterns = [
    *addresses_of(OPERATIONS),
    path("v1/sign-in/", SignIn.as_view(), name="api-sign-in"),
    path("v1/sign-out/", SignOut.as_view(), name="api-sign-out"),
    path("v1/reports/<slug:name>/", OneReport.as_view(), name="api-report"),
    path("v1/profiles/", Profiles.as_view(), name="api-profiles"),
    path("v1/profiles/<int:number>/", OneProfile.as_view(), name="api-profile"),
    path("v1/withdrawals/", desk.Withdrawals.as_view(), name="api-withdrawals"),
    path(
        "v1/withdrawals/<int:number>/cancel/",
        desk.CancelWithdrawal.as_view(),
        name="api-withdrawal-cancel",
    ),
    path("v1/limits/", care.Limits.as_view(), name="api-limits"),
    path("v1/limits/<int:limit>/confirm/", care.ConfirmLimit.as_view(), name="api-limit-confirm"),
    path(
        "v1/limits/<int:limit>/withdraw/", care.WithdrawLimit.as_view(), name="api-limit-withdraw"
    ),
    path("v1/reality-check/", care.RealityCheckOf.as_view(), name="api-reality-check"),
    path("v1/exclusion/", care.Exclude.as_view(), name="api-exclusion"),
    path("v1/", include("games.api.urls")),
    path("v1/", include("tournaments.pages.api.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
