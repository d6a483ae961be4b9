"""What pages, programs and the coach ask about hold'em besides its rules."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy as _p

from games.boards.family import Bar, Family, FamilyTemplates, OpenHand
from games.boards.help import Advice, Filled, Path
from games.boards.rule_tables import NONE, Example, RuleRow, RuleTable, bound_rows, percent, to_pay
from games.families.poker_hands import poker_examples
from games.rules.poker import ranking
from games.words.naming import term
from texas_holdem.game import HoldemView, TexasHoldem
from texas_holdem.paying import word_of
from wallets.models import Currency


class HoldemFamily(Family[TexasHoldem, HoldemView]):
    title = _l("Hold’em")
    labels: Mapping[str, Promise] = {"check": _p("hold’em", "Check"), "raise": _l("Raise to")}
    decisions: ClassVar[Bar] = {"fold": ("fold", "call", "raise")}
    deeds: Mapping[str, Promise] = {"check": _l("checks"), "raise": _l("raises to {amount}")}

    def roles(self, view: HoldemView) -> Mapping[int, str]:
        return {view.button: "dealer"}

    def bets_of_seats(self, game: TexasHoldem, state: Any) -> Mapping[int, int]:
        staked: Mapping[int, int] = state.staked
        return staked

    def templates(self, game: str) -> FamilyTemplates:
        return super().templates(game)._replace(alike=frozenset({"place", "felt"}))

    def context(self, game: TexasHoldem, view: HoldemView, fill: Filled) -> Mapping[str, object]:
        return {"my_hand": self.own_hand(game, view)}

    def own_hand(self, game: TexasHoldem, view: HoldemView) -> str:
        if not view.board or view.seat in view.folded or not view.hand:
            return ""
        return term(word_of((*view.hand, *view.board)))

    def open_hands(self, view: HoldemView) -> tuple[OpenHand, ...]:
        board = [OpenHand((view.board,), words=_("Board"))] if view.board else []
        hands = [
            OpenHand((cards,), seat, makes=(term(view.made[seat]),))
            for seat, cards in view.opened.items()
        ]
        return (*board, *hands)

    def examples(self, game: TexasHoldem) -> tuple[Example, ...]:
        return poker_examples(ranking())

    def winnings(self, game: TexasHoldem) -> tuple[RuleTable, ...]:
        return ()

    def costs(self, game: TexasHoldem) -> tuple[RuleTable, ...]:
        rake = percent(game.terms.rake_bp) if game.terms.rake_bp else NONE
        return to_pay(RuleRow(_("Rake on each pot, once the flop is dealt"), (rake,)))

    def limits(self, game: TexasHoldem, currency: Currency) -> tuple[RuleRow, ...]:
        bounds = {_("Small blind"): (game.small_blind,), _("Big blind"): (game.point,)}
        if game.rake_cap and game.terms.rake_bp:
            bounds[_("Most rake from a pot")] = (game.rake_cap,)
        return bound_rows(bounds, currency)

    def advise(self, path: Path) -> Advice:
        return Advice(_("There is no coach for this game."))


FAMILY: Final[Family[TexasHoldem, HoldemView]] = HoldemFamily()
