"""The labels of buttons and fields."""

from typing import Final

from django.utils.translation import gettext_lazy as _

# Kinds of bet with a label of their own, named in a choice's `among`.
FLAVOURS: Final = ("blind", "bonus")
LABELS: Final = {
    "accept": _("Accept"),
    "ante": _("Ante"),
    "arrange": _("Arrange"),
    "bet": _("Bet"),
    "buy": _("Buy a card"),
    "buy_dealer": _("Buy the dealer a card"),
    "call": _("Call"),
    "decline": _("No insurance"),
    "done": _("Deal"),
    "double": _("Double"),
    "even_money": _("Even money"),
    "exchange": _("Exchange"),
    "fold": _("Fold"),
    "follow": _("Follow"),
    "give": _("Give"),
    "hit": _("Hit"),
    "insure": _("Insure"),
    "pass": _("Pass"),
    "pick": _("Pick a prize"),
    "play": _("Play"),
    "remove": _("Take back"),
    "split": _("Split"),
    "stand": _("Stand"),
    "surrender": _("Surrender"),
}
# If only insurance or even money is offered, standing declines both.
DECLINE: Final = _("Decline")
FLAVOUR_LABELS: Final = {
    ("blind",): _("Blind box"),
    ("bonus",): _("Bonus"),
    ("blind", "bonus"): _("Bonus of a blind box"),
}
# The prizes of the lucky game, which lie face down in a row.
PLACES: Final = {
    "1": _("The left prize"),
    "2": _("The middle prize"),
    "3": _("The right prize"),
}
FIELD_LABELS: Final = {
    "amount": _("Amount"),
    "bonus": _("Bonus"),
    "direction": _("Direction"),
    "rounds": _("Exchanges"),
}
