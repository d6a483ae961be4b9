"""The answers of the thirteen-card games to the questions of `games.boards.family`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _l

from games.boards.advice import Advice, Path
from games.boards.family import Family, FamilyTemplates, KeyOf, OpenHand, Panel
from games.boards.help import Filled, Hint, Suggested
from games.boards.rule_tables import Example, Row, RuleTable, bound_rows
from games.families.plain import PlainFamily
from games.families.poker_hands import poker_examples
from games.families.thirteen import coach, rules_page
from games.families.thirteen import help as hand_help
from games.rules.cards import Card
from games.rules.contract import Action
from games.rules.errors import Illegal
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.view import ThirteenView
from wallets.models import Currency

# As in its `board.js`, while a card has the focus.
KEYS: Final = (
    ("← → ↑ ↓", _l("to another card")),
    (_l("Space"), _l("choose the card")),
    ("1 2 3 · F M B", _l("into the front, middle or back row")),
    (_l("Backspace"), _l("back into the hand")),
    ("S", _l("sort by rank or suit")),
    (_l("Enter"), _l("confirm the rows")),
)


class ThirteenFamily(PlainFamily[ThirteenGame, ThirteenView]):
    title = _l("Thirteen cards")

    def templates(self, game: str) -> FamilyTemplates:
        panel = Panel("last", _l("Points"), "families/thirteen/panel.html")
        return super().templates(game)._replace(panels=(panel,))

    def keys(self, game: ThirteenGame) -> Sequence[KeyOf]:
        return KEYS

    def roles(self, view: ThirteenView) -> Mapping[int, str]:
        return {view.button: "dealer"} | ({view.banker: "banker"} if view.banker else {})

    def open_hands(self, view: ThirteenView) -> tuple[OpenHand, ...]:
        return tuple(
            OpenHand(one.arranged.rows if all(one.arranged.rows) else (one.hand,), one.seat)
            for one in view.shown
        )

    def declaring(self, game: ThirteenGame, word: str) -> str:
        return hand_help.declaring(game, Natural(word))

    def foul(self, game: ThirteenGame, action: Action) -> Illegal | None:
        return hand_help.foul(game, action)

    def fill(self, game: ThirteenGame, view: ThirteenView, wanted: str) -> Filled:
        return hand_help.fill(game, view, wanted)

    def suggestions(self, game: ThirteenGame, view: ThirteenView) -> tuple[Suggested, ...]:
        return hand_help.suggestions(game, view)

    def advised(self, game: ThirteenGame, view: ThirteenView) -> Iterable[Hint]:
        return hand_help.advised(game, view)

    def row_names(self, game: ThirteenGame, placed: Mapping[Card, str]) -> dict[str, str]:
        return hand_help.row_names(game, placed)

    def examples(self, game: ThirteenGame) -> tuple[Example, ...]:
        return poker_examples(game.ranks, has_jokers=game.has_jokers)

    def winnings(self, game: ThirteenGame) -> tuple[RuleTable, ...]:
        return tuple(rules_page.winnings(game))

    def costs(self, game: ThirteenGame) -> tuple[RuleTable, ...]:
        return rules_page.costs(game)

    def limits(self, game: ThirteenGame, currency: Currency) -> tuple[Row, ...]:
        return bound_rows(rules_page.bounds(game), currency)

    def advise(self, path: Path) -> Advice:
        return coach.advise(path)


FAMILY: Final[Family[ThirteenGame, ThirteenView]] = ThirteenFamily()
