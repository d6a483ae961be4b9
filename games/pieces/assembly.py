"""A board as a whole: what its pieces are made of, and how they are put together and sent.

A template makes pieces by `{% piece "place" %}…{% endpiece %}`: elements with an id that stays. A
browser names the pieces that it has, by their marks, and is sent the others; where one has not
changed, an empty element with its id and mark stands for it (`frame.js` leaves it alone).
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.utils.safestring import SafeString
from markupsafe import Markup

from games.boards.help import Filled
from games.pieces.engine import ASSEMBLY, rendered
from games.pieces.functions import NO_KEY, NO_MARKS, NO_TOKEN, SECRET

# What a page knows only of a hand that somebody plays now.
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
# Of a hand that is looked back on, or of which nobody plays.
NOT_LIVE: Final = {**NO_HAND, "live": False, "board": None, "deadline": None}
# The pieces of a board. The public ones are what a stranger sees of the table, apart from the
# viewer's own place and bets; the others depend on the viewer.
PUBLIC: Final = frozenset({"place", "felt", "box", "said", "seal"})
OWN: Final = frozenset({"heading", "bar", "hand", "rack", "choices", "lines", "seat"})
MARK_LENGTH: Final = 8
# Stands in a piece for another one that lies in it.
INNER: Final = re.compile(f"\1{SECRET}piece:([^\1]+)\1")
ROOT: Final = re.compile(r'\s*<(\w+)\s[^>]*?\bid="([^"]+)"')


class Piece(NamedTuple):
    """A piece as it was made: its element, and a mark of its bytes."""

    tag: str
    id: str
    markup: str
    mark: str


class Assembly:
    """The pieces of one board."""

    def __init__(self) -> None:
        self.pieces: dict[str, Piece] = {}

    def add(self, name: str, markup: str) -> Markup:
        """Take a piece that was made; what is returned stands for it in what is around it."""
        assert name in PUBLIC or name in OWN, name
        root = ROOT.match(markup)
        if root is None:
            # A piece that has nothing to show.
            return Markup(markup)  # escaped by its template # noqa: S704
        tag, key = root[1], root[2]
        # Every process gives the same bytes the same mark.
        plain = markup.replace(SECRET, "").encode()
        digest = blake2b(plain, digest_size=MARK_LENGTH // 2).hexdigest()
        self.pieces[key] = Piece(tag, key, markup, digest)
        return Markup(f"\1{SECRET}piece:{key}\1")  # from an attribute of the piece # noqa: S704

    def put_together(self, markup: str, known: Iterable[str] = ()) -> str:
        """The board, without the pieces whose marks are known."""
        fresh = {key for key, piece in self.pieces.items() if piece.mark not in known}

        def is_fresh(key: str) -> bool:
            inner = INNER.findall(self.pieces[key].markup)
            return key in fresh or any(map(is_fresh, inner))

        def shown(found: re.Match[str]) -> str:
            piece = self.pieces[found[1]]
            if is_fresh(piece.id):
                return INNER.sub(shown, piece.markup)
            return f'<{piece.tag} id="{piece.id}" data-same="{piece.mark}"></{piece.tag}>'

        return INNER.sub(shown, markup)

    @property
    def marks(self) -> str:
        return "".join(piece.mark for piece in self.pieces.values())


def board(facts: Mapping[str, Any], token: str, known: str = "") -> SafeString:
    """The board for one viewer, without the pieces whose marks are in `known`."""
    assembly = Assembly()
    made = rendered("board.html", {**facts, ASSEMBLY: assembly})
    marks = {known[at : at + MARK_LENGTH] for at in range(0, len(known), MARK_LENGTH)}
    markup = assembly.put_together(made, marks).replace(NO_MARKS, assembly.marks)
    return with_token(markup.replace(NO_KEY, str(uuid4())), token)


def with_token(markup: str, token: str) -> SafeString:
    """Markup as it is sent: each form gets the token of its reader, which differs each time."""
    return SafeString(markup.replace(NO_TOKEN, token))  # both escaped # nosec B703
