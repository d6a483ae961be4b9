"""What a piece reads of the names that are known where it stands, found when it is compiled.

A piece is a function of these values and the language: where they are equal to those of the version
before, its markup is. They are as narrow as the template says: `view.to_beat.seat == seat.number`
is one value, true or false. What stands behind a condition is read where that holds, as in the
template. What functions are given counts whole, so they must not look at anything else.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from copy import copy
from typing import Any, Final

from jinja2 import nodes

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
                inners = [self._whole(one, given) for one in value]
                if None in inners:
                    return None
                setattr(made, name, inners)
        return made

    def _reads_anything(self, expr: nodes.Expr) -> bool:
        names = [expr] if isinstance(expr, nodes.Name) else expr.find_all(nodes.Name)
        return any(name.name not in self._functions for name in names)


def _once(reads: Reads) -> Reads:
    return [read for number, read in enumerate(reads) if read not in reads[:number]]
