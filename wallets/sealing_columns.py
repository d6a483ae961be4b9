"""Operations of migrations that encrypt a column of text, with its hash beside it."""

from typing import Any, Final

from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from wallets.sealed_columns import DIGEST_LENGTH, DigestField, digest_of, seal_text

CHUNK: Final = 500


def seal_column(
    app: str, model: str, name: str, *, digest: str = "", unique: bool = False, **options: Any
) -> list[Operation]:
    """Turn a column into `sealed_<name>`, and add its hash if `digest` names a column for it."""
    column = f"sealed_{name}"

    def seal(apps: Any, _editor: object) -> None:
        _seal_rows(apps.get_model(app, model), column, digest)

    text = models.TextField(editable=False, **options)
    operations: list[Operation] = [
        migrations.RenameField(model, name, column),
        migrations.AlterField(model, column, text),
    ]
    if not digest:
        return [*operations, migrations.RunPython(seal)]
    return [
        *operations,
        # Each row is to have its own hash before the database compares them.
        migrations.AddField(
            model, digest, models.CharField(max_length=DIGEST_LENGTH, default=""), False
        ),
        migrations.RunPython(seal),
        migrations.AlterField(model, digest, DigestField(of=column, unique=unique)),
    ]


def _seal_rows(model: Any, column: str, digest: str) -> None:
    rows = model.objects.order_by("pk").values_list("pk", column)
    for number, text in rows.iterator(chunk_size=CHUNK):
        hashed = {digest: digest_of(text)} if digest else {}
        model.objects.filter(pk=number).update(**{column: seal_text(text)}, **hashed)
