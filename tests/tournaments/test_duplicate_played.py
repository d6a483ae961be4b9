"""A duplicate event that has been played: its deals, match points, proofs and its audit."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.models import Hand, HandSeat, Shoe
from games.records import audit
from games.rules.shoe import ShoeProof
from games.rules.verifying import verify
from games.shoes import custody
from tests.rules.verdicts import holds
from tests.tournaments.events import Event, lasting
from tests.tournaments.test_duplicate import duplicate, hands_of, records_of
from tournaments.audit import whole as audit_of_tournaments
from tournaments.mathematics.match_points import deal_points
from tournaments.models import Bye, Deal, Entry, Tournament
from wallets.models import Account

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: Any) -> Iterator[Event]:
    """An event of four tables of two and one player more, played to its end."""
    with lasting(django_db_blocker, __name__) as event:
        event.open(duplicate(table_size=2, field_min=4), 9)
        event.play_closely()
        yield event


def test_every_table_holds_the_same_deals(played: Event) -> None:
    assert played.row.state == Tournament.State.FINISHED
    deals = list(Deal.objects.filter(tournament=played.number))
    assert [(deal.round, deal.number) for deal in deals] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    seen = set()
    for deal in deals:
        hands = hands_of(deal)
        assert len(hands) == 4
        cards = {custody.cards(hand.shoe)[: hand.cards_dealt] for hand in hands}
        assert len(cards) == 1
        seen |= cards
        assert len({str(hand.context) for hand in hands}) == 1
        assert {stake["purse"] for hand in hands for stake in hand.stakes} == {1_000}
        assert {hand.shoe.seal for hand in hands} == {deal.seal}
    assert len(seen) == len(deals)
    assert len(set(HandSeat.objects.values_list("net", flat=True))) > 1


@pytest.mark.always
def test_players_rank_by_the_match_points_of_all_deals(played: Event) -> None:
    points: dict[int, int] = {}
    won: dict[int, int] = {}
    for deal in Deal.objects.filter(tournament=played.number):
        rows = HandSeat.objects.filter(hand__shoe__deal=deal.code)
        results: dict[int, dict[int, int] | None] = {}
        who = {}
        for row in rows:
            (results.setdefault(row.table_id, {}) or results[row.table_id] or {})
            table = results[row.table_id]
            assert table is not None
            table[row.number] = row.net
            who[row.table_id, row.number] = row.player_id
            won[row.player_id] = won.get(row.player_id, 0) + row.net
        for at, gained in deal_points(results, range(1, 3)).items():
            points[who[at]] = points.get(who[at], 0) + gained
        (resting,) = Bye.objects.filter(tournament=played.number, round=deal.round)
        player = resting.entry.player_id
        points[player] = points.get(player, 0) + 3
    entries = list(Entry.objects.filter(tournament=played.number).order_by("place"))
    assert {entry.player_id: entry.points for entry in entries} == points
    assert {entry.player_id: entry.chips_won for entry in entries} == {
        entry.player_id: won.get(entry.player_id, 0) for entry in entries
    }
    due = sorted(entries, key=lambda entry: (-entry.points, -entry.chips_won, entry.drawn or 0))
    assert [entry.place for entry in due] == list(range(1, 10))
    # So they stood before the last deal.
    assert sorted(entry.place_before or 0 for entry in entries) == list(range(1, 10))
    byes = list(Bye.objects.filter(tournament=played.number).values_list("entry", flat=True))
    assert len(set(byes)) == 2


def test_its_hands_stand_up_to_the_audit(played: Event) -> None:
    hands = Hand.objects.filter(table__organiser=played.row.reference)
    assert [sentences for _hand, sentences in audit.audit(hands)] == [[]] * 16
    assert Shoe.objects.exclude(status=Shoe.Status.SPENT).count() == 0
    assert not Account.objects.filter(owner__startswith="seat:").exclude(balance=0).exists()


def test_the_stand_alone_verifier_proves_the_same_deal_at_four_tables(
    played: Event, tmp_path: Path
) -> None:
    deal = Deal.objects.get(tournament=played.number, round=2, number=1)
    records = records_of(played, tmp_path, deal)
    assert len(records) == 4
    assert len({str(record["cards"]) for record, _ in records}) == 1
    for record, lines in records:
        assert {"seal: OK", "lock: OK", "mix: OK", "deal: OK", "digest: OK"} <= set(lines)
        assert record["shoe"]["deal"]["round"] == 2
        assert len(record["shoe"]["deal"]["deals"]) == 4
        assert len(record["shoe"]["deal"]["entrants"]) == 9
        proof = msgspec.convert(record["shoe"], ShoeProof)
        assert verify(proof) == ()
    record = records[0][0]
    for name, value in (
        ("deal", 2),
        ("round", 1),
        ("event", "E1-000000"),
        ("sealed", "0" * 64),
        ("seal", "0" * 64),
        ("deals", record["shoe"]["deal"]["deals"][::-1]),
        ("entrants", record["shoe"]["deal"]["entrants"][1:]),
    ):
        forged = deepcopy(record)
        forged["shoe"]["deal"][name] = value
        assert not holds(tmp_path, forged), name
        assert verify(msgspec.convert(forged["shoe"], ShoeProof)), name


def test_the_audit_derives_points_and_places_from_the_deals(played: Event) -> None:
    assert [str(finding) for finding in audit_of_tournaments.since()] == []
    entry = Entry.objects.get(tournament=played.number, place=1)
    for column, code in (("points", "match_points"), ("chips_won", "match_chips")):
        value = getattr(entry, column)
        Entry.objects.filter(pk=entry.pk).update(**{column: value + 1})
        assert code in {finding.code for finding in audit_of_tournaments.since()}
        Entry.objects.filter(pk=entry.pk).update(**{column: value})
