"""`{% trans %}` and `{% blocktrans %}` for pieces, written as in Django's templates.

`make messages` collects the sentences of both kinds of template in one way. A template is compiled
once for each language, and the sentences are translated then: a page that shows one looks up
nothing.
"""

import re
from typing import Any, Final

from django.utils.translation import gettext, ngettext, override, pgettext
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

# A value in a sentence, as the catalogues write it.
VALUE: Final = re.compile(r"%\((\w+)\)s")
LINE_END: Final = re.compile(r"\s*\n\s*")
Values = dict[str, nodes.Expr]


class Texts(Extension):
    """The tags; the environment says for which language they are compiled."""

    tags = {"trans", "blocktrans"}  # noqa: RUF012 # the extensions of Jinja say it so

    def parse(self, parser: Parser) -> nodes.Node:
        tag = next(parser.stream)
        with override(self.environment.language):  # type: ignore[attr-defined]
            read = _text if tag.value == "trans" else _sentence
            return read(parser, tag.lineno)


def _text(parser: Parser, line: int) -> nodes.Node:
    """`{% trans "…" [context "…"] [as name] %}`."""
    stream = parser.stream
    message = stream.expect("string").value.replace("%", "%%")
    context = stream.expect("string").value if stream.skip_if("name:context") else ""
    said = _translated(context, message).replace("%%", "%")
    if stream.skip_if("name:as"):
        name = nodes.Name(stream.expect("name").value, "store", lineno=line)
        return nodes.Assign(name, nodes.MarkSafe(nodes.Const(said)), lineno=line)
    return nodes.Output([nodes.TemplateData(said)], lineno=line)


def _sentence(parser: Parser, line: int) -> nodes.Node:
    """`{% blocktrans [count n=…] [with a=… b=…] [trimmed] %}…[{% plural %}…]…`."""
    stream, values, trimmed = parser.stream, Values(), False
    counted: nodes.Expr | None = None
    while stream.current.type != "block_end":
        counts = stream.skip_if("name:count")
        stream.skip_if("name:with")
        if stream.skip_if("name:trimmed"):
            trimmed = True
            continue
        name = stream.expect("name").value
        stream.expect("assign")
        values[name] = parser.parse_expression()
        counted = values[name] if counts else counted
    singular, ended_by = _message(parser, trimmed)
    if ended_by == "endblocktrans":
        return _output(_translated("", singular), values, line)
    plural, _end = _message(parser, trimmed)
    assert counted is not None, "a plural needs something to count"
    output, more = (_output(ngettext(singular, plural, number), values, line) for number in (1, 2))
    is_one = nodes.Compare(counted, [nodes.Operand("eq", nodes.Const(1))])
    return nodes.If(is_one, [output], [], [more], lineno=line)


def _message(parser: Parser, trimmed: bool) -> tuple[str, str]:
    """The message up to the next tag, as the catalogues have it, and the name of that tag."""
    stream, parts = parser.stream, list[str]()
    stream.expect("block_end")
    while True:
        token: Any = next(stream)
        if token.type == "data":
            parts.append(token.value.replace("%", "%%"))
        elif token.type == "variable_begin":
            parts.append(f"%({stream.expect('name').value})s")
            stream.expect("variable_end")
        else:
            ended_by = stream.expect("name").value
            message = "".join(parts)
            return (LINE_END.sub(" ", message.strip()) if trimmed else message), ended_by


def _output(message: str, values: Values, line: int) -> nodes.Output:
    """A translated message with its values, which are escaped as any other is."""
    parts: list[nodes.Expr] = []
    for number, part in enumerate(VALUE.split(message)):
        if number % 2:
            parts.append(values.get(part) or nodes.Name(part, "load"))
        else:
            parts.append(nodes.TemplateData(part.replace("%%", "%")))
    return nodes.Output(parts, lineno=line)


def _translated(context: str, message: str) -> str:
    return pgettext(context, message) if context else gettext(message)
