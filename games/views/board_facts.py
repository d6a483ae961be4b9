"""The input of a table's board for one viewer: the same for a page and for a stream.

Help at a table against the house knows what the player knows: a hint, the name of the own hand and
the wheel are made of the view alone; the result of the visit and the amounts of the pools come from
the ledger.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.action_places import in_places
from games.boards.betting import betting, betting_ahead, forms_of, may_bet_ahead
from games.boards.family import OpenHand, family_of
from games.boards.forms import insurance_offer, picked
from games.boards.help import Depth, Filled, Hint
from games.boards.pieces.assembly import NO_HAND, NO_PIECES, board
from games.boards.program_facts import gives_hints
from games.boards.settlement_view import BoxResult, box_results
from games.boards.table_view import TableView, table_view
from games.boards.wheel import Wheel
from games.lobby.seat_offers import offers_guests, refusal_to_play
from games.models import Table
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame, View
from games.tables.hand_state import game_of
from games.tables.jackpots import JackpotView, game_at, jackpot_view, jackpots_at, jackpots_of
from games.tables.lock import seats_at
from games.tables.play_money import within_reach
from games.web.pages import Refusal, choice, set_choices
from games.words.naming import card_name
from wallets.models import Jackpot
from wallets.values.player import Viewer, is_player


class SitForm(forms.Form):
    """The free seats, and those that a bot would give up."""

    seat = choice(_l("Seat"))

    def __init__(self, board: TableView, sent: Mapping[str, str]) -> None:
        super().__init__(initial={"seat": sent.get("seat", "")}, auto_id="sit-%s")
        set_choices(self, seat=list(_seats(board)))


def _seats(board: TableView) -> Iterator[tuple[int, str]]:
    for number in board.free:
        yield number, _("Seat %(number)s, free") % {"number": number}
    for seat in board.seats:
        if seat.is_bot and not seat.leaves:
            words = _("Take seat %(number)s from %(name)s")
            yield seat.number, words % {"number": seat.number, "name": seat.player}


# How long a player can stop an automatic pass.
PASSES_AFTER: Final = timedelta(seconds=3)


class Requested(NamedTuple):
    """The parameters of a request, and its refusal."""

    # The help with the hand.
    help: str = ""
    # Whether the bets of the next round are open.
    opens_bets: bool = False
    # A refused form shows its values as they were sent, to be corrected.
    refusal: Refusal | None = None
    sent: QueryDict | None = None


NOTHING_REQUESTED: Final = Requested()


def board_facts(
    viewer: Viewer, snapshot: TableView, now: datetime, requested: Requested = NOTHING_REQUESTED
) -> dict[str, Any]:
    """The names that a board's pieces use; the heading of an organiser is left to the caller."""
    table, family = snapshot.table, family_of(snapshot.table.game)
    facts: dict[str, Any] = {
        "user": viewer,
        "board": snapshot,
        "table": table,
        "family": GAMES[table.game].family,
        "family_templates": family.templates(table.game),
        "printed": family.printed(game_of(snapshot.hand) if snapshot.hand else game_at(table)),
        "roles": family.roles(snapshot.view) if snapshot.view else {},
        "refusal": requested.refusal,
        "pass_at": now + PASSES_AFTER,
        "hand": snapshot.hand,
        "sent": requested.sent,
        "offers_guests": partial(offers_guests, viewer),
        # The rules are consulted only where a seat could be offered, and once.
        "not_admitted": cache(partial(refusal_to_play, viewer)),
        **_moves(snapshot, requested),
        **_seat_facts(viewer, snapshot, requested),
    }
    if requested.sent is not None:
        ticked, rows = picked(requested.sent)
        facts["fill"] = Filled("", ticked & set(facts["my_cards"]), rows)
    return facts


def _seat_facts(viewer: Viewer, snapshot: TableView, requested: Requested) -> Mapping[str, object]:
    """The form to sit down with, where the viewer may."""
    if not is_player(viewer) or not snapshot.offers.sit or snapshot.table.currency.is_chips:
        return {"wallet": None, "sit_form": None}
    return {
        "wallet": within_reach(viewer, snapshot.table.currency),
        "sit_form": SitForm(snapshot, requested.sent or {}),
    }


def _moves(snapshot: TableView, requested: Requested) -> Mapping[str, object]:
    """The viewer's choices in the hand, and the cards for them."""
    if snapshot.hand is None or snapshot.view is None:
        return NO_HAND
    game, wanted = game_of(snapshot.hand), requested.help
    family = family_of(game)
    hand = tuple(family.in_hand(_cards_of(snapshot.view)))
    forms = forms_of(game, snapshot, hand)
    offer = insurance_offer(snapshot.choices, snapshot.at_hand)
    if offer:
        forms = [form for form in forms if form.do not in ("insure", "decline")]
    fill = family.fill(game, snapshot.view, wanted) if wanted and snapshot.choices else Filled()
    house = house_view(game, snapshot, wanted)
    if house and house.hint:
        fill = Filled(wanted, frozenset(house.hint.cards))
    # Chips for the boxes of the next round are made when the viewer opens them.
    may_ahead, boxes = may_bet_ahead(snapshot), family.printed(game).boxes
    return {
        **NO_HAND,
        "house": house,
        "wheel": house.wheel if house else None,
        **family.context(game, snapshot.view, fill),
        "betting": betting(game, snapshot),
        "may_bet_ahead": may_ahead,
        "ahead": (
            betting_ahead(snapshot) if may_ahead and (requested.opens_bets or not boxes) else None
        ),
        "forms": in_places(game, snapshot.choices, forms, snapshot.disabled),
        "insurance_offer": offer,
        "form_of": {form.do: form for form in forms},
        "my_cards": hand,
        "cards_key": "".join(card.text for card in hand),
        "fill": fill,
        "suggestions": (
            family.suggestions(game, snapshot.view, opened=bool(wanted)) if snapshot.choices else ()
        ),
        "next_hint": int(fill.requested) + 1 if fill.requested.isdecimal() else 0,
        "waiting_for": [seat for seat in snapshot.seats if seat.to_act and not seat.mine],
    }


def _cards_of(view: object) -> tuple[Card, ...]:
    """The cards that a view deals its seat; at blackjack `hand` says which hand has to decide."""
    hand = getattr(view, "hand", None)
    return hand if isinstance(hand, tuple) else ()


def with_felt(frame: Mapping[str, Any], game: str) -> dict[str, Any]:
    """Return the frame of the back office with the styles of a felt before those of the theme."""
    page = family_of(game).templates(game).page
    return {**frame, "styles": [*frame["styles"], static(f"pages/office_hands/{page}.css")]}


def spectators_board(table: Table, now: datetime) -> SafeString:
    """Render the felt of a table for a spectator who is not signed in."""
    viewer = AnonymousUser()
    snapshot = table_view(viewer, table, now, seats_at(table))
    facts = board_facts(viewer, snapshot, now)
    return board({**facts, "now": now}, "", NO_PIECES, "spectated.html")


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
