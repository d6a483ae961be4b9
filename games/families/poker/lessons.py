"""The guided rounds of casino hold'em and Russian poker."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.families.house_lesson import BET, HouseLesson
from games.families.lesson import Advice
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.house.antes import Ante
from games.rules.russian_poker.game import RussianPoker

CASINO_HOLDEM: Final = HouseLesson(
    game=CasinoHoldem(edition=2),
    cards="Ks4cQd4hKd7s2h9dQs",
    bets={"ante": Ante(4, BET)},
    advice=(
        Advice(
            _(
                "You play against the dealer. Each of you gets two cards, and five cards in the "
                "middle count for both: the best five of the seven win. Place an ante of 10."
            ),
            "ante",
        ),
        Advice(
            _(
                "With the king in the middle you have a pair of kings, and two cards are still to "
                "come. Fold and lose the ante, or call for twice the ante. With a pair you call."
            ),
            "call",
            _("Calling was better: a fold always costs the ante, and a pair of kings mostly wins."),
        ),
    ),
    read=(
        _(
            "The queen gives you two pairs. The dealer's two fours with the same queen are far "
            "below. The dealer needs a pair of fours to qualify; with less, only the ante is paid."
        ),
    ),
    end=_("The dealer qualifies and you win: the ante and the call are both paid 1 to 1."),
)
RUSSIAN_POKER: Final = HouseLesson(
    game=RussianPoker(edition=2),
    cards="9sAd9hKc5dTs4c8s2hQh9d7s6c",
    bets={"ante": Ante(2, BET)},
    advice=(
        Advice(
            _(
                "You play against the dealer, with five cards each, of which you see one of the "
                "dealer's. Place an ante of 10; the cards decide what you put behind it."
            ),
            "ante",
        ),
        Advice(
            _(
                "A pair of nines is little. For one ante you can buy a sixth card, or exchange two "
                "to five of yours. Keep the nines and exchange the 5, the 4 and the 2."
            ),
            "5d4c2h",
            _("Exchanging three cards was better: it improves a pair most often."),
        ),
        Advice(
            _(
                "A third nine: three of a kind, which pays 3 to 1. Bet twice the ante to stay in. "
                "You could insure the hand against a dealer who does not qualify; it is a side bet."
            ),
            "bet",
            _("Betting was better: with three of a kind you beat nearly every dealer."),
        ),
    ),
    read=(
        _(
            "The dealer has ace-king and just qualifies. With less, you would be paid your ante, "
            "or could buy the dealer another card for one more ante."
        ),
    ),
    end=_("Your three nines win: the bet pays 3 to 1, and the exchange has cost one ante."),
)
