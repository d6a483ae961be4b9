"""What a new house creates at once; an older house applies those that this one replaces."""

from django.db import migrations, models

from wallets.creating_models import CreateModels


class Migration(migrations.Migration):

    replaces = [('upkeep', '0001_heartbeats'), ('upkeep', '0002_permissions_of_five_roles')]

    initial = True

    dependencies = [
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Heartbeat',
                fields=[
                    ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'default_permissions': (),
                    'permissions': [('read_health', 'Can read which parts of the house work')],
                },
            ),
        ]),
    ]
