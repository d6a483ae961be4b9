"""The field in which staff pick a time in the zone of the house."""

from datetime import datetime
from typing import Any, Final

from django.forms import DateTimeField, DateTimeInput
from django.utils import timezone
from unfold.widgets import UnfoldAdminTextInputWidget

from wallets.values.days import house_zone, in_house_zone

# The format of a browser's own field for date and time.
WRITTEN: Final = "%Y-%m-%dT%H:%M"


class HouseTimeField(DateTimeField):
    """A date and a time in the zone of the house, picked with the browser's own field."""

    def __init__(self, **options: Any) -> None:
        attributes = UnfoldAdminTextInputWidget().attrs | {"type": "datetime-local"}
        widget = DateTimeInput(attrs=attributes, format=WRITTEN)
        super().__init__(widget=widget, input_formats=[WRITTEN, "%Y-%m-%d %H:%M"], **options)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime) and timezone.is_aware(value):
            return in_house_zone(value).replace(tzinfo=None)
        return value

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(house_zone()):
            found: datetime | None = super().to_python(value)
        return found
