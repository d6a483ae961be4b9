"""Rules for every list of the back office: which filters it accepts, and that most are read-only.

A visitor could read a column that no page shows by requesting its values in the URL, one after the
other, and looking at the results. Names of relations lead from any list to any column of the
database, so a check of the first part would not help: a list accepts exactly the lookups of its own
filters and nothing else.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.admin import FieldListFilter, SimpleListFilter
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import get_fields_from_path
from django.core.exceptions import BadRequest, FieldDoesNotExist, ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# The parts that the links of a date hierarchy use, and an upper bound of each.
PARTS_OF_A_DATE: Final = {"year": 3_000, "month": 13, "day": 32}


class ColumnFilter(SimpleListFilter):
    """A filter with its own choices, by one column."""

    column = ""
    parameter_name: str

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset.filter(**{self.column: self.value()}) if self.value() else queryset


class OfferedLookups:
    """A list can be narrowed only by the filters that it offers."""

    model: Any
    list_filter: Any = ()
    date_hierarchy: Any = None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Called for each part of the address; the filters are gone through once a request."""
        column, _, part = lookup.rpartition("__")
        if self.date_hierarchy and column == self.date_hierarchy and part in PARTS_OF_A_DATE:
            number = int(value) if re.fullmatch(r"[0-9]{1,4}", value) else 0
            return 0 < number < PARTS_OF_A_DATE[part]
        offered = getattr(request, "_lookups_offered", None)
        if offered is None:
            offered = frozenset(self._offered(request))
            request._lookups_offered = offered  # type: ignore[attr-defined]
        return lookup in offered

    def _offered(self, request: HttpRequest) -> Iterator[str]:
        """Yield the lookups of this list's filters."""
        shown: Any = self
        for entry in self.list_filter:
            if isinstance(entry, type) and issubclass(entry, ColumnFilter):
                yield entry.parameter_name
                continue
            path, kind = (entry, FieldListFilter.create) if isinstance(entry, str) else entry
            field = get_fields_from_path(self.model, path)[-1]
            made: Any = kind(field, request, {}, self.model, shown, field_path=path)
            yield from made.expected_parameters()

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        """Rows are named by primary key only: another field would reveal that column."""
        try:
            return bool(self.model._meta.get_field(to_field).primary_key)
        except (AttributeError, FieldDoesNotExist):
            return False

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Model]
    ) -> HttpResponseBase | None:
        """Refuse ticked rows whose keys the database could not hold."""
        for ticked in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                key = self.model._meta.pk.to_python(ticked)
            except ValidationError:
                raise BadRequest("a row has no such key") from None
            if isinstance(key, int) and key.bit_length() > 63:
                raise BadRequest("no row has so large a key")
        answer: HttpResponseBase | None = super().response_action(request, queryset)  # type: ignore[misc]
        return answer


def key_in(address: str | None) -> int:
    """The key that a part of an address names; nothing has the key 0."""
    return int(address) if address and re.fullmatch(r"[0-9]{1,18}", address) else 0


class ReadOnly(OfferedLookups):
    """A read-only list: no permission allows adding, changing or deleting rows."""

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        """Whether the menu has it."""
        shown: Any = self
        view = shown.has_view_permission(request) or shown.has_change_permission(request)
        return {"view": view}

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
