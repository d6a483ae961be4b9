"""The floor in pieces, each with a content hash: a reader is sent those that have changed.

The browser says which hashes it shows, so any process of the house can answer, and none has to
remember what it has sent to whom.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from casino.office.floor.floor_context import FloorContext
from games.lobby.listing import fingerprint

# The pieces in the browser, as `name.hash name.hash`; without it the whole floor is sent.
SHOWN_HEADER = "X-Floor-Shown"


class Piece(NamedTuple):
    name: str
    digest: str
    markup: Callable[[], SafeString]


def pieces(context: FloorContext) -> Iterator[Piece]:
    """The tables first, because the order of their cards is a separate piece."""
    for kept in context["tables"]:
        yield Piece(f"table-{kept.row.id}", kept.digest, kept.card)
    for name, facts in _facts(context).items():
        digest = fingerprint(get_language(), *facts)
        yield Piece(name, digest, _rendering(name, digest, context))


def _rendering(name: str, digest: str, context: FloorContext) -> Callable[[], SafeString]:
    template = f"backoffice/floor/{name.removeprefix('floor-')}.html"
    return lambda: render_to_string(template, {**context, "digest": digest})


def _facts(context: FloorContext) -> dict[str, tuple[object, ...]]:
    """Return the facts that each piece depends on, except seconds, which pass by themselves."""
    house = context["house"].version
    alarms = [(one["alarm"].pk, one["alarm"].taken_at) for one in context["alarms"]]
    programs = [line.ok for line in context["vitals"].lines]
    proposals = [one["proposal"].pk for one in context["proposals"]]
    return {
        "floor-strips": (house, alarms, context["may"]),
        "floor-figures": (context["totals"],),
        "floor-tools": (context["view"], context["all"], context["families"]),
        "floor-order": ([kept.row.id for kept in context["tables"]],),
        "floor-side": (house, proposals, context["pools"], programs, context["chart"]),
    }


def shown_by(request: HttpRequest) -> frozenset[str]:
    return frozenset(request.headers.get(SHOWN_HEADER, "").split())


def changed(context: FloorContext, shown: frozenset[str]) -> list[SafeString]:
    """The markup of the pieces that a browser does not show as they are."""
    return [
        piece.markup() for piece in pieces(context) if f"{piece.name}.{piece.digest}" not in shown
    ]


def by_place(context: FloorContext) -> dict[str, SafeString]:
    """All pieces for the whole page: the cards together, and the others by their names."""
    placed: dict[str, SafeString] = {}
    cards = []
    for piece in pieces(context):
        if piece.name.startswith("table-"):
            cards.append(piece.markup())
        else:
            placed[piece.name.removeprefix("floor-")] = piece.markup()
    return placed | {"cards": SafeString("".join(cards))}
