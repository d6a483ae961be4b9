from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0012_anchors")]

    operations = [
        migrations.AddIndex("chainentry", models.Index(fields=["shoe"], name="chain_of_shoe")),
    ]
