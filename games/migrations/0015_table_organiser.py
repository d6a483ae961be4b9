"""Tables say who runs them; those of before are cash tables, which nobody runs."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_no_more_seats_than_boxes")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="organiser",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                editable=False,
                max_length=64,
                verbose_name="run by",
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["organiser"], name="table_organiser"),
        ),
    ]
