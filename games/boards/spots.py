"""The spots and boxes of a felt, and what makes them: with limits in words and in money.

A family of games against the bank makes an `Offer` of them (`games.boards.family`).
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.boards.labels import FLAVOURS
from games.boards.rule_tables import Winning
from games.rules.contract import Choice, Choices
from games.rules.errors import Illegal
from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.values.amounts import show_amount

BOUNDS_REMEMBERED: Final = 1024


class Spot(NamedTuple):
    """A place for chips. `floor` is the smallest bet, `room` what can be added at most."""

    key: str
    label: str
    # Spots that lie at the same place are bet on in one move.
    at: str
    do: str
    name: str
    value: str
    money: str
    floor: int
    room: int
    standing: int = 0
    # The smallest and the largest bet.
    limits: str = ""
    # Why not less, and why not more.
    too_small: str = ""
    too_large: str = ""
    # At an ante the first spot is open; others take the same ante blind, with the bet after it.
    ante: bool = False
    is_blind: bool = False
    # The possible winnings of the bets already placed.
    wins_in_words: str = ""
    # The number that puts a chip here.
    pressed: str = ""
    # The plain form that has this spot as a button, and the bounds of that.
    form: str = ""
    least: int | None = None
    most: int | None = None


class Box(NamedTuple):
    """A box with its spots; `full` is why there are none."""

    number: int
    bets: tuple[Any, ...] = ()
    main: Spot | None = None
    bonus: Spot | None = None
    full: str = ""


class Offer(NamedTuple):
    """The spots or boxes that a viewer may bet on."""

    spots: tuple[Spot, ...] = ()
    boxes: tuple[Box, ...] = ()


class _Bounds(NamedTuple):
    limits: str
    too_small: str
    too_large: str


@lru_cache(BOUNDS_REMEMBERED)
def _bounds_in_words(least: int, most: int, currency: Currency, _language: str | None) -> _Bounds:
    too_small = Illegal("bet_too_small", "The smallest bet is {least}.", least=least)
    too_large = Illegal("bet_too_large", "The largest bet is {most}.", most=most)
    return _Bounds(
        "–".join(show_amount(bound, currency) for bound in (least, most)),
        sentence_of(too_small, currency),
        sentence_of(too_large, currency),
    )


@lru_cache(BOUNDS_REMEMBERED)
def _labels(box: int, _language: str | None) -> tuple[str, str]:
    return _("Box {box}").format(box=box), _("Bonus of box {box}").format(box=box)


class Felt:
    """Makes the spots of one table, with limits said in its currency."""

    def __init__(
        self, game: Any, currency: Currency, choices: Choices, winnings: dict[str, Winning]
    ) -> None:
        self.game, self.currency = game, currency
        self.offered = {_key_of(choice): choice for choice in choices}
        self.winnings = winnings
        # Each spot would ask for it: Django looks a long time for it.
        self.language = get_language()
        self._bounds: dict[tuple[int, int], _Bounds] = {}

    def spot(self, key: str, label: str, least: int, most: int, **fields: Any) -> Spot:
        standing = fields.get("standing", 0)
        choice = self.offered.get(key)
        wins = self.winnings.get(key) or self.winnings[fields["money"]]
        bounds = self._bounds_of(least, most)
        return Spot(
            key,
            label,
            floor=least,
            limits=fields.pop("price", "") or bounds.limits,
            too_small=bounds.too_small,
            too_large=fields.pop("closed", "") or bounds.too_large,
            room=fields.pop("room", max(0, most - standing)),
            form=_form_of(choice) if choice else "",
            least=choice.least if choice else None,
            most=choice.most if choice else None,
            wins_in_words=self._wins(wins, standing) if standing else "",
            **fields,
        )

    def box_spot(self, number: int, least: int, most: int, **fields: object) -> Spot:
        key, value = f"box-{number}", str(number)
        fields = {"at": key, "name": "box", "value": value, "money": "amount", **fields}
        label, _bonus = _labels(number, self.language)
        return self.spot(key, label, least, most, pressed=value, **fields)

    def bonus_spot(self, number: int, standing: int, do: str) -> Spot:
        key, bounds = f"box-{number}", (self.game.bonus_min, self.game.bonus_max)
        fields: Any = {"at": key, "name": "box", "value": str(number), "money": "bonus"}
        _box, label = _labels(number, self.language)
        return self.spot(f"{key}-bonus", label, *bounds, do=do, standing=standing, **fields)

    def _bounds_of(self, least: int, most: int) -> _Bounds:
        """The same for most spots of a felt."""
        if (least, most) not in self._bounds:
            bounds = _bounds_in_words(least, most, self.currency, self.language)
            self._bounds[least, most] = bounds
        return self._bounds[least, most]

    def _wins(self, wins: Winning, stake: int) -> str:
        return wins.words.format(amount=show_amount(wins.of(stake), self.currency))


def _key_of(choice: Choice) -> str:
    if choice.do not in ("bet", "ante"):
        return ""
    if choice.box is None:
        return choice.among[0]
    return f"box-{choice.box}" + ("-bonus" if "bonus" in choice.among else "")


def _form_of(choice: Choice) -> str:
    """The key of the plain form in `games.boards.forms` that a choice is in."""
    return "-".join((choice.do, *(word for word in FLAVOURS if word in choice.among)))
