"""The site of the admin, which asks once a page what its reader may open."""

from typing import Any, Final

from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest
from unfold.sites import UnfoldAdminSite

KEPT: Final = "_office_lists"


class OfficeSite(UnfoldAdminSite):  # type: ignore[misc]
    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """The frame, the menu and the overview ask for it, each by itself."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        if not hasattr(request, KEPT):
            setattr(request, KEPT, super().get_app_list(request))
        return getattr(request, KEPT)


class OfficeAdmin(AdminConfig):
    default_site = f"{__name__}.{OfficeSite.__name__}"
