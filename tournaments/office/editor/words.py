"""The words of the page on which an event is made: presets, shapes of prizes, kinds of rounds."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class PresetWords(NamedTuple):
    """The name of a preset, which becomes the event's, and what it is for."""

    title: str | Promise
    says: str | Promise


PRESET_WORDS: Final[dict[str, PresetWords]] = {
    "sit_and_go": PresetWords(
        _("Sit-and-go"),
        _("One table that starts when it is full. Over in half an hour."),
    ),
    "evening": PresetWords(
        _("Evening knock-out"),
        _("A line rises with the levels. Players who fall below it are out. Over in an hour."),
    ),
    "freezeout": PresetWords(
        _("Freeze-out with re-entry"),
        _("Many tables down to one player. Late registration, one re-entry, a guarantee."),
    ),
    "fixed_rounds": PresetWords(
        _("Knock-out to fixed rounds (打立出局)"),
        _("A knock-out down to twelve, who play two rounds with drawn seats for the prizes."),
    ),
    "swiss_rounds": PresetWords(
        _("Knock-out to Swiss rounds (瑞士移位)"),
        _("A knock-out down to twelve. Then winners meet winners for four rounds."),
    ),
    "duplicate": PresetWords(
        _("Duplicate"),
        _("Every table plays the same deals, and results are compared. No player is eliminated."),
    ),
    "free": PresetWords(
        _("Free event"),
        _("Entry is free; the house pays the prizes from its guarantee."),
    ),
    "satellite": PresetWords(
        _("Satellite"),
        _("Every fifth entrant wins a ticket: a prize that pays the entry to another event."),
    ),
}

SHAPES: Final = [
    ("flat", _("flat: small differences")),
    ("even", _("even: each place clearly more")),
    ("steep", _("steep: most for the first")),
    ("equal", _("equal: tickets for another event")),
]
PRIZE_WAYS: Final = [
    ("curve", _("by a curve")),
    ("shares", _("by shares you enter")),
    ("amounts", _("fixed amounts")),
]
LENGTHS: Final = [("time", _("time")), ("hands", _("hands"))]
MANNERS: Final = [
    ("swiss", _("Swiss rounds: winners meet winners")),
    ("fixed", _("Fixed rounds: seats are drawn")),
]
ROUNDS: Final = [("", _("none: it ends there")), *MANNERS]
