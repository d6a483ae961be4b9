"""What staff do with an event: each verb once, with a reason, in the journal."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Table
from tests.games.house import MONEY
from tests.tournaments.events import Event, structure
from tests.tournaments.test_duplicate import duplicate
from tests.tournaments.test_entering import code_of
from tests.tournaments.test_knock_out import QUICK, knock_out
from tournaments.audit import whole as audit
from tournaments.models import Elimination, Entry, HandEnded, Schedule, Tournament
from tournaments.running import announcing, control, staff_verbs
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import approvals

pytestmark = pytest.mark.django_db(transaction=True)

LEVELS = [{"point": 10, "seconds": 60}, {"point": 20, "seconds": 60}, {"point": 500}]
WHY = "the lights went out"


def member(event: Event, name: str = "sam", group: str = "managers") -> Player:
    appoint(event.house.player(name), group)
    return Player.objects.get(username=name)


def submit(event: Event, who: Player, verb: str, **arguments: Any) -> approvals.Submitted:
    return approvals.submit(who, verb, arguments, reason=WHY, key=uuid4(), now=event.house.now)


def is_dealt(event: Event) -> bool:
    return Table.objects.filter(phase="play").exists()


def test_a_pause_stops_clock_and_deals_and_nothing_else(event: Event) -> None:
    event.open(structure(levels=LEVELS), 2)
    event.until(lambda: is_dealt(event))
    sam, now = member(event), event.house.now
    left = event.row.level_ends_at
    assert left is not None
    control.pause(sam, event.number, WHY, now)
    assert code_of(lambda: control.pause(sam, event.number, WHY, now)) == "already_paused"
    event.until(lambda: not is_dealt(event))
    hands = event.hands()
    while event.next_time() is not None:
        event.step()
    assert (event.hands(), is_dealt(event)) == (hands, False)
    event.house.pass_time(3_600)
    control.resume(sam, event.number, WHY, event.house.now)
    assert event.row.level_ends_at == event.house.now + (left - now)
    assert code_of(lambda: control.resume(sam, event.number, WHY, now)) == "not_paused"
    event.until(lambda: event.hands() > hands)
    event.check()
    verbs = JournalEntry.objects.filter(subject=event.row.reference).order_by("position")
    assert list(verbs.values_list("verb", "actor", "reason")) == [
        ("tournament.pause", f"player:{sam.pk}", WHY),
        ("tournament.resume", f"player:{sam.pk}", WHY),
    ]


FAST = QUICK | {"field_min": 3, "knock_out": {"line_points": 9, "until": 2}}
ROUNDS = {
    "deals": duplicate(table_size=2, field_min=4, duplicate={"rounds": 1, "deals": 2}),
    "fixed rounds": knock_out("fixed", **FAST),
    "swiss rounds": knock_out("swiss", **FAST),
}


@pytest.mark.parametrize(
    "name", ["deals", "fixed rounds", pytest.param("swiss rounds", marks=pytest.mark.release)]
)
def test_a_pause_holds_up_rounds(event: Event, name: str) -> None:
    """What is dealt is played to its end; the next deal, hand or round comes after the pause."""
    event.open(ROUNDS[name], ROUNDS[name].field_min)
    event.until(lambda: event.row.round == 1 and is_dealt(event))
    sam = member(event)
    control.pause(sam, event.number, WHY, event.house.now)
    dealt = event.hands()
    while event.next_time() is not None:
        event.step()
    assert (event.hands(), is_dealt(event)) == (dealt, False)
    assert event.row.round == 1
    event.house.pass_time(3_600)
    control.resume(sam, event.number, WHY, event.house.now)
    event.play()
    event.check()
    assert event.row.state == Tournament.State.FINISHED
    # Two deals at two tables, or two rounds of two hands at one.
    assert HandEnded.objects.filter(round__in=(1, 2), void=False).count() == 4
    assert [str(finding) for finding in audit.audit([event.number])] == []


def test_whoever_does_not_run_tournaments_is_refused(event: Event) -> None:
    players = event.open(structure(levels=LEVELS), 2)
    event.until(event.is_running)
    ann, now = member(event, "ann", "auditors"), event.house.now
    for who in (ann, players[0]):
        assert code_of(lambda who=who: control.pause(who, event.number, WHY, now)) == "not_operator"
        cancel = lambda who=who: submit(event, who, "tournament.cancel", tournament=event.number)  # noqa: E731
        assert code_of(cancel) == "not_proposer"
    assert not JournalEntry.objects.exists()


def test_a_reason_is_needed(event: Event) -> None:
    event.open(structure(levels=LEVELS), 2)
    event.until(event.is_running)
    sam = member(event)
    assert code_of(lambda: control.pause(sam, event.number, " ", event.house.now)) == "reason"
    assert event.row.paused_at is None


def test_what_is_not_played_is_not_paused(event: Event) -> None:
    event.open(structure(levels=LEVELS), 2)
    sam, now = member(event), event.house.now
    for verb in (control.pause, control.resume, control.close_registration):
        assert code_of(lambda verb=verb: verb(sam, event.number, WHY, now)) == "not_running"


def test_a_disqualified_player_has_the_last_place_and_no_prize(event: Event) -> None:
    payouts = {"by": "percentage", "shares": [{"share": 4_000}, {"share": 3_000, "places": 2}]}
    levels = [{"point": 10, "hands": 1}, {"point": 1_000}]
    players = event.open(structure(levels=levels, payouts=payouts), 4)
    event.until(lambda: is_dealt(event))
    sam, now = member(event), event.house.now
    disqualify = lambda: control.disqualify(sam, event.number, players[0].pk, WHY, now)  # noqa: E731
    disqualify()
    assert code_of(disqualify) == "not_playing"
    # The hand that runs is played to its end.
    assert event.entry(players[0]).state == Entry.State.PLAYING
    dealt = event.hands()
    event.until(lambda: event.entry(players[0]).state == Entry.State.DISQUALIFIED)
    assert event.hands() == dealt
    event.play_closely()
    entry = event.entry(players[0])
    assert (entry.place, entry.prize) == (4, 0)
    row = Elimination.objects.get(why="disqualified")
    assert (row.entry, row.sequence) == (entry, 1)
    assert event.house.wallet(players[0]).balance == MONEY - 1_100


def test_late_registration_is_closed_by_hand(event: Event) -> None:
    event.open(structure(levels=LEVELS, late_registration_level=2, guarantee=5_000), 2)
    event.until(event.is_running)
    sam, now = member(event), event.house.now
    control.close_registration(sam, event.number, WHY, now)
    row = event.row
    assert (row.registration_open, row.added) == (False, 3_000)
    again = lambda: control.close_registration(sam, event.number, WHY, now)  # noqa: E731
    assert code_of(again) == "registration_closed"
    event.check()


# Cancelling.


def test_a_cancelled_event_gives_everything_back(event: Event) -> None:
    players = event.open(structure(levels=LEVELS, guarantee=9_000), 5)
    event.until(lambda: is_dealt(event))
    submit(event, member(event), "tournament.cancel", tournament=event.number)
    event.play()
    row = event.row
    assert (row.state, row.cancelled_why) == (Tournament.State.CANCELLED, WHY)
    assert {event.house.wallet(player).balance for player in players} == {MONEY}
    assert (row.stakes, row.fees, row.chips, event.chips()) == (0, 0, 0, 0)
    assert (row.prize_account.balance, row.fee_account.balance) == (0, 0)
    assert not Hand.objects.filter(status="live").exists()
    assert Hand.objects.filter(void_code="event_over").exists()
    assert set(Table.objects.values_list("status", "due_at")) == {("closed", None)}
    assert {entry.state for entry in Entry.objects.all()} == {Entry.State.REFUNDED}
    event.check()
    again = lambda: submit(event, event.house.person("sam"), "tournament.cancel", tournament=row.pk)  # noqa: E731
    assert code_of(again) == "tournament_over"


def test_real_money_is_given_back_with_a_second_person(event: Event) -> None:
    Currency.objects.filter(pk="PLAY").update(kind="money")
    players = event.people(2)
    event.announce(structure(stake=100_000, fee=0))
    event.enter(players)
    sam, mia = member(event), member(event, "mia", "managers")
    waiting = submit(event, sam, "tournament.cancel", tournament=event.number).proposal
    assert waiting is not None
    assert event.row.state == Tournament.State.ANNOUNCED
    approvals.approve(mia, waiting.pk, reason="yes", now=event.house.now)
    event.play()
    assert event.house.wallet(players[0]).balance == MONEY
    causes = JournalEntry.objects.filter(verb="tournament.cancel").values_list("cause", flat=True)
    assert list(causes) == [waiting.reference]


def test_a_proposal_about_an_event_that_has_begun_since_is_stale(event: Event) -> None:
    Currency.objects.filter(pk="PLAY").update(kind="money")
    event.announce(structure(stake=100_000, fee=0, levels=LEVELS))
    event.enter(event.people(2))
    sam, mia = member(event), member(event, "mia", "managers")
    waiting = submit(event, sam, "tournament.cancel", tournament=event.number).proposal
    assert waiting is not None
    event.until(event.is_running)
    approve = lambda: approvals.approve(mia, waiting.pk, reason="yes", now=event.house.now)  # noqa: E731
    assert code_of(approve) == "proposal_stale"


# Announcing and schedules.


def test_a_guarantee_of_real_money_is_announced_by_two(event: Event) -> None:
    event.announce(structure(guarantee=200_000))
    template = event.row.template
    Currency.objects.filter(pk="PLAY").update(kind="money")
    sam = member(event)
    starts_at = (event.house.now + timedelta(days=1)).isoformat()
    submitted = submit(event, sam, staff_verbs.ANNOUNCE, template=template.pk, starts_at=starts_at)
    assert submitted.proposal is not None
    assert Tournament.objects.count() == 1
    mia = member(event, "mia", "managers")
    approvals.approve(mia, submitted.proposal.pk, reason="yes", now=event.house.now)
    announced = Tournament.objects.latest("pk")
    assert announced.guarantee_account.balance == 200_000
    assert Proposal.objects.get().status == "approved"


def schedule(event: Event, **arguments: Any) -> Schedule:
    event.announce(arguments.pop("played"))
    submitted = submit(
        event, member(event), staff_verbs.SCHEDULE, template=event.row.template_id, **arguments
    )
    result = submitted.result
    assert isinstance(result, Schedule)
    return result


def test_a_recurring_schedule_announces_each_start_once(event: Event) -> None:
    first = event.house.now + timedelta(hours=2)
    made = schedule(
        event,
        played=structure(),
        kind="recurring",
        next_at=first.isoformat(),
        every_seconds=3_600,
        ahead_seconds=7_200,
    )
    for _ in range(3):
        announcing.run(event.house.now)
    assert [tournament.starts_at for tournament in made.tournaments.all()] == [first]
    # The house was away for hours: events that were not open for entry are skipped.
    event.house.pass_time(5 * 3_600 + 60)
    announcing.run(event.house.now)
    starts = sorted(
        tournament.starts_at for tournament in made.tournaments.all() if tournament.starts_at
    )
    assert starts == [first, first + timedelta(hours=4), first + timedelta(hours=5)]
    submit(event, event.house.person("sam"), staff_verbs.UNSCHEDULE, schedule=made.pk)
    event.house.pass_time(24 * 3_600)
    assert announcing.run(event.house.now) == 0


def test_a_sit_and_go_is_always_open_and_bots_fill_it(event: Event) -> None:
    from tests.tournaments.events import sit_and_go

    made = schedule(
        event,
        played=sit_and_go(seats=3, table_size=3, levels=[{"point": 1_000}]),
        kind="always_open",
        bots_after_seconds=20,
    )
    event.house.bots(4)
    announcing.run(event.house.now)
    announcing.run(event.house.now)
    (open_one,) = made.tournaments.all()
    event.number = open_one.pk
    person = event.people(1)[0]
    event.enter([person])
    announcing.run(event.house.now + timedelta(seconds=19))
    assert event.row.entrants == 1
    event.house.pass_time(20)
    announcing.run(event.house.now)
    assert event.row.entrants == 3
    announcing.run(event.house.now)
    assert made.tournaments.filter(state="announced").count() == 1
    event.play()
    event.check()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"kind": "sometimes"}, "schedule_kind"),
        ({"kind": "always_open"}, "schedule_kind"),
        ({"kind": "recurring"}, "schedule_kind"),
        ({"kind": "recurring", "next_at": "noon"}, "no_time"),
        ({"kind": "recurring", "next_at": "2026-03-01T12:00"}, "no_time"),
    ],
)
def test_a_schedule_has_to_fit_its_template(
    event: Event, arguments: dict[str, Any], code: str
) -> None:
    assert code_of(lambda: schedule(event, played=structure(), **arguments)) == code
