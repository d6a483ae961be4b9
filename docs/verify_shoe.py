"""Check the shoe of a tournament by the steps of fairness.md, with verify.py in the same folder:

    python3 verify_shoe.py shoe.json

It is what the house publishes of the shoe: its seal, what the entrants mixed, every draw, and the
first seats. It exits with 0 if every step holds, with 1 if one failed, and with 2 as long as the
mix has not been published."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from verify import Json, Named, octets


def shoe_steps(shoe: Json) -> dict[str, bool]:
    """What is published of a tournament's shoe; a step of which nothing is published is missing."""
    named, deals = Named(shoe["id"]), shoe["deals"]
    own = named.digest("seal", shoe["key"], shoe["x_0"], *shoe["leaves"])
    whole = named.digest("deals", shoe["sealed"], *deals) if deals else shoe["sealed"]
    leaves = [len(octets(leaf)) for leaf in shoe["leaves"]] == [32] * 52
    steps = {"seal": leaves and own == shoe["sealed"] and whole == shoe["seal"]}
    if not shoe["lock"]:
        return steps
    parts = [(f"{e['entrant']:04x}", e) for e in shoe["entrants"]]
    numbers = [e["entrant"] for _, e in parts]
    commits = [number + e["commit"] for number, e in parts]
    steps["lock"] = named.digest("lock", shoe["seal"], *commits) == shoe[
        "lock"
    ] and [] != numbers == sorted(set(numbers))
    if not shoe["mix"]:
        return steps
    steps["commit"] = all(
        e["who"] == "house" or named.digest("entrant", number, e["reveal"]) == e["commit"]
        for number, e in parts
    )
    reveals = [e["reveal"] for _, e in parts]
    steps["mix"] = named.digest("mix", shoe["lock"], *reveals) == shoe["mix"]
    if draws := shoe["draws"]:
        steps |= {"draw-chain": chained(named, shoe), "draw": ordered(named, shoe)}
        if shoe["seats"] and draws[0]["label"] == "seats":
            drawn = [draws[0]["things"][place] for place in draws[0]["order"]]
            due = seated(drawn, *shoe["sizes"])
            steps["seats"] = draws[0]["things"] == numbers and due == shoe["seats"]
    return steps


def chained(named: Named, shoe: Json) -> bool:
    """Whether each draw opened the next link of the chain that was sealed."""
    for number, draw in enumerate(shoe["draws"], 1):
        link = draw["x_m"]
        for _ in range(min(number, 256)):
            link = named.digest("draw", link)
        if (draw["link"], link) != (min(number, 256), shoe["x_0"]):
            return False
    return True


def ordered(named: Named, shoe: Json) -> bool:
    """Whether each draw has its only possible order, and none was made twice."""
    draws = shoe["draws"]
    return len({draw["label"] for draw in draws}) == len(draws) and all(
        named.perm(
            named.digest("draw-mix", shoe["mix"], draw["x_m"]), draw["label"], len(draw["things"])
        )
        == draw["order"]
        for draw in draws
    )


def seated(drawn: list[int], least: int, most: int) -> list[Json]:
    """First seats in the drawn order: as few tables as will do, which differ by one at most."""
    full = least == most
    tables = len(drawn) // most if full else -(-len(drawn) // most)
    each, more = divmod(tables * most if full else len(drawn), tables or 1)
    places = [(t + 1, s + 1) for t in range(tables) for s in range(each + (t < more))]
    return [
        {"entrant": entrant, "table": table, "seat": seat}
        for entrant, (table, seat) in zip(drawn, places)  # noqa: B905 - older Pythons
    ]


def check_shoe(shoe: Json) -> int:
    """Print each step of a tournament's shoe; return the exit status."""
    steps = shoe_steps(shoe)
    for step, holds in steps.items():
        print(f"{step}: {'OK' if holds else 'FAILED'}")
    print("Compare the seal with the entry event_seal of the public chain.")
    if not all(steps.values()):
        print("WRONG: a step failed")
        return 1
    print("PROVED" if shoe["mix"] else "NOT PROVED: the mix has not been published")
    return 0 if shoe["mix"] else 2


def failed(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    print(f"shoe: FAILED ({kind.__name__}: {error})")


if __name__ == "__main__":
    sys.excepthook = failed
    sys.exit(check_shoe(json.loads(Path(sys.argv[1]).read_text("utf-8"))))
