"""Help for a player at a table against the house, shown next to the cards.

It knows what the player knows: a hint, the name of the own hand and the wheel are made of the view
alone; the result of the visit and the amounts of the pools come from the ledger.
"""

from itertools import zip_longest
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.boards.box_results import BoxResult, box_results
from games.boards.family import OpenHand, family_of
from games.boards.help import Depth, Hint
from games.boards.program_facts import gives_hints
from games.boards.table_view import TableView
from games.boards.wheel import Wheel
from games.rules.cards import Card
from games.rules.contract import AnyGame, View
from games.tables.jackpots import JackpotView, jackpot_view, jackpots_at, jackpots_of
from games.words.naming import card_name
from wallets.models import Jackpot

# The value in the address that asks for the strategy's advice.
STRATEGY: Final = "strategy"


class HouseView(NamedTuple):
    """All of it, as the page takes it; `gives_hints` is whether a hint can be asked for now."""

    visit: int | None
    # The visit's result before the round that has just ended; None if it changed nothing.
    visit_stood: int | None
    meters: tuple[JackpotView, ...]
    gives_hints: bool
    hint: Hint | None
    my_hand: str
    # The open cards in words, while the viewer decides and when the round is over.
    heard: tuple[str, ...]
    wheel: Wheel | None
    # The viewer's results in each box, once the round is settled.
    boxes: dict[int, BoxResult]
    # The cards left in a shoe of several rounds; and as they were before the round that has just
    # ended, because the number of cards it took reveals its result.
    depth: Depth | None
    depth_stood: Depth | None


def house_view(game: AnyGame, table_view: TableView, requested: str = "") -> HouseView | None:
    """The viewer's help; None if the game is not against the house."""
    view, table, hand = table_view.view, table_view.table, table_view.hand
    lines = table_view.lines
    family = family_of(game)
    if view is None or not game.against_house:
        return None
    may = gives_hints(table_view)
    settled = bool(table_view.results)
    running = hand if table.hand_id is not None else None
    so_far = table_view.version.visit(table_view.mine) if table_view.mine else None
    return HouseView(
        visit=so_far,
        visit_stood=so_far - table_view.won if so_far is not None and table_view.won else None,
        meters=meters(jackpots_of(running) if running else jackpots_at(table)),
        gives_hints=may,
        hint=family.hint(game, view) if may and requested == STRATEGY else None,
        my_hand=family.own_hand(game, view),
        heard=cards_heard(game, view) if table_view.choices or settled else (),
        wheel=family.wheel(game, view, lines),
        boxes=box_results(lines, view.seat, family.box_bets(view)) if settled else {},
        depth=family.depth(game, hand.first_card + hand.cards_dealt) if hand else None,
        depth_stood=family.depth(game, hand.first_card) if hand and hand.cards_dealt else None,
    )


def meters(played: dict[str, Jackpot]) -> tuple[JackpotView, ...]:
    """The jackpots that are played for, as they stand now."""
    return tuple(jackpot_view(jackpot) for _kind, jackpot in sorted(played.items(), reverse=True))


def cards_heard(game: AnyGame, view: View) -> tuple[str, ...]:
    """The house's open cards and the viewer's own, one sentence a hand."""
    return tuple(
        _sentence(hand, row, total or "", makes or "")
        for hand in family_of(game).open_hands(view)
        if hand.seat is None or hand.seat == view.seat
        for row, total, makes in zip_longest(hand.rows, hand.totals, hand.makes)
    )


def _sentence(hand: OpenHand, row: tuple[Card, ...], total: str, makes: str) -> str:
    whose = hand.words or _("My cards")
    cards = _(", ").join(card_name(card.text) for card in row)
    facts = {"whose": whose, "cards": cards, "total": total, "makes": makes}
    if makes and total.isdecimal():
        return _("{whose}: {cards}. Total {total}, {makes}.").format(**facts)
    if total.isdecimal():
        return _("{whose}: {cards}. Total {total}.").format(**facts)
    if named := makes or total:
        return _("{whose}: {cards}. {makes}.").format(**facts | {"makes": named})
    return _("{whose}: {cards}.").format(**facts)
