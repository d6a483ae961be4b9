"""An operation of migrations that creates the models of an app in one step.

After each `CreateModel` Django renders all related models again, and nearly all models are related:
with a hundred of them that took most of the time in which a new house migrated.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create models that may refer to one another in any order, and render them once."""

    serialization_expand_args: ClassVar = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [], {"models": self.models}

    def describe(self) -> str:
        return f"Create models {', '.join(model.name for model in self.models)}"

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # Drop the rendered models, so that the next access renders them with these.
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)
        # Keys and indexes that wait for the tables: the guards of a table follow them.
        for statement in schema_editor.deferred_sql:
            schema_editor.execute(statement, None)
        schema_editor.deferred_sql.clear()

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)
