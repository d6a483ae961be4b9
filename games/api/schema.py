"""The parts that all operations of the API's schema share."""

from typing import Any, Final, get_type_hints

import msgspec
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.once import HEADER
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import Choice
from games.rules.sent_choices import DESCRIBING


class RefusalSerializer(serializers.Serializer):
    """A refusal, with its reason."""

    code = serializers.CharField(help_text=_("Stable; programs can rely on it."))
    sentence = serializers.CharField(help_text=_("A sentence for people, in their language."))
    path = serializers.CharField(
        required=False, help_text=_("The path of the field, for example $.action.amount.")
    )


KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description=_(
        "A new one for each request, a UUID for instance. The same key with the same body is done "
        "once and answered again; with another body it is refused (409)."
    ),
)
INVITATION = OpenApiParameter(
    "invitation",
    OpenApiTypes.STR,
    description=_("The invitation code of a private table; without it the table is hidden."),
)


def refusals(*statuses: int) -> dict[int, object]:
    return dict.fromkeys(statuses, RefusalSerializer)


REF: Final = "#/components/schemas/"
# References to the schemas that the rules make; serializers know less about them.
CHOICE: Final = {"$ref": f"{REF}Choice"}
VIEW: Final = {"$ref": f"{REF}View"}
ACTION: Final = {"$ref": f"{REF}Action"}
SENT_CHOICE: Final = {"$ref": f"{REF}SentChoice"}


def with_games(result: dict[str, Any], **_generator: object) -> dict[str, object]:
    """Add the actions and views of every game to the schema, from their own types.

    So a client generated from the schema knows every field of every game.
    """
    games = [game_type(key) for key in GAMES]
    actions = dict.fromkeys(kind for game in games for kind in game.actions)
    views = dict.fromkeys(get_type_hints(game.view)["return"] for game in games)
    described, parts = msgspec.json.schema_components(
        [*actions, *views, Choice], ref_template=REF + "{name}"
    )
    # Names that several games use come with long module paths; shorten them.
    text = msgspec.json.encode([described, parts]).replace(b"games.rules.", b"")
    described, parts = msgspec.json.decode(text)
    schemas = result["components"]["schemas"]
    schemas.update(parts)
    schemas["Action"] = {"anyOf": described[: len(actions)]}
    schemas["SentChoice"] = {
        "description": "A choice as it was offered, perhaps with fields of the action added.",
        "allOf": [CHOICE],
        "properties": {
            "do": {"enum": sorted({str(kind.__struct_config__.tag) for kind in actions})}
        },
        "anyOf": [{"required": [name]} for name in sorted(DESCRIBING)],
    }
    schemas["View"] = {"anyOf": described[len(actions) : -1]}
    return result
