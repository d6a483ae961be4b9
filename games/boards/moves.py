"""Moves of a record in words: who did what, for how much, with which cards."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from games.boards.family import family_of
from games.models import Move
from games.rules.contract import AnyGame
from games.words.naming import term
from wallets.models import Currency
from wallets.values.amounts import show_amount

DONE: Final = {
    "accept": _l("accepts"),
    "arrange": _l("arranges"),
    "buy": _l("buys a card"),
    "buy_dealer": _l("buys the dealer a card"),
    "call": _l("calls"),
    "close": _l("closes the betting"),
    "decline": _l("declines insurance"),
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
PICKED: Final = {
    1: _l("picks the left prize"),
    2: _l("picks the middle prize"),
    3: _l("picks the right prize"),
}
CARD_FIELDS: Final = ("cards", "front", "middle", "back")


class MoveView(NamedTuple):
    """One move: cards are names, and `None` where the reader has not seen one."""

    who: str
    words: str
    cards: tuple[tuple[str | None, ...], ...]
    by: str
    at: datetime


def sentence_of_move(
    game: AnyGame, move: dict[str, object], names: dict[int, str], currency: Currency
) -> str:
    """A move as a sentence, without its cards: they are read where they lie."""
    view = move_in_words(game, move, names, currency)
    return f"{view.who} {view.words}"


def move_in_words(
    game: AnyGame, move: dict[str, Any], names: dict[int, str], currency: Currency
) -> MoveView:
    action, seat = move["action"], move["seat"]
    cards = tuple(tuple(action[name]) for name in CARD_FIELDS if action.get(name))
    who = names.get(seat, str(seat)) if isinstance(seat, int) else _("the house")
    usual = Move.By.PLAYER if isinstance(seat, int) else Move.By.HOUSE
    by = "" if move["by"] == usual else str(Move.By(move["by"]).label)
    words = [_words(game, action, currency)]
    if action.get("box"):
        words.append(_("on box {box}").format(box=action["box"]))
    return MoveView(who, " ".join(words), cards, by, datetime.fromisoformat(move["at"]))


def _words(game: AnyGame, action: dict[str, Any], currency: Currency) -> str:
    do = action["do"]

    def money(name: str) -> str:
        return show_amount(action[name], currency)

    if do in ("bet", "ante"):
        return _bet(action, money)
    if do == "remove":
        return _taken_back(action, money)
    if do == "pool":
        return _("pays from the {pool} pool: {amount}").format(
            pool=term(action["pool"]), amount=money("amount")
        )
    if do == "insure":
        return _("insures for {amount}").format(amount=money("amount"))
    if do == "top_up":
        return _("adds {amount} to the stack of seat {seat}").format(
            amount=money("amount"), seat=action["seat"]
        )
    words = family_of(game).deeds.get(do) or _decided(action) or DONE.get(do, do)
    return _named(str(words), action, money)


def _named(words: str, action: dict[str, Any], money: Any) -> str:
    """The words of a family for an action, which may name its amount."""
    return words.format(amount=money("amount")) if "amount" in action else words


def _decided(action: dict[str, Any]) -> str:
    """The words of actions that depend on the decision; None for actions of one word."""
    words = ""
    if points := action.get("points"):
        words = _("calls {points}").format(points=points)
    elif "points" in action:
        words = _("does not call")
    elif rounds := action.get("rounds"):
        words = ngettext(
            "orders {rounds} exchange {direction}", "orders {rounds} exchanges {direction}", rounds
        ).format(rounds=rounds, direction=term(action.get("direction", "clockwise")))
    elif "rounds" in action:
        words = _("orders no exchange")
    elif natural := action.get("declare"):
        words = _("declares {natural}").format(natural=term(natural))
    elif place := action.get("place"):
        words = str(PICKED[place])
    elif "yes" in action:
        words = _("follows") if action["yes"] else _("does not follow")
    return words


def _taken_back(action: dict[str, object], money: Any) -> str:
    """A bet taken back, in part or whole."""
    words = []
    if action.get("amount"):
        words.append(_("takes back {amount}").format(amount=money("amount")))
    if action.get("bonus"):
        words.append(_("takes back {amount} of the bonus").format(amount=money("bonus")))
    if action.get("on"):
        words.append(_("on {spot}").format(spot=term(action["on"])))
    if not action.get("amount") and not action.get("bonus"):
        words.insert(0, _("takes back the bet"))
    return _(", ").join(words)


def _bet(action: dict[str, object], money: Any) -> str:
    words = []
    if action.get("amount") and action["do"] == "ante":
        words.append(_("antes {amount}").format(amount=money("amount")))
    elif action.get("amount"):
        words.append(_("bets {amount}").format(amount=money("amount")))
    elif not action.get("bonus"):
        words.append(_("bets"))
    if action.get("bonus"):
        words.append(_("bets {amount} on the bonus").format(amount=money("bonus")))
    if action.get("blind"):
        words.append(_("blind"))
    if action.get("on"):
        words.append(_("on {spot}").format(spot=term(action["on"])))
    return _(", ").join(words)
