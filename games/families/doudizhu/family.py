"""Dou Dizhu's answers to the questions of `games.boards.family`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.advice import Advice, Path
from games.boards.family import Bar, Family, FamilyTemplates, KeyOf, OpenHand, Panel
from games.boards.help import Filled, Hint, Ticked
from games.boards.rule_tables import Example, Row, RuleTable, bound_rows
from games.families.doudizhu import actions, coach, rules_page
from games.families.doudizhu import help as hand_help
from games.families.doudizhu.phrases import PHRASES
from games.families.plain import PlainFamily
from games.rules.cards import Card
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import in_order
from games.rules.doudizhu.view import DoudizhuView
from wallets.models import Currency

# As in its `board.js`; H is that of the hint in the bar of moves.
KEYS: Final = (
    ("← →", _l("to another card")),
    (_l("Space"), _l("choose the card")),
    (_l("Enter"), _l("Play")),
    ("H", _l("Hint")),
)


class DoudizhuFamily(PlainFamily[Doudizhu, DoudizhuView]):
    title = _l("Dou Dizhu")
    plays_to_the_right = True
    phrases = PHRASES
    decisions: ClassVar[Bar] = {"play": ("pass",), "pass": ("pass",)}

    def templates(self, game: str) -> FamilyTemplates:
        panel = Panel("counter", _l("Counter"), "families/doudizhu/panel.html")
        return super().templates(game)._replace(panels=(panel,))

    def keys(self, game: Doudizhu) -> Sequence[KeyOf]:
        return KEYS

    def roles(self, view: DoudizhuView) -> Mapping[int, str]:
        return {view.landlord: "landlord"} if view.landlord is not None else {}

    def last_moves(self, view: DoudizhuView, names: Mapping[int, str]) -> tuple[str, ...]:
        return hand_help.plays_said(view, names)

    def context(self, game: Doudizhu, view: DoudizhuView, fill: Filled) -> Mapping[str, object]:
        return hand_help.help_view(game, view, fill.cards)._asdict()

    def in_hand(self, cards: Sequence[Card]) -> list[Card]:
        return list(reversed(in_order(cards)))

    def open_hands(self, view: DoudizhuView) -> tuple[OpenHand, ...]:
        """Return what each seat has played, and what it still held at the end."""
        laid: dict[int, list[Card]] = {}
        for turn in view.turns:
            laid.setdefault(turn.seat, []).extend(turn.cards)
        for hand in view.opened:
            laid.setdefault(hand.seat, []).extend(hand.cards)
        return tuple(
            OpenHand((tuple(self.in_hand(laid[seat])),), seat)
            for seat in sorted(laid)
            if laid[seat]
        )

    def plays(self, game: Doudizhu, view: DoudizhuView) -> Iterable[Hint]:
        return actions.plays(game, view)

    def advised(self, game: Doudizhu, view: DoudizhuView) -> Iterable[Hint]:
        return actions.advised(game, view)

    def fill(self, game: Doudizhu, view: DoudizhuView, wanted: str) -> Filled:
        if not wanted.isdecimal():
            return Filled()
        hint = hand_help.hint_of(game, view, int(wanted[:4]))
        return Filled(wanted[:4], hint.cards, words=hint.words, passes=hint.passes)

    def ticked(self, game: Doudizhu, view: DoudizhuView, cards: Sequence[Card]) -> Ticked:
        return hand_help.ticked(game, view, cards)

    def examples(self, game: Doudizhu) -> tuple[Example, ...]:
        return rules_page.examples()

    def winnings(self, game: Doudizhu) -> tuple[RuleTable, ...]:
        return rules_page.winnings()

    def limits(self, game: Doudizhu, currency: Currency) -> tuple[Row, ...]:
        return bound_rows({_("A point"): (game.point,)}, currency)

    def advise(self, path: Path) -> Advice:
        return coach.advise(path)


FAMILY: Final[Family[Doudizhu, DoudizhuView]] = DoudizhuFamily()
