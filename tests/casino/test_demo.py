"""The people of a demonstration house, who are never in any other."""

import subprocess
import sys
from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from casino.accounts import demo
from casino.accounts.models import Player
from casino.office.demonstration.seeding import house
from tests.people import works_as
from wallets.audit import reconciliation
from wallets.models import Account


@pytest.mark.django_db
def test_everybody_on_the_list_can_sign_in() -> None:
    assert demo.seed() == len(demo.SIGN_INS)
    for person in demo.SIGN_INS:
        form = {"username": person.name, "password": person.password}
        assert Client().post(reverse("sign-in"), form).status_code == 302
        player = Player.objects.get(username=person.name)
        assert player.is_staff == bool(person.group)
        assert not player.is_superuser
    assert works_as(Player.objects.get(username="operator"), "managers")
    assert works_as(Player.objects.get(username="cashier"), "cashiers")
    assert works_as(Player.objects.get(username="auditor"), "auditors")


@pytest.mark.django_db
def test_the_record_of_changes_knows_all_its_writers() -> None:
    call_command("demo", stdout=StringIO())
    assert [finding.sentence for finding in reconciliation.check_verbs()] == []


@pytest.mark.django_db
def test_repeating_it_leaves_everybody_as_they_are() -> None:
    call_command("demo", stdout=StringIO())
    Player.objects.get(username="bob").delete()
    alice = Player.objects.get(username="alice")
    alice.set_password("changed since")
    alice.save()
    said = StringIO()
    call_command("demo", stdout=said)
    assert "players: 1 made" in said.getvalue().splitlines()
    alice.refresh_from_db()
    assert alice.check_password("changed since")
    said = StringIO()
    call_command("demo", stdout=said)
    assert all(line.endswith(": all there") for line in said.getvalue().splitlines())
    assert Player.objects.filter(is_bot=False).count() == len(demo.SIGN_INS)


@pytest.mark.django_db(transaction=True)
def test_a_demonstration_is_made_outside_any_transaction() -> None:
    """As `casino.ops.prepare` makes it; PostgreSQL refuses locks that no transaction holds."""
    call_command("demo", stdout=StringIO())
    assert Account.objects.filter(kind="player", balance__gt=0).exists()
    # The cashiers of its history, too.
    assert all(works_as(each, "cashiers") for each in house.hire())


@pytest.mark.django_db
def test_a_house_in_front_of_players_gets_no_such_people(settings) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="not a demonstration house"):
        call_command("demo")
    with pytest.raises(ImproperlyConfigured):
        demo.seed()
    assert not Player.objects.exists()


def test_the_list_can_be_printed_before_anything_is_set_up() -> None:
    words = "from casino.accounts.demo import SIGN_INS; print(len(SIGN_INS))"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, check=True, text=True)
    assert done.stdout == f"{len(demo.SIGN_INS)}\n"
