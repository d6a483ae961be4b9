"""How a hand was settled, as sentences for one reader: their own lines, signed and grouped.

Against the house the groups are the boxes, among players the opponents, each with its total. The
wins and losses of other seats follow without signs; what moves between the house and its pools
concerns no seat and is left out. A box whose bets all came back has no line.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.bots.simulate import BONUS_KEYS
from games.rules.messages import said, sentence_of, sentence_to, speaks_to_players
from games.rules.settlement import StoredLine
from games.words.naming import card_sign, term
from wallets.models import Currency
from wallets.values.amounts import show_amount

# A settlement has no line for a push, so a bet without a line is one.

Part = Literal["main", "bonus", "insurance"]


class BoxBets(NamedTuple):
    main: int = 0
    bonus: int = 0
    insurance: int = 0


class PartResult(NamedTuple):
    """The win or loss of a bet; one that came back has done neither."""

    part: Part
    net: int


class BoxResult(NamedTuple):
    """A seat's win or loss in a box: the total, and by bet."""

    net: int
    parts: tuple[PartResult, ...]


def box_results(
    lines: Sequence[StoredLine], seat: int | None, bets: Mapping[int, BoxBets]
) -> dict[int, BoxResult]:
    """The results of a seat's boxes, once the round is settled."""
    won: dict[tuple[int, Part], int] = {}
    for line in lines:
        box = line.get("values", {}).get("box")
        sign = (line["target"] == str(seat)) - (line["source"] == str(seat))
        if box is not None and sign:
            of_bet = box, _part_of(line)
            won[of_bet] = won.get(of_bet, 0) + sign * int(line["amount"])
    return {box: _box_result(box, placed, won) for box, placed in bets.items()}


def _box_result(box: int, placed: BoxBets, won: Mapping[tuple[int, Part], int]) -> BoxResult:
    parts = tuple(PartResult(part, won.get((box, part), 0)) for part in _parts(placed))
    return BoxResult(sum(part.net for part in parts), parts)


def _parts(placed: BoxBets) -> Iterator[Part]:
    yield "main"
    if placed.bonus:
        yield "bonus"
    if placed.insurance:
        yield "insurance"


def _part_of(line: StoredLine) -> Part:
    key, bet = line["key"], line.get("values", {}).get("bet")
    if bet == "bonus" or key in BONUS_KEYS:
        return "bonus"
    return "insurance" if "insurance" in (bet, key.removesuffix("_won")) else "main"


class Reason(NamedTuple):
    """One line: a sentence, and what it moves; of the reader's own lines, what they get."""

    words: str
    amount: int


class Group(NamedTuple):
    """The reader's lines of one box or with one opponent; the title is empty for all others."""

    title: str
    total: int
    reasons: tuple[Reason, ...]


class SettlementView(NamedTuple):
    """The lines of a hand; a spectator has no groups and no total."""

    groups: tuple[Group, ...]
    total: int | None
    others: tuple[Reason, ...]


def settlement_view(
    lines: Sequence[StoredLine], me: int | None, names: dict[int, str], currency: Currency
) -> SettlementView:
    """The lines of a hand for the player of a seat, or for a spectator."""
    mine: dict[str, list[Reason]] = {}
    others = []
    for line in lines:
        words = sentence_of_line(line, names, currency, me)
        sign = (line["target"] == str(me)) - (line["source"] == str(me))
        if sign:
            mine.setdefault(_title(line, me, names), []).append(
                Reason(words, sign * line["amount"])
            )
        elif line["source"].isdecimal() or line["target"].isdecimal():
            others.append(Reason(words, line["amount"]))
    groups = tuple(
        Group(title, sum(reason.amount for reason in reasons), tuple(reasons))
        for title, reasons in sorted(mine.items(), key=lambda pair: not pair[0])
    )
    total = sum(group.total for group in groups) if groups else None
    return SettlementView(groups, total, tuple(others))


def _title(line: StoredLine, me: int | None, names: dict[int, str]) -> str:
    box = line.get("values", {}).get("box")
    if box is not None:
        return _("Box {box}").format(box=box)
    party = line["source"] if line["target"] == str(me) else line["target"]
    return names.get(int(party), party) if party.isdecimal() else ""


# A hand has up to sixty lines, each in a few forms.
SENTENCES_REMEMBERED: Final = 4096
# The values of lines that are amounts of money.
MONEY: Final = frozenset(("due", "most", "paid", "point", "pool", "stake", "won"))
# The values that are terms of the rules.
WORDS: Final = frozenset(("row", "winner", "loser", "natural", "bet", "combination"))


def sentence_of_line(
    line: StoredLine, names: dict[int, str], currency: Currency, me: int | None = None
) -> str:
    """One settlement line as a sentence, with names in place of seat numbers.

    A line that concerns the reader's own seat speaks to the reader.
    """
    values = tuple(
        (name, show_amount(value, currency) if name in MONEY and isinstance(value, int) else value)
        for name, value in line.get("values", {}).items()
    )
    parties = line["source"], line["target"]
    return _sentence(line["key"], parties, values, tuple(names.items()), me, get_language())


@lru_cache(SENTENCES_REMEMBERED)
def _sentence(
    key: str,
    parties: tuple[str, str],
    given: tuple[tuple[str, int | str], ...],
    players: tuple[tuple[int, str], ...],
    me: int | None,
    _language: str | None,
) -> str:
    """All who look at a result read most of its lines alike."""
    names = dict(players)
    about = dict(given).get("seat")
    template = sentence_of(key) if me is None else _sentence_to_me(key, parties, about, me)
    if me is not None and speaks_to_players(key):
        names[me] = _("you")
    values = {name: _value(name, value) for name, value in given}
    if isinstance(about, int):
        values["seat"] = names.get(about, about)
    source, target = (party_in_words(party, names) for party in parties)
    return _(template).format(source=source, target=target, **values)


def _sentence_to_me(key: str, parties: tuple[str, str], about: int | str | None, me: int) -> str:
    sentence = sentence_to(key, "seat") if about == me else None
    if sentence is None and str(me) in parties:
        sentence = sentence_to(key, "won" if parties[1] == str(me) else "lost")
    return sentence or sentence_of(key)


def _value(name: str, value: int | str) -> object:
    if name == "card":
        return card_sign(str(value))
    if name in WORDS:
        return term(value)
    # An amount of money is a text already.
    return value if name in MONEY else said(name, value)


def party_in_words(party: str, names: dict[int, str]) -> str:
    """A party of a settlement line: a player's name, the house, its rake or a pool."""
    if party == "house":
        return _("the house")
    if party == "rake":
        return _("the rake")
    return names.get(int(party), party) if party.isdecimal() else term(party)
