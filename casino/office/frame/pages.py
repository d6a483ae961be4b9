"""The pages that apps declare: their addresses, and which of them a viewer opens."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.module_loading import autodiscover_modules

from wallets.office.staff_pages import PAGES, Page
from wallets.values.player import is_player

# The module of an app that declares its pages.
MODULE: Final = "office_pages"


@cache
def pages() -> tuple[Page, ...]:
    """Every page that an app declares.

    The first request imports the views; workers and commands never do.
    """
    autodiscover_modules(MODULE)
    return tuple(PAGES.values())


def shown_to(request: HttpRequest) -> list[Page]:
    if not is_player(request.user):
        return []
    return [page for page in pages() if page.menu and page.is_open_to(request.user.has_perm)]


def addresses() -> list[URLPattern]:
    return [
        path(f"admin/{page.address}", admin.site.admin_view(_closed(page)), name=page.name)
        for page in pages()
    ]


def _closed(page: Page) -> Callable[..., HttpResponseBase]:
    """The view, for readers with one of the permissions."""

    @wraps(page.view)
    def answered(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if not page.is_open_to(request.user.has_perm):
            raise PermissionDenied
        return page.view(request, *args, **named)

    return answered
