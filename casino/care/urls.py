"""URLs under `/players/`, for what players arrange for themselves."""

from django.urls import path

from casino.care import data_pages, pages
from casino.web.rate_limits import limit_passwords

urlpatterns = [
    path("limits/", pages.limits_page, name="own-limits"),
    path("exclusion/", limit_passwords(pages.exclusion_page), name="exclusion"),
    path("reality-check/", pages.reality_page, name="reality-check"),
    path("statement/", data_pages.statement_page, name="own-statement"),
    path("statement/csv/", data_pages.statement_file, name="statement-file"),
    path("statement/pdf/", data_pages.statement_pdf, name="statement-pdf"),
    path("data/", data_pages.data_page, name="own-data"),
    path("data/export/", data_pages.data_file, name="own-data-file"),
    path("session/", pages.session_part, name="session"),
]
