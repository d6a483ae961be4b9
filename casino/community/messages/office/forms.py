"""The form of a message: its text in every language, its segment, and when and how it is sent."""

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.forms import (
    BooleanField,
    CharField,
    CheckboxSelectMultiple,
    ChoiceField,
    DateTimeField,
    EmailField,
    Form,
    HiddenInput,
    MultipleChoiceField,
)
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from casino.community.messages import segments
from casino.community.messages.models import (
    ADDRESS_MAX,
    NAME_MAX,
    TEXT_MAX,
    TITLE_MAX,
    Kind,
    Message,
)
from casino.community.messages.office.drafts import Content, pages
from casino.community.messages.outbox import CHANNELS
from casino.community.messages.segments import DAYS_MAX, LEVELS, Segment
from games.rules.catalogue import GAMES
from games.words.naming import game_name
from tournaments.models import Tournament
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import AmountField, NumberField
from wallets.values.days import house_zone, in_house_zone

EVENTS_SHOWN: Final = 40
_TEXT: Final = UnfoldAdminTextInputWidget
_SELECT: Final = UnfoldAdminSelectWidget


def _days(label: Any) -> NumberField:
    return NumberField(label=label, required=False, min_value=0, max_value=DAYS_MAX, widget=_TEXT)


class SegmentForm(Form):
    """The filters; what is left empty leaves nobody out."""

    kind = ChoiceField(label=_("About"), choices=Kind.choices, widget=_SELECT)
    games = MultipleChoiceField(
        label=_("Played lately"), required=False, widget=CheckboxSelectMultiple
    )
    away_min = _days(_("Last visit at least so many days ago"))
    away_max = _days(_("Last visit at most so many days ago"))
    level_min = ChoiceField(label=_("Level from"), required=False, widget=_SELECT)
    currency = ChoiceField(label=_("Currency"), required=False, widget=_SELECT)
    stakes_min = AmountField(label=_("Average bet at least"), required=False, least=0)
    stakes_max = AmountField(label=_("Average bet at most"), required=False, least=0)
    result = ChoiceField(
        label=_("Result"),
        required=False,
        choices=[
            ("", "–"),
            ("won", _("won in the last 30 days")),
            ("lost", _("lost in the last 30 days")),
        ],
        widget=_SELECT,
    )
    languages = MultipleChoiceField(
        label=_("Language"),
        required=False,
        choices=settings.LANGUAGES,
        widget=CheckboxSelectMultiple,
    )
    event = ChoiceField(label=_("Entered"), required=False, widget=_SELECT)

    def __init__(self, data: Any = None, *, message: Message | None = None, **options: Any) -> None:
        if message is not None:
            options["initial"] = self.initial_of(message)
        super().__init__(data, **options)
        currencies = list(Currency.objects.exclude(kind=Currency.Kind.CHIPS).order_by("code"))
        events = Tournament.objects.order_by("-pk")[:EVENTS_SHOWN]
        choices: dict[str, list[tuple[str, Any]]] = {
            "games": [(key, game_name(key)) for key in GAMES],
            "currency": [("", "–"), *((row.code, row.name) for row in currencies)],
            "event": [("", "–"), *((str(event.pk), event.title) for event in events)],
            "level_min": [("", "–")],
        }
        if LEVELS:
            names = LEVELS[0].names()
            choices["level_min"] += [(str(at), name) for at, name in enumerate(names) if at]
        else:
            del self.fields["level_min"], choices["level_min"]
        for name, some in choices.items():
            self.fields[name].choices = some  # type: ignore[attr-defined]
        wanted = (data or {}).get("currency") or self.initial.get("currency")
        for row in currencies:
            if row.code == wanted:
                self.fields["stakes_min"].currency = row  # type: ignore[attr-defined]
                self.fields["stakes_max"].currency = row  # type: ignore[attr-defined]

    def initial_of(self, message: Message) -> dict[str, Any]:
        return {**segments.stored(segments.read(message.segment)), "kind": message.kind}

    @property
    def segment(self) -> Segment:
        values = self.cleaned_data
        level, event = values.get("level_min"), values.get("event")
        return Segment(
            games=tuple(values["games"]),
            away_min=values["away_min"],
            away_max=values["away_max"],
            level_min=int(level) if level else None,
            currency=values["currency"],
            stakes_min=values["stakes_min"],
            stakes_max=values["stakes_max"],
            result=values["result"],
            languages=tuple(values["languages"]),
            event=int(event) if event else None,
        )

    @property
    def filters(self) -> list[Any]:
        """The fields of the segment, which the count beside them follows."""
        return [self[name] for name in SegmentForm.base_fields if name in self.fields]


class DraftMessageForm(SegmentForm, ReasonForm):
    name = CharField(
        label=_("Name"),
        max_length=NAME_MAX,
        widget=_TEXT,
        help_text=_("Only staff see it."),
    )
    page = ChoiceField(label=_("Leads to"), required=False, widget=_SELECT)
    by_push = BooleanField(
        label=_("Also as a notification"), required=False, widget=UnfoldBooleanWidget
    )
    by_mail = BooleanField(label=_("Also by mail"), required=False, widget=UnfoldBooleanWidget)
    planned_at = DateTimeField(
        label=_("Planned for"),
        required=False,
        widget=_TEXT(attrs={"type": "datetime-local"}),
        help_text=_("Empty: at once."),
    )
    revision = NumberField(widget=HiddenInput, required=False, initial=0, min_value=0)

    def __init__(self, data: Any = None, *, message: Message | None = None, **options: Any) -> None:
        super().__init__(data, message=message, **options)
        self.fields["page"].choices = [("", "–"), *pages().items()]  # type: ignore[attr-defined]
        for name in ("push", "mail"):
            if name not in CHANNELS:
                del self.fields[f"by_{name}"]
        for code, language in settings.LANGUAGES:
            self.fields[f"title_{code}"] = CharField(
                label=_("Title"), max_length=TITLE_MAX, widget=_TEXT(attrs={"lang": code})
            )
            self.fields[f"text_{code}"] = CharField(
                label=language,
                max_length=TEXT_MAX,
                widget=UnfoldAdminTextareaWidget(attrs={"lang": code, "rows": 6}),
            )

    def initial_of(self, message: Message) -> dict[str, Any]:
        planned = message.planned_at
        initial = super().initial_of(message) | {
            "name": message.name,
            "page": message.page,
            "by_push": message.by_push,
            "by_mail": message.by_mail,
            "planned_at": f"{in_house_zone(planned):%Y-%m-%dT%H:%M}" if planned else "",
            "revision": message.revision,
        }
        for code, said in message.texts.items():
            initial |= {f"title_{code}": said["title"], f"text_{code}": said["text"]}
        return initial

    @property
    def languages_of_text(self) -> list[tuple[Any, Any, Any]]:
        """By language its name, and the fields of title and text."""
        return [
            (name, self[f"title_{code}"], self[f"text_{code}"]) for code, name in settings.LANGUAGES
        ]

    @property
    def ways(self) -> list[Any]:
        names = ("page", "by_push", "by_mail", "planned_at")
        return [self[name] for name in names if name in self.fields]

    @property
    def content(self) -> Content:
        values = self.cleaned_data
        planned: datetime | None = values["planned_at"]
        texts = {
            code: {
                part: values[f"{part}_{code}"].replace("\r\n", "\n").strip()
                for part in ("title", "text")
            }
            for code, _name in settings.LANGUAGES
        }
        return Content(
            values["name"],
            values["kind"],
            texts,
            self.segment,
            values["page"],
            bool(values.get("by_push")),
            bool(values.get("by_mail")),
            planned.astimezone(house_zone()) if planned else None,
        )


class ReportMailForm(Form):
    """Which reports a member of staff wants, where, and in which language."""

    address = EmailField(label=_("Mail address"), max_length=ADDRESS_MAX, widget=_TEXT)
    language = ChoiceField(label=_("Language"), choices=settings.LANGUAGES, widget=_SELECT)
    kinds = MultipleChoiceField(label=_("Reports"), required=False, widget=CheckboxSelectMultiple)

    def __init__(self, data: Any, choices: list[tuple[str, Any]], **initial: Any) -> None:
        super().__init__(data, initial=initial)
        self.fields["kinds"].choices = choices  # type: ignore[attr-defined]
