"""The compiling of pieces: their Python code, their sentences, and what each piece reads.

Jinja2 asks for every attribute, call and written value through functions that allow for more than
pieces need: attributes that are keys, functions that want the context, templates without escaping.
A board has hundreds of each. Here an attribute is an attribute (`thing["key"]` is a key), a call is
a call, and one function writes a value.

`{% trans %}` and `{% blocktrans %}` are written as in Django's templates, so that `make messages`
collects the sentences of both kinds in one way. A template is compiled once for each language, and
the sentences are translated then: a page that shows one looks up nothing.

A piece is a function of the values that it reads and the language: where they are equal to those of
the version before, its markup is. They are as narrow as the template says: `view.to_beat.seat ==
seat.number` is one value, true or false. What stands behind a condition is read where that holds,
as in the template. What functions are given counts whole, so they must not look at anything else.
"""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from copy import copy
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, override, pgettext
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup, escape

# Filters that look something up, and write nothing: what they find is what is read.
LOOK_UPS: Final = frozenset({"at", "of_seat", "of_box", "last", "get", "default_if_none"})
BLIND: Final = (nodes.CallBlock, nodes.Include)
# A name that is given its value within the piece: the expression in names from outside, or None
# where it differs from place to place.
Given = dict[str, nodes.Expr | None]
Reads = list[nodes.Expr]
_KEPT_WHOLE: Final = (
    *(nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Compare, nodes.Operand, nodes.Test),
    *(nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.CondExpr, nodes.Tuple, nodes.List),
)


def reads_of(
    body: Sequence[nodes.Node], functions: Container[str], line: int
) -> nodes.Tuple | None:
    """The values that a piece reads, as one expression of the place where it stands.

    The first is its line: pieces of one name may stand in several places.

    None for a piece with others in it: those are known by their own values, and it has little
    besides; and where templates are not put into one another.
    """
    for node in body:
        if isinstance(node, BLIND) or any(True for _one in node.find_all(BLIND)):
            return None
    reads = _once(_Reading(functions).of_all(body, {}))
    return nodes.Tuple([nodes.Const(line), *reads], "load")


class _Reading:
    def __init__(self, functions: Container[str]) -> None:
        self._functions = functions

    def of_all(self, body: Iterable[nodes.Node], given: Given) -> Reads:
        return [expr for node in body for expr in self.of(node, given)]

    def of(self, node: nodes.Node, given: Given) -> Reads:
        """What a node reads; `given` gets the names that it gives a value."""
        if isinstance(node, nodes.Expr):
            return self._of_expression(node, given)
        special: dict[type[nodes.Node], Callable[..., Reads]] = {
            nodes.If: self._of_if,
            nodes.For: self._of_for,
            nodes.With: self._of_with,
            nodes.Assign: self._of_assign,
            nodes.AssignBlock: self._of_block,
        }
        if read := special.get(type(node)):
            return read(node, given)
        return self.of_all(node.iter_child_nodes(), given)

    def _of_if(self, node: Any, given: Given) -> Reads:
        branches = [node.body, [*node.elif_[:1]] or node.else_]
        if node.elif_:
            first, *rest = node.elif_
            otherwise = nodes.If(first.test, first.body, rest, node.else_, lineno=node.lineno)
            branches[1] = [otherwise]
        within = [dict(given), dict(given)]
        reads = [self.of_all(body, own) for body, own in zip(branches, within, strict=True)]
        for name in {name for own in within for name in own}:
            values = [own.get(name) for own in within]
            if name not in given or values[0] is not given[name] or values[1] is not given[name]:
                # It has one of several values from here on.
                for kept, value in zip(reads, values, strict=True):
                    kept.extend([value] if value is not None else [])
                given[name] = None
        return self._where(node.test, reads[0], reads[1], given)

    def _of_for(self, node: Any, given: Given) -> Reads:
        inner: Given = {**given, "loop": None}
        for name in node.target.find_all(nodes.Name):
            inner[name.name] = None
        if isinstance(node.target, nodes.Name):
            inner[node.target.name] = None
        tested = self._of_expression(node.test, inner) if node.test else []
        return [
            *self._of_expression(node.iter, given),
            *tested,
            *self.of_all(node.body, inner),
            *self.of_all(node.else_, dict(given)),
        ]

    def _of_with(self, node: Any, given: Given) -> Reads:
        inner, reads = dict(given), Reads()
        for target, value in zip(node.targets, node.values, strict=True):
            reads += self._give(target, value, given, inner)
        return [*reads, *self.of_all(node.body, inner)]

    def _of_assign(self, node: Any, given: Given) -> Reads:
        return self._give(node.target, node.node, given, given)

    def _of_block(self, node: Any, given: Given) -> Reads:
        reads = self.of_all(node.body, dict(given))
        given[node.target.name] = None
        return reads

    def _give(self, target: nodes.Expr, value: nodes.Expr, given: Given, to: Given) -> Reads:
        assert isinstance(target, nodes.Name), "one name is given one value"
        to[target.name] = whole = self._whole(value, given)
        return [] if whole is not None else self._of_expression(value, given)

    def _of_expression(self, expr: nodes.Expr, given: Given) -> Reads:
        whole = self._whole(expr, given)
        if whole is not None:
            return [whole] if self._reads_anything(whole) else []
        if isinstance(expr, nodes.CondExpr):
            branches = [expr.expr1, *([expr.expr2] if expr.expr2 is not None else [])]
            reads = [self._of_expression(branch, given) for branch in branches]
            return self._where(expr.test, reads[0], reads[1] if len(reads) > 1 else [], given)
        if isinstance(expr, nodes.And | nodes.Or):
            right = self._of_expression(expr.right, given)
            branches_of = ([], right) if isinstance(expr, nodes.Or) else (right, [])
            return self._where(expr.left, *branches_of, given)
        return self.of_all(expr.iter_child_nodes(), given)

    def _where(self, test: nodes.Expr, then: Reads, otherwise: Reads, given: Given) -> Reads:
        """What is read where a condition holds, and where it does not."""
        whole = self._whole(test, given)
        if whole is None:
            return [*self._of_expression(test, given), *then, *otherwise]
        if not self._reads_anything(whole):
            return [*then, *otherwise]
        # Whether it holds is read, not by which value.
        if not then and not otherwise:
            return [nodes.Not(whole)]
        branches = [
            nodes.Tuple([nodes.Const(sign), *_once(exprs)], "load")
            for sign, exprs in ((True, then), (False, otherwise))
        ]
        return [nodes.CondExpr(whole, *branches)]

    def _whole(self, expr: Any, given: Given) -> nodes.Expr | None:
        """An expression in names from outside, where it is worth reading as one value."""
        if isinstance(expr, nodes.Const | nodes.TemplateData):
            return expr
        if isinstance(expr, nodes.Name):
            return given.get(expr.name, expr)
        is_look_up = isinstance(expr, nodes.Filter) and expr.name in LOOK_UPS
        if not is_look_up and not isinstance(expr, _KEPT_WHOLE):
            return None
        made: nodes.Expr = copy(expr)
        for name, value in expr.iter_fields():
            if isinstance(value, nodes.Expr | nodes.Operand):
                inner = self._whole(value, given)
                if inner is None:
                    return None
                setattr(made, name, inner)
            elif isinstance(value, list) and value:
                inners = [self._whole(node, given) for node in value]
                if None in inners:
                    return None
                setattr(made, name, inners)
        return made

    def _reads_anything(self, expr: nodes.Expr) -> bool:
        names = [expr] if isinstance(expr, nodes.Name) else expr.find_all(nodes.Name)
        return any(name.name not in self._functions for name in names)


def _once(reads: Reads) -> Reads:
    return [read for number, read in enumerate(reads) if read not in reads[:number]]


# Most texts need no escaping, and `escape` takes ten times as long as to look.
_needs_escape: Final = re.compile("[&<>'\"]").search


def written(value: Any) -> str:
    """A value as the page has it: nothing is written as nothing, and no plain text as markup."""
    kind = type(value)
    if kind is str:
        return escape(value) if _needs_escape(value) else value
    if kind is int:
        return str(value)
    if value is None:
        return ""
    markup: str = value if kind is Markup or kind is SafeString else escape(value)
    return markup


class DirectCode(CodeGenerator):
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 # by type
        """An attribute; one of nothing is nothing."""
        self.write(f"(of.{node.attr} if (of := ")
        self.visit(node.node, frame)
        self.write(") is not None else None)")

    def visit_Call(  # noqa: N802 # by type
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """A call; that of a piece is given functions that say what it reads, and that make it."""
        unnamed = node.dyn_args or node.dyn_kwargs
        assert unnamed is None, "a piece names what it gives"
        self.visit(node.node, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            if forward_caller and given is node.args[-1] and not isinstance(given, nodes.Const):
                self.write("lambda: ")
            self.visit(given, frame)
            self.write(", ")
        self.write("macro)" if forward_caller else ")")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:  # noqa: N802 # by type
        self.macro_body(node, frame)
        self.start_write(frame, node)
        self.visit_Call(node.call, frame, forward_caller=True)
        self.end_write(frame)

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        """Only what is written in a template is constant: no function is called to compile it."""
        if not isinstance(node, nodes.TemplateData | nodes.Const):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.written(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")


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
