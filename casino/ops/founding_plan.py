"""The plan of a house, read from a file or from answers on a terminal.

Everything is checked before anything is stored, and what is wrong is one clear sentence. Amounts
are whole units, as a person reads them: `5`, or `"2.50"` in quotes, because a number with a point
is no exact amount.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

import msgspec
from django.core.exceptions import ValidationError

from casino.accounts.appointing import ROLES
from casino.accounts.models import Player
from casino.accounts.staff import MANAGERS
from games.rules.catalogue import GAMES, game_type
from wallets.models import Currency
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import read_amount
from wallets.values.errors import Refused

P = ParamSpec("P")
T = TypeVar("T")
CODE: Final = re.compile(r"[A-Z][A-Z0-9]{1,7}")
KINDS: Final = ("money", "play")
NAME_MAX: Final = 40
TABLE_NAME_MAX: Final = 60
# The fields of the rules that the stakes of a table are, by what a file calls them.
STAKES: Final = {
    "point": ("point",),
    "lowest_bet": ("bet_min", "min"),
    "highest_bet": ("bet_max", "max"),
}
# Fields of the rules whose bound is as large as this are amounts, and all others are counts.
SMALLEST_BOUND: Final = AMOUNT_MAX // 10
SECONDS: Final = ("decision_seconds", "betting_seconds", "pause_seconds")


class Wrong(Exception):
    """The fault of an answer, as a sentence."""


class Member(NamedTuple):
    name: str
    role: str


class NewTable(NamedTuple):
    """The columns of a table; amounts in minor units."""

    name: str
    game: str
    currency: str
    options: dict[str, object]
    # Without these the usual ones at these stakes.
    buy_in_min: int | None
    buy_in_max: int | None
    seats: int | None
    bots: int
    seconds: dict[str, int]


class Plan(NamedTuple):
    currencies: tuple[Currency, ...]
    staff: tuple[Member, ...]
    tables: tuple[NewTable, ...]


def read_plan(given: object) -> Plan:
    """A whole file; the sentence names the entry that is wrong."""
    data = _only(given, ("currencies", "staff", "tables"), "the file")
    currencies = [
        _at(f"currencies, no. {number}", read_currency, entry)
        for number, entry in enumerate(_list(data, "currencies"), 1)
    ]
    if not currencies:
        raise Wrong("A house needs a currency.")
    by_code = {currency.code: currency for currency in currencies}
    staff = [
        _at(f"staff, no. {number}", read_member, entry)
        for number, entry in enumerate(_list(data, "staff"), 1)
    ]
    tables = [
        _at(f"tables, no. {number}", read_table, entry, by_code)
        for number, entry in enumerate(_list(data, "tables"), 1)
    ]
    plan = Plan(tuple(currencies), tuple(staff), tuple(tables))
    check_whole(plan)
    return plan


def check_whole(plan: Plan) -> None:
    """Check what involves more than one entry of the plan."""
    if not any(member.role == MANAGERS for member in plan.staff):
        raise Wrong("A house needs a manager: only a manager can set it up and appoint staff.")
    if not plan.tables:
        raise Wrong("A house needs a table.")
    for what, names in (
        ("currency", [currency.code for currency in plan.currencies]),
        ("member of staff", [member.name.casefold() for member in plan.staff]),
        ("table", [table.name for table in plan.tables]),
    ):
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise Wrong(f"There are two entries for the {what} {twice}.")


def read_currency(given: object) -> Currency:
    data = _only(given, ("code", "name", "kind", "digits"), "a currency")
    return Currency(
        code=code(_given(data, "code")),
        name=words(_given(data, "name"), NAME_MAX),
        kind=kind(data.get("kind", "money")),
        exponent=digits(data.get("digits", 2)),
    )


def code(value: object) -> str:
    if not isinstance(value, str) or not CODE.fullmatch(value):
        raise Wrong("A code has 2 to 8 capital letters or digits and begins with a letter: EUR.")
    return value


def kind(value: object) -> str:
    if value not in KINDS:
        raise Wrong("A currency is of the kind money or play.")
    return str(value)


def digits(value: object) -> int:
    return whole(value, 0, 8)


def words(value: object, most: int) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not 1 <= len(text) <= most or not text.isprintable():
        raise Wrong(f"A name has 1 to {most} characters.")
    return text


def whole(value: object, least: int, most: int) -> int:
    number = int(value) if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value) else value
    if type(number) is not int or not least <= number <= most:
        raise Wrong(f"This is a whole number from {least} to {most}.")
    return number


def read_member(given: object) -> Member:
    data = _only(given, ("name", "role"), "a member of staff")
    return Member(person(_given(data, "name")), role(data.get("role", MANAGERS)))


def person(value: object) -> str:
    """A name by the rules for all names; whether it is free is asked when it is made."""
    name = Player.normalize_username(value) if isinstance(value, str) else ""
    try:
        Player._meta.get_field("username").run_validators(name)
    except ValidationError as reason:
        raise Wrong(" ".join(reason.messages)) from None
    if not name:
        raise Wrong("A name has 2 to 20 characters.")
    return name


def role(value: object) -> str:
    if value not in ROLES:
        raise Wrong(f"The roles are {', '.join(ROLES)}.")
    return str(value)


def read_table(given: object, currencies: Mapping[str, Currency]) -> NewTable:
    known = ("name", "game", "currency", *STAKES, "buy_in_min", "buy_in_max", "seats", "bots")
    data = _only(given, (*known, *SECONDS, "options"), "a table")
    key = game(_given(data, "game"))
    currency = one_of(data.get("currency", next(iter(currencies), "")), currencies)
    buy_ins = [
        amount(data[name], currency) if name in data else None
        for name in ("buy_in_min", "buy_in_max")
    ]
    bots = whole(data.get("bots", 0), 0, 20)
    if bots and currency.kind != Currency.Kind.PLAY:
        raise Wrong("Bots play for play money only.")
    return NewTable(
        name=words(_given(data, "name"), TABLE_NAME_MAX),
        game=key,
        currency=currency.code,
        options=_stakes(data, key, currency) | _options(data.get("options", {}), key, currency),
        buy_in_min=buy_ins[0],
        buy_in_max=buy_ins[1],
        seats=whole(data["seats"], 1, 30) if "seats" in data else None,
        bots=bots,
        seconds={name: whole(data[name], 1, 600) for name in SECONDS if name in data},
    )


def game(value: object) -> str:
    if value not in GAMES:
        raise Wrong(f"The games are {', '.join(GAMES)}.")
    return str(value)


def one_of(value: object, currencies: Mapping[str, Currency]) -> Currency:
    if not isinstance(value, str) or value not in currencies:
        raise Wrong(f"The currencies are {', '.join(currencies)}.")
    return currencies[value]


def amount(value: object, currency: Currency) -> int:
    """Typed whole units, in minor units."""
    if type(value) is int:
        value = str(value)
    if not isinstance(value, str):
        raise Wrong('Write amounts as whole numbers, or in quotes: 5, or "2.50".')
    try:
        return read_amount(value, currency)
    except Refused as refusal:
        raise Wrong(refusal.sentence) from None


def stakes_of(key: str) -> dict[str, str]:
    """Return the names of a game's stakes in a file, and the fields of its rules for them."""
    fields = _fields(key)
    stakes = {
        name: next((field for field in those if field in fields), "")
        for name, those in STAKES.items()
    }
    if stakes["point"]:
        # Points and bets: such a game has bets only with a banker, which its options say.
        return {"point": "point"}
    return {name: field for name, field in stakes.items() if field}


def _stakes(data: Mapping[str, object], key: str, currency: Currency) -> dict[str, object]:
    wanted = stakes_of(key)
    for name in STAKES:
        if name in data and name not in wanted:
            raise Wrong(f"{key} has no {name}; its stakes are {', '.join(wanted)}.")
    return {field: amount(_given(data, name), currency) for name, field in wanted.items()}


def _options(data: object, key: str, currency: Currency) -> dict[str, object]:
    """Other options by the names of the rules; those that are amounts in whole units."""
    if not isinstance(data, Mapping):
        raise Wrong("The options are a table of names and values.")
    fields, options = _fields(key), {}
    for name, value in data.items():
        if name not in fields or name in ("edition", "tournament"):
            raise Wrong(f"{key} has no option {name}.")
        options[name] = amount(value, currency) if is_amount(fields[name]) else value
    return options


def _fields(key: str) -> dict[str, object]:
    """The options of a game with their types."""
    rules: Any = game_type(key)
    return {field.name: field.type for field in msgspec.structs.fields(rules)}


def is_amount(kind_of_field: object) -> bool:
    """Whether a field of the rules is an amount: a number from 1 up to very large ones."""
    info = msgspec.inspect.type_info(kind_of_field)
    kinds = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return any(
        isinstance(kind, msgspec.inspect.IntType) and (kind.le or 0) >= SMALLEST_BOUND
        for kind in kinds
    )


def _given(data: Mapping[str, object], name: str) -> object:
    if name not in data:
        raise Wrong(f"{name} is missing.")
    return data[name]


def _only(data: object, known: tuple[str, ...], of_what: str) -> Mapping[str, object]:
    if not isinstance(data, Mapping):
        raise Wrong(f"{of_what.capitalize()} is a table of names and values.")
    if unknown := sorted(set(data) - set(known)):
        raise Wrong(f"{unknown[0]} is unknown; {of_what} has {', '.join(known)}.")
    return data


def _list(data: Mapping[str, object], name: str) -> list[object]:
    entries = data.get(name, [])
    if not isinstance(entries, list):
        raise Wrong(f"{name} is a list: write [[{name}]].")
    return entries


def _at(place: str, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    try:
        return read(*arguments, **named)
    except Wrong as wrong:
        raise Wrong(f"{place}: {wrong}") from None
