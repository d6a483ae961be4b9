"""The rules' page of Dou Dizhu: the plays, and what doubles a hand."""

from typing import Final

from django.utils.translation import gettext as _

from games.boards.rule_tables import Example, Row, RuleTable, number
from games.rules.cards import parse_cards
from games.rules.doudizhu.actions import CALL_MAX
from games.rules.doudizhu.combinations import Kind
from games.rules.doudizhu.paying import Doubling, Worth
from games.words.naming import term

# In the order in which one learns them.
PLAYS: Final = {
    Kind.SINGLE: "3h",
    Kind.PAIR: "7s7d",
    Kind.TRIO: "9s9h9c",
    Kind.TRIO_SINGLE: "3s3h3c6d",
    Kind.TRIO_PAIR: "3s3h3c9d9s",
    Kind.STRAIGHT: "4s5h6d7c8s",
    Kind.PAIRS: "3s3d4h4c5s5h",
    Kind.AIRPLANE: "4s4h4d5s5h5c",
    Kind.AIRPLANE_SINGLES: "4s4h4d5s5h5c7d9c",
    Kind.AIRPLANE_PAIRS: "4s4h4d5s5h5c7d7c9s9h",
    Kind.FOUR_SINGLES: "5s5h5d5c3h8s",
    Kind.FOUR_PAIRS: "4s4h4d4c5s5h7d7c",
    Kind.BOMB: "6s6h6d6c",
    Kind.ROCKET: "BJRJ",
}


def examples() -> tuple[Example, ...]:
    return tuple(Example(term(kind), parse_cards(text)) for kind, text in PLAYS.items())


def winnings() -> tuple[RuleTable, ...]:
    doublings = {
        "bomb": (_("Each bomb"), ""),
        "rocket": (_("The rocket"), ""),
        "spring": (_("Spring"), _("the landlord wins, and neither farmer has played a card")),
        "anti_spring": (_("Anti-spring"), _("the landlord has played only once")),
    }
    rows = [
        Row(label, (f"×{Worth(1, 1, (Doubling(key, {}),)).points}",), note)
        for key, (label, note) in doublings.items()
    ]
    two = Worth(2, 1, (Doubling("bomb", {}), Doubling("rocket", {})))
    example = Row(_("Example: a call of 2, a bomb and the rocket"), (number(two.points),))
    call = Row(_("The call"), (f"1–{CALL_MAX}",))
    return (RuleTable(_("Points from or to each farmer"), (call, *rows, example)),)
