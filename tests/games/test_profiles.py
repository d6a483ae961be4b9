"""Profiles: drafted by one, told to a second, published by two, and followed from the next hand."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Profile, ProfileVersion, Table
from games.profiles import drafts, publishing, warnings
from games.profiles.differences import changed, content_of
from games.profiles.figures import Figure
from games.records.audit import Auditor
from tests.games import profiles
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.of_record import guards
from wallets.staff import approvals
from wallets.values.errors import Refused

State = ProfileVersion.State


@pytest.fixture
def mona(db: None) -> Player:
    return profiles.manager("mona")


@pytest.fixture
def max_(db: None) -> Player:
    return profiles.manager("max")


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return str(refused.value.code)


# Drafts


def test_a_profile_begins_with_a_draft_of_the_rules_as_they_are(mona: Player) -> None:
    version = profiles.draft(mona, "blackjack")
    assert (version.number, version.state, version.profile.game) == (1, "draft", "blackjack")
    assert version.options["hit_soft_17"] is False
    assert {"edition", "tournament", "jackpot_bp", "mystery_bp"}.isdisjoint(version.options)
    entry = JournalEntry.objects.get(verb="profile.add")
    assert (entry.actor_name, entry.subject) == ("mona", version.profile.reference)


def test_a_profile_that_cannot_be_is_refused(mona: Player) -> None:
    profiles.draft(mona)
    for name, game, currency, code in (
        ("Other", "whist", "PLAY", "no_such_game"),
        ("Other", "doudizhu", "ZZZ", "no_such_currency"),
        ("Club rules", "doudizhu", "PLAY", "profile_exists"),
    ):
        named = (mona, name, game, currency)
        work = lambda n=named: drafts.make_profile(*n, reason="x", now=timezone.now())  # noqa: E731
        assert code_of(work) == code
    assert Profile.objects.count() == 1


@pytest.mark.always
def test_the_second_of_two_operators_reads_what_the_first_has_changed(
    mona: Player, max_: Player
) -> None:
    seen = profiles.draft(mona)
    profiles.change(max_, seen, point=500)
    latest = ProfileVersion.objects.get(pk=seen.pk)
    profiles.change(max_, latest, decision_seconds=30)
    with pytest.raises(drafts.StaleDraft) as refused:
        profiles.change(mona, seen, point=200)
    assert refused.value.code == "draft_stale"
    lines = {(line.label, line.before, line.after) for line in refused.value.lines}
    assert lines == {("Value of a point", "1", "5"), ("Seconds per decision", "20 s", "30 s")}
    assert "max has changed this draft" in refused.value.sentence
    latest = ProfileVersion.objects.get(pk=seen.pk)
    assert (latest.options["point"], latest.revision) == (500, refused.value.revision)


def test_saving_without_a_change_writes_nothing(mona: Player) -> None:
    version = profiles.draft(mona)
    before = JournalEntry.objects.count()
    assert profiles.change(mona, version).revision == 1
    assert JournalEntry.objects.count() == before


@pytest.mark.always
def test_a_profile_has_one_draft_at_a_time(mona: Player, max_: Player) -> None:
    first = profiles.published(mona, max_, profiles.draft(mona))
    drafted = [
        drafts.begin_draft(player, first.pk, reason="x", now=timezone.now())
        for player in (mona, max_)
    ]
    assert drafted[0] == drafted[1]
    assert (drafted[0].number, drafted[0].based_on) == (2, first)
    drafts.discard(mona, drafted[0].pk, reason="not needed")
    assert not ProfileVersion.objects.filter(number=2).exists()


def test_only_managers_change_profiles(mona: Player) -> None:
    version = profiles.draft(mona)
    for group in ("floor", "cashiers", "auditors", "technicians"):
        player = Player.objects.create_user(group)
        appoint(player, group)
        actor = Player.objects.get(pk=player.pk)
        for work in (
            lambda one=actor: profiles.draft(one, name="Mine"),
            lambda one=actor: profiles.change(one, version, point=1),
            lambda one=actor: drafts.discard(one, version.pk, reason="x"),
            lambda one=actor: drafts.begin_draft(one, version.pk, reason="x", now=timezone.now()),
            lambda one=actor: profiles.proposed(one, version),
        ):
            assert code_of(work) == "not_allowed"


# Proposing


def test_nothing_is_proposed_before_it_is_reckoned(mona: Player) -> None:
    assert code_of(lambda: profiles.proposed(mona, profiles.draft(mona))) == "not_reckoned"


@pytest.mark.always
def test_a_warning_says_how_much_the_house_may_lose(mona: Player) -> None:
    """A sampled figure by its bound, so that chance does not hide it."""
    version = profiles.draft(mona, "blackjack")
    for figure, sentences in (
        (Figure("main", -0.0125), ["On average the house loses 1.25 of every 100 bet: main bet."]),
        (
            Figure("main", 0.01, 0.015, 100),
            ["The house may lose up to 2.00 of every 100 bet: main bet."],
        ),
        (Figure("main", 0.01, 0.001, 100), []),
        (Figure("rake_per_hand", -1.0), []),
    ):
        edges, *_others = warnings.checks(version, {figure.key: figure})
        assert [warned.sentence for warned in edges.found] == sentences


@pytest.mark.always
def test_options_that_no_longer_fit_are_not_proposed(mona: Player) -> None:
    """The bounds of an option may be narrower than when the draft was saved."""
    version = profiles.draft(mona)
    ProfileVersion.objects.update(options=version.options | {"point": 0})
    assert code_of(lambda: profiles.proposed(mona, version)) == "version_fault"


def test_a_change_after_the_reckoning_asks_for_another(mona: Player) -> None:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    version = profiles.change(mona, version, point=50)
    assert code_of(lambda: profiles.proposed(mona, version)) == "not_reckoned"


@pytest.mark.always
@pytest.mark.parametrize(
    ("game", "values", "figure", "code"),
    [
        ("doudizhu", {}, Figure("rake_per_hand", 5.0), "rake.bound"),
        ("blackjack", {}, Figure("bonus", -0.0956), "edge.bonus"),
        ("blackjack", {}, Figure("main", 0.001, 0.002, 100), "edge.main"),
        ("blackjack", {"rake_bp": 100}, Figure("main", 0.01), "rake.on_top"),
        ("doudizhu", {"point": 10_000, "rake_bp": 0}, Figure("main", 0), "stake.smallest_stack"),
        ("doudizhu", {"point": 10**9, "rake_bp": 0}, Figure("main", 0), "stake.every_stack"),
    ],
)
def test_a_warning_must_be_answered(
    mona: Player, game: str, values: dict[str, Any], figure: Figure, code: str
) -> None:
    version = profiles.change(mona, profiles.draft(mona, game), **values)
    profiles.reckoned(version, [figure])
    codes = ("rake.bound", "rake.on_top", "stake.smallest_stack", "stake.every_stack", code)
    others = {warning: "because" for warning in codes if warning != code}
    for answers in (others, others | {code: "   "}):
        assert (
            code_of(lambda a=answers: profiles.proposed(mona, version, answers=a)) == "unanswered"
        )
    proposal = profiles.proposed(mona, version, answers=others | {code: "a promotion"})
    version.refresh_from_db()
    assert version.state == State.PROPOSED
    assert version.answers[code] == "a promotion"
    assert "a promotion" in [line.after for line in approvals.describe(proposal)]


def test_a_proposal_shows_the_difference_and_the_figures(mona: Player, max_: Player) -> None:
    first = profiles.published(mona, max_, profiles.draft(mona, "blackjack"))
    draft = drafts.begin_draft(mona, first.pk, reason="x", now=timezone.now())
    draft = profiles.change(mona, draft, hit_soft_17=True)
    profiles.reckoned(draft, [Figure("main", 0.0048, 0.0004, 100)])
    proposal = profiles.proposed(mona, draft)
    lines = {(line.words, line.before, line.after) for line in approvals.describe(proposal)}
    lines = {line for line in lines if line[0] != "In force from"}
    assert lines == {
        ("Dealer on soft 17", "stands", "draws a card"),
        ("Figure: main bet", "1.00 %", "0.48 ± 0.04 %"),
    }


def test_a_proposed_version_is_not_changed_any_more(mona: Player, max_: Player) -> None:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    profiles.proposed(mona, version)
    assert code_of(lambda: profiles.change(max_, version, point=1)) == "no_draft"
    assert code_of(lambda: profiles.proposed(max_, version)) == "already_proposed"
    again = lambda: approvals.submit(  # noqa: E731 - past the service
        max_,
        "profile.publish",
        {"version": version.pk, "from": timezone.now().isoformat()},
        reason="x",
        key=uuid4(),
        now=timezone.now(),
    )
    assert code_of(again) == "already_proposed"


def test_the_database_keeps_what_was_proposed(mona: Player) -> None:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    profiles.proposed(mona, version)
    rows = ProfileVersion.objects.filter(pk=version.pk)
    edits: tuple[dict[str, Any], ...] = (
        {"options": {"point": 1}},
        {"table_settings": {}},
        {"number": 9},
        {"answers": {"edge.main": "forged"}},
        {"state": "draft"},
    )
    for edit in edits:
        with pytest.raises(DatabaseError, match="it was proposed"), transaction.atomic():
            rows.update(**edit)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.delete()
    assert not guards.missing()


def test_a_published_version_remains_until_it_is_retired(mona: Player, max_: Player) -> None:
    version = profiles.published(mona, max_, profiles.draft(mona))
    rows = ProfileVersion.objects.filter(pk=version.pk)
    for edit in ({"state": "rejected"}, {"published_from": timezone.now()}):
        with pytest.raises(DatabaseError, match="it was proposed"), transaction.atomic():
            rows.update(**edit)
    rows.update(state="retired")
    with pytest.raises(DatabaseError, match="it was proposed"), transaction.atomic():
        rows.update(state="published")


# Deciding


@pytest.fixture
def waiting(mona: Player) -> Proposal:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    return profiles.proposed(mona, version)


def test_the_maker_cannot_approve(waiting: Proposal, mona: Player) -> None:
    work = lambda: approvals.approve(mona, waiting.pk, reason="x", now=timezone.now())  # noqa: E731
    assert code_of(work) == "own_proposal"


def test_a_proposal_is_approved_once(waiting: Proposal, max_: Player) -> None:
    approvals.approve(max_, waiting.pk, reason="x", now=timezone.now())
    for decide in (approvals.approve, approvals.reject):
        work = lambda d=decide: d(max_, waiting.pk, reason="x", now=timezone.now())  # noqa: E731
        assert code_of(work) == "proposal_decided"
    assert ProfileVersion.objects.get().state == State.PUBLISHED


def test_an_expired_proposal_is_not_approved_and_another_draft_may_begin(
    waiting: Proposal, mona: Player, max_: Player
) -> None:
    late = waiting.expires_at + timedelta(seconds=1)
    work = lambda: approvals.approve(max_, waiting.pk, reason="x", now=late)  # noqa: E731
    assert code_of(work) == "proposal_expired"
    assert approvals.expire_due(late) == 1
    version = ProfileVersion.objects.get()
    assert version.state == State.REJECTED
    assert drafts.begin_draft(mona, version.pk, reason="x", now=late).number == 2


def test_a_rejected_version_remains_as_proposed(waiting: Proposal, max_: Player) -> None:
    approvals.reject(max_, waiting.pk, reason="too dear", now=timezone.now())
    assert ProfileVersion.objects.get().state == State.REJECTED


@pytest.mark.parametrize(("who", "code"), [("mona", "maker_lost_role"), ("max", "not_approver")])
def test_a_role_that_was_taken_away_in_between(
    waiting: Proposal, mona: Player, max_: Player, who: str, code: str
) -> None:
    appoint(Player.objects.get(username=who), "floor")
    work = lambda: approvals.approve(max_, waiting.pk, reason="x", now=timezone.now())  # noqa: E731
    assert code_of(work) == code
    assert ProfileVersion.objects.get().state == State.PROPOSED


def test_arguments_that_make_no_sense(mona: Player) -> None:
    version, day = profiles.draft(mona).pk, "2026-01-01T00:00:00+00:00"
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "no_such_version"),
        ({"version": str(version), "from": day}, "no_such_version"),
        ({"version": 10**30, "from": day}, "no_such_version"),
        ({"version": version}, "from_unreadable"),
        ({"version": version, "from": "tomorrow"}, "from_unreadable"),
        ({"version": version, "from": "2026-13-01T00:00:00+00:00"}, "from_unreadable"),
        ({"version": version, "from": "2026-01-01T00:00:00"}, "from_unreadable"),
        ({"version": version, "from": day}, "not_proposed"),
    )
    for given, code in cases:
        work = lambda a=given: approvals.submit(  # noqa: E731
            mona, "profile.publish", a, reason="x", key=uuid4(), now=timezone.now()
        )
        assert code_of(work) == code, given


def test_nothing_is_published_more_than_a_year_ahead(mona: Player) -> None:
    version = profiles.draft(mona)
    profiles.reckoned(version)
    late = timezone.now() + timedelta(days=400)
    assert code_of(lambda: profiles.proposed(mona, version, late)) == "too_far_ahead"


def test_what_a_new_version_replaces_is_retired(mona: Player, max_: Player) -> None:
    """A version that was to come later is, at once; the one in force when another has followed."""
    now = timezone.now()
    first = profiles.published(mona, max_, profiles.draft(mona))

    def another(start: Any) -> ProfileVersion:
        draft = drafts.begin_draft(mona, first.pk, reason="x", now=now)
        return profiles.published(mona, max_, draft, start)

    later = another(now + timedelta(days=2))
    sooner = another(now + timedelta(days=1))
    later.refresh_from_db()
    assert (later.state, sooner.state) == (State.RETIRED, State.PUBLISHED)
    first.refresh_from_db()
    assert first.state == State.PUBLISHED


# Tables


def stakes(table: Table) -> int:
    hand = Hand.objects.filter(table=table).latest("pk")
    point: int = hand.options["point"]
    return point


def test_a_table_follows_from_its_next_hand_until_it_leaves(
    house: House, mona: Player, max_: Player
) -> None:
    """A hand keeps the rules under which it was dealt; pages and the audit say which they are."""
    table = house.dealt_in("chinese_poker", "alice", "bob")
    alice = client_of(house.person("alice"))

    def read() -> list[str]:
        return [alice.get(f"/tables/{table.pk}/{part}").text for part in ("", "rules/")]

    before, running = read(), Hand.objects.get()
    version = profiles.change(
        mona, profiles.draft(mona, "chinese_poker"), point=323, pause_seconds=9
    )
    version = profiles.published(mona, max_, version)
    profiles.following(table, version.profile)
    house.now = max(house.now, timezone.now())
    running.refresh_from_db()
    assert (running.options["point"], running.profile_version) == (100, None)
    house.until(table, lambda table: Hand.objects.count() == 2)
    assert stakes(table) == 323
    followed = Hand.objects.latest("pk")
    assert followed.profile_version == version
    table.refresh_from_db()
    assert (table.pause_seconds, table.profile_version) == (9, version)
    running.refresh_from_db()
    assert (running.options["point"], running.profile_version) == (100, None)
    for then, now in zip(before, read(), strict=True):
        assert re.search(r"\b3\.23\b", now)
        assert not re.search(r"\b3\.23\b", then)
    # A table that leaves its profile keeps what it has.
    Table.objects.update(profile=None)
    house.until(table, lambda table: Hand.objects.count() == 3)
    assert stakes(table) == 323
    assert Hand.objects.latest("pk").profile_version is None
    assert house.total() == 0
    # No hand loses its version unseen.
    assert [hand.findings for hand in Auditor().hands([followed.pk])] == [[]]
    Hand.objects.filter(pk=followed.pk).update(profile_version=None)
    (wrong,) = Auditor().hands([followed.pk])
    assert wrong.findings == ["what the house keeps beside its record is not what it was"]


@pytest.mark.always
def test_a_version_is_followed_from_its_day_and_hour(
    house: House, mona: Player, max_: Player
) -> None:
    house.now = timezone.now()
    table = house.table("doudizhu")
    draft = profiles.change(mona, profiles.draft(mona), point=300)
    start = house.now + timedelta(hours=1)
    version = profiles.published(mona, max_, draft, start)
    profiles.following(table, version.profile)
    assert publishing.follow_due(start - timedelta(seconds=1)) == 0
    assert publishing.follow_due(start) == 1
    house.now = start
    house.until_due(table)
    assert table.options["point"] == 300
    assert publishing.follow_due(start) == 0


def test_a_version_with_fewer_boxes_than_a_table_has_seats_is_refused(
    house: House, mona: Player, max_: Player
) -> None:
    first = profiles.published(mona, max_, profiles.draft(mona, "blackjack"))
    table = profiles.following(house.table("blackjack", places=6), first.profile)
    draft = drafts.begin_draft(mona, first.pk, reason="x", now=timezone.now())
    draft = profiles.change(mona, draft, boxes=5)
    profiles.reckoned(draft)
    assert code_of(lambda: profiles.proposed(mona, draft)) == "no_room"
    Table.objects.filter(pk=table.pk).update(places=5)
    proposal = profiles.proposed(mona, draft)
    Table.objects.filter(pk=table.pk).update(places=6)
    work = lambda: approvals.approve(max_, proposal.pk, reason="x", now=timezone.now())  # noqa: E731
    assert code_of(work) == "no_room"


# Differences


def test_a_difference_says_what_it_means(mona: Player) -> None:
    version = profiles.draft(mona, "blackjack")
    before = content_of(version)
    after = content_of(
        profiles.change(mona, version, hit_soft_17=True, max=30_000, decision_seconds=15)
    )
    lines = {difference.label: difference for difference in changed(before, after)}
    assert set(lines) == {"Dealer on soft 17", "Largest bet", "Seconds per decision"}
    assert lines["Dealer on soft 17"].effect.endswith("Players win less often.")
    assert (lines["Largest bet"].before, lines["Largest bet"].after) == ("1,000", "300")
    assert changed(after, after) == []


@pytest.mark.django_db(transaction=True)
def test_idle_tables_follow_apart_from_the_verb_that_publishes(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """They follow after its commit, when its entry proves nothing more: by a verb of their own."""
    mona, max_ = profiles.manager("mona"), profiles.manager("max")
    version = profiles.draft(mona, "chinese_poker")
    table = profiles.following(house.table("chinese_poker"), version.profile)
    version = profiles.published(mona, max_, version)
    table.refresh_from_db()
    assert table.coming_rules is not None
    assert table.coming_rules.profile_version == version
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
