"""Shoes that hold a deal which lies at other tables, too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0026_words_of_permissions")]

    operations = [
        migrations.AddField(
            model_name="shoe",
            name="deal",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=60
            ),
        ),
    ]
