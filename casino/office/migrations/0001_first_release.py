"""The tables of backoffice as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='HouseState',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('version', models.PositiveBigIntegerField(default=0)),
                        ('halted_at', models.DateTimeField(null=True)),
                        ('halted_by', models.CharField(blank=True, max_length=64)),
                        ('halted_by_name', models.CharField(blank=True, max_length=150)),
                        ('halted_why', models.CharField(blank=True, max_length=200)),
                        ('confirmed_by_name', models.CharField(blank=True, max_length=150)),
                        ('closed_at', models.DateTimeField(null=True)),
                        ('closed_by_name', models.CharField(blank=True, max_length=150)),
                        ('closed_why', models.CharField(blank=True, max_length=200)),
                    ],
                    options={
                        'verbose_name': 'state of the house',
                        'permissions': [('see_floor', 'Can see the live floor'), ('close_house', 'Can close and open the house'), ('halt_house', 'Can stop all new hands at once'), ('message_players', 'Can send messages to tables')],
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Tour',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('step', models.PositiveSmallIntegerField()),
                        ('member', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'tour of the office',
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Closure',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('scope', models.CharField(choices=[('table', 'the table'), ('game', 'the game'), ('house', 'the house')], max_length=5)),
                        ('at', models.DateTimeField()),
                        ('by_name', models.CharField(max_length=150)),
                        ('reason', models.CharField(max_length=200)),
                        ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='closure', to='games.table')),
                    ],
                    options={
                        'verbose_name': 'closure of a table',
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='AuditRun',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('first_day', models.DateField(verbose_name='from')),
                        ('last_day', models.DateField(verbose_name='to')),
                        ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'being audited'), ('done', 'audited'), ('failed', 'failed')], default='waiting', max_length=8)),
                        ('wanted', models.PositiveBigIntegerField(default=0)),
                        ('done', models.PositiveBigIntegerField(default=0)),
                        ('wrong', models.PositiveBigIntegerField(default=0)),
                        ('findings', models.JSONField(default=list)),
                        ('requested_by', models.CharField(max_length=150)),
                        ('reason', models.CharField(max_length=200)),
                        ('requested_at', models.DateTimeField()),
                        ('seen_at', models.DateTimeField(null=True)),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                    ],
                    options={
                        'verbose_name': 'audit of hands',
                        'ordering': ('-pk',),
                        'default_permissions': (),
                    },
                ),
            ],
        ),
    ]
