"""Moves of a record in words: who did what, for how much, with which cards."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.models import Move
from games.words.naming import card_sign, term
from wallets.amounts import show_amount
from wallets.models import Currency

DONE: Final = {
    "accept": _l("accepts"),
    "arrange": _l("arranges"),
    "buy": _l("buys a card"),
    "buy_dealer": _l("buys the dealer a card"),
    "call": _l("calls"),
    "close": _l("closes the betting"),
    "done": _l("has finished betting"),
    "double": _l("doubles"),
    "even_money": _l("takes even money"),
    "exchange": _l("exchanges"),
    "fold": _l("folds"),
    "give": _l("passes on"),
    "hit": _l("draws a card"),
    "pass": _l("passes"),
    "play": _l("plays"),
    "split": _l("splits"),
    "stand": _l("stands"),
    "surrender": _l("surrenders"),
}
CARD_FIELDS: Final = ("cards", "front", "middle", "back")


class MoveTold(NamedTuple):
    """One move: cards are names, and `None` where the reader has not seen one."""

    who: str
    words: str
    cards: tuple[tuple[str | None, ...], ...]
    by: str
    at: datetime


def sentence_of_move(move: dict[str, Any], names: dict[int, str], currency: Currency) -> str:
    """A move as one hears of it, with the cards where all of them are seen."""
    told = move_in_words(move, names, currency)
    cards = [card for row in told.cards for card in row]
    shown = " ".join(card_sign(card) for card in cards if card)
    words = f"{told.who} {told.words}"
    return words if None in cards or not shown else f"{words}: {shown}"


def move_in_words(move: dict[str, Any], names: dict[int, str], currency: Currency) -> MoveTold:
    """One move of a record."""
    action, seat = move["action"], move["seat"]
    cards = tuple(tuple(action[name]) for name in CARD_FIELDS if action.get(name))
    who = names.get(seat, str(seat)) if isinstance(seat, int) else _("the house")
    by = "" if move["by"] in (Move.By.PLAYER, Move.By.HOUSE) else str(Move.By(move["by"]).label)
    words = [_words(action, currency)]
    if action.get("box"):
        words.append(_("on box {box}").format(box=action["box"]))
    return MoveTold(who, " ".join(words), cards, by, datetime.fromisoformat(move["at"]))


def _words(action: dict[str, Any], currency: Currency) -> str:
    do = action["do"]

    def money(name: str) -> str:
        return show_amount(action[name], currency)

    if do in ("bet", "ante"):
        return _bet(action, money)
    if do == "pool":
        return _("pays from the {pool} pool: {amount}").format(
            pool=term(action["pool"]), amount=money("amount")
        )
    if do == "insure":
        return _("insures for {amount}").format(amount=money("amount"))
    return _decided(action) or str(DONE.get(do, do))


def _decided(action: dict[str, Any]) -> str:
    """Actions whose words depend on what was decided; nothing for those that are one word."""
    told = ""
    if points := action.get("points"):
        told = _("calls {points}").format(points=points)
    elif "points" in action:
        told = _("does not call")
    elif rounds := action.get("rounds"):
        told = _("orders {rounds} exchanges {direction}").format(
            rounds=rounds, direction=term(action.get("direction", "clockwise"))
        )
    elif "rounds" in action:
        told = _("orders no exchange")
    elif natural := action.get("declare"):
        told = _("declares {natural}").format(natural=term(natural))
    elif "yes" in action:
        told = _("follows") if action["yes"] else _("does not follow")
    return told


def _bet(action: dict[str, Any], money: Any) -> str:
    told = []
    if action.get("amount") and action["do"] == "ante":
        told.append(_("antes {amount}").format(amount=money("amount")))
    elif action.get("amount"):
        told.append(_("bets {amount}").format(amount=money("amount")))
    elif not action.get("bonus"):
        told.append(_("bets"))
    if action.get("bonus"):
        told.append(_("bets {amount} on the bonus").format(amount=money("bonus")))
    if action.get("blind"):
        told.append(_("blind"))
    if action.get("on"):
        told.append(_("on {spot}").format(spot=term(action["on"])))
    return _(", ").join(told)
