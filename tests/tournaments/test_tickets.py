"""Tickets: entered with, refused, given back and expired; every sum stays zero."""

from datetime import timedelta

import pytest
from django.db.models import Sum
from django.test import Client

from casino.accounts.models import Player
from tests.games.simultaneous import at_once
from tests.people import client_of
from tests.tournaments.events import Event, plain, structure
from tests.tournaments.test_control import member, submit
from tournaments.audit import whole as audit
from tournaments.models import Entry, Template, Ticket
from tournaments.running import entries, giving
from wallets.models import Account, Transaction
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)

COST = 1_100


def given(event: Event, player: Player, what: str = "a test") -> Ticket:
    template = Template.objects.select_related("currency").filter(name="Evening").latest("version")
    return giving.give(
        player.pk, giving.admits(template), source="test", what=what, now=event.house.now
    )


def announced(event: Event, count: int = 1) -> list[Player]:
    event.announce(structure(field_min=2))
    return event.people(count)


def enter(event: Event, player: Player) -> Entry:
    return entries.register_with_ticket(player, event.number, event.house.now)


def refused(event: Event, player: Player) -> str:
    with pytest.raises(Refused) as error:
        enter(event, player)
    return error.value.code


def promotions() -> int:
    rows = Account.objects.filter(kind=Account.Kind.PROMOTION, currency="PLAY")
    return rows.aggregate(sum=Sum("balance"))["sum"] or 0


def check(event: Event) -> None:
    assert not [str(finding) for finding in audit.audit([event.number])]
    assert Account.objects.aggregate(sum=Sum("balance"))["sum"] == 0


@pytest.mark.always
def test_a_ticket_pays_the_entry_and_comes_back(event: Event) -> None:
    (player,) = announced(event)
    ticket, before = given(event, player), promotions()
    wallet = event.house.wallet(player).balance
    entry = enter(event, player)
    assert (entry.ticket_paid, entry.own_cost) == (COST, 0)
    assert event.house.wallet(player).balance == wallet
    assert promotions() == before - COST
    ticket.refresh_from_db()
    assert ticket.entry == entry
    check(event)
    entries.unregister(player, event.number, event.house.now)
    ticket.refresh_from_db()
    assert ticket.entry is None
    assert (promotions(), event.house.wallet(player).balance) == (before, wallet)
    check(event)
    # And then with money.
    entries.register(player, event.number, event.house.now)
    assert event.house.wallet(player).balance == wallet - COST
    check(event)


def test_an_event_with_tickets_is_played_and_paid(event: Event) -> None:
    event.announce(structure(field_min=3))
    with_ticket, *others = event.people(3)
    given(event, with_ticket)
    enter(event, with_ticket)
    event.enter(others)
    event.play()
    event.check()
    check(event)


def test_tickets_that_cannot_be_used_are_refused_with_a_reason(event: Event) -> None:
    player, other = announced(event, 2)
    assert refused(event, player) == "no_ticket"
    ticket = given(event, player)
    assert refused(event, other) == "no_ticket"
    Ticket.objects.filter(pk=ticket.pk).update(worth=COST - 1)
    assert refused(event, player) == "ticket_too_small"
    Ticket.objects.filter(pk=ticket.pk).update(worth=COST, expires_at=event.house.now)
    assert refused(event, player) == "ticket_expired"
    Ticket.objects.filter(pk=ticket.pk).update(expires_at=None, name="Morning")
    assert refused(event, player) == "no_ticket"
    assert not Entry.objects.exists()


@pytest.mark.always
def test_an_event_for_tickets_alone_sells_no_entry(event: Event) -> None:
    player, other = announced(event, 2)
    row = event.row
    row.tickets_only = True
    row.save(update_fields=["tickets_only"])
    giving.give_places(row, [player.pk], source="test", now=event.house.now)
    giving.give_places(row, [player.pk], source="test", now=event.house.now)
    assert Ticket.objects.count() == 1
    with pytest.raises(Refused, match="Only players with a ticket"):
        entries.register(other, event.number, event.house.now)
    page = plain(client_of(other).get(f"/tournaments/{event.number}/").text)
    assert "Only players with a ticket can enter this event." in page
    client: Client = client_of(player)
    page = plain(client.get(f"/tournaments/{event.number}/").text)
    assert "Join with your ticket" in page
    assert "Join for" not in page
    client.post(f"/tournaments/{event.number}/register-with-ticket/")
    assert Entry.objects.get(player=player).ticket_paid == COST
    mine = plain(client.get("/tournaments/mine/").text)
    assert "My tickets" in mine
    assert "Used." in mine
    check(event)


def test_a_cancelled_event_gives_the_ticket_back_for_some_days(event: Event) -> None:
    player, other = announced(event, 2)
    ticket, sam = given(event, player), member(event)
    enter(event, player)
    event.enter([other])
    before = promotions()
    Ticket.objects.filter(pk=ticket.pk).update(expires_at=event.house.now + timedelta(minutes=1))
    submit(event, sam, "tournament.cancel", tournament=event.number)
    event.play()
    ticket.refresh_from_db()
    assert ticket.entry is None
    assert ticket.expires_at is not None
    assert ticket.expires_at >= event.house.now + timedelta(days=6)
    assert promotions() == before + COST
    check(event)


def test_one_ticket_enters_one_event(event: Event) -> None:
    """Two events at once: one of them is entered, and the ticket is used once."""
    (player,) = announced(event)
    first = event.number
    later = event.house.now + timedelta(days=3)
    event.announce(structure(field_min=2), starts_at=later)
    given(event, player)

    now, numbers = event.house.now, (first, event.number)
    at_once(
        *(
            lambda number=number: entries.register_with_ticket(player, number, now)
            for number in numbers
        )
    )
    assert Ticket.objects.filter(entry__isnull=False).count() == 1
    assert Entry.objects.count() == 1
    assert Transaction.objects.filter(kind="tournament_entry").count() == 1
