"""How long a newcomer waits for a card where a player has just left: python -m bench.press_to_card

For each game a player closes the page in mid-hand, and ten seconds later another presses the tile.
The seconds are those of the house's clock, which moves to what is due next, so the load of this
machine changes nothing; a device's part of the mix, of up to two seconds, comes on top. First the
table is the only one; then the house may open another.
"""

from typing import Final

from tests.houses import open_house

GOAL_SECONDS: Final = 8


def main() -> None:
    with open_house():
        from django.db import transaction

        from games.rules.catalogue import GAMES
        from tests.games.house import House
        from tests.games.press_to_card import left_in_mid_hand, seconds_to_card

        print(f"{'game':<22}{'only table':>12}{'with others':>12}   goal: {GOAL_SECONDS} s")
        for game in GAMES:
            took = []
            for overflow in (0, 3):
                with transaction.atomic():
                    house = House()
                    left_in_mid_hand(house, game, overflow_max=overflow)
                    took.append(seconds_to_card(house, game))
                    transaction.set_rollback(True)
            print(f"{game:<22}{took[0]:>10.1f} s{took[1]:>10.1f} s")


if __name__ == "__main__":
    main()
