"""Tables of cases: one test runs them all, and a failure names its case; and refusals.

A case of a pure function takes microseconds, but pytest needs milliseconds for each test.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import product
from typing import Any

import pytest

from games.rules.errors import Illegal, Unreadable
from wallets.values.errors import Refused

Test = Callable[..., None]


def each(*cases: Any) -> Callable[[Test], Test]:
    """Run a test with each case: a tuple of its first arguments, or the first one."""
    rows = [case if isinstance(case, tuple) else (case,) for case in cases]

    def decorate(test: Test) -> Test:
        names = list(inspect.signature(test).parameters)[: len(rows[0])]
        return _looped(test, [dict(zip(names, row, strict=True)) for row in rows])

    return decorate


def every(**values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with every combination of these arguments."""
    rows = [dict(zip(values, row, strict=True)) for row in product(*values.values())]
    return lambda test: _looped(test, rows)


def _looped(test: Test, cases: list[dict[str, Any]]) -> Test:
    assert cases, "a table without cases tests nothing"

    @wraps(test)
    def run(**fixtures: Any) -> None:
        for case in cases:
            try:
                test(**case, **fixtures)
            except BaseException as failure:
                failure.add_note(f"case: {case}")
                raise

    signature = inspect.signature(test)
    kept = [parameter for name, parameter in signature.parameters.items() if name not in cases[0]]
    run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return run


def illegal(code: str, call: Callable[..., object], *given: Any, **named: Any) -> None:
    """A call is refused as illegal, with this code."""
    _refused(Illegal, code, lambda: call(*given, **named))


def unreadable(code: str, call: Callable[..., object], *given: Any, **named: Any) -> None:
    """A call is refused as unreadable, with this code."""
    _refused(Unreadable, code, lambda: call(*given, **named))


def _refused(kind: type[Refused], code: str, call: Callable[[], object]) -> None:
    with pytest.raises(kind) as refusal:
        call()
    assert refusal.value.code == code
    # The sentence is complete.
    assert "{" not in refusal.value.sentence
