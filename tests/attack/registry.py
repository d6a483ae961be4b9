"""All attacks, what each is against, and how one is carried out and written down."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

REFUSED: Final = "refused"
NOTICED: Final = "noticed"
BROKEN: Final = "BROKEN"

PARTS: Final = ("leaks", "fairness", "history", "money", "limits")

# What the house promises, by a short name; every promise is attacked at least once.
PROMISES: Final = {
    # Cards and secrets stay closed until their time
    "filters": "a list answers the lookups of its own filters alone, for every role",
    "lock": "bytes are shown under no lock but the one that was computed by who shows them",
    "at-rest": "nothing stored, sent, logged or exported tells what is hidden",
    "leaving": "leaving before the lock withholds nothing, and no seat is blamed for a void",
    "withholding": "who sees all other reveals first gains less than one bit in sixteen shoes",
    "heads": "heads that were published stand, for everybody to keep",
    "moves": "a reader of moves in the back office sees no hidden card, unless it is noted",
    "tickets": "a stream shows a seat's part to its player alone, and opens for a minute",
    "quiet": "no player speaks of cards while a hand runs that forbids it",
    # Every edit is noticed
    "deleted-hands": "a deleted hand is missed, also with all its rows",
    "edited-moves": "a move that is changed is noticed, where the money is the same too",
    "edited-rows": "who played, with what, when, and as which hand cannot be changed",
    "chain": "the public chain is neither cut nor written anew",
    "secrets": "the secret of a shoe is not replaced",
    "places": "a hand does not move within its shoe",
    "damage": "a damaged row is a finding, and the audit goes on behind it",
    "mending": "no day is made anew from hands that the chain contradicts",
    "ledger": "every posting has its hand, and every amount its history",
    "records": "a falsified record is not proved",
    # Money and people
    "welcome": "play money is given once, to page and program alike",
    "true-actors": "every posting says who made it and why",
    "jackpots": "no form moves money into a pool without a bound, a reason and a name",
    "settings": "no table has an unexpected rake or stakes",
    "one-source": "a table's rules page, its record and its pools say the same",
    "staff": "those who work for the house do not play in it",
    "own-seat": "who sits down again keeps the new seat",
    "leaving-seat": "who has nothing at stake leaves at once; who has a stake leaves it",
    "boxes": "no player takes the box that another one needs",
    "edges": "no table gives away money without a second yes",
    "turns": "one acts in one's own turn, once, with money that one has",
    # Staying up
    "broker": "tables go on without Redis, and nothing ends of its loss",
    "headers": "who never finishes a request is shown out",
    "addresses": "only the house's proxy states a client's address",
    "sign-ups": "one address brings so many players a day and no more",
    "connections": "counting costs no connection a request",
    "commands": "auditors' commands find the house in its folder",
    "readiness": "the alarm hears of a part that does not work",
    "odd-input": "what means nothing is refused once, without a traceback",
    "passwords": "no log holds what was typed, and a sign-in is one line",
    "left-behind": "nothing of a house is left running when it is killed",
}


class Outcome(NamedTuple):
    verdict: str
    what: str


def refused(what: str) -> Outcome:
    return Outcome(REFUSED, what)


def noticed(what: str) -> Outcome:
    return Outcome(NOTICED, what)


def broken(what: str) -> Outcome:
    return Outcome(BROKEN, what)


def unless(holes: Iterable[str], otherwise: Outcome) -> Outcome:
    """What held, unless there are holes: those are said first."""
    sentences = list(holes)
    return (
        broken("; ".join(sentences[:4]) + (" …" if len(sentences) > 4 else ""))
        if sentences
        else otherwise
    )


class Attack(NamedTuple):
    """An attack, and the promises that it tries to break."""

    name: str
    part: str
    against: tuple[str, ...]
    tried: str
    carry_out: Callable[[Any], Outcome]


ATTACKS: list[Attack] = []


def attack(part: str, name: str, tried: str, *against: str) -> Callable[[Any], Any]:
    """Put a function into the list; it is given the house, and answers what became of it."""
    assert part in PARTS
    assert against
    assert PROMISES.keys() >= set(against), against

    def listed(carry_out: Callable[[Any], Outcome]) -> Callable[[Any], Outcome]:
        ATTACKS.append(Attack(name, part, against, tried, carry_out))
        return carry_out

    return listed


def attempted(one: Attack, house: Any) -> Outcome:
    """The outcome; an attack that itself goes wrong has shown nothing, and is not passed over."""
    try:
        return one.carry_out(house)
    except Exception as fault:
        where = traceback.extract_tb(fault.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        return broken(f"the attack itself failed: {type(fault).__name__}: {fault} ({place})")


def line(one: Attack, outcome: Outcome) -> str:
    what = " ".join(outcome.what.split())
    return f"{outcome.verdict:7}  {one.name}: {one.tried} -> {what}"


def chosen(word: str | None = None) -> Iterator[Attack]:
    """All attacks, those of a part, or those against a promise.

    They come in the order of the parts: what ends the house comes last.
    """
    for part in PARTS:
        for attack in ATTACKS:
            if attack.part == part and word in (None, part, *attack.against):
                yield attack
