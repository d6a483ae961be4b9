"""The options of every game as people type and read them, and the form that is made from them."""

from typing import Any

import msgspec
import pytest
from django.core.exceptions import ValidationError

from games.models import Profile
from games.profiles.differences import differences
from games.profiles.drafts import usual_settings
from games.profiles.option_form import DraftForm, OptionsField
from games.profiles.options import (
    CHOICES,
    DECIDED_ELSEWHERE,
    LABELS,
    defaults,
    options_of,
    read,
    show,
    write,
)
from games.rules.catalogue import GAMES, game_type
from games.tables.hand_state import game_from
from wallets.models import Currency
from wallets.values.errors import Refused

EURO = Currency(code="EUR", name="Euro", exponent=2)
YEN = Currency(code="JPY", name="Yen", exponent=0)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_every_game_has_words(game: str) -> None:
    structure: Any = game_type(game)
    fields = {field.name for field in msgspec.structs.fields(structure)}
    options = options_of(game)
    assert {option.name for option in options} == fields - DECIDED_ELSEWHERE
    for option in options:
        assert option.name in LABELS
        values = option.choices or ((True, False) if option.kind == "switch" else ())
        assert all((option.name, value) in CHOICES for value in values), option.name


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("currency", [EURO, YEN])
def test_what_is_written_reads_back_the_same(game: str, currency: Currency) -> None:
    values = defaults(game)
    for option in options_of(game):
        text = write(option, values[option.name], currency)
        assert read(option, text, currency) == values[option.name], option.name
    assert game_from(game, values) == game_from(game, {})


def option(game: str, name: str) -> Any:
    return next(option for option in options_of(game) if option.name == name)


@pytest.mark.always
@pytest.mark.parametrize(
    ("game", "name", "text", "value"),
    [
        ("doudizhu", "point", "1,200.50", 120_050),
        ("doudizhu", "point", " 7 ", 700),
        ("doudizhu", "rake_bp", "2.5", 250),
        ("doudizhu", "rake_bp", "5 %", 500),
        ("doudizhu", "rake_bp", "0", 0),
        ("baccarat", "max_tie", "", None),
        ("thirteen_fujian", "jokers", "2", 2),
        ("blackjack", "boxes", "5", 5),
        (
            "blackjack",
            "wheel_segments",
            "75 x 0, 25×2",
            [{"weight": 75, "multiple": 0}, {"weight": 25, "multiple": 2}],
        ),
    ],
)
def test_what_people_type_is_read(game: str, name: str, text: str, value: Any) -> None:
    assert read(option(game, name), text, EURO) == value


@pytest.mark.parametrize(
    ("game", "name", "text", "code"),
    [
        ("doudizhu", "point", "", "option_missing"),
        ("doudizhu", "point", "0", "option_bounds"),
        ("doudizhu", "point", "-5", "amount_unreadable"),
        ("doudizhu", "point", "5 EUR", "amount_unreadable"),
        ("doudizhu", "point", "0.001", "amount_unreadable"),
        ("doudizhu", "point", "9" * 16, "amount_bounds"),
        ("doudizhu", "point", "9" * 999, "option_too_long"),
        ("doudizhu", "point", "2000000000000", "option_bounds"),
        ("doudizhu", "rake_bp", "500 bp", "option_percent"),
        ("doudizhu", "rake_bp", "-1", "option_percent"),
        ("doudizhu", "rake_bp", "100.01", "option_bounds"),
        ("doudizhu", "rake_bp", "1.234", "option_percent"),
        ("doudizhu", "wings", "none", "option_choice"),
        ("blackjack", "boxes", "8", "option_bounds"),
        ("blackjack", "boxes", "2.5", "option_number"),
        ("blackjack", "hit_soft_17", "maybe", "option_choice"),
        ("blackjack", "wheel_segments", "75", "option_segments"),
        ("blackjack", "wheel_segments", "0 × 1", "option_segments"),
        ("blackjack", "wheel_segments", "1 × 99999", "option_segments"),
    ],
)
def test_what_makes_no_sense_is_refused(game: str, name: str, text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read(option(game, name), text, EURO)
    assert refused.value.code == code


def test_a_share_that_is_no_multiple_of_ten_keeps_both_digits() -> None:
    rake = option("doudizhu", "rake_bp")
    assert [show(rake, value, EURO) for value in (500, 250, 205, 5)] == [
        "5 %",
        "2.5 %",
        "2.05 %",
        "0.05 %",
    ]


# The form


def field(game: str, stored: dict[str, Any] | None = None, *, whole: bool = False) -> OptionsField:
    made = OptionsField(whole=whole)
    made.set_up(game, EURO, stored or {})
    return made


def test_a_table_stores_only_what_differs() -> None:
    made = field("doudizhu", {"point": 10, "tournament": False})
    raw = {"point": "1", "wings": "strict", "both_springs": "yes", "rake_bp": "5"}
    assert made.clean(raw) == {"point": 100, "tournament": False, "wings": "strict"}
    assert made.clean({}) == made.stored


def test_a_profile_stores_everything() -> None:
    assert field("doudizhu", whole=True).clean({"point": "2"}) == defaults("doudizhu") | {
        "point": 200
    }


def test_every_wrong_option_is_named() -> None:
    with pytest.raises(ValidationError) as wrong:
        field("blackjack").clean({"boxes": "9", "min": "x"})
    assert sorted(wrong.value.messages) == [
        "Boxes: Boxes is from 1 to 7.",
        "Smallest bet: x is not an amount.",
    ]


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
def test_the_form_shows_every_option_with_its_bounds(game: str) -> None:
    made = field(game)
    page = made.widget.render("options", None)
    for option in options_of(game):
        assert f'name="options-{option.name}"' in page
        assert f'for="id_options-{option.name}"' in page


@pytest.mark.parametrize("game", GAMES)
def test_a_first_draft_of_every_game_is_without_fault(game: str) -> None:
    profile = Profile(name="x", game=game, currency=EURO)
    settings: dict[str, Any] = usual_settings(game)
    form = DraftForm(profile, defaults(game), settings, 1)
    data = {
        "revision": "1",
        "reason": "x",
        **{
            name: str(value if not isinstance(value, bool) else "on")
            for name, value in settings.items()
            if value is not False
        },
        **{name: f"{settings[name] // 100}" for name in ("buy_in_min", "buy_in_max", "stack_min")},
    }
    form = DraftForm(profile, defaults(game), settings, 1, data)
    assert form.is_valid(), form.errors
    assert form.content == (defaults(game), settings)


@pytest.mark.always
@pytest.mark.parametrize(
    ("game", "data", "named"),
    [
        ("doudizhu", {"options-rake_bp": "10.01"}, "options"),
        ("blackjack", {"options-min": "100", "options-max": "99"}, "options"),
        ("blackjack", {"options-max_payout": "1"}, "options"),
        ("doudizhu", {"pause_seconds": "1"}, "pause_seconds"),
        ("doudizhu", {"decision_seconds": "-1"}, "decision_seconds"),
        ("doudizhu", {"decision_seconds": "99999999999"}, "decision_seconds"),
        ("doudizhu", {"buy_in_min": "900", "buy_in_max": "800"}, "buy_in_max"),
        ("doudizhu", {"stack_min": "60", "buy_in_min": "50"}, "stack_min"),
        ("doudizhu", {"buy_in_min": ""}, "buy_in_min"),
        ("doudizhu", {"bots_max": "x"}, "bots_max"),
        ("doudizhu", {"reason": ""}, "reason"),
        ("doudizhu", {"revision": ""}, "revision"),
    ],
)
def test_a_draft_that_contradicts_itself_is_refused(
    game: str, data: dict[str, str], named: str
) -> None:
    profile = Profile(name="x", game=game, currency=EURO)
    settings = usual_settings(game)
    usual = {name: str(value) for name, value in settings.items()} | {
        "buy_in_min": "50",
        "buy_in_max": "500",
        "stack_min": "10",
        "revision": "1",
        "reason": "x",
    }
    form = DraftForm(profile, defaults(game), settings, 1, usual | data)
    assert not form.is_valid()
    assert list(form.errors) == [named]


def test_differences_of_every_game_are_in_words() -> None:
    from games.profiles.differences import Content

    for game in GAMES:
        content = Content(game, EURO, defaults(game), usual_settings(game))
        assert all(
            difference.label and difference.after for difference in differences(None, content)
        ), game
        assert not any(difference.changed for difference in differences(content, content))
