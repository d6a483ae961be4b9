"""The guided round of both baccarats: a bet on banker, and how the two hands are drawn."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.families.house_lesson import BET, HouseLesson
from games.families.lesson import Advice
from games.rules.baccarat.game import Baccarat, BaccaratCommission, BaccaratTable, Bet


def _lesson(game: BaccaratTable, end: str | Promise) -> HouseLesson:
    return HouseLesson(
        game=game,
        cards="Ks4c3hAd5d4s",
        bets={
            "banker": Bet("banker", BET),
            "player": Bet("player", BET),
            "tie": Bet("tie", BET),
        },
        advice=(
            Advice(
                _(
                    "Two hands are dealt, player and banker, and you bet on the one that is closer "
                    "to nine. Tens, jacks, queens and kings count nothing, an ace one, and of a "
                    "sum only the last digit counts. Bet 10 on banker."
                ),
                "banker",
                _("Banker was better: it wins more often than player, and a tie is rare."),
            ),
        ),
        read=(
            _("Player has a king and a 3, so 3. With 0 to 5 player draws: a 5 makes it 8."),
            _(
                "Banker has a 4 and an ace, so 5. As player has drawn a 5, banker draws, too: a 4 "
                "makes it 9. The table of draws decides that, not you and not the dealer."
            ),
        ),
        end=end,
    )


WITHOUT_COMMISSION: Final = _lesson(
    Baccarat(),
    _("Banker wins with 9. It pays 1 to 1, and only 1 to 2 when it wins with 6."),
)
WITH_COMMISSION: Final = _lesson(
    BaccaratCommission(),
    _("Banker wins with 9. It pays 1 to 1, less a commission of 5 percent."),
)
