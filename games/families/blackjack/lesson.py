"""The guided round of blackjack: the learner splits two eights, doubles, stands, and wins twice."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.families.house_lesson import BET, HouseLesson
from games.families.lesson import Advice
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet

LESSON: Final = HouseLesson(
    game=Blackjack(edition=3),
    cards="8s6d8h3cKs5dTh9c",
    bets={"bet": Bet(4, BET)},
    advice=(
        Advice(
            _(
                "You play against the dealer: the hand closer to 21 wins, and more than 21 loses. "
                "Jack, queen and king count ten, an ace one or eleven. Bet 10 on a box."
            ),
            "bet",
        ),
        Advice(
            _(
                "Two eights are sixteen, a poor total, and the dealer shows a six. Two cards of "
                "one value can be split into two hands, each with a bet of its own. Split them."
            ),
            "split",
            _("Splitting was better: two hands that begin with eight are worth more than sixteen."),
        ),
        Advice(
            _(
                "Your first eight has become eleven, and a ten would make it 21. Double: the bet "
                "on this hand doubles, and the hand gets exactly one more card."
            ),
            "double",
            _("Doubling was better: with eleven against a six you are the favourite."),
        ),
        Advice(
            _(
                "21! Your second hand has thirteen, and a ten would bust it. The dealer must draw "
                "up to 17, and with a six goes bust four times in ten. Stand."
            ),
            "stand",
            _("Standing was better: with a six the dealer goes bust four times in ten."),
        ),
    ),
    end=_(
        "The dealer has drawn a ten and a nine: 25 is a bust, so both hands win. A blackjack, an "
        "ace with a ten, would have paid 3 to 2."
    ),
)
