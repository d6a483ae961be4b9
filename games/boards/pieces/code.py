"""The Python code that pieces are compiled to, with less around each value than Jinja2 writes.

Jinja2 asks for every attribute, call and written value through functions that allow for more than
pieces need: attributes that are keys, functions that want the context, templates without escaping.
A board has hundreds of each. Here an attribute is an attribute (`thing["key"]` is a key), a call is
a call, and one function writes a value.
"""

import re
from typing import Any, Final

from django.utils.safestring import SafeString
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

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
