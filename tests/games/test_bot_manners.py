"""What bots say at a table: little, politely, and only when spoken to."""

from datetime import timedelta

import pytest

from games.chat import chat_verbs
from games.chat.chat_verbs import all_phrases
from games.chat.models import ChatLine
from games.models import Table
from tests.games.evenings import played_once
from tests.games.house import House


def play(house: House) -> Table:
    """A table where alice sits with two bots."""
    table = house.among_bots("doudizhu", "alice")
    house.until(table, lambda table: table.hand_id is not None)
    return table


evening = played_once(play)


def said_by_bots() -> list[str]:
    lines = ChatLine.objects.filter(player__is_bot=True).order_by("pk")
    return list(lines.values_list("phrase", flat=True))


@pytest.mark.always
def test_a_bot_answers_a_greeting_once(house: House, table: Table) -> None:
    alice = house.person("alice")
    chat_verbs.say(alice, table.pk, "", house.now, phrase="pleased")
    assert said_by_bots() == ["pleased"]
    chat_verbs.say(alice, table.pk, "", house.now, phrase="pleased")
    assert said_by_bots() == ["pleased"]
    house.now += chat_verbs.QUIET + timedelta(seconds=1)
    chat_verbs.say(alice, table.pk, "", house.now, phrase="too_good")
    assert said_by_bots() == ["pleased", "thanks"]


@pytest.mark.always
def test_bots_leave_other_lines_alone(house: House, table: Table) -> None:
    for phrase in ("flowers", "angry", ""):
        chat_verbs.say(house.person("alice"), table.pk, "hello", house.now, phrase=phrase)
    assert said_by_bots() == []


def test_people_are_left_to_answer_for_themselves(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    chat_verbs.say(house.person("alice"), table.pk, "", house.now, phrase="hello")
    assert ChatLine.objects.count() == 1


def test_bots_know_the_phrases_that_they_say() -> None:
    assert {*chat_verbs.ANSWERS, *chat_verbs.ANSWERS.values()} <= set(all_phrases())
