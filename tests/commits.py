"""Proofs of recorded changes are asked for inside a test wherever the house would commit.

A test runs in one transaction, so a foreign key that is checked at the commit would be checked at
the end of the test only, and an entry of the journal that is written after the commit would be
there by then. Here the outermost block `atomic` of the house ends as a transaction does: a change
by staff without its entry is refused. So is one outside of any block, which is committed at once.
"""

import inspect
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.db import IntegrityError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from tests.changes_of_record import TESTING
from wallets.of_record import verbs

UNPROVED: Final = """
SELECT DISTINCT change.verb, change."table" FROM wallets_recordedchange AS change
LEFT JOIN wallets_journalentry AS entry ON entry.act = change.entry_id
WHERE change.entry_id IN ({acts}) AND entry.act IS NULL
"""
OF_TESTS: Final = (*TESTING, "django.test.")
# What was refused: the house may have caught the error.
refused: list[str] = []


def acts_since(database: BaseDatabaseWrapper) -> set[str]:
    """The acts of staff that may have changed something since the house last committed."""
    acts: set[str] = database.__dict__.setdefault("acts_since", set())
    return acts


def is_of_a_test(block: Any) -> bool:
    """Whether a test has begun the block; one that it calls durable stands for the house's."""
    return bool(block.of_a_test and not block.durable)


def would_commit(outer: list[Any]) -> bool:
    """Whether what is done inside these blocks would be committed, were there no test."""
    return bool(outer) and all(map(is_of_a_test, outer))


def commit(database: BaseDatabaseWrapper) -> None:
    """Refuse as the commit would. The query is not counted as one of the house."""
    acts = acts_since(database)
    sql = UNPROVED.format(acts=",".join(f"'{act}'" for act in sorted(acts)))
    acts.clear()
    sentences = [
        f"{table} is changed under {verb}, and the entry of the journal does not follow in the "
        "same transaction."
        for verb, table in database.connection.execute(sql).fetchall()
    ]
    if sentences:
        refused.extend(sentences)
        raise IntegrityError(" ".join(sentences))


def after_a_statement(execute: Callable[..., Any], *statement: Any) -> Any:
    answer, database = execute(*statement), statement[-1]["connection"]
    if acts_since(database) and would_commit(database.atomic_blocks):
        commit(database)
    return answer


def connected(connection: BaseDatabaseWrapper, **_of_the_signal: object) -> None:
    if after_a_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(after_a_statement)


@pytest.fixture(scope="session", autouse=True)
def commits_are_checked() -> Iterator[None]:
    block = transaction.Atomic
    enter, leave, writer = block.__enter__, block.__exit__, verbs.Act.writer

    def entered(self: Any) -> None:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        # A decorator is entered by `contextlib`, so it counts as one of the house.
        self.of_a_test = frame.f_back.f_globals["__name__"].startswith(OF_TESTS)
        enter(self)

    def left(self: Any, kind: Any, error: Any, traceback: Any) -> None:
        database = transaction.get_connection(self.using)
        ends_well = kind is None and not database.needs_rollback and not is_of_a_test(self)
        if ends_well and acts_since(database) and would_commit(database.atomic_blocks[:-1]):
            try:
                commit(database)
            except IntegrityError as refusal:
                leave(self, IntegrityError, refusal, None)
                raise
        leave(self, kind, error, traceback)

    def wrote(self: verbs.Act) -> verbs.Writer:
        who = writer(self)
        if self.kind is verbs.Kind.STAFF:
            acts_since(connections["default"]).add(who.act)
        return who

    connection_created.connect(connected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block, "__enter__", entered)
        patch.setattr(block, "__exit__", left)
        patch.setattr(verbs.Act, "writer", wrote)
        yield
    connection_created.disconnect(connected)
