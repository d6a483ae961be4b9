"""What the road maps of a table cost: `python -m bench.roads`.

A shoe of seventy rounds; nothing that was drawn before is used again.
"""

import os

from bench.calibration import speed
from bench.rules import deals

ROUNDS = 70


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.utils.safestring import SafeString

    from games.families.baccarat import road_maps
    from games.rules.baccarat.coup import deal_coup
    from games.rules.baccarat.game import Baccarat
    from games.rules.baccarat.roads import Result, result_of

    shoe = deals(Baccarat().composition(), 1)[0]
    places = range(0, ROUNDS * 5, 5)

    def deal() -> list[Result]:
        return [result_of(deal_coup(tuple(shoe[at : at + 6]), False)) for at in places]

    results = deal()
    drawn = road_maps.draw(results)
    size = sum(len(drawing) for drawing in drawn if isinstance(drawing, SafeString))

    def anew(_once: int) -> None:
        road_maps._draw.cache_clear()
        road_maps.draw(results)

    speed(f"dealing {ROUNDS} rounds of an open shoe again", lambda _once: deal(), [1])
    speed(f"drawing the maps of {ROUNDS} rounds", anew, [1], "<= 3 ms")
    speed("the same maps once more", road_maps.draw, [results])
    print(f"{size} bytes of SVG")


if __name__ == "__main__":
    main()
