"""A board as a whole: what its pieces are made of, and how they are put together and sent.

A template makes pieces by `{% piece "place" %}…{% endpiece %}`: elements with an id that stays. A
stream sends those that changed (`games/views/stream_parts.py`). In the frame and in each piece, an
empty element with its id marks the place of a piece within; where that has not changed, `frame.js`
leaves what the page shows alone.

A piece is made again only where a value that it reads has changed since the board before
(`compiling.py`). The pieces of all boards in each language are compiled as a process starts, before
anyone asks for a board; what another process has compiled is read (`engine.py`).
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, Final, NamedTuple
from uuid import uuid4

import msgspec
from django.conf import settings
from django.db.models import Model
from django.utils.safestring import SafeString
from markupsafe import Markup

from games.boards.family import family_of
from games.boards.help import Filled
from games.boards.pieces.engine import ASSEMBLY, FOLDERS, INCLUDED, pieces_in, rendered
from games.boards.pieces.functions import NO_KEY, NO_TOKEN, SECRET
from games.rules.catalogue import GAMES

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
# The pieces of a board. Those that a template makes `of` an id, as a family's `alike` says, are the
# same for all viewers.
NAMES: Final = frozenset(
    {"bar", "beside", "box", "choices", "counter", "ended", "felt", "hand", "lines", "place"}
    | {"rack", "said", "seal", "seat", "state"}
)
# Those that lie in one that is the same for all, or in which such a one lies.
BESIDE_SHARED: Final = frozenset({"beside", "ended", "state"})
# The name of what all pieces lie in.
FRAME: Final = "board"
# The placeholder in a piece of a piece within it: the name of its element, and its id.
INNER: Final = re.compile(f"\1{SECRET}piece:(\\w+):([^\1]+)\1")
ROOT: Final = re.compile(r'\s*<(\w+)\s[^>]*?\bid="([^"]+)"')
encode: Final = msgspec.json.Encoder().encode


class Piece:
    """A piece as it was made: its element, with marks for the pieces in it."""

    def __init__(self, name: str, tag: str, markup: str) -> None:
        # Plain text: markup joins its parts as if they had to be escaped.
        self.name, self.tag, self.markup = name, tag, str(markup)

    @cached_property
    def sent(self) -> bytes:
        """As a stream carries it, in JSON; an empty element marks a piece within.

        The browser puts in what differs each time: the token of a form, and the key of a top-up.
        """
        text = self.markup
        if "\1" in text:
            text = INNER.sub(_place, text).replace(NO_TOKEN, "").replace(NO_KEY, "")
        return encode(text)


def _place(match: re.Match[str]) -> str:
    tag, key = match.groups()
    return f'<{tag} id="{key}" data-same></{tag}>'


class Record(NamedTuple):
    """A piece, its placeholder, and the values that it was made of."""

    read: tuple[object, ...]
    mark: Markup
    # By its id; none where it had nothing to show.
    made: Mapping[str, Piece]


# By the name of a piece, and how many of this name came before it.
Records = Mapping[tuple[str, int], Record]
NO_RECORDS: Final[Records] = {}
NO_PIECES: Final[Mapping[str, Piece]] = {}


class Apart(NamedTuple):
    """The pieces of a board, and what the next board of its viewer need not make again."""

    made: Mapping[str, Piece]
    frame: Piece
    alike: frozenset[str]
    records: Records

    @property
    def sent(self) -> dict[str, bytes]:
        return {FRAME: self.frame.sent, **{key: piece.sent for key, piece in self.made.items()}}


class Assembly:
    """The pieces of one board, by the ids of their elements.

    Those of `shared` are the same for all viewers, and need not be made again; nor need those of
    the board before that read the same values. Without any `shared`, no others are made.
    """

    def __init__(
        self, shared: Mapping[str, Piece] | None = NO_PIECES, before: Records | None = None
    ) -> None:
        self.pieces: dict[str, Piece] = {}
        self.alike: set[str] = set()
        self.records: dict[tuple[str, int], Record] = {}
        self._shared, self._before = shared or NO_PIECES, before
        self._makes_shared_alone = shared is None
        self._counts: dict[str, int] = {}

    def piece(
        self,
        name: str,
        key: str | None,
        reads: Callable[[], tuple[object, ...]] | None,
        make: Callable[[], Markup],
    ) -> Markup:
        """The placeholder of a piece; one without a key depends on the viewer.

        What a piece reads is not known where others lie in it.
        """
        if key is not None:
            self.alike.add(key)
            if key in self._shared:
                return _mark(self._shared[key].tag, key)
        elif self._makes_shared_alone and name not in BESIDE_SHARED:
            return Markup()
        if reads is None or self._before is None:
            return self._taken(self._made((), name, make()))
        number = self._counts[name] = self._counts.get(name, 0) + 1
        read, record = reads(), self._before.get((name, number))
        if record is None or not is_same(record.read, read):
            record = self._made(read, name, make())
        self.records[name, number] = record
        return self._taken(record)

    def _taken(self, record: Record) -> Markup:
        self.pieces.update(record.made)
        return record.mark

    @staticmethod
    def _made(read: tuple[object, ...], name: str, markup: str) -> Record:
        assert name in NAMES, name
        root = ROOT.match(markup)
        if root is None:
            # A piece that has nothing to show.
            return Record(read, Markup(markup), NO_PIECES)  # escaped by its template # noqa: S704
        tag, key = root.groups()
        return Record(read, _mark(tag, key), {key: Piece(name, tag, markup)})

    def put_together(self, markup: str) -> str:
        """The board, with each piece in its place."""

        def shown(match: re.Match[str]) -> str:
            piece = self.pieces.get(match[2]) or self._shared[match[2]]
            return INNER.sub(shown, piece.markup)

        return INNER.sub(shown, str(markup))


def is_same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether values are equal to earlier ones; of rows only the same row is, whatever its key."""
    if len(before) != len(now):
        return False
    for earlier, other in zip(before, now, strict=True):
        if earlier is other:
            continue
        if type(earlier) is not type(other) or isinstance(earlier, Model):
            return False
        if type(earlier) is tuple and type(other) is tuple:
            if not is_same(earlier, other):
                return False
        elif earlier != other:
            return False
    return True


def _mark(tag: str, key: str) -> Markup:
    return Markup(f"\1{SECRET}piece:{tag}:{key}\1")  # from the piece's attribute # noqa: S704


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
    template: str,
    facts: Mapping[str, Any],
    shared: Mapping[str, Piece] | None = NO_PIECES,
    before: Records = NO_RECORDS,
) -> Apart:
    """The pieces of a template as a stream carries them, after those of the board before."""
    assembly = Assembly(shared, before)
    frame = Piece(FRAME, "div", rendered(template, {**facts, ASSEMBLY: assembly}))
    return Apart(assembly.pieces, frame, frozenset(assembly.alike), assembly.records)


def with_token(markup: str, token: str) -> SafeString:
    """Markup as it is sent: each form gets the token of its reader, which differs each time."""
    return SafeString(markup.replace(NO_TOKEN, token))  # both escaped # nosec B703


# A template that another one shows as a part that is made once.
REMEMBERED: Final = re.compile(r'\bremembered\("([^"]+)"')
OF_FAMILY: Final = "family_templates."


def compile_boards() -> None:
    families = [family_of(game).templates(game) for game in GAMES]
    for language, _name in settings.LANGUAGES:
        for template in _shown_alone():
            pieces_in(language).get_template(template)
        for family in families:
            panels = (panel.template for panel in family.panels)
            for template in ("board.html", "my_seat.html", *panels):
                pieces_in(language, family).get_template(template)


@cache
def _shown_alone() -> list[str]:
    """The templates that are not within others, but for those of boards, which families have."""
    texts = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for folder in FOLDERS
        for file in folder.rglob("*.html")
    }
    whole = "\n".join(texts.values())
    included = {match[1] for match in INCLUDED.finditer(whole)} - set(REMEMBERED.findall(whole))
    return [name for name in texts if name not in included and OF_FAMILY not in texts[name]]
