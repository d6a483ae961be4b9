"""Further views of the back office: suggestions for a form field, and the search.

Both answer only the requests that the pages send and ignore everything else in the URL.
"""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse

from casino.office.frame import office_search


class Suggestions(AutocompleteJsonView):
    """Suggestions for a field, for users who may fill in the form that contains it.

    Otherwise a reader could search any table through a field of another one.
    """

    def process_request(
        self, request: HttpRequest
    ) -> "tuple[str, ModelAdmin[Any], ForeignKey[Any, Any], str]":
        names = ("app_label", "model_name", "field_name")
        app, model, field = (request.GET.get(name, "") for name in names)
        try:
            form = admin.site.get_model_admin(apps.get_model(app, model))
        except (LookupError, NotRegistered, ValueError):
            raise Http404 from None
        if field not in form.get_autocomplete_fields(request):
            raise Http404
        if not (form.has_add_permission(request) or form.has_change_permission(request)):
            raise PermissionDenied
        return super().process_request(request)


def suggestions(request: HttpRequest) -> HttpResponseBase:
    return Suggestions.as_view(admin_site=admin.site)(request)


def search(request: HttpRequest) -> HttpResponse:
    """Return what is called as typed, for the search that Ctrl-K opens on every page."""
    typed = request.GET.get("s", "")
    context = {"results": office_search.search(request, typed), "typed": typed.strip()}
    headers = {"HX-Trigger": "search"}
    return TemplateResponse(request, "backoffice/search_results.html", context, headers=headers)
