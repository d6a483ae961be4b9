"""The addresses of the house."""

from django.contrib import admin
from django.urls import include, path

from casino.health import health

urlpatterns = [
    path("health/", health),
    path("admin/", admin.site.urls),
    path("language/", include("django.conf.urls.i18n")),
]
