"""The form of an event: every field of a structure, in whole units and in words.

Which fields it has follows from the kind of the event. What is wrong with the structure as a whole
is shown next to the field that it concerns.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.forms import CharField, ChoiceField, HiddenInput
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from games.profiles.options import share_text
from games.rules.errors import Unreadable
from games.words.naming import game_name
from games.words.refusals import sentence_of
from tournaments.mathematics.presets import has_banker
from tournaments.mathematics.prize_curve import PAID
from tournaments.mathematics.problems import problems
from tournaments.mathematics.structure import FIELD_MAX, GAMES, TABLE_SIZE_MAX, Structure
from tournaments.office.editor import rows
from tournaments.office.editor.rows import Data, GameOptionsField, TypedRow, WholeField
from tournaments.office.editor.texts import LENGTHS, MANNERS, PRIZE_WAYS, ROUNDS, SHAPES
from tournaments.office.editor.to_structure import Typed, Unready, read_rows, structure_of_form
from tournaments.overview.words import KINDS
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import AmountField
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import show_amount

LEVEL: Final = re.compile(r"\$\.levels\[([0-9]+)\]")
BREAK: Final = re.compile(r"\$\.breaks\[([0-9]+)\]")
# The longest path that a problem's path begins with names the field.
FIELDS: Final[dict[str, str]] = {
    "$.payouts": "prizes",
    "$.payouts.amounts": "amounts",
    "$.options": "options",
    "$.levels": "length_by",
    "$.reentries": "reentries_until",
    "$.add_on": "add_on_until",
    "$.knock_out": "line_points",
    "$.knock_out.until": "until",
    "$.rounds": "rounds_manner",
    "$.duplicate": "duplicate_rounds",
}


def field_of(path: str, levels: Sequence[TypedRow]) -> tuple[str, int | None]:
    """The field of a path, and which level it is about."""
    if level := LEVEL.match(path):
        number = int(level[1])
        return "length_by", number if number < len(levels) else None
    if paused := BREAK.match(path):
        after = [number for number, row in enumerate(levels) if row.texts["pause"].strip()]
        number = int(paused[1])
        return "length_by", after[number] if number < len(after) else None
    named = [start for start in FIELDS if path.startswith(start)]
    return FIELDS[max(named, key=len)] if named else path.removeprefix("$."), None


def said_of(problem: Unreadable, currency: Currency) -> str:
    """A problem as a sentence with figures as staff typed them."""
    if problem.code != "payouts_do_not_sum":
        return sentence_of(problem)
    total = int(str(problem.values["sum"]))
    if not problem.path.startswith("$.payouts.amounts"):
        return _("The shares add up to {sum} %, and must add up to 100 %.").format(
            sum=share_text(total)
        )
    pool = int(str(problem.values["pool"]))
    return _("The prizes add up to {sum}, and the pool is {pool}.").format(
        sum=show_amount(total, currency), pool=show_amount(pool, currency)
    )


CHIPS_MAX: Final = AMOUNT_MAX // FIELD_MAX
LEVELS_MAX: Final = 200
# The fields that only one kind of event has.
OF_KIND: Final[dict[str, tuple[str, ...]]] = {
    "freeze_out": (
        *("late_registration_level", "reentries_most", "reentries_until", "add_on_chips"),
        *("add_on_stake", "add_on_fee", "add_on_from", "add_on_until"),
    ),
    "knock_out": (
        *("line_points", "until", "rounds_manner", "rounds_count", "rounds_hands"),
        *("rounds_point", "rounds_chips", "carry_base", "carry_divide_by", "carry_most"),
    ),
    "duplicate": ("duplicate_rounds", "duplicate_deals", "duplicate_manner"),
}

# The fields that say more about a field, while that one is 0 or empty.
OF_FIELD: Final[dict[str, tuple[str, ...]]] = {
    "reentries_most": ("reentries_until",),
    "add_on_chips": ("add_on_stake", "add_on_fee", "add_on_from", "add_on_until"),
    "rounds_manner": tuple(
        name for name in OF_KIND["knock_out"] if name.startswith(("rounds_", "carry_"))
    )[1:],
}
# Other fields follow from what is chosen here, so a script fetches the form again.
DECISIVE: Final = ("kind", "game", "currency", "prizes", "length_by", *OF_FIELD)
AGAIN: Final = {"hx-post": "?part=form", "hx-target": "#event-editor", "hx-swap": "outerHTML"}


def _choice(label: Any, choices: Any, help_text: Any = "", **options: Any) -> ChoiceField:
    return ChoiceField(
        label=label,
        choices=choices,
        help_text=help_text,
        widget=UnfoldAdminSelectWidget,
        **options,
    )


def _amount(label: Any, help_text: Any = "") -> AmountField:
    return AmountField(label=label, help_text=help_text, least=0, initial=0)


class EventForm(ReasonForm):
    """A structure as staff type it. `structure` is what it says once the form has been cleaned."""

    name = CharField(
        label=_l("Name"),
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text=_l("Players see it. If the name exists, this becomes its next version."),
    )
    kind = _choice(_l("Kind"), KINDS)
    game = _choice(_l("Game"), [(key, game_name(key)) for key in GAMES])
    currency = _choice(
        _l("Currency"),
        (),
        error_messages={"invalid_choice": _l("The house has no such currency.")},
    )
    options = GameOptionsField(label=_l("Rules of the game"))

    field_min = WholeField(
        _l("Minimum players"), 2, FIELD_MAX, 8, _l("With fewer players the event is cancelled.")
    )
    field_max = WholeField(
        _l("Maximum players"), 2, FIELD_MAX, 100, _l("Players beyond this number are turned away.")
    )
    table_size = WholeField(_l("Seats at a table"), 2, TABLE_SIZE_MAX, 4)
    hand_for_hand = WholeField(
        _l("Hand for hand"),
        0,
        100,
        1,
        _l("Starts when this many players above the paid places are left. 0: never."),
    )

    stake = _amount(_l("Stake"), _l("Goes into the prize pool. 0: the event is free."))
    fee = _amount(_l("Fee"), _l("Goes to the house."))
    guarantee = _amount(
        _l("Guarantee"),
        _l("The house adds what the stakes lack; it is set aside on announcement."),
    )

    prizes = _choice(_l("Prizes are set"), PRIZE_WAYS)
    paid = _choice(
        _l("Paid"),
        [(str(paid), f"{paid} %") for paid in PAID],
        _l("Of all entries."),
        initial="15",
    )
    shape = _choice(_l("Shape"), SHAPES, initial="even")
    amounts = CharField(
        label=_l("Amounts"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_l("From the first place down, with semicolons between: 50; 30; 20."),
    )

    starting_chips = WholeField(_l("Starting chips"), 1, CHIPS_MAX, 2_000)
    length_by = _choice(_l("Levels are measured by"), LENGTHS)

    late_registration_level = WholeField(
        _l("Players can enter until the end of level"), 0, LEVELS_MAX, 0, _l("0: until the start.")
    )
    reentries_most = WholeField(_l("Re-entries of a player"), 0, 100, 0, _l("0: none."))
    reentries_until = WholeField(_l("Re-entries until the end of level"), 1, LEVELS_MAX, 1)
    add_on_chips = WholeField(_l("Chips of the add-on"), 0, CHIPS_MAX, 0, _l("0: no add-on."))
    add_on_stake = _amount(_l("Stake of the add-on"))
    add_on_fee = _amount(_l("Fee of the add-on"))
    add_on_from = WholeField(_l("Add-on from level"), 1, LEVELS_MAX, 1)
    add_on_until = WholeField(_l("Add-on until the end of level"), 1, LEVELS_MAX, 1)

    line_points = WholeField(
        _l("Line, in points"),
        0,
        1_000_000,
        15,
        _l("Multiplied by the point of the level. A player with fewer chips after a hand is out."),
    )
    until = WholeField(_l("Players left when the knock-out ends"), 2, FIELD_MAX, 12)
    rounds_manner = _choice(_l("Rounds after the knock-out"), ROUNDS, required=False)
    rounds_count = WholeField(_l("Rounds"), 1, 1_000, 3)
    rounds_hands = WholeField(_l("Hands in a round"), 1, 1_000, 3)
    rounds_point = WholeField(_l("Chips a point in the rounds"), 1, AMOUNT_MAX, 10)
    rounds_chips = WholeField(_l("New chips for the rounds"), 1, AMOUNT_MAX, 2_000)
    carry_base = WholeField(_l("Every player carries over"), 0, AMOUNT_MAX, 0)
    carry_divide_by = WholeField(
        _l("… and the chips divided by"), 1, AMOUNT_MAX, 20, _l("Rounded down.")
    )
    carry_most = WholeField(_l("… at most"), 0, AMOUNT_MAX, None, _l("Empty: no limit."))

    duplicate_rounds = WholeField(_l("Rounds"), 1, 100, 3)
    duplicate_deals = WholeField(_l("Deals in a round"), 1, 100, 8)
    duplicate_manner = _choice(_l("Seats of the rounds"), MANNERS)

    decision_seconds = WholeField(_l("Seconds to decide"), 5, 600, 20)
    betting_seconds = WholeField(_l("Seconds to bet"), 5, 600, 15)
    pause_seconds = WholeField(_l("Seconds between hands"), 2, 600, 5)

    def __init__(self, data: Data) -> None:
        super().__init__(data)
        self.structure: Structure | None = None
        currencies = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
        self.money = currencies.filter(pk=str(data.get("currency"))[:8].replace("\0", "")).first()
        fields: dict[str, Any] = dict(self.fields)
        fields["currency"].choices = [
            (currency.code, f"{currency.code} · {currency.name}") for currency in currencies
        ]
        for field in fields.values():
            if isinstance(field, AmountField):
                field.currency = self.money or field.currency
        self.game_key = self._one_of("game", GAMES)
        self.kind_key = self._one_of("kind", [kind for kind, _words in KINDS])
        fields["options"].set_up(self.game_key, self.money, {})
        for kind, names in OF_KIND.items():
            for name in names if kind != self.kind_key else ():
                del self.fields[name]
        for name in self._without_effect():
            self.fields[name].widget = HiddenInput()
        for name in DECISIVE:
            fields[name].widget.attrs |= AGAIN
        self.levels = rows.rows_of(data, rows.LEVEL_COLUMNS)
        self.shares = rows.rows_of(data, rows.PRIZE_COLUMNS)

    def _one_of(self, name: str, choices: Any) -> str:
        given = str(self.data.get(name))
        return given if given in choices else choices[0]

    def _without_effect(self) -> Iterator[str]:
        """Fields that change nothing about this event: they keep their values out of sight."""
        if self.kind_key == "sit_and_go":
            # It starts when its seats are taken, so its field has one size.
            yield from ("field_min", "hand_for_hand")
        if not self.is_banked:
            yield "betting_seconds"
        for name, others in OF_FIELD.items():
            if name in self.fields and str(self.data.get(name) or "0").strip() == "0":
                yield from others

    @property
    def is_banked(self) -> bool:
        return has_banker(self.game_key)

    @property
    def by_hands(self) -> bool:
        return bool(self.data.get("length_by") == "hands")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self.kind_key == "sit_and_go" and "field_max" in values:
            values["field_min"] = values["field_max"]
        typed = Typed(
            values=values,
            kind=self.kind_key,
            is_banked=self.is_banked,
            by_hands=self.by_hands,
            money=self.money,
            levels=self.levels,
            shares=self.shares,
        )
        if set(self.errors) - {"reason"}:
            # Errors in rows are reported, too.
            read_rows(typed)
            return values
        try:
            structure = structure_of_form(typed)
        except Unready as wrong:
            self._say(wrong.field, wrong.sentence)
            return values
        except Unreadable as wrong:
            self._say_problem(wrong)
            return values
        unreadables = problems(structure)
        for problem in unreadables:
            self._say_problem(problem)
        if not unreadables:
            self.structure = structure
        return values

    def _say_problem(self, problem: Unreadable) -> None:
        """Show each problem next to the level or field that it concerns."""
        field, number = field_of(problem.path, self.levels)
        sentence = said_of(problem, self.money or Currency())
        if number is None:
            self._say(field, sentence)
        elif sentence not in self.levels[number].errors:
            self.levels[number].errors.append(sentence)
            self._say(None, _("Correct the levels that are marked."))

    def _say(self, field: str | None, sentence: str) -> None:
        named = field if field in self.fields else None
        if sentence not in self.errors.get(named or "__all__", ()):
            self.add_error(named, sentence)
