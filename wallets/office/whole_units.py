"""Amounts of money in the back office: typed and read in whole units, minor units inside.

A list names its columns that are money. Its form then reads them by `wallets.values.amounts`, and
staff with read access see them as players do.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Field as Column
from django.db.models import Model
from django.forms import Field, IntegerField
from django.http import HttpRequest
from django.utils.text import capfirst
from unfold.widgets import UnfoldAdminTextInputWidget

from wallets.models import Currency
from wallets.staff.permitted import money
from wallets.values.amounts import amount_for_input, as_form_error, read_amount, require_digits


class NumberField(IntegerField):
    """Django's field reads every script's digits; this one refuses them with a sentence."""

    def to_python(self, value: object) -> int | None:
        with as_form_error():
            require_digits(str(value))
        return super().to_python(value)


class AmountField(Field):
    """An amount in whole units of a currency, which the form sets before it reads anything."""

    def __init__(self, *, least: int = 1, **options: Any) -> None:
        super().__init__(widget=UnfoldAdminTextInputWidget, **options)
        self.least = least
        # Until a currency is chosen, there are the usual two decimals.
        self.currency = Currency()

    def prepare_value(self, value: object) -> object:
        return amount_for_input(value, self.currency) if isinstance(value, int) else value

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values:
            return None
        with as_form_error():
            return read_amount(str(value), self.currency, least=self.least)

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


class WholeUnitsForm:
    """A form of a row in one currency: its amounts are read in the currency that is chosen."""

    fields: dict[str, Field]
    data: Mapping[str, object]
    instance: Any

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        currency = self._currency()
        for field in self.fields.values():
            if isinstance(field, AmountField) and currency is not None:
                field.currency = currency

    def _currency(self) -> Currency | None:
        if self.instance.pk is not None:
            currency: Currency = self.currency_of(self.instance)
            return currency
        code = str(self.data.get("currency", "")).replace("\0", "")
        return Currency.objects.filter(pk=code).first()

    def currency_of(self, row: Any) -> Currency:
        currency: Currency = row.currency
        return currency


class WholeUnits:
    """A list with columns of money: by name, the least that may be typed."""

    amounts: ClassVar[Mapping[str, int]] = {}
    model: Any

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        for name in self.amounts:
            setattr(self, f"{name}_shown", self._display(name))

    def currency_of(self, row: Any) -> Currency:
        currency: Currency = row.currency
        return currency

    def _display(self, name: str) -> Callable[[object], str]:
        @admin.display(description=self.model._meta.get_field(name).verbose_name)
        def shown(row: object) -> str:
            amount = getattr(row, name)
            return "–" if amount is None else money(amount, self.currency_of(row))

        return shown

    def formfield_for_dbfield(
        self, db_field: "Column[Any, Any]", request: HttpRequest, **options: object
    ) -> object:
        if db_field.name not in self.amounts:
            return super().formfield_for_dbfield(db_field, request, **options)  # type: ignore[misc]
        return AmountField(
            least=self.amounts[db_field.name],
            label=capfirst(db_field.verbose_name),
            help_text=db_field.help_text,
            required=not db_field.blank,
        )

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> object:
        sets = super().get_fieldsets(request, obj)  # type: ignore[misc]
        here: Any = self
        may = here.has_change_permission(request, obj) if obj else here.has_add_permission(request)
        if may:
            return sets
        return [
            (title, {**parts, "fields": [self._shown(name) for name in parts["fields"]]})
            for title, parts in sets
        ]

    def _shown(self, name: object) -> object:
        return f"{name}_shown" if name in self.amounts else name
