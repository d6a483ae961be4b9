"""What a player may be called, and which names are one name."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from casino.accounts.models import Player
from casino.accounts.names import name_key, reads_as, validate_free_for_players, validate_name


@pytest.mark.parametrize(
    "name",
    ["alice", "小明", "Mei2", "Jürgen", "Ольга", "小明Ming", "Άννα", "a-b_c.d", "7up", "たろう"],
)
def test_a_name_may_come_from_any_script(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a", "length"),
        ("x" * 21, "length"),
        ("a b", "characters"),
        ("a__b", "characters"),
        ("-ab", "characters"),
        ("ab.", "characters"),
        ("12345", "characters"),
        ("<b>alice", "characters"),
        ("al\u200bice", "characters"),
        ("al\nice", "characters"),
        ("alice\n", "characters"),
        ("a\u0301\u0301\u0301b", "characters"),
        ("😀😀", "characters"),
        ("аlice", "scripts"),  # its first letter is Cyrillic
        ("小明а", "scripts"),
        ("\u0391\u039d\u039d\u0391", "alike"),  # ANNA, in Greek capitals
        ("\u0441\u043e\u0440\u0435", "alike"),  # cope, in Cyrillic letters
        ("\u0251lice", "alike"),  # a letter for writing sounds
        ("al\u0131ce", "alike"),  # an i without its dot
        ("bob\u0661", "alike"),  # an Arabic one
    ],
)
def test_invalid_names_are_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name", ["admin", "Admin", "ＡＤＭＩＮ", "admin-1", "adm1n", "rnanager", "客服", "客服01"]
)
def test_nobody_signs_up_as_the_house(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_free_for_players(name)


def test_a_name_that_only_contains_a_kept_word_is_free() -> None:
    validate_free_for_players("bankrupt")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "aLICE"), ("ÉCLAIR", "éclair"), ("Straße", "STRASSE"), ("ＡＢ", "ab")],
)
@pytest.mark.django_db
def test_database_refuses_another_spelling_of_a_name(one: str, other: str) -> None:
    """On both engines, whichever way a player is stored."""
    assert name_key(one) == name_key(other)
    Player.objects.create_user(one)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user(other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.bulk_create([Player(username=other)])
    assert Player.objects.get_by_natural_key(other).username == Player.objects.get().username


@pytest.mark.django_db
def test_renaming_renews_what_names_are_compared_by() -> None:
    player = Player.objects.create_user("alice")
    player.username = "Berta"
    player.save()
    assert Player.name_is_taken("BERTA")
    assert not Player.name_is_taken("alice")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alice", "aIice"),
        ("alice", "a1ice"),
        ("bob", "b0b"),
        ("martin", "rnartin"),
        ("will", "vvill"),
    ],
)
@pytest.mark.django_db
def test_names_that_look_like_another_are_refused(one: str, other: str) -> None:
    assert reads_as(one) == reads_as(other)
    Player.objects.create_user(one)
    assert Player.name_is_taken(other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user(other)
    # They are still two names: a slip signs in to no other account.
    with pytest.raises(Player.DoesNotExist):
        Player.objects.get_by_natural_key(other)
