"""What staff of a demonstration find: cases, the first day of the desk, and profiles.

The verbs of office and desk do the work, so that journal, approvals, receipts, tills and lists have
them. The shift stays open for the user who signs in as the cashier; that at another till was
closed, with a coin too few. The figures of the profiles take a worker minutes, so they are stored
beside this module (`python -m bench.club_rules`); those of other options are computed as always.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_noop as _n

from casino.office.alarms.condition_checks import check_rights
from casino.office.demonstration import residents
from casino.office.desk import cash, shifts
from casino.office.desk.models import Shift, Till
from casino.office.desk.verbs import OUTSIDE
from casino.office.players import verbs
from casino.office.players.models import Complaint, Flag
from games.models import HandSeat, Profile, Table
from games.profiles import drafts, publishing, reckoning, setting_up, warnings
from games.records import audit_house
from games.rules.catalogue import GAMES
from games.tables.demo import CURRENCY
from games.tables.table_rules import jackpots_of, settings_of
from games.words.naming import game_name
from wallets.audit import reconciliation
from wallets.audit.findings import report
from wallets.models.holders import player_reference
from wallets.staff import approvals
from wallets.values.days import ONE_DAY, day_of

DAYS: Final = timedelta(days=7)
# What players complained of, and the answer, if they have one.
COMPLAINTS: Final = (
    (
        "The clock played my hand although I had pressed a card in time.",
        "The press reached us two seconds after the deadline; the log was shown to the player.",
    ),
    ("I see a rake of 5 % on a hand that I won by one point. Is that right?", ""),
)
NOTES: Final = (
    "Asked at the desk for a printed statement of October; was shown where to find it.",
    "Plays most evenings at the same table and likes to be greeted by name.",
)
WATCHED: Final = "Two long nights in a row: say hello, and mention the limits."
TO_THE_VAULT: Final = 500_000
END_OF_DAY: Final = "more than the till needs tonight"


def make_cases(now: datetime) -> None:
    """Make them once, about players who have lost most, and let the nightly checks run."""
    if Complaint.objects.exists():
        return
    players: Any = get_user_model().objects
    floor, cashier = (players.get(username=name) for name in ("floor", "cashier"))
    for seat, (text, answer) in zip(_seats(), COMPLAINTS, strict=False):
        due = day_of(now + DAYS)
        code = seat.hand.code
        complaint = verbs.take_complaint(
            floor, seat.player_id, text, hand=code, due_on=due, now=now
        )
        if answer:
            verbs.answer_complaint(floor, complaint.pk, Complaint.Outcome.DISMISSED, answer, now)
    for seat, text in zip(_seats(), NOTES, strict=False):
        verbs.note(floor, seat.player_id, text, now)
        verbs.flag(floor, seat.player_id, Flag.Kind.WATCH, WATCHED, now)
    till = Till.objects.filter(is_vault=False).order_by("pk").first()
    if till is not None:
        # It waits for a manager.
        moved = {"source": till.pk, "target": cash.vault().pk, "currency": CURRENCY}
        transfer = moved | {"amount": TO_THE_VAULT}
        approvals.submit(
            cashier, "desk.transfer", transfer, reason=END_OF_DAY, key=uuid4(), now=now
        )


def check_all(now: datetime) -> None:
    """Run the checks of a night, so that the overview says what they found."""
    for name, findings in (
        ("audit", list(audit_house.audit_day(day_of(now) - ONE_DAY))),
        ("reconciliation", [finding.sentence for finding in reconciliation.reconcile(rows=True)]),
    ):
        report(name, len(findings), next(iter(findings), ""), now)
    check_rights(now)


def _seats() -> Iterator[HandSeat]:
    """The largest losses of different people."""
    seen: set[int] = set()
    lost = HandSeat.objects.filter(player__is_bot=False, player__is_staff=False, net__lt=0)
    for seat in lost.select_related("hand").order_by("net", "pk")[:50]:
        if seat.player_id not in seen:
            seen.add(seat.player_id)
            yield seat


TILL: Final = _n("Till 1")
OTHER_TILL: Final = _n("Till 2")
CLOSED: Final = "a coin fell behind the desk"
LACKING: Final = 200
OPENED: Final = _n("the desk opens")
PAID: Final = _n("cash at the desk")
VAULT: Final = 10_000_000
FLOAT: Final = 2_000_000
# What players pay in, one after the other; a payment below zero is paid out.
PAYMENTS: Final = (
    *(("alice", 50_000), ("bob", 20_000), ("carol", 35_000)),
    *(("dave", 80_000), ("bob", -10_000), ("alice", 15_000)),
)


def make_desk_day(now: datetime) -> None:
    """Work the day, in a house whose desk has never been open."""
    if Shift.objects.exists():
        return
    players: Any = get_user_model().objects
    people = {player.username: player for player in players.filter(is_bot=False)}
    operator, manager, cashier = (people[name] for name in ("operator", "manager", "cashier"))
    till, vault = shifts.add_till(operator, TILL, OPENED, now), cash.vault()

    def submit(member: Any, verb: str, arguments: Mapping[str, object], reason: str) -> None:
        """Do it, or propose it to the manager, who approves."""
        submitted = approvals.submit(member, verb, arguments, reason=reason, key=uuid4(), now=now)
        if submitted.proposal is not None:
            approvals.approve(manager, submitted.proposal.pk, reason=reason, now=now)

    def move(member: Any, source: int, target: Till, amount: int) -> None:
        ends = {"source": source, "target": target.pk}
        submit(member, "desk.transfer", ends | {"currency": CURRENCY, "amount": amount}, OPENED)

    move(operator, OUTSIDE, vault, VAULT)
    submit(cashier, shifts.OPEN, {"till": till.pk, "counted": {}}, OPENED)
    move(cashier, vault.pk, till, FLOAT)
    for name, amount in PAYMENTS:
        verb = "desk.deposit" if amount > 0 else "desk.withdrawal"
        payment = {"player": player_reference(people[name].pk), "till": till.pk}
        payment |= {"currency": CURRENCY, "amount": abs(amount)}
        submit(cashier, verb, payment, PAID)
    other = shifts.add_till(operator, OTHER_TILL, OPENED, now)
    submit(operator, shifts.OPEN, {"till": other.pk, "counted": {}}, OPENED)
    move(operator, vault.pk, other, FLOAT)
    counted = {CURRENCY: FLOAT - LACKING}
    submit(operator, shifts.CLOSE, {"till": other.pk, "counted": counted}, CLOSED)


NAME: Final = "Club rules, {game}"
MADE: Final = "rules of the club for all its tables"
READ: Final = "read and compared with the tables"
ANSWER: Final = "the custom of the club"
# The figures of the demonstration's tables, by game.
FIGURES: Final = Path(__file__).with_name("club_rules.json")


def make_profiles(now: datetime) -> None:
    """Publish each once, and let the tables of its game follow it."""
    players: Any = get_user_model().objects
    maker, checker = players.get(username="operator"), players.get(username="manager")
    for game, known in json.loads(FIGURES.read_text()).items():
        model = Table.objects.get(name=GAMES[game].table)
        name = NAME.format(game=game_name(game))
        if Profile.objects.filter(name=name).exists():
            continue
        version = drafts.make_profile(maker, name, game, CURRENCY, reason=MADE, now=now)
        options, settings = model.options, settings_of(model)
        given = (version.pk, version.revision, options, settings)
        version = drafts.save_draft(maker, *given, reason=MADE)
        if reckoning.digest_of_version(version) != known["digest"]:
            # The rules have changed since: the draft waits for its figures.
            continue
        reckoning.store(version, known["figures"], now)
        warned = warnings.warnings(version, reckoning.figures_of_version(version))
        answers = {warning.code: ANSWER for warning in warned}
        proposal = publishing.propose(
            *(maker, version.pk, version.revision, now, answers),
            reason=MADE, key=uuid4(), now=now,
        )  # fmt: skip
        approvals.approve(checker, proposal.pk, reason=READ, now=now)
        for table in filter(None, (model, residents.table_of(game))):
            wanted = {"table": table.pk, "profile": version.profile_id, "places": table.places}
            _change(maker, checker, wanted | {"jackpots": jackpots_of(table)}, now)


def _change(maker: Any, checker: Any, wanted: Mapping[str, object], now: datetime) -> None:
    submitted = approvals.submit(maker, setting_up.RULES, wanted, reason=MADE, key=uuid4(), now=now)
    assert submitted.proposal is not None, "the rules of a table change by two people"
    approvals.approve(checker, submitted.proposal.pk, reason=READ, now=now)
