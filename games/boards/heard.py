"""What lies open at a table against the house, for those who hear the page.

A game between players tells its moves one by one. Against the house the cards are the news: the
dealer's, and what the player holds when they are to decide or when the round is over.
"""

from itertools import zip_longest

from django.utils.translation import gettext as _

from games.boards.family import OpenHand, family_of
from games.rules.cards import Card
from games.rules.contract import AnyGame, View
from games.words.naming import card_name


def cards_heard(game: AnyGame, view: View) -> tuple[str, ...]:
    """The house's open cards and the viewer's own, one sentence a hand."""
    return tuple(
        _sentence(one, row, total or "")
        for one in family_of(game).open_hands(view)
        if one.seat is None or one.seat == view.seat
        for row, total in zip_longest(one.rows, one.totals)
    )


def _sentence(hand: OpenHand, row: tuple[Card, ...], total: str) -> str:
    whose = hand.words or _("My cards")
    cards = _(", ").join(card_name(card.text) for card in row)
    if total:
        return _("{whose}: {cards}. Total {total}.").format(whose=whose, cards=cards, total=total)
    return _("{whose}: {cards}.").format(whose=whose, cards=cards)
