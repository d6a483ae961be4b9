"""URLs that stand at the root: a worker answers only for what is below its own address."""

from django.urls import path

from casino.returning import installing

urlpatterns = [
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("service-worker.js", installing.service_worker, name="service-worker"),
    path("offline/", installing.offline, name="offline"),
]
