"""How payloads are described in the API's schema, and the parts that all operations share."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from games.web.idempotency import HEADER
from games.web.payloads import REF, Refusal

Schema = dict[str, Any]
KEY: Final = OpenApiParameter(
    HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description=_l(
        "A new one for each request, a UUID for instance. The same key with the same body is done "
        "once and answered again; with another body it is refused (409)."
    ),
)


def refusals(*statuses: int) -> dict[int, object]:
    return dict.fromkeys(statuses, Refusal)


def components(types: Iterable[Any]) -> tuple[tuple[Schema, ...], Schema]:
    return msgspec.json.schema_components(types, ref_template=REF + "{name}")


def in_words(schema: Any) -> Any:
    """A schema whose descriptions are in the active language."""
    if isinstance(schema, dict):
        return {
            name: _(part) if name == "description" and isinstance(part, str) else in_words(part)
            for name, part in schema.items()
        }
    return [in_words(part) for part in schema] if isinstance(schema, list) else schema


class TypesDescribed(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes a type with all that it consists of."""

    target_class = msgspec.Struct
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: str) -> str:
        return str(self.target.__name__)

    def get_identity(self, auto_schema: Any, direction: str) -> str:
        """Parts of other types are registered by their names, too."""
        return self.get_name(auto_schema, direction)

    def map_serializer(self, auto_schema: Any, direction: str) -> Schema:
        (_described,), parts = components([self.target])
        for name, schema in in_words(parts).items():
            kind = ResolvedComponent.SCHEMA
            part = ResolvedComponent(name, kind, schema, name)  # type: ignore[no-untyped-call]
            if name == self.target.__name__:
                own_schema: Schema = schema
            else:
                auto_schema.registry.register_on_missing(part)
        return own_schema
