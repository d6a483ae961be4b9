"""Cards on a page: each card of the deck is drawn and named in the reader's language."""

import re
from pathlib import Path

from django.template import Context, Template
from django.utils import translation

from games.rules.cards import Card
from tests.games.markup import cards_in

SPRITE = Path(__file__).parents[2] / "static" / "games" / "cards.svg"


def shown(text: str, **context: object) -> str:
    return Template("{% load games %}" + text).render(Context(context))


def test_every_card_is_drawn_once() -> None:
    drawn = re.findall(r'<symbol id="card-(\w+)"', SPRITE.read_text())
    assert sorted(drawn) == sorted([card.text for card in Card] + ["back"])


def test_every_mark_that_a_card_is_made_of_is_there() -> None:
    text = SPRITE.read_text()
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r'id="([^"]+)"', text))


def test_a_card_names_itself_and_no_other() -> None:
    for card in Card:
        text = shown("{{ card|card }}", card=card)
        assert f'data-card="{card.text}"' in text
        assert cards_in(text) == {card.text}
        assert shown("{{ card|card }}", card=card.text) == text


def test_a_card_is_said_in_the_language_of_its_reader() -> None:
    said = []
    for language in ("en", "zh-hans", "zh-hant", "en"):
        with translation.override(language):
            said.append(re.findall('aria-label="([^"]+)"', shown("{{ 'As'|card }}"))[0])
    assert said[0] == said[3] == "ace of spades"
    assert said[0] not in said[1:3]


def test_a_back_tells_nothing() -> None:
    text = shown("{% card_back %}")
    assert cards_in(text) == set()
    assert 'aria-label="not seen"' in text
