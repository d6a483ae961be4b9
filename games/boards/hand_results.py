"""A finished hand in a few rows: who had which cards, and what they won; as a text to copy.

It is made from the spectator's view of the last step, so it has no card that the shared page does
not show.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.boards.family import family_of
from games.boards.replay import Replay
from games.boards.settlement_view import sentence_of_line
from games.rules.cards import Card
from games.words.naming import card_sign, game_name
from wallets.values.amounts import show_amount, show_signed


class Result(NamedTuple):
    """A seat or a part of the house: its hands, each in rows, and for a seat what it won."""

    who: str
    seat: int | None
    hands: tuple[tuple[Card, ...], ...]
    net: int | None


def results_of(replay: Replay) -> list[Result]:
    """The house first, then each seat, also seats without open cards."""
    view = replay.game.view(replay.path[-1], None)
    open_hands = family_of(replay.game).open_hands(view)
    nets = replay.results(replay.last)
    results = [
        Result(hand.words, None, hand.rows, None) for hand in open_hands if hand.seat is None
    ]
    for stake in view.stakes:
        hands = [row for hand in open_hands if hand.seat == stake.seat for row in hand.rows]
        name = replay.names.get(stake.seat, str(stake.seat))
        results.append(Result(name, stake.seat, tuple(hands), nets.get(stake.seat)))
    return results


def summary(replay: Replay) -> str:
    """Return a line that says who won how much."""
    return " · ".join(
        f"{result.who} {show_signed(result.net, replay.currency)}"
        for result in results_of(replay)
        if result.net is not None
    )


def as_text(replay: Replay, address: str) -> str:
    """The hand as people write it to one another: cards, results, the reasons, and the link."""
    hand, currency = replay.hand, replay.currency
    lines = [f"{game_name(hand.game)} · {hand.code}"]
    for result in results_of(replay):
        cards = " / ".join(" ".join(card_sign(card.text) for card in row) for row in result.hands)
        net = "" if result.net is None else f" {show_signed(result.net, currency)}"
        said = _("{who}: {cards}").format(who=f"{result.who}{net}", cards=cards)
        lines.append(said if cards else f"{result.who}{net}")
    if replay.results(replay.last):
        for line in (hand.settlement or {}).get("lines", ()):
            sentence = sentence_of_line(line, replay.names, currency)
            lines.append(f"{sentence} {show_amount(line['amount'], currency)}")
    return "\n".join([*lines, address])
