from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_table_rules")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="here_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
