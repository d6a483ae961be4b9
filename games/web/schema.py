"""The parts that all operations of the API's schema share."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.web.idempotency import HEADER


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


def refusals(*statuses: int) -> dict[int, object]:
    return dict.fromkeys(statuses, RefusalSerializer)
