"""Settlement lines as sentences: names for seats, money for amounts, the reader's language."""

from typing import Final

from django.utils.translation import gettext as _

from games.rules.messages import said, sentence_of
from games.rules.second_person import sentence_to, speaks_to_players
from games.rules.settlement import StoredLine
from games.words.naming import card_sign, term
from wallets.models import Currency
from wallets.values.amounts import show_amount

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
    template = sentence_of(line["key"]) if me is None else _sentence_to_me(line, me)
    if me is not None and speaks_to_players(line["key"]):
        names = names | {me: _("you")}
    values = {name: _value(name, value, currency) for name, value in line.get("values", {}).items()}
    seat = values.get("seat")
    if isinstance(seat, int):
        values["seat"] = names.get(seat, seat)
    source, target = (party_in_words(party, names) for party in (line["source"], line["target"]))
    return _(template).format(source=source, target=target, **values)


def _sentence_to_me(line: StoredLine, me: int) -> str:
    key, mine = line["key"], str(me)
    found = sentence_to(key, "seat") if line.get("values", {}).get("seat") == me else None
    if found is None and mine in (line["source"], line["target"]):
        found = sentence_to(key, "won" if line["target"] == mine else "lost")
    return found or sentence_of(key)


def _value(name: str, value: object, currency: Currency) -> object:
    if name in MONEY and isinstance(value, int):
        return show_amount(value, currency)
    if name == "card":
        return card_sign(str(value))
    if name in WORDS:
        return term(value)
    return said(name, value if isinstance(value, int) else str(value))


def party_in_words(party: str, names: dict[int, str]) -> str:
    """A party of a settlement line: a player's name, the house, its rake or a pool."""
    if party == "house":
        return _("the house")
    if party == "rake":
        return _("the rake")
    return names.get(int(party), party) if party.isdecimal() else term(party)
