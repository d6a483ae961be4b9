"""The forms of the pages of profiles: why, when to publish, and the answers to warnings."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.forms import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    Form,
    HiddenInput,
    TimeField,
)
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from games.models import Profile, ProfileVersion
from games.profiles.warnings import ANSWER_MAX, Warned
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import NumberField
from wallets.values.days import house_zone, in_house_zone


class ProposeForm(ReasonForm):
    revision = NumberField(widget=HiddenInput, min_value=1, max_value=10**9)
    day = DateField(
        label=_("Publish from"), widget=UnfoldAdminTextInputWidget(attrs={"type": "date"})
    )
    hour = TimeField(label=_("Hour"), widget=UnfoldAdminTextInputWidget(attrs={"type": "time"}))

    def __init__(
        self, version: ProfileVersion, warned: Iterable[Warned], now: datetime, data: Any = None
    ) -> None:
        start = in_house_zone(now) + timedelta(minutes=1)
        super().__init__(
            data,
            initial={
                "revision": version.revision,
                "day": start.date().isoformat(),
                "hour": start.strftime("%H:%M"),
            },
        )
        self.warned = list(warned)
        for one in self.warned:
            self.fields[f"tick:{one.code}"] = BooleanField(
                label=_("This is intended"), widget=UnfoldBooleanWidget
            )
            self.fields[f"answer:{one.code}"] = CharField(
                label=_("Reason for this"), max_length=ANSWER_MAX, widget=UnfoldAdminTextInputWidget
            )

    def questions(self) -> list[tuple[Warned, object, object]]:
        return [(one, self[f"tick:{one.code}"], self[f"answer:{one.code}"]) for one in self.warned]

    @property
    def start(self) -> datetime:
        values = self.cleaned_data
        return datetime.combine(values["day"], values["hour"], house_zone())

    @property
    def answers(self) -> dict[str, str]:
        return {one.code: self.cleaned_data[f"answer:{one.code}"] for one in self.warned}


class CompareForm(Form):
    before = ChoiceField(label=_("From"), widget=UnfoldAdminSelectWidget)
    after = ChoiceField(label=_("To"), widget=UnfoldAdminSelectWidget)

    def __init__(self, profile: Profile, data: Any = None) -> None:
        super().__init__(data)
        versions = profile.versions.order_by("-number")
        choices = [(str(one.pk), f"{one.number} · {one.get_state_display()}") for one in versions]
        for name in ("before", "after"):
            field: Any = self.fields[name]
            field.choices = choices
