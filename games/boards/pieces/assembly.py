"""A board as a whole: what its pieces are made of, and how they are put together and sent.

A template makes pieces by `{% piece "place" %}…{% endpiece %}`: elements with an id that stays. A
stream sends those that changed (`games/views/stream_html.py`). In the frame and in each piece, an
empty element with its id marks the place of a piece within; where that has not changed, `frame.js`
leaves what the page shows alone.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.utils.safestring import SafeString
from markupsafe import Markup

from games.boards.help import Filled
from games.boards.pieces.engine import ASSEMBLY, rendered
from games.boards.pieces.functions import NO_KEY, NO_TOKEN, SECRET

# Names that only the page of a live hand knows.
NO_HAND: Final[Mapping[str, object]] = {
    "house": None,
    "wheel": None,
    "betting": None,
    "ahead": None,
    "may_bet_ahead": False,
    "forms": (),
    "form_of": {},
    "insurance_offer": None,
    "insurance": "",
    "my_cards": (),
    "cards_key": "",
    "fill": Filled(),
    "suggestions": (),
    "next_hint": 0,
    "waiting_for": (),
    # Of Dou Dizhu.
    "multiplier": None,
    "counter": None,
    "reading": None,
    "only_pass": False,
}
# For a hand in the replayer, or one that the viewer only watches.
NOT_LIVE: Final = {**NO_HAND, "live": False, "board": None, "deadline": None}
# The pieces of a board. The public ones are what a stranger sees of the table. Those that a
# template makes `of` an id, as a family's `alike` says, are the same for all viewers; in the others
# a viewer's own bets and results differ.
PUBLIC: Final = frozenset({"place", "felt", "box", "said", "seal"})
OWN: Final = frozenset(
    {"bar", "beside", "choices", "counter", "ended", "hand", "lines", "rack", "seat", "state"}
)
# The name of what all pieces lie in.
FRAME: Final = "board"
# The placeholder in a piece of a piece within it.
INNER: Final = re.compile(f"\1{SECRET}piece:([^\1]+)\1")
ROOT: Final = re.compile(r'\s*<(\w+)\s[^>]*?\bid="([^"]+)"')


class Piece(NamedTuple):
    """A piece as it was made: its element, with marks for the pieces in it."""

    name: str
    tag: str
    markup: str


class Apart(NamedTuple):
    """The pieces of a board: as they were made, and with the frame as a stream sends them."""

    made: Mapping[str, Piece]
    sent: Mapping[str, str]
    # The ids of those that are the same for all viewers.
    alike: frozenset[str]


NO_PIECES: Final[Mapping[str, Piece]] = {}


class Assembly:
    """The pieces of one board, by the ids of their elements.

    Those of `shared` are the same for all viewers, and need not be made again.
    """

    def __init__(self, shared: Mapping[str, Piece] = NO_PIECES) -> None:
        self.pieces: dict[str, Piece] = {}
        self.alike: set[str] = set()
        self._shared = shared

    def piece(self, name: str, key: str | None, make: Callable[[], Markup]) -> Markup:
        """The placeholder of a piece; one without a key depends on the viewer."""
        if key is not None:
            self.alike.add(key)
        return _mark(key) if key in self._shared else self.add(name, make())

    def add(self, name: str, markup: str) -> Markup:
        """Take a piece that was made; returns its placeholder in the surrounding markup."""
        assert name in PUBLIC or name in OWN, name
        root = ROOT.match(markup)
        if root is None:
            # A piece that has nothing to show.
            return Markup(markup)  # escaped by its template # noqa: S704
        self.pieces[root[2]] = Piece(name, root[1], markup)
        return _mark(root[2])

    def put_together(self, markup: str) -> str:
        """The board, with each piece in its place."""

        def shown(found: re.Match[str]) -> str:
            return INNER.sub(shown, self._piece(found[1]).markup)

        return INNER.sub(shown, markup)

    def apart(self, frame: str) -> dict[str, str]:
        """Each piece by itself, and the frame; an empty element marks a piece within."""

        def place(found: re.Match[str]) -> str:
            tag = self._piece(found[1]).tag
            return f'<{tag} id="{found[1]}" data-same></{tag}>'

        apart = {key: INNER.sub(place, piece.markup) for key, piece in self.pieces.items()}
        return {FRAME: INNER.sub(place, frame), **apart}

    def _piece(self, key: str) -> Piece:
        return self.pieces.get(key) or self._shared[key]


def _mark(key: str | None) -> Markup:
    return Markup(f"\1{SECRET}piece:{key}\1")  # from the piece's attribute # noqa: S704


def board(
    facts: Mapping[str, Any],
    token: str,
    shared: Mapping[str, Piece],
    template: str = "board.html",
) -> SafeString:
    """The board for one viewer, as a page has it."""
    assembly = Assembly(shared)
    made = rendered(template, {**facts, ASSEMBLY: assembly})
    return with_token(assembly.put_together(made).replace(NO_KEY, str(uuid4())), token)


def assembled(
    template: str, facts: Mapping[str, Any], shared: Mapping[str, Piece] = NO_PIECES
) -> Apart:
    """The pieces of a template as a stream carries them.

    The browser puts in what differs each time: the token of a form, and the key of a top-up.
    """
    assembly = Assembly(shared)
    frame = rendered(template, {**facts, ASSEMBLY: assembly})
    texts = assembly.apart(frame).items()
    sent = {key: text.replace(NO_TOKEN, "").replace(NO_KEY, "") for key, text in texts}
    return Apart(assembly.pieces, sent, frozenset(assembly.alike))


def with_token(markup: str, token: str) -> SafeString:
    """Markup as it is sent: each form gets the token of its reader, which differs each time."""
    return SafeString(markup.replace(NO_TOKEN, token))  # both escaped # nosec B703
