"""The tables of integrity as the first release has them."""

import django.db.models.deletion
import games.models.common
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
        ('players', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Scan',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('hand', models.PositiveBigIntegerField(default=0)),
                        ('ran_at', models.DateTimeField(null=True)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Tally',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('detector', models.CharField(max_length=20)),
                        ('game', models.CharField(blank=True, max_length=40)),
                        ('player', models.PositiveBigIntegerField(default=0)),
                        ('other', models.PositiveBigIntegerField(default=0)),
                        ('count', models.PositiveBigIntegerField(default=0)),
                        ('first', models.FloatField(default=0)),
                        ('second', models.FloatField(default=0)),
                        ('third', models.FloatField(default=0)),
                        ('fourth', models.FloatField(default=0)),
                        ('looks', models.PositiveSmallIntegerField(default=0)),
                        ('place', models.PositiveSmallIntegerField(null=True)),
                    ],
                    options={
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['detector', 'player'], name='tally_of_player')],
                        'constraints': [models.UniqueConstraint(fields=('detector', 'game', 'player', 'other'), name='one_tally_of_a_kind')],
                    },
                ),
                migrations.CreateModel(
                    name='Suspicion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('detector', models.CharField(max_length=20, verbose_name='question')),
                        ('subjects', models.CharField(max_length=64)),
                        ('game', models.CharField(blank=True, choices=games.models.common.game_choices, max_length=40, verbose_name='game')),
                        ('since', models.DateTimeField(verbose_name='since')),
                        ('until', models.DateTimeField(verbose_name='until')),
                        ('score', models.FloatField(verbose_name='score')),
                        ('bound', models.FloatField(verbose_name='bound')),
                        ('weight', models.PositiveBigIntegerField(default=0)),
                        ('evidence', models.JSONField(default=dict, verbose_name='evidence')),
                        ('opened_at', models.DateTimeField(verbose_name='opened')),
                        ('state', models.CharField(choices=[('open', 'open'), ('decided', 'decided')], default='open', max_length=8, verbose_name='state')),
                        ('decision', models.CharField(blank=True, choices=[('unfounded', 'unfounded'), ('watch', 'keep watching'), ('acted', 'acted upon')], max_length=10, verbose_name='decision')),
                        ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                        ('decided_by', models.CharField(blank=True, max_length=64, verbose_name='decided by')),
                        ('decided_by_name', models.CharField(blank=True, max_length=150, verbose_name='decided by')),
                        ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
                        ('players', models.ManyToManyField(related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='players')),
                        ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table', verbose_name='table')),
                    ],
                    options={
                        'verbose_name': 'suspicion',
                        'verbose_name_plural': 'suspicions',
                        'permissions': [('see_suspicion', 'Can see suspicions and their evidence'), ('decide_suspicion', 'Can decide suspicions, with a note')],
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['state', '-opened_at'], name='suspicions_by_state')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('detector', 'subjects', 'game'), name='one_open_suspicion'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decision', ''), ('state', 'open')), models.Q(('decided_at__isnull', False), ('state', 'decided'), models.Q(('decision', ''), _negated=True), models.Q(('note', ''), _negated=True)), _connector='OR'), name='suspicion_decided_whole')],
                    },
                ),
                migrations.CreateModel(
                    name='Trace',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('sat', 'sat down'), ('acted', 'acted'), ('withheld', 'did not reveal')], max_length=8, verbose_name='what')),
                        ('line', models.CharField(blank=True, max_length=32)),
                        ('device', models.CharField(blank=True, max_length=32)),
                        ('at', models.DateTimeField(verbose_name='at')),
                        ('hand', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='games.hand')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='games.table')),
                    ],
                    options={
                        'verbose_name': 'trace',
                        'verbose_name_plural': 'traces',
                        'default_permissions': (),
                        'indexes': [models.Index(condition=models.Q(('kind', 'sat')), fields=['line', 'at'], name='sat_by_line'), models.Index(condition=models.Q(('kind', 'sat')), fields=['device', 'at'], name='sat_by_device'), models.Index(condition=models.Q(('kind', 'withheld')), fields=['at'], name='trace_withheld'), models.Index(condition=models.Q(('hand__isnull', True)), fields=['player', 'at'], name='trace_of_player'), models.Index(condition=models.Q(('hand__isnull', False)), fields=['line', 'hand'], name='acted_by_line')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('hand__isnull', False)), fields=('hand', 'player', 'line', 'device'), name='one_trace_an_origin')],
                    },
                ),
            ],
        ),
    ]
