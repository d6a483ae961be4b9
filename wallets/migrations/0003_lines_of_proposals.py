from django.db import migrations, models


class Migration(migrations.Migration):
    """The column stays: the lines are kept from the proposal on."""

    dependencies = [('wallets', '0002_proved_changes')]

    operations = [
        migrations.AlterField(
            model_name='proposal',
            name='decided_lines',
            field=models.JSONField(
                db_column='decided_lines', null=True, verbose_name='what was decided'
            ),
        ),
        migrations.RenameField(
            model_name='proposal', old_name='decided_lines', new_name='lines'
        ),
    ]
