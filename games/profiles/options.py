"""The options of a game as its own types declare them: what each may be, and how people write it.

Nothing about a game is repeated here: fields, bounds, choices and defaults are those of its struct.
People write amounts in whole units of a currency, shares in percent, and the segments of a wheel as
`75 × 2, 20 × 3`; stored are minor units, basis points and the rules' own JSON.
"""

import re
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from django.utils.translation import gettext as _

from games.profiles.words import CHOICES, HELP, LABELS
from games.rules.catalogue import game_type
from games.rules.contract import Amount
from games.rules.house.sides import Segment
from games.tables.settings import RAKE_BP_MAX
from wallets.models import Currency
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import amount_for_input, read_amount, show_amount
from wallets.values.errors import Refused

Kind = Literal["amount", "percent", "number", "choice", "switch", "segments"]

# Options that the table or the house decides: the newest edition, whether a tournament is played,
# and what its jackpots get of a bonus bet.
DECIDED_ELSEWHERE: Final = frozenset({"edition", "tournament", "jackpot_bp", "mystery_bp"})
SHARE: Final = re.compile(r"([0-9]{1,5})(?:\.([0-9]{1,2}))?\s*%?")
SEGMENT: Final = re.compile(r"([0-9]{1,4})\s*[x×*]\s*([0-9]{1,5})")
TEXT_MAX: Final = 400
# The house accepts less of an option than the rules can be played with.
MOST_HERE: Final = {"rake_bp": RAKE_BP_MAX}


class Option(NamedTuple):
    """One option: its kind, and what bounds it."""

    name: str
    kind: Kind
    least: int
    most: int
    choices: tuple[Any, ...]
    # Whether it may be left empty.
    optional: bool
    default: Any

    @property
    def label(self) -> str:
        return str(LABELS.get(self.name, self.name.replace("_", " ")))

    @property
    def help(self) -> str:
        return str(HELP.get(self.name, ""))


def options_of(game: str) -> tuple[Option, ...]:
    """The options that an operator sets, in the order in which the rules declare them."""
    fields = msgspec.structs.fields(game_type(game))  # type: ignore[arg-type]
    return tuple(_option(game, field) for field in fields if field.name not in DECIDED_ELSEWHERE)


def _option(game: str, field: Any) -> Option:
    type_, meta = field.type, None
    arms = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    optional = NoneType in arms
    arms = tuple(arm for arm in arms if arm is not NoneType)
    choices: tuple[object, ...] = ()
    if all(get_origin(arm) is Literal for arm in arms):
        choices = tuple(value for arm in arms for value in get_args(arm))
    else:
        (type_,) = arms
        if hasattr(type_, "__metadata__"):
            meta, type_ = type_.__metadata__[0], type_.__origin__
    default = getattr(game_type(game)(), field.name)
    least = (meta.ge if meta else None) or 0
    most = MOST_HERE.get(field.name) or (meta.le if meta else None) or AMOUNT_MAX
    kind = _kind(field.name, type_, choices, arms)
    return Option(field.name, kind, least, most, choices, optional, default)


def _kind(name: str, type_: object, choices: tuple[object, ...], arms: tuple[object, ...]) -> Kind:
    if choices:
        return "choice"
    if type_ is bool:
        return "switch"
    if Amount in arms or name == "point":
        return "amount"
    if name.endswith("_bp"):
        return "percent"
    return "number" if type_ is int else "segments"


def defaults(game: str) -> dict[str, object]:
    values = {option.name: option.default for option in options_of(game)}
    found: dict[str, object] = msgspec.json.decode(msgspec.json.encode(values))
    return found


def read(option: Option, text: str, currency: Currency) -> object:
    """Parse typed text into the type of the rules; raise `Refused` if it is wrong."""
    text = text.strip()
    if len(text) > TEXT_MAX:
        raise Refused("option_too_long", _("This is too long."))
    if not text and option.kind != "switch":
        if option.optional:
            return None
        raise Refused("option_missing", _("This field is required."))
    value = _READERS[option.kind](option, text, currency)
    if isinstance(value, int) and option.kind in ("amount", "percent", "number"):
        _require_bounds(option, value, currency)
    return value


def _require_bounds(option: Option, value: int, currency: Currency) -> None:
    if not option.least <= value <= option.most:
        raise Refused(
            "option_bounds",
            _("{label} is from {least} to {most}."),
            label=option.label,
            least=show(option, option.least, currency),
            most=show(option, option.most, currency),
        )


def _amount(option: Option, text: str, currency: Currency) -> int:
    return read_amount(text, currency, least=0)


def _percent(option: Option, text: str, _currency: Currency) -> int:
    written = SHARE.fullmatch(text)
    if not written:
        raise Refused(
            "option_percent",
            _("{text} is not a share in percent, such as 5 or 2.5."),
            text=text[:40],
        )
    whole, part = written.groups(default="")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def _number(option: Option, text: str, _currency: Currency) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Refused("option_number", _("{text} is not a whole number."), text=text[:40])
    return int(text)


def _choice(option: Option, text: str, _currency: Currency) -> object:
    for choice in option.choices:
        if str(choice) == text:
            return choice
    raise Refused("option_choice", _("{text} is not one of the choices."), text=text[:40])


def _switch(_option: Option, text: str, _currency: Currency) -> bool:
    if text not in ("", "on", "true", "yes", "no", "false"):
        raise Refused("option_choice", _("{text} is not one of the choices."), text=text[:40])
    return text in ("on", "true", "yes")


def _segments(_option: Option, text: str, _currency: Currency) -> list[dict[str, int]]:
    found = []
    for part in text.split(","):
        written = SEGMENT.fullmatch(part.strip())
        if not written:
            raise Refused(
                "option_segments",
                _("{text} is not how often × how much, such as 75 × 2."),
                text=part.strip()[:40],
            )
        weight, multiple = map(int, written.groups())
        found.append({"weight": weight, "multiple": multiple})
    try:
        msgspec.convert(found, tuple[Segment, ...])
    except msgspec.ValidationError as reason:
        raise Refused("option_segments", str(reason)) from None
    return found


_READERS: Final = {
    "amount": _amount,
    "percent": _percent,
    "number": _number,
    "choice": _choice,
    "switch": _switch,
    "segments": _segments,
}


def write(option: Option, value: object, currency: Currency) -> str:
    """A value as `read` reads it again."""
    if value is None:
        return ""
    if option.kind == "amount" and isinstance(value, int):
        return amount_for_input(value, currency)
    if option.kind == "percent" and isinstance(value, int):
        return share_text(value)
    if option.kind == "switch":
        return "on" if value else ""
    if option.kind == "segments" and isinstance(value, list):
        return ", ".join(f"{one['weight']} × {one['multiple']}" for one in value)
    return str(value)


def show(option: Option, value: Any, currency: Currency) -> str:
    if value is None:
        return _("not set")
    if option.kind == "amount":
        return show_amount(value, currency)
    if option.kind == "percent":
        return f"{share_text(value)} %"
    if option.kind == "switch":
        return str(CHOICES.get((option.name, bool(value)), _("yes") if value else _("no")))
    if option.kind == "choice":
        return str(CHOICES.get((option.name, value), str(value)))
    return write(option, value, currency)


def share_text(basis_points: int) -> str:
    whole, part = divmod(basis_points, 100)
    return f"{whole}.{part:02}".rstrip("0") if part else str(whole)


def words_of_choice(option: Option, choice: object) -> str:
    return str(CHOICES.get((option.name, choice), str(choice)))
