"""What a version does: exact figures, sampled ones with their error, and the rows of both."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from django.utils import timezone

from casino.accounts.models import Player
from games.models import Reckoning
from games.profiles import figures, reckoning, tasks
from games.profiles.figures import Figure, figure_text
from games.rules.baccarat.odds import exact_odds
from games.rules.blackjack import figures as blackjack
from games.rules.casino_holdem import figures as casino_holdem
from games.rules.catalogue import game_type
from games.rules.russian_poker import figures as russian_poker
from games.tables.hand_state import game_from
from tests.games import profiles
from tests.games.house import House
from wallets.models import Currency
from wallets.money import jackpots
from wallets.staff import claimed_rows

HANDS = 10
OF_A_ROUND = (figures.RAKE, figures.DECISIONS)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def quiet(_done: int) -> None:
    """The progress is not requested."""


def found(game: str, **options: Any) -> dict[str, Figure]:
    played = game_from(game, options)
    return {figure.key: figure for figure in figures.figures(played, 100_000, "seed", quiet)}


@cache
def usual(game: str) -> dict[str, Figure]:
    """The figures of a game without options, of which several tests say something."""
    return found(game)


def bets(game: str, **options: Any) -> dict[str, Figure]:
    """The figures of bets, without what is said of a round."""
    figures = found(game, **options)
    return {key: figure for key, figure in figures.items() if key not in OF_A_ROUND}


@pytest.fixture
def mona(db: None) -> Player:
    return profiles.manager("mona")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "HANDS", HANDS)
    monkeypatch.setattr(figures, "ROUNDS", 5)
    monkeypatch.setattr(figures, "EVERY", HANDS // 2)
    monkeypatch.setattr(casino_holdem, "CHUNK", 10)
    for module, samples in ((casino_holdem, 20), (russian_poker, 100)):
        monkeypatch.setattr(module, "SAMPLES", samples)


@pytest.mark.parametrize("game", ["baccarat", "baccarat_commission"])
def test_every_spot_of_baccarat_is_exact(few: None, game: str) -> None:
    played: Any = game_type(game)()
    edges = exact_odds(played, played.composition()).edges
    assert {key: (bet.mean, bet.error) for key, bet in bets(game).items()} == {
        spot: (float(edge), None) for spot, edge in edges.items()
    }


def test_insurance_at_blackjack_is_exact_and_the_bonus_is_what_the_options_say(
    few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blackjack, "edge_of", lambda game: 0.0027)
    plain = bets("blackjack", jackpot_bp=0, mystery_bp=0)
    assert plain["insurance"].mean == pytest.approx(1 - 3 * 96 / 311)
    third = bets("blackjack", jackpot_bp=0, mystery_bp=0, third_card="dealer_up")
    assert third["bonus"].mean < 0 < plain["bonus"].mean
    assert {figure.error for figure in third.values()} == {None}


@pytest.mark.parametrize("game", ["casino_holdem", "russian_poker"])
def test_a_sampled_edge_has_its_error_and_repeats(few: None, game: str) -> None:
    first, second = usual(game), found(game)
    assert first == second
    assert first["main"].error
    assert first["main"].samples == {"casino_holdem": 20, "russian_poker": 100}[game]
    assert first["bonus"].error is None


def test_hands_among_players_give_rake_and_decisions(few: None) -> None:
    taken = found("doudizhu", point=100)
    free = found("doudizhu", point=100, rake_bp=0)
    assert taken["rake_per_hand"].mean > 0 == free["rake_per_hand"].mean
    assert taken["decisions_per_hand"].mean > 10
    # All arrange at once: it is one wait.
    assert found("chinese_poker")["decisions_per_hand"].mean == 1


def test_a_round_against_the_house_has_its_length_and_its_rake(
    few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Betting is no decision: at baccarat none is left, at casino hold'em one, call or fold."""
    monkeypatch.setattr(blackjack, "edge_of", lambda game: 0.0027)
    known = {game: usual(game) for game in ("baccarat", "casino_holdem", "russian_poker")}
    known["blackjack"] = found("blackjack")
    lengths = {game: measures["decisions_per_hand"].mean for game, measures in known.items()}
    assert lengths["baccarat"] == 0
    assert lengths["casino_holdem"] == 1
    assert lengths["blackjack"] > 0.5
    assert lengths["russian_poker"] >= 1
    assert "rake_per_hand" not in known["baccarat"]
    once, twice = (found("baccarat", rake_bp=rate)["rake_per_hand"].mean for rate in (400, 800))
    assert twice == pytest.approx(2 * once, rel=0.1) != 0


def test_the_rake_of_a_sample_is_what_the_rules_take(few: None) -> None:
    """Twice the rate is twice the rake, but for what is rounded down."""
    once, twice = (
        found("thirteen_fujian", rake_bp=rate)["rake_per_hand"].mean for rate in (500, 1_000)
    )
    assert twice == pytest.approx(2 * once, rel=0.01)


def test_a_mean_has_the_error_of_a_mean() -> None:
    total = figures.Sum()
    for value in (1, 2, 3, 4):
        total.add(value)
    assert total.mean() == (2.5, pytest.approx((1.25 / 4) ** 0.5))


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure("main", 0.0027), "0.27 %"),
        (Figure("bonus", -0.0956), "−9.56 %"),
        (Figure("main", 0.0048, 0.0004, 10), "0.48 ± 0.04 %"),
        (Figure("rake_per_hand", 4_900.4, 28.7, 10), "49 ± 0.29"),
        (Figure("decisions_per_hand", 31.204, 0.1, 10), "31.20 ± 0.10"),
    ],
)
def test_a_figure_as_people_read_it(figure: Figure, text: str) -> None:
    assert figure_text(figure, Currency(code="EUR", exponent=2)) == text


# Rows


def test_one_content_is_reckoned_once(mona: Player) -> None:
    first = profiles.draft(mona)
    second = profiles.draft(mona, name="The same rules")
    assert reckoning.ask(first, NOW) == reckoning.ask(second, NOW)
    assert Reckoning.objects.count() == 1
    other = profiles.change(mona, second, point=5)
    assert reckoning.of_version(other) is None


def test_the_worker_fills_the_row(mona: Player, few: None) -> None:
    version = profiles.draft(mona, "baccarat")
    row = reckoning.ask(version, NOW)
    assert row.state == "waiting"
    assert tasks.reckon(row.pk)
    assert not tasks.reckon(row.pk)
    row.refresh_from_db()
    assert (row.state, row.done) == ("done", row.wanted)
    assert set(reckoning.figures_of(row)) == {
        "player", "banker", "tie", "player_pair", "banker_pair", "decisions_per_hand",
    }  # fmt: skip


def test_a_row_says_how_far_it_is_while_it_is_reckoned(
    mona: Player, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claimed_rows, "NOTED_EVERY", 0.0)
    row = reckoning.ask(profiles.draft(mona), NOW)
    seen = []

    def clock() -> datetime:
        seen.append(Reckoning.objects.get(pk=row.pk).done)
        return timezone.now()

    assert reckoning.run(row.pk, clock)
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= HANDS


@pytest.mark.always
def test_a_worker_that_fell_silent_loses_its_claim(mona: Player, few: None) -> None:
    row = reckoning.ask(profiles.draft(mona, "baccarat"), NOW)
    taken = Reckoning.objects.filter(pk=row.pk)
    taken.update(state="running", seen_at=NOW)
    assert not reckoning.run(row.pk, lambda: NOW + timedelta(seconds=59))
    assert reckoning.run(row.pk, lambda: NOW + timedelta(seconds=61))


def test_who_was_replaced_stores_nothing(
    mona: Player, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = reckoning.ask(profiles.draft(mona, "baccarat"), NOW)
    real: Callable[..., Any] = figures.figures

    def slow(*given: Any) -> Any:
        Reckoning.objects.filter(pk=row.pk).update(seen_at=NOW + timedelta(days=1))
        return real(*given)

    monkeypatch.setattr(figures, "figures", slow)
    assert not reckoning.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.figures) == ("running", [])


def test_a_reckoning_that_fails_says_so_and_may_begin_again(
    mona: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: Any) -> Any:
        raise ValueError("no such shoe")

    version = profiles.draft(mona, "baccarat")
    row = reckoning.ask(version, NOW)
    with monkeypatch.context() as patched:
        patched.setattr(figures, "figures", broken)
        assert not reckoning.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", "no such shoe")
    assert reckoning.ask(version, NOW).state == "waiting"
    assert reckoning.run(row.pk)


def test_what_the_jackpots_of_its_tables_get_is_counted(house: House, mona: Player) -> None:
    version = profiles.draft(mona, "casino_holdem")
    assert reckoning.game_of(version).jackpot_bp == 0  # type: ignore[attr-defined]
    table = profiles.following(house.table("casino_holdem", places=5), version.profile)
    for name, share in (("Small", 500), ("Large", 1_500)):
        table.jackpots.add(
            jackpots.create(name, "progressive", house.currency, actor="o", share_bp=share)
        )
    assert reckoning.game_of(version).jackpot_bp == 1_500  # type: ignore[attr-defined]
