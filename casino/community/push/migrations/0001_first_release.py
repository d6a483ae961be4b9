"""The tables of push as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
import wallets.storage.sealed_columns
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Subscription',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('public_key', models.CharField(max_length=100)),
                        ('language', models.CharField(max_length=10, verbose_name='language')),
                        ('made_at', models.DateTimeField(verbose_name='made')),
                        ('succeeded_at', models.DateTimeField(null=True, verbose_name='last delivery')),
                        ('called_at', models.DateTimeField(null=True)),
                        ('device', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='push_subscription', to='players.device')),
                        ('sealed_endpoint', models.TextField(editable=False)),
                        ('endpoint_digest', wallets.storage.sealed_columns.DigestField(of='sealed_endpoint', unique=True)),
                        ('sealed_secret', models.TextField(editable=False)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Call',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('turn', 'turn at a table'), ('start', 'start of a tournament')], max_length=5)),
                        ('place', models.PositiveBigIntegerField()),
                        ('hand', models.PositiveBigIntegerField(default=0)),
                        ('seat', models.PositiveSmallIntegerField(default=0)),
                        ('turn', models.PositiveIntegerField(default=0)),
                        ('made_at', models.DateTimeField()),
                        ('expires_at', models.DateTimeField()),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('next_at', models.DateTimeField(null=True)),
                        ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='push.subscription')),
                    ],
                    options={
                        'default_permissions': (),
                        'indexes': [models.Index(models.F('next_at'), condition=models.Q(('next_at__isnull', False)), name='call_due')],
                        'constraints': [models.UniqueConstraint(fields=('subscription', 'kind', 'place', 'hand', 'turn'), name='called_once')],
                    },
                ),
            ],
        ),
    ]
