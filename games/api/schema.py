"""What the description of the API says of every address alike."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.once import HEADER


class RefusalTold(serializers.Serializer):
    """Why something was refused."""

    code = serializers.CharField(help_text=_("Stable; a program decides by it."))
    sentence = serializers.CharField(help_text=_("For a person, in their language."))
    path = serializers.CharField(
        required=False, help_text=_("Where in the input it is, as in $.action.amount.")
    )


REFUSAL = RefusalTold
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
    description=_("What a private table's address has behind it; such a table is hidden without."),
)


def refusals(*statuses: int) -> dict[int, Any]:
    return dict.fromkeys(statuses, REFUSAL)
