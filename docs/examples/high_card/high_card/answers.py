"""What pages, programs and the coach ask about high card besides its rules."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.advice import Advice, Path
from games.boards.family import PLAIN_FELT, Family, FamilyTemplates, OpenHand
from games.boards.rule_tables import RuleRow, RuleTable, bound_rows
from high_card.game import FOLDED, STAYED, HighCard, HighCardView
from wallets.models import Currency


class HighCardFamily(Family[HighCard, HighCardView]):
    title = _l("High card")
    labels: Mapping[str, Promise] = {"stay": _l("Stay")}
    deeds: Mapping[str, Promise] = {"stay": _l("stays")}

    def templates(self, game: str) -> FamilyTemplates:
        return PLAIN_FELT

    def open_hands(self, view: HighCardView) -> tuple[OpenHand, ...]:
        return tuple(OpenHand(((card,),), seat) for seat, card in view.opened.items())

    def winnings(self, game: HighCard) -> tuple[RuleTable, ...]:
        rows = (
            RuleRow(_("From each who stayed"), (str(STAYED),)),
            RuleRow(_("From each who folded"), (str(FOLDED),)),
        )
        return (RuleTable(_("Points for the highest card"), rows),)

    def limits(self, game: HighCard, currency: Currency) -> tuple[RuleRow, ...]:
        return bound_rows({_("A point"): (game.point,)}, currency)

    def advise(self, path: Path) -> Advice:
        return Advice(_("There is no coach for this game."))


FAMILY: Final[Family[HighCard, HighCardView]] = HighCardFamily()
