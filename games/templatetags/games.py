"""What Django's templates share with pieces: cards, words of the rules, lines of a settlement."""

from django import template

from games.boards.pieces import functions

register = template.Library()
register.filter(functions.card)
register.filter(functions.at)
register.filter("player_title", functions.FILTERS["player_title"])
register.filter("term", functions.FILTERS["term"])
register.simple_tag(functions.card_back)
register.simple_tag(functions.emote)
register.simple_tag(functions.FUNCTIONS["line"], name="line")
register.simple_tag(functions.FUNCTIONS["party"], name="party")
