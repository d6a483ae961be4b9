"""Pieces of pages are rendered by Jinja2, which compiles a template to a Python function.

Each language has its templates compiled with its own sentences (`compiling.py`). Every name in a
template has to exist: a misspelt name fails. But an attribute of nothing is nothing, as in Django:
so a piece can ask for the box of a seat that is free.
"""

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.bccache import Bucket, BytecodeCache
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from markupsafe import Markup

from games.boards.pieces.compiling import LINE_END, DirectCode, Texts, reads_of, written

# To compile the boards of all families in all languages takes a process seconds, to read what
# another one has compiled a fraction of one. The code depends on templates, catalogues and the
# compiler alone (`compiling.py` evaluates nothing while it compiles), so their contents name the
# folder where it is kept. A house that may not write there compiles at each start: run `manage.py
# compile_pieces` when you deploy.

HERE: Final = Path(__file__).parent
FOLDERS: Final = [path / "pieces" for path in settings.TEMPLATE_FOLDERS]
KEPT_IN: Final = HERE / "__pycache__"
PREFIX: Final = "pieces-"


class KeptCode(BytecodeCache):
    """The code of the templates in one language, with those that a family puts into them."""

    def __init__(self, language: str, family: Iterable[object]) -> None:
        names = [name for name in family if isinstance(name, str)]
        self._whose = sha256("\0".join([language, *names]).encode()).hexdigest()

    def _file(self, bucket: Bucket) -> Path:
        return folder() / f"{bucket.key}-{self._whose}"

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            bucket.bytecode_from_string(self._file(bucket).read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        file = self._file(bucket)
        # Two processes may do this at once while a third one reads.
        made = file.with_name(f"{file.name}.{os.getpid()}")
        with suppress(OSError):
            if not folder().is_dir():
                forget()
                folder().mkdir(parents=True, exist_ok=True)
            made.write_bytes(bucket.bytecode_to_string())
            made.replace(file)


def forget() -> None:
    """Delete what was kept of other templates."""
    for earlier in KEPT_IN.glob(f"{PREFIX}*"):
        rmtree(earlier, ignore_errors=True)


@cache
def folder() -> Path:
    whole = sha256(version("jinja2").encode())
    for file in _made_of():
        whole.update(f"\0{file.name}\0{sha256(file.read_bytes()).hexdigest()}".encode())
    return KEPT_IN / f"{PREFIX}{whole.hexdigest()}"


def _made_of() -> Iterator[Path]:
    for path in FOLDERS:
        yield from sorted(path.rglob("*.html"))
    for path in settings.LOCALE_PATHS:
        yield from sorted(Path(path).glob("*/LC_MESSAGES/django.mo"))
    yield from (HERE / f"{name}.py" for name in ("compiling", "engine"))


PARTS_REMEMBERED: Final = 8192
# The name under which a template finds where its pieces are put together, if they are.
ASSEMBLY: Final = "assembly"
# Lines that only decide something. The text before them has ended its line already.
LINES_OF_TAGS: Final = re.compile(
    r"\n((?:\{#[^\n]*?#\}|\{%\s*(?:if|elif|else|endif|for|endfor|with|endwith|set)\b[^%]*%\})+)\n"
)
# A template that is included: by its name, or as one of the family's (`FamilyTemplates`).
INCLUDED: Final = re.compile(r'\{%\s*include\s+(?:"([^"]+)"|family_templates\.(\w+))\s*%\}')
Functions = dict[str, Any]
# Text that either engine has escaped already.
Html = Markup | SafeString
# The functions that templates call, and those that they write behind a value.
FUNCTIONS: Final[Functions] = {}
FILTERS: Final[Functions] = {}


def register(filters: Mapping[str, Any], functions: Mapping[str, Any]) -> None:
    """Let templates use further functions; `apps.py` registers those of the families."""
    FILTERS.update(filters)
    FUNCTIONS.update(functions)


class PieceTag(Extension):
    """`{% piece "place" [of id] %}…{% endpiece %}`: a separate piece where pieces are assembled.

    With the id of its element it is not made where a piece that all viewers share is there.
    """

    tags = {"piece"}  # noqa: RUF012 # the extensions of Jinja say it so

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        name: nodes.Expr = parser.parse_expression()
        shared: nodes.Expr = nodes.Const(None)
        if parser.stream.skip_if("name:of"):
            shared = parser.parse_expression()
        body = parser.parse_statements(("name:endpiece",), drop_needle=True)
        reads = reads_of(body, self.environment.globals, line) or nodes.Const(None)
        facts: list[nodes.Expr] = [nodes.ContextReference(), name, shared, reads]
        made = nodes.EnvironmentAttribute("made")
        call = nodes.Call(made, facts, [], None, None, lineno=line)
        return nodes.CallBlock(call, [], [], body, lineno=line)


def _made(
    context: Context,
    name: str,
    key: str | None,
    reads: Callable[[], tuple[object, ...]] | None,
    make: Callable[[], str],
) -> str:
    assembly = context.get(ASSEMBLY)
    if assembly is None:
        return make()
    made: str = assembly.piece(name, key, reads, make)
    return made


class Tight(Extension):
    """Templates are laid out for people; a page carries one line end for each of theirs.

    A template that another includes is compiled as a part of it: to call it would copy all that is
    known to it, which took a sixth of the time of a board. So the templates of a family have boards
    of their own.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        tight = LINES_OF_TAGS.sub(r"\n\1", LINE_END.sub("\n", source))
        return tight if self.environment.auto_reload else INCLUDED.sub(self._within, tight)

    def _within(self, included: re.Match[str]) -> str:
        pieces: Any = self.environment
        if included[2] and pieces.family is None:
            return included[0]
        name = included[1] or getattr(pieces.family, included[2])
        if not name:
            return ""
        source, _path, _is_current = pieces.loader.get_source(pieces, name)
        # What it sets is known to it alone.
        return f"{{% with %}}{self.preprocess(source, name)}{{% endwith %}}"


class Pieces(Environment):
    """The templates in one language, with those that a family puts into them."""

    code_generator_class = DirectCode

    def __init__(self, language: str, family: Any = None) -> None:
        self.language, self.family = language, family
        self.made, self.written = _made, written
        super().__init__(
            loader=FileSystemLoader(FOLDERS),
            autoescape=True,
            keep_trailing_newline=True,
            finalize=written,
            undefined=StrictUndefined,
            extensions=[Tight, Texts, PieceTag],
            auto_reload=settings.DEBUG,
            optimized=False,
            bytecode_cache=None if settings.DEBUG else KeptCode(language, family or ()),
        )
        self.filters.update(FILTERS)
        self.globals.update(FUNCTIONS, remembered=remembered)

    def getitem(self, obj: Any, argument: Any) -> Any:
        return None if obj is None else super().getitem(obj, argument)

    def filled_in(self, template: str, facts: Mapping[str, object]) -> str:
        """As `Template.render` does it, which copies all that is known three times."""
        compiled = self.get_template(template)
        context = self.context_class(self, {**self.globals, **facts}, template, {})
        try:
            return "".join(compiled.root_render_func(context))
        except Exception:
            return self.handle_exception()


COMPILED: Final[dict[Hashable, Pieces]] = {}
# The language of what is being rendered: Django looks a long time for the active one.
_LANGUAGE: Final[ContextVar[str | None]] = ContextVar("_LANGUAGE", default=None)


def language() -> str:
    return _LANGUAGE.get() or get_language() or settings.LANGUAGE_CODE


def rendered(template: str, facts: Mapping[str, Any]) -> Markup:
    said = language()
    pieces = pieces_in(said, facts.get("family_templates"))
    before = _LANGUAGE.set(said)
    try:
        return Markup(pieces.filled_in(template, facts))  # a template escapes # noqa: S704
    finally:
        _LANGUAGE.reset(before)


def pieces_in(said: str, family: Any = None) -> Pieces:
    key = said, family and family[:-1]
    if (pieces := COMPILED.get(key)) is None:
        pieces = COMPILED[key] = Pieces(said, key[1] and family)
    return pieces


def remembered(template: str, **facts: Hashable) -> Markup:
    """Markup that is the same on many pages, rendered once.

    A part is remembered by its template, everything it shows, and the language, so no viewer gets
    markup that was rendered for another, unless it is the same (`docs/decisions.md`). Do not render
    a whole hand of hidden cards as one part: the key of a part outlives the hand.
    """
    return _remembered(template, tuple(facts.items()), language())


@lru_cache(PARTS_REMEMBERED)
def _remembered(template: str, facts: tuple[tuple[str, Hashable], ...], _language: str) -> Markup:
    # A file ends with a line end, which would stand between a card and the word behind it.
    return rendered(template, dict(facts)).strip()


def joined(parts: Iterable[Html]) -> Markup:
    """Parts of markup one behind the other; the type checker refuses a part that is plain text."""
    return Markup("".join(parts))  # all of them escaped # noqa: S704
