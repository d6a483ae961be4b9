"""The tables of care as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
        ('wallets', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='RealityCheck',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('minutes', models.PositiveSmallIntegerField()),
                        ('answered_at', models.DateTimeField(null=True)),
                        ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='reality_check', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'reality check',
                        'verbose_name_plural': 'reality checks',
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='ErasureRequest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('made_at', models.DateTimeField()),
                        ('done_at', models.DateTimeField(null=True)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='erasure_requests', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'request for erasure',
                        'verbose_name_plural': 'requests for erasure',
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('done_at', None)), fields=('player',), name='one_erasure_a_player')],
                    },
                ),
                migrations.CreateModel(
                    name='Exclusion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('time_out', 'Time-out'), ('self_exclusion', 'Self-exclusion')], max_length=16)),
                        ('begins_at', models.DateTimeField()),
                        ('until', models.DateTimeField(null=True)),
                        ('carried_out_at', models.DateTimeField(null=True)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exclusions', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'exclusion',
                        'verbose_name_plural': 'exclusions',
                        'default_permissions': (),
                        'constraints': [models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gt', models.F('begins_at')), _connector='OR'), name='exclusion_lasts')],
                    },
                ),
                migrations.CreateModel(
                    name='PlayerLimit',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('deposit', 'Deposits'), ('loss', 'Losses'), ('stake', 'Money taken to tables'), ('session', 'Time at tables')], max_length=8)),
                        ('period', models.CharField(choices=[('day', 'a day'), ('week', 'a week'), ('month', 'a month')], max_length=8)),
                        ('value', models.BigIntegerField(null=True)),
                        ('made_at', models.DateTimeField()),
                        ('effective_from', models.DateTimeField()),
                        ('confirmed_at', models.DateTimeField(null=True)),
                        ('withdrawn_at', models.DateTimeField(null=True)),
                        ('currency', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='limits', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'limit of a player',
                        'verbose_name_plural': 'limits of players',
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', 'kind', '-id'], name='limits_of_player')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('value__isnull', True), ('value__gte', 0), _connector='OR'), name='limit_not_negative'), models.CheckConstraint(condition=models.Q(('kind', 'session'), ('currency__isnull', False), _connector='XOR'), name='limit_has_its_unit')],
                    },
                ),
            ],
        ),
    ]
