from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('integrity', '0001_traces_and_suspicions'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(condition=models.Q(('hand__isnull', False)), fields=['line', 'hand'], name='acted_by_line'),
        ),
    ]
