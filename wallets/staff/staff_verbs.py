"""The verbs of staff for jackpots and limits, through approvals; and all verbs here.

Each verb carries out one service of this package and writes the entry of the journal with it.
"""

from collections.abc import Mapping
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.models import Account, Currency, Jackpot
from wallets.money import jackpots, limits
from wallets.money.ledger import Posted, is_posted
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.cash_verbs import DEPOSIT, WITHDRAWAL, CashVerb
from wallets.staff.permitted import Permitted, currency_of, money
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Refused

# The settings of a jackpot, as pages name them; those that are amounts of money come first.
AMOUNTS: Final = ("seed", "reserve", "lowest", "highest")
JACKPOT_WORDS: Final[Mapping[str, str | Promise]] = {
    "name": _("name"),
    "kind": _("kind"),
    "seed": _("seed"),
    "reserve": _("reserve"),
    "lowest": _("lowest prize"),
    "highest": _("highest prize"),
    "share_bp": _("share"),
    "active": _("active"),
}


def settings_of(jackpot: Jackpot) -> dict[str, object]:
    return {name: getattr(jackpot, name) for name in JACKPOT_WORDS if name in jackpots.SETTINGS}


def _jackpot_lines(currency: Currency, before: Arguments, after: Arguments) -> list[Change]:
    """Return the differences, with amounts as players read them and shares in percent."""

    def shown(name: str, values: Arguments) -> str:
        value = values.get(name)
        if value is None:
            return ""
        if name in AMOUNTS:
            return money(value, currency)
        if name == "share_bp":
            return f"{value / 100:g} %"
        if name == "kind":
            return str(Jackpot.Kind(value).label)
        return str(value if name == "name" else _("yes") if value else _("no"))

    return [
        Change(str(words), shown(name, before), shown(name, after))
        for name, words in JACKPOT_WORDS.items()
        if name in after and before.get(name) != after[name]
    ]


def _check_settings(jackpot: Jackpot, currency: Currency) -> None:
    """Refuse what the form of a jackpot refuses, for every caller."""
    try:
        jackpot.full_clean(exclude=["pool"])
    except ValidationError as error:
        raise Refused("jackpot_settings", "{why}", why=" ".join(error.messages)) from None
    jackpots.check(jackpot, currency)


class OpenJackpot(Permitted):
    """A new pool. Arguments: `currency`, `name`, `kind` and the settings."""

    name, words, permission = "jackpot.open", _("Open a jackpot"), "wallets.add_jackpot"

    def check(self, arguments: Arguments) -> Arguments:
        currency = currency_of(arguments.get("currency"))
        wanted = {name: arguments[name] for name in JACKPOT_WORDS if name in arguments}
        _check_settings(Jackpot(**wanted), currency)
        return {**wanted, "currency": currency.code}

    def admit(self, order: Order) -> None:
        if Jackpot.objects.filter(name=order.arguments["name"]).exists():
            raise Refused("jackpot_exists", _("There is a jackpot of this name."))

    def subject(self, arguments: Arguments) -> str:
        return f"jackpot:{arguments['name']}"[:64]

    def needs_approval(self, order: Order) -> bool:
        arguments = order.arguments
        currency = currency_of(arguments["currency"])
        amount = arguments.get("seed", 0) + arguments.get("reserve", 0)
        return limits.reaches("jackpot", amount, currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        return _jackpot_lines(currency_of(arguments["currency"]), {}, arguments)

    def carry_out(self, order: Order) -> Jackpot:
        values = dict(order.arguments)
        currency = currency_of(values.pop("currency"))
        name, kind = values.pop("name"), values.pop("kind")
        with transaction.atomic():
            created = jackpots.create(name, kind, currency, **order.stated, **values)
            order.note(
                self.name,
                f"jackpot:{created.pk}",
                before={},
                after={"name": name, "kind": kind, "currency": currency, **settings_of(created)},
            )
        return created


class OfJackpot(Permitted):
    """A verb for a pool that exists; arguments name it as `jackpot`."""

    permission = "wallets.change_jackpot"

    def subject(self, arguments: Arguments) -> str:
        return f"jackpot:{arguments['jackpot']}"

    def state(self, arguments: Arguments) -> Arguments:
        """The present settings, which cannot change before the caller's transaction ends."""
        return settings_of(jackpots.held(self._jackpot(arguments)))

    @staticmethod
    def _jackpot(arguments: Arguments) -> Jackpot:
        rows = Jackpot.objects.select_related("pool__currency")
        jackpot = rows.filter(pk=int(arguments.get("jackpot") or 0)).first()
        if jackpot is None:
            raise Refused("no_such_jackpot", _("There is no such jackpot."))
        return jackpot


class ChangeJackpot(OfJackpot):
    """Other settings. Arguments: `jackpot` and the settings that are to change."""

    name, words = "jackpot.change", _("Change a jackpot")

    def check(self, arguments: Arguments) -> Arguments:
        jackpot = self._jackpot(arguments)
        wanted = {name: arguments[name] for name in sorted(jackpots.SETTINGS & arguments.keys())}
        for name, value in wanted.items():
            setattr(jackpot, name, value)
        _check_settings(jackpot, jackpot.pool.currency)
        return {**wanted, "jackpot": jackpot.pk}

    def needs_approval(self, order: Order) -> bool:
        """Whether it is a large amount, or changes what the rules of tables state."""
        arguments = order.arguments
        jackpot = self._jackpot(arguments)
        published = (name for name in jackpots.PUBLISHED if name in arguments)
        differs = any(arguments[name] != getattr(jackpot, name) for name in published)
        if differs and jackpots.is_played_for(jackpot):
            return True
        amount = sum(arguments.get(name, getattr(jackpot, name)) for name in ("seed", "reserve"))
        return limits.reaches("jackpot", amount, jackpot.pool.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        return _jackpot_lines(self._jackpot(arguments).pool.currency, state, arguments)

    def carry_out(self, order: Order) -> Jackpot:
        values = dict(order.arguments)
        jackpot = self._jackpot(values)
        del values["jackpot"]
        with transaction.atomic():
            before, repeated = self.state(order.arguments), is_posted(order.key)
            changed = jackpots.configure(jackpot, **order.stated, **values)
            differ = [name for name, value in settings_of(changed).items() if before[name] != value]
            if differ or is_posted(order.key) > repeated:
                order.note(
                    self.name,
                    self.subject(order.arguments),
                    before={name: before[name] for name in differ},
                    after={name: getattr(changed, name) for name in differ},
                )
        return changed


class DrainJackpot(OfJackpot):
    """Money from an inactive pool back to the house. Arguments: `jackpot` and `amount`."""

    name, words = "jackpot.drain", _("Drain a jackpot")

    def check(self, arguments: Arguments) -> Arguments:
        jackpot, amount = self._jackpot(arguments), read_minor_units(arguments.get("amount"))
        return {"jackpot": jackpot.pk, "amount": amount}

    def admit(self, order: Order) -> None:
        jackpot = self._jackpot(order.arguments)
        if not is_posted(order.key):
            jackpots.check_drain(jackpot, jackpot.pool, order.arguments["amount"])

    def needs_approval(self, order: Order) -> bool:
        currency = self._jackpot(order.arguments).pool.currency
        return limits.reaches("jackpot", order.arguments["amount"], currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        pool = self._jackpot(arguments).pool
        after = pool.balance - arguments["amount"]
        return [
            Change(str(_("Amount")), "", money(arguments["amount"], pool.currency)),
            Change(str(_("pool")), money(pool.balance, pool.currency), money(after, pool.currency)),
        ]

    def carry_out(self, order: Order) -> Posted:
        jackpot, amount = self._jackpot(order.arguments), order.arguments["amount"]
        with transaction.atomic():
            posted = jackpots.drain(jackpot, amount, **order.stated)
            if not posted.created:
                return posted
            left = Account.objects.get(pk=jackpot.pool_id).balance
            order.note(
                self.name,
                self.subject(order.arguments),
                before={"pool": left + amount},
                after={"pool": left, "amount": amount},
            )
        return posted


class ChangeLimit(Permitted):
    """Another limit of the house, always with a second person. Arguments: `limit`, `value`."""

    name, words, permission = "limit.change", _("Change a limit"), "wallets.change_limit"

    def check(self, arguments: Arguments) -> Arguments:
        name = str(arguments.get("limit"))
        return {"limit": name, "value": limits.check(name, arguments.get("value"))}

    def subject(self, arguments: Arguments) -> str:
        return f"limit:{arguments['limit']}"

    def state(self, arguments: Arguments) -> Arguments:
        return {"value": limits.value(arguments["limit"])}

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        words = limits.words_of(arguments["limit"])
        return [Change(str(words), f"{state['value']:,}", f"{arguments['value']:,}")]

    def carry_out(self, order: Order) -> None:
        before = self.state(order.arguments)
        limits.store(order.arguments["limit"], order.arguments["value"])
        order.note(
            self.name,
            self.subject(order.arguments),
            before=before,
            after={"value": order.arguments["value"]},
        )


VERBS: Final = (
    CashVerb(DEPOSIT, _("Deposit"), "wallets.deposit", 1),
    CashVerb(WITHDRAWAL, _("Withdrawal"), "wallets.withdraw", -1),
    OpenJackpot(),
    ChangeJackpot(),
    DrainJackpot(),
    ChangeLimit(),
)
