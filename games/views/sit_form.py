"""The list of seats that a visitor can take at a table."""

from collections.abc import Iterator, Mapping

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.table_view import TableView
from games.views.fields import choice, set_choices


class SitForm(forms.Form):
    """The free seats, and those that a bot would give up."""

    seat = choice(_l("Seat"))

    def __init__(self, board: TableView, sent: Mapping[str, str]) -> None:
        super().__init__(initial={"seat": sent.get("seat", "")}, auto_id="sit-%s")
        set_choices(self, seat=list(_seats(board)))


def _seats(board: TableView) -> Iterator[tuple[int, str]]:
    for number in board.free:
        yield number, _("Seat %(number)s, free") % {"number": number}
    for seat in board.seats:
        if seat.is_bot and not seat.leaves:
            words = _("Take seat %(number)s from %(name)s")
            yield seat.number, words % {"number": seat.number, "name": seat.player}
