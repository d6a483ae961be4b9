"""A row of each model of record, made by the models alone, where a scene has none."""

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.db.models import Field, ForeignKey, Model

from casino.community.returning import counting
from casino.office.integrity import suspicions
from games.models import Table
from games.records import card_index
from games.shoes import anchors
from tests.games.house import START, House
from wallets.audit import chains
from wallets.values.columns import recorded

# What the databases' checks want of a model, beside what its fields say.
WANTED: dict[str, dict[str, Any]] = {
    "Payout": {"kind": "refund"},
    "PlayerLimit": {"kind": "session"},
    "Schedule": {"kind": "recurring", "next_at": START, "every_seconds": 3_600},
    "TableChange": {"to_table": lambda: filled(Table)},
}

BY_TYPE = {
    "BooleanField": lambda: False,
    "DateField": lambda: date(2026, 11, 23),
    "DateTimeField": lambda: START,
    "FloatField": lambda: 1.5,
    "JSONField": lambda: {"some": 1},
    "UUIDField": uuid4,
}


def value_of(field: "Field[Any, Any]") -> Any:
    """Something that a column of record may hold."""
    if isinstance(field, ForeignKey):
        return filled(field.related_model)
    kind = field.get_internal_type()
    if field.blank and kind in ("CharField", "TextField"):
        return ""
    if field.choices:
        return next(value for value, _words in field.flatchoices)
    if kind in BY_TYPE:
        return BY_TYPE[kind]()
    return "some" if kind in ("CharField", "TextField") else 1


def filled(model: type[Any]) -> Model:
    """The first row of a model; it is made if there is none."""
    row = model.objects.order_by("pk").first()
    if row is not None:
        return row
    values = {
        field.name: value_of(field)
        for field in model._meta.concrete_fields
        if not (field.has_default() or field.null or (field.primary_key and not field.max_length))
    }
    wanted = WANTED.get(model.__name__, {})
    given = {name: value() if callable(value) else value for name, value in wanted.items()}
    return model.objects.create(**values | given)


def fill_and_close(house: House) -> None:
    """Every table of record has a row, and the books are closed and anchored over all of them."""
    chains.close_books()
    for declared in recorded():
        filled(declared.model)
    counting.count(house.now + timedelta(hours=1))
    suspicions.scan(house.now)
    chains.close_books()
    anchors.anchor(house.now)
    house.pass_time(3_600)
    card_index.index(card_index.waiting())
