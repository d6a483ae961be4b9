"""The input of a table's board for one viewer: the same for a page and for a stream."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache, partial
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
from games.boards.family import family_of
from games.boards.forms import picked
from games.boards.help import Filled
from games.boards.house_help import house_view
from games.boards.insurance import insurance_offer
from games.boards.pieces.assembly import NO_HAND, NO_PIECES, board
from games.boards.table_view import TableView, table_view
from games.lobby.seat_offers import offers_guests, refusal_to_play
from games.models import Table
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.tables.hand_state import game_of
from games.tables.jackpots import game_at
from games.tables.lock import seats_at
from games.tables.play_money import within_reach
from games.web.answers import Refusal
from games.web.fields import choice, set_choices
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
