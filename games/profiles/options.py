"""The options of a game as its types declare them, how people write them, and their words.

Nothing about a game is repeated here: fields, bounds, choices and defaults are those of its struct.
People write amounts in whole units of a currency, shares in percent, and the segments of a wheel as
`75 × 2, 20 × 3`; stored are minor units, basis points and the rules' own JSON.
"""

import re
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from games.rules.catalogue import GAMES, game_type
from games.rules.contract import Amount
from games.rules.house.sides import Segment
from games.tables.settings import RAKE_BP_MAX
from wallets.models import Currency
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import amount_for_input, read_amount, show_amount
from wallets.values.errors import Refused

Words = str | Promise

LABELS: Final[dict[str, Words]] = {
    "min": _("Smallest bet"),
    "max": _("Largest bet"),
    "max_payout": _("Largest payment"),
    "rake_bp": _("Rake"),
    "bonus_min": _("Smallest bonus bet"),
    "bonus_max": _("Largest bonus bet"),
    "bonus_card": _("Bonus card"),
    "wheel": _("Wheel"),
    "lucky_game": _("Lucky game"),
    "wheel_segments": _("Segments of the wheel"),
    "lucky_prizes": _("Prizes of the lucky game"),
    "straight_flush_share_bp": _("Jackpot share of a straight flush"),
    "royal_share_bp": _("Jackpot share of a royal flush"),
    "boxes": _("Boxes"),
    "hit_soft_17": _("Dealer on soft 17"),
    "original_bets_only": _("Dealer's blackjack after doubling or splitting"),
    "insurance": _("Insurance"),
    "third_card": _("Third card of the bonus"),
    "spades_bp": _("Jackpot share of 7-7-7 of spades"),
    "suited_bp": _("Jackpot share of 7-7-7 in one suit"),
    "cut_percent": _("Cut card, percent of the shoe"),
    "shuffle_every_round": _("Shuffle"),
    "max_tie": _("Largest bet on a tie"),
    "max_pair": _("Largest bet on a pair"),
    "banker_note_literal": _("Banker's third card"),
    "cut_cards": _("Cards behind the cut card"),
    "bonus_card_count": _("Cards that count for the bonus card"),
    "max_insurance": _("Largest insurance"),
    "point": _("Value of a point"),
    "wings": _("Wings of an airplane"),
    "both_springs": _("Spring"),
    "table": _("Table of premiums"),
    "extra_point": _("Extra point"),
    "twelve": _("Twelve and one"),
    "residual_tie": _("Equal rows"),
    "bet_min": _("Smallest bet"),
    "bet_max": _("Largest bet"),
    "banker": _("The banker"),
    "banker_eats_ties": _("Equal rows against the banker"),
    "pure_dragon": _("Points of a dragon in one suit"),
    "prices": _("Prices of rows"),
    "jokers": _("Jokers"),
    "allow_foul": _("Rows out of order"),
    "all_big": _("Points of all big"),
    "all_small": _("Points of all small"),
    "one_colour": _("Points of all of one colour"),
    "double_full_house": _("Points of two full houses"),
    "four_trips": _("Points of four threes"),
    "trips_five_pairs": _("Points of five pairs and a three"),
}

HELP: Final[dict[str, Words]] = {
    "min": _("For each box or spot, in whole units."),
    "max": _("For each box or spot, in whole units."),
    "max_payout": _("Winnings of the main bets above it, in a box or at a spot, are not paid."),
    "rake_bp": _("In percent of a player's net win in a hand, rounded down for the player."),
    "wheel_segments": _("How often × how much, such as 75 × 0, 20 × 2."),
    "lucky_prizes": _("How often × how much, such as 60 × 2, 30 × 5."),
    "boxes": _("A table has no more seats than boxes."),
    "insurance": _("How much of the original bet can be insured."),
    "cut_percent": _("How much of the shoe is dealt before the cut card comes out."),
    "cut_cards": _("The round in which the cut card comes out is followed by one more."),
    "max_tie": _("Left empty: the largest bet."),
    "max_pair": _("Left empty: the largest bet."),
    "max_insurance": _("Left empty: the largest payment."),
    "point": _("In whole units."),
    "straight_flush_share_bp": _("In percent of the jackpot, not less than the printed table."),
    "royal_share_bp": _("In percent of the jackpot, not less than the printed table."),
    "spades_bp": _("In percent of the jackpot."),
    "suited_bp": _("In percent of the jackpot."),
    "bet_min": _("A punter's bet, in whole units."),
    "bet_max": _("A punter's bet, in whole units."),
}

# The words of a value where the rules' own name for it says too little.
CHOICES: Final[dict[tuple[str, object], Words]] = {
    ("hit_soft_17", True): _("draws a card"),
    ("hit_soft_17", False): _("stands"),
    ("original_bets_only", True): _("takes the original bet only"),
    ("original_bets_only", False): _("takes all bets"),
    ("insurance", "half"): _("up to half the stake"),
    ("insurance", "whole"): _("up to the whole stake"),
    ("third_card", "player"): _("the player's own, if drawn"),
    ("third_card", "dealer_up"): _("the dealer's first card"),
    ("shuffle_every_round", True): _("after every round"),
    ("shuffle_every_round", False): _("when the cut card is out"),
    ("banker_note_literal", True): _("by the letter of the note"),
    ("banker_note_literal", False): _("by the usual table"),
    ("wings", "literal"): _("any cards"),
    ("wings", "strict"): _("no rank twice, no bomb"),
    ("both_springs", True): _("a landlord who goes out at once doubles twice"),
    ("both_springs", False): _("a landlord who goes out at once doubles once"),
    ("table", "plain"): _("without premiums"),
    ("table", "bonus"): _("with premiums"),
    ("extra_point", "plain_tables"): _("at tables without premiums"),
    ("extra_point", "no_premium"): _("there, and where no premium is paid"),
    ("twelve", "colour"): _("of one colour"),
    ("twelve", "suit"): _("of one suit"),
    ("residual_tie", True): _("are a tie"),
    ("residual_tie", False): _("are decided by suits"),
    ("banker", "none"): _("nobody"),
    ("banker", "fixed"): _("the player who has sat longest"),
    ("banker", "rotating"): _("moves on with the button"),
    ("banker_eats_ties", True): _("the banker wins"),
    ("banker_eats_ties", False): _("nobody wins"),
    ("prices", "high"): _("high"),
    ("prices", "low"): _("low"),
    ("jokers", 0): _("none"),
    ("jokers", 2): _("two"),
    ("allow_foul", True): _("count as a foul"),
    ("allow_foul", False): _("are refused"),
    ("bonus_card", True): _p("a card", "drawn"),
    ("bonus_card", False): _("not drawn"),
    ("wheel", True): _("turns"),
    ("wheel", False): _("does not turn"),
    ("lucky_game", True): _("played"),
    ("lucky_game", False): _("not played"),
    ("hints_allowed", True): _("allowed"),
    ("hints_allowed", False): _("not allowed"),
}

# What a change to this value means to players and house.
EFFECTS: Final[dict[tuple[str, object], Words]] = {
    ("hit_soft_17", True): _(
        "The dealer draws on A-6 instead of standing. Players win less often."
    ),
    ("hit_soft_17", False): _(
        "The dealer stands on A-6 instead of drawing. Players win more often."
    ),
    ("original_bets_only", True): _(
        "A dealer's blackjack takes no doubled and no split stakes. Players lose less."
    ),
    ("original_bets_only", False): _(
        "A dealer's blackjack takes doubled and split stakes too. Players lose more."
    ),
    ("third_card", "dealer_up"): _(
        "678 and 777 are read with the dealer's card, so every hand has three."
    ),
    ("third_card", "player"): _("678 and 777 need a third card that the player draws."),
    ("insurance", "whole"): _("Same price, larger bets: the edge of the bet stays."),
    ("insurance", "half"): _("Same price, smaller bets: the edge of the bet stays."),
    ("shuffle_every_round", True): _("Cards cannot be counted; each round takes longer."),
    ("shuffle_every_round", False): _("Rounds follow faster; cards can be counted."),
    ("banker_note_literal", True): _("Banker draws more often than the usual table says."),
    ("banker_note_literal", False): _("Banker draws by the table that all houses use."),
    ("hints_allowed", True): _("Players may ask for strategy hints."),
    ("hints_allowed", False): _("Players get no strategy hints."),
}

# The same for numbers: what a larger value means, and a smaller one.
LARGER: Final[dict[str, tuple[Words, Words]]] = {
    "rake_bp": (_("Winners pay more."), _("Winners pay less.")),
    "point": (_("Every hand is about more money."), _("Every hand is about less money.")),
    "min": (_("Small bets are refused."), _("Smaller bets are accepted.")),
    "max": (_("Larger bets, larger swings."), _("Smaller bets, smaller swings.")),
    "max_payout": (_("Large wins are capped later."), _("Large wins are capped earlier.")),
    "cut_percent": (_("More rounds from a shoe."), _("Fewer rounds from a shoe.")),
    "cut_cards": (_("Fewer rounds from a shoe."), _("More rounds from a shoe.")),
    "boxes": (_("More boxes are open."), _("Fewer boxes are open.")),
    "decision_seconds": (_("Hands may take longer."), _("Hands go faster.")),
    "betting_seconds": (_("Rounds may take longer."), _("Rounds go faster.")),
    "pause_seconds": (_("Results are shown longer."), _("The next hand begins sooner.")),
    "buy_in_min": (_("It takes more to sit down."), _("It takes less to sit down.")),
    "buy_in_max": (_("Larger stacks may sit."), _("Only smaller stacks may sit.")),
    "stack_min": (_("Short stacks sit out earlier."), _("Shorter stacks are dealt in.")),
}


Kind = Literal["amount", "percent", "number", "choice", "switch", "segments"]

# Options that the table or the house decides: the newest edition, whether a tournament is played,
# and what its jackpots get of a bonus bet.
DECIDED_ELSEWHERE: Final = frozenset({"edition", "tournament", "jackpot_bp", "mystery_bp"})
SHARE: Final = re.compile(r"([0-9]{1,5})(?:\.([0-9]{1,2}))?\s*%?")
SEGMENT: Final = re.compile(r"([0-9]{1,4})\s*[x×*]\s*([0-9]{1,5})")
TEXT_MAX: Final = 400
# The house accepts less of an option than the rules can be played with.
MOST_HERE: Final = {"rake_bp": RAKE_BP_MAX}


class Option(NamedTuple):
    """One option: its kind, and what bounds it."""

    name: str
    kind: Kind
    least: int
    most: int
    choices: tuple[Any, ...]
    # Whether it may be left empty.
    optional: bool
    default: Any
    # The label and the help that the game declares for it.
    words: str = ""
    helped: str = ""

    @property
    def label(self) -> str:
        if self.words:
            return gettext(self.words)
        return str(LABELS.get(self.name, self.name.replace("_", " ")))

    @property
    def help(self) -> str:
        if self.helped:
            return gettext(self.helped)
        return str(HELP.get(self.name, ""))


def options_of(game: str) -> tuple[Option, ...]:
    """The options that an operator sets, in the order in which the rules declare them."""
    fields = msgspec.structs.fields(game_type(game))  # type: ignore[arg-type]
    return tuple(_option(game, field) for field in fields if field.name not in DECIDED_ELSEWHERE)


def _option(game: str, field: Any) -> Option:
    type_, meta = field.type, None
    arms = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    optional = NoneType in arms
    arms = tuple(arm for arm in arms if arm is not NoneType)
    choices: tuple[object, ...] = ()
    if all(get_origin(arm) is Literal for arm in arms):
        choices = tuple(value for arm in arms for value in get_args(arm))
    else:
        (type_,) = arms
        if hasattr(type_, "__metadata__"):
            meta, type_ = type_.__metadata__[0], type_.__origin__
    default = getattr(game_type(game)(), field.name)
    least = (meta.ge if meta else None) or 0
    most = MOST_HERE.get(field.name) or (meta.le if meta else None) or AMOUNT_MAX
    kind = _kind(field.name, type_, choices, arms)
    bounds = (least, most, choices, optional, default)
    labels, helps = GAMES[game].options, GAMES[game].options_help
    words = labels.get(field.name, ""), helps.get(field.name, "")
    return Option(field.name, kind, *bounds, *words)


def _kind(name: str, type_: object, choices: tuple[object, ...], arms: tuple[object, ...]) -> Kind:
    if choices:
        return "choice"
    if type_ is bool:
        return "switch"
    if Amount in arms or name == "point":
        return "amount"
    if name.endswith("_bp"):
        return "percent"
    return "number" if type_ is int else "segments"


def defaults(game: str) -> dict[str, object]:
    values = {option.name: option.default for option in options_of(game)}
    plain_values: dict[str, object] = msgspec.json.decode(msgspec.json.encode(values))
    return plain_values


def read(option: Option, text: str, currency: Currency) -> object:
    """Parse typed text into the type of the rules; raise `Refused` if it is wrong."""
    text = text.strip()
    if len(text) > TEXT_MAX:
        raise Refused("option_too_long", gettext("This is too long."))
    if not text and option.kind != "switch":
        if option.optional:
            return None
        raise Refused("option_missing", gettext("This field is required."))
    value = _READERS[option.kind](option, text, currency)
    if isinstance(value, int) and option.kind in ("amount", "percent", "number"):
        _require_bounds(option, value, currency)
    return value


def _require_bounds(option: Option, value: int, currency: Currency) -> None:
    if not option.least <= value <= option.most:
        raise Refused(
            "option_bounds",
            gettext("{label} is from {least} to {most}."),
            label=option.label,
            least=show(option, option.least, currency),
            most=show(option, option.most, currency),
        )


def _amount(option: Option, text: str, currency: Currency) -> int:
    return read_amount(text, currency, least=0)


def _percent(option: Option, text: str, _currency: Currency) -> int:
    written = SHARE.fullmatch(text)
    if not written:
        raise Refused(
            "option_percent",
            gettext("{text} is not a share in percent, such as 5 or 2.5."),
            text=text[:40],
        )
    whole, part = written.groups(default="")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def _number(option: Option, text: str, _currency: Currency) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Refused("option_number", gettext("{text} is not a whole number."), text=text[:40])
    return int(text)


def _choice(option: Option, text: str, _currency: Currency) -> object:
    for choice in option.choices:
        if str(choice) == text:
            return choice
    raise Refused("option_choice", gettext("{text} is not one of the choices."), text=text[:40])


def _switch(_option: Option, text: str, _currency: Currency) -> bool:
    if text not in ("", "on", "true", "yes", "no", "false"):
        raise Refused("option_choice", gettext("{text} is not one of the choices."), text=text[:40])
    return text in ("on", "true", "yes")


def _segments(_option: Option, text: str, _currency: Currency) -> list[dict[str, int]]:
    segments = []
    for part in text.split(","):
        written = SEGMENT.fullmatch(part.strip())
        if not written:
            raise Refused(
                "option_segments",
                gettext("{text} is not how often × how much, such as 75 × 2."),
                text=part.strip()[:40],
            )
        weight, multiple = map(int, written.groups())
        segments.append({"weight": weight, "multiple": multiple})
    try:
        msgspec.convert(segments, tuple[Segment, ...])
    except msgspec.ValidationError as reason:
        raise Refused("option_segments", str(reason)) from None
    return segments


_READERS: Final = {
    "amount": _amount,
    "percent": _percent,
    "number": _number,
    "choice": _choice,
    "switch": _switch,
    "segments": _segments,
}


def write(option: Option, value: object, currency: Currency) -> str:
    """A value as `read` reads it again."""
    if value is None:
        return ""
    if option.kind == "amount" and isinstance(value, int):
        return amount_for_input(value, currency)
    if option.kind == "percent" and isinstance(value, int):
        return share_text(value)
    if option.kind == "switch":
        return "on" if value else ""
    if option.kind == "segments" and isinstance(value, list):
        return ", ".join(f"{segment['weight']} × {segment['multiple']}" for segment in value)
    return str(value)


def show(option: Option, value: Any, currency: Currency) -> str:
    if value is None:
        return gettext("not set")
    if option.kind == "amount":
        return show_amount(value, currency)
    if option.kind == "percent":
        return f"{share_text(value)} %"
    if option.kind == "switch":
        return str(
            CHOICES.get((option.name, bool(value)), gettext("yes") if value else gettext("no"))
        )
    if option.kind == "choice":
        return str(CHOICES.get((option.name, value), str(value)))
    return write(option, value, currency)


def share_text(basis_points: int) -> str:
    whole, part = divmod(basis_points, 100)
    return f"{whole}.{part:02}".rstrip("0") if part else str(whole)


def words_of_choice(option: Option, choice: object) -> str:
    return str(CHOICES.get((option.name, choice), str(choice)))
