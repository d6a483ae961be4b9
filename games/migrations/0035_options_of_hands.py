from django.db import migrations


# Django has this index for PostgreSQL alone, and SQLite has none for JSON.
INDEX = "CREATE INDEX hand_options ON games_hand USING gin (options jsonb_path_ops)"


def install(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(INDEX)


def remove(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX hand_options")


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0034_given_up_in_the_chain'),
    ]

    operations = [
        migrations.RunPython(install, remove),
    ]
