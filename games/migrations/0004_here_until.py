from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_witnessedanchor")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="here_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
