"""The tables of games as the first release has them."""

import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import games.models.hands
import games.models.common
import uuid
import wallets.storage.creating_models
import wallets.storage.sealed_columns
from django.conf import settings
from django.db import migrations, models
from games.profiles.guards import PROFILES
from wallets.of_record import guards

# Django has no such index for both engines: SQLite has neither arrays nor an index for JSON.
INDEXES = (
    "CREATE INDEX held_cards_tokens ON games_heldcards USING gin (string_to_array(tokens, ' '))",
    "CREATE INDEX hand_options ON games_hand USING gin (options jsonb_path_ops)",
)


def install(apps, schema_editor):
    guards.install(schema_editor.connection, PROFILES.files, PROFILES.folder)
    if schema_editor.connection.vendor == "postgresql":
        for statement in INDEXES:
            schema_editor.execute(statement)


def remove(apps, schema_editor):
    """On the way back: a trigger that names a table which has gone would stop every later step."""
    guards.remove(schema_editor.connection, PROFILES.files, PROFILES.folder)


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
                    name='Day',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('day', models.DateField(unique=True, verbose_name='day')),
                        ('closed_at', models.DateTimeField(verbose_name='closed')),
                        ('hands', models.PositiveBigIntegerField(verbose_name='hands')),
                        ('sums', models.JSONField(default=dict, verbose_name='sums by currency')),
                        ('differences', models.JSONField(default=list, verbose_name='differences')),
                        ('reversed', models.PositiveBigIntegerField(default=0, verbose_name='earlier hands reversed')),
                    ],
                    options={
                        'verbose_name': 'day',
                        'verbose_name_plural': 'days',
                        'ordering': ['-day'],
                    },
                ),
                migrations.CreateModel(
                    name='Shoe',
                    fields=[
                        ('code', models.CharField(max_length=60, primary_key=True, serialize=False, verbose_name='shoe')),
                        ('decks', models.PositiveSmallIntegerField()),
                        ('jokers', models.BooleanField()),
                        ('secret', models.TextField(editable=False)),
                        ('seal', models.CharField(max_length=64)),
                        ('key', models.CharField(max_length=64)),
                        ('x_0', models.CharField(max_length=64)),
                        ('lock', models.CharField(blank=True, max_length=64)),
                        ('mix', models.CharField(blank=True, max_length=64)),
                        ('status', models.CharField(choices=[('sealed', 'sealed'), ('locked', 'locked'), ('open', 'in play'), ('spent', 'spent'), ('void', 'void')], default='sealed', max_length=10)),
                        ('cards_dealt', models.PositiveSmallIntegerField(default=0)),
                        ('rounds_played', models.PositiveSmallIntegerField(default=0)),
                        ('sealed_at', models.DateTimeField()),
                        ('locked_at', models.DateTimeField(null=True)),
                        ('void_reason', models.CharField(blank=True, max_length=200)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shoes', to='games.table')),
                        ('deal', models.CharField(blank=True, db_default='', default='', editable=False, max_length=60)),
                        ('reveal_until', models.DateTimeField(editable=False, null=True)),
                    ],
                    options={
                        'verbose_name': 'shoe',
                        'verbose_name_plural': 'shoes',
                        'ordering': ['-sealed_at'],
                    },
                ),
                migrations.CreateModel(
                    name='ChainEntry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=20)),
                        ('body', models.JSONField()),
                        ('made_at', models.DateTimeField()),
                        ('position', models.PositiveBigIntegerField(null=True, unique=True)),
                        ('head', models.CharField(blank=True, max_length=64)),
                        ('shoe', models.CharField(blank=True, db_default='', editable=False, max_length=60)),
                    ],
                    options={
                        'verbose_name': 'entry of the public chain',
                        'verbose_name_plural': 'entries of the public chain',
                        'ordering': ['id'],
                        'indexes': [models.Index(models.F('id'), condition=models.Q(('position__isnull', True)), name='chain_unlinked'), models.Index(fields=['shoe'], name='chain_of_shoe'), models.Index(condition=models.Q(('kind__in', ('void', 'hand_void')), models.Q(('body__settlement', None), ('kind', 'hand')), _connector='OR'), fields=['-position'], name='chain_given_up')],
                    },
                ),
                migrations.CreateModel(
                    name='Hand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveBigIntegerField(verbose_name='number')),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40, verbose_name='game')),
                        ('rules_version', models.PositiveSmallIntegerField()),
                        ('options', models.JSONField()),
                        ('stakes', models.JSONField()),
                        ('context', models.JSONField(default=dict)),
                        ('first_card', models.PositiveSmallIntegerField()),
                        ('cards_dealt', models.PositiveSmallIntegerField(default=0)),
                        ('round_number', models.PositiveSmallIntegerField()),
                        ('status', models.CharField(choices=[('live', 'live'), ('finished', 'finished'), ('void', 'void')], default='live', max_length=10)),
                        ('started_at', models.DateTimeField(verbose_name='started')),
                        ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                        ('settlement', models.JSONField(blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True)),
                        ('draws', models.JSONField(default=list)),
                        ('rake', models.BigIntegerField(default=0, verbose_name='rake')),
                        ('bank', models.BigIntegerField(default=0, verbose_name="the house's result")),
                        ('jackpots', models.JSONField(default=dict)),
                        ('posting', models.UUIDField(blank=True, null=True)),
                        ('shoe', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='games.shoe')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='games.table')),
                        ('reversal', models.UUIDField(blank=True, null=True)),
                        ('reversed_at', models.DateTimeField(blank=True, null=True, verbose_name='reversed at')),
                        ('sealed_context', models.TextField(blank=True, db_default='', default='', editable=False)),
                        ('void_code', models.CharField(blank=True, db_default='', default='', max_length=32, verbose_name='void for')),
                        ('void_text', models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='why it is void')),
                        ('void_by', models.CharField(blank=True, db_default='', default='', max_length=64, verbose_name='voided by')),
                        ('profile_version', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='games.profileversion', verbose_name='version of a profile')),
                    ],
                    options={
                        'verbose_name': 'hand',
                        'verbose_name_plural': 'hands',
                        'ordering': ['-id'],
                        'permissions': [('audit_hand', 'Can see every card of a finished hand'), ('void_hand', 'Can void live hands and reverse paid ones'), ('void_live_hand', 'Can void live hands, which moves no money')],
                        'indexes': [models.Index(fields=['ended_at'], name='hand_ended'), models.Index(fields=['table', '-id'], name='hand_of_table'), models.Index(models.F('reversed_at'), condition=models.Q(('reversed_at__isnull', False)), name='hand_reversed'), models.Index(condition=models.Q(('profile_version__isnull', False)), fields=['profile_version', '-id'], name='hand_of_profile'), models.Index(condition=models.Q(('reversed_at__isnull', False)), fields=['table', '-reversed_at'], name='hand_reversed_at_table')],
                        'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='one_hand_a_number'), models.UniqueConstraint(condition=models.Q(('status', 'live')), fields=('table',), name='one_live_hand_a_table')],
                    },
                ),
                migrations.CreateModel(
                    name='Table',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=60, unique=True, verbose_name='name')),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40, verbose_name='game')),
                        ('options', models.JSONField(blank=True, default=dict, verbose_name='options')),
                        ('places', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1)], verbose_name='seats')),
                        ('buy_in_min', models.BigIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000000000000)], verbose_name='smallest buy-in')),
                        ('buy_in_max', models.BigIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000000000000)], verbose_name='largest buy-in')),
                        ('decision_seconds', models.PositiveSmallIntegerField(default=20, verbose_name='seconds per decision')),
                        ('betting_seconds', models.PositiveSmallIntegerField(default=15, verbose_name='seconds to bet')),
                        ('pause_seconds', models.PositiveSmallIntegerField(default=5, verbose_name='seconds between hands')),
                        ('grace_seconds', models.PositiveSmallIntegerField(default=60, verbose_name='grace period in seconds')),
                        ('idle_seconds', models.PositiveSmallIntegerField(default=600, verbose_name='seconds before an idle seat is lost')),
                        ('bots_max', models.PositiveSmallIntegerField(default=0, verbose_name='maximum number of bots')),
                        ('private', models.BooleanField(default=False, verbose_name='by invitation only')),
                        ('status', models.CharField(choices=[('open', 'open'), ('closing', 'closing'), ('closed', 'closed')], default='open', max_length=10, verbose_name='status')),
                        ('version', models.PositiveBigIntegerField(default=0, editable=False)),
                        ('phase', models.CharField(choices=[('waiting', 'waiting for players'), ('pause', 'between two hands'), ('reveal', 'mixing the shoe'), ('play', 'playing')], default='waiting', editable=False, max_length=10)),
                        ('button', models.PositiveSmallIntegerField(editable=False, null=True)),
                        ('redeals', models.PositiveSmallIntegerField(default=0, editable=False)),
                        ('hands_dealt', models.PositiveBigIntegerField(default=0, editable=False, verbose_name='hands dealt')),
                        ('shoes_sealed', models.PositiveBigIntegerField(default=0, editable=False)),
                        ('moves_made', models.PositiveIntegerField(default=0, editable=False)),
                        ('turns', models.JSONField(default=dict, editable=False)),
                        ('turn_began_at', models.DateTimeField(editable=False, null=True)),
                        ('deadline', models.DateTimeField(editable=False, null=True)),
                        ('due_at', models.DateTimeField(editable=False, null=True)),
                        ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency', verbose_name='currency')),
                        ('hand', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.hand')),
                        ('jackpots', models.ManyToManyField(blank=True, related_name='tables', to='wallets.jackpot', verbose_name='jackpots')),
                        ('shoe', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.shoe')),
                        ('opened_at', models.DateTimeField(editable=False, null=True, verbose_name='opened')),
                        ('opened_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables_opened', to=settings.AUTH_USER_MODEL, verbose_name='opened by')),
                        ('hints_allowed', models.BooleanField(default=True, help_text='Whether players can ask for strategy hints at a house game.', verbose_name='strategy hints')),
                        ('organiser', models.CharField(blank=True, db_default='', default='', editable=False, max_length=64, verbose_name='run by')),
                        ('overflow_of', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='overflow_tables', to='games.table', verbose_name='opened beside')),
                        ('overflow_max', models.PositiveSmallIntegerField(default=0, help_text='How many overflow tables the house may open when people have taken every seat. An overflow table that stays empty closes by itself.', verbose_name='maximum number of overflow tables')),
                        ('stack_min', models.BigIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000000000000)], verbose_name='smallest stack to play on')),
                        ('notice', models.CharField(blank=True, db_default='', default='', editable=False, max_length=200, verbose_name='message of the house')),
                        ('profile', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='games.profile', verbose_name='profile')),
                        ('profile_version', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.profileversion')),
                        ('sealed_invitation', models.TextField(default=games.models.common.new_sealed_token, editable=False, verbose_name='invitation')),
                        ('invitation_digest', wallets.storage.sealed_columns.DigestField(of='sealed_invitation')),
                        ('next_shoe', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.shoe')),
                    ],
                    options={
                        'verbose_name': 'table',
                        'verbose_name_plural': 'tables',
                        'ordering': ['name'],
                        'indexes': [models.Index(models.F('due_at'), condition=models.Q(('due_at__isnull', False)), name='table_due'), models.Index(fields=['organiser'], name='table_organiser')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('buy_in_min__gte', 1), ('buy_in_max__gte', models.F('buy_in_min'))), name='table_buy_in_bounds', violation_error_message='The smallest buy-in is above the largest.')],
                        'permissions': [('run_table', 'Can open and close tables')],
                    },
                ),
                migrations.CreateModel(
                    name='Seat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('number', models.PositiveSmallIntegerField(verbose_name='seat')),
                        ('sits_out', models.BooleanField(default=False, verbose_name='sits out')),
                        ('leaves', models.BooleanField(default=False, verbose_name='leaves after the hand')),
                        ('top_up', models.BigIntegerField(default=0, verbose_name='top-up')),
                        ('seen_at', models.DateTimeField(verbose_name='last seen')),
                        ('idle_since', models.DateTimeField(null=True)),
                        ('sat_down_at', models.DateTimeField(verbose_name='sat down')),
                        ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
                        ('stack', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.account', verbose_name='stack')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='games.table')),
                        ('left_why', models.CharField(blank=True, choices=[('absent', 'offline'), ('idle', 'not dealt in'), ('closed', 'table closed')], max_length=8, verbose_name='why the seat was given up')),
                        ('turns_missed', models.PositiveSmallIntegerField(default=0, verbose_name='turns missed')),
                        ('loss_seen', models.BooleanField(default=False, editable=False)),
                        ('sat_out_why', models.CharField(blank=True, choices=[('missed', 'turns missed'), ('absent', 'offline')], max_length=8, verbose_name='why the house had it sit out')),
                        ('reserved_for', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('reserved_buy_in', models.BigIntegerField(default=0, editable=False)),
                        ('auto_play', models.BooleanField(default=False, verbose_name='played by the house')),
                        ('shown_offline', models.BooleanField(default=False, editable=False)),
                        ('ready_after', models.PositiveBigIntegerField(db_default=0, default=0, editable=False)),
                        ('top_up_key', models.UUIDField(editable=False, null=True)),
                        ('next_bets', models.JSONField(editable=False, null=True)),
                        ('time_bank', models.PositiveSmallIntegerField(db_default=30, default=30, editable=False)),
                        ('house_shoes', models.PositiveBigIntegerField(db_default=0, default=0, editable=False)),
                        ('reply_ms', models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                        ('reveals', models.CharField(blank=True, db_default='', default='', editable=False, max_length=50)),
                        ('shoes', models.CharField(blank=True, db_default='', default='', editable=False, max_length=50)),
                    ],
                    options={
                        'verbose_name': 'seat',
                        'verbose_name_plural': 'seats',
                        'ordering': ['table', 'number'],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'number'), name='one_player_a_seat'), models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'player'), name='one_seat_a_player'), models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'reserved_for'), name='one_reservation_a_player')],
                    },
                ),
                migrations.CreateModel(
                    name='DayResult',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40, verbose_name='game')),
                        ('hands', models.PositiveBigIntegerField(verbose_name='hands')),
                        ('net', models.BigIntegerField(verbose_name='won')),
                        ('rake', models.BigIntegerField(verbose_name='rake')),
                        ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='games.day')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                        ('on', models.DateField()),
                        ('voids', models.PositiveBigIntegerField()),
                        ('hands_won', models.PositiveBigIntegerField()),
                        ('hands_lost', models.PositiveBigIntegerField()),
                        ('hands_even', models.PositiveBigIntegerField()),
                        ('gains', models.BigIntegerField()),
                        ('losses', models.BigIntegerField()),
                    ],
                    options={
                        'verbose_name': 'result of a day',
                        'verbose_name_plural': 'results of days',
                        'indexes': [models.Index(fields=['player', '-on', 'currency', 'game', 'table', 'hands', 'net', 'rake', 'voids', 'hands_won', 'hands_lost', 'hands_even', 'gains', 'losses'], name='days_of_player')],
                        'constraints': [models.UniqueConstraint(fields=('day', 'table', 'player'), name='one_result_a_day')],
                    },
                ),
                migrations.CreateModel(
                    name='Move',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveIntegerField()),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('action', models.JSONField()),
                        ('turn', models.PositiveIntegerField()),
                        ('by', models.CharField(choices=[('player', 'player'), ('timeout', 'timeout'), ('bot', 'bot'), ('house', 'house')], max_length=10)),
                        ('at', models.DateTimeField()),
                        ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='games.hand')),
                        ('sealed_action', models.TextField(blank=True, db_default='', default='', editable=False)),
                    ],
                    options={
                        'verbose_name': 'move',
                        'verbose_name_plural': 'moves',
                        'ordering': ['hand', 'number'],
                        'constraints': [models.UniqueConstraint(fields=('hand', 'number'), name='one_move_a_number')],
                        'indexes': [models.Index(condition=models.Q(('sealed_action', ''), _negated=True), fields=['id'], name='moves_sealed')],
                    },
                ),
                migrations.CreateModel(
                    name='HandSeat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('net', models.BigIntegerField(default=0)),
                        ('rake', models.BigIntegerField(default=0)),
                        ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='games.hand')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='hands', to=settings.AUTH_USER_MODEL)),
                        ('seat', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hands', to='games.seat')),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40)),
                        ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                        ('currency', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('status', models.CharField(choices=[('live', 'live'), ('finished', 'finished'), ('void', 'void')], default='live', max_length=10)),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('starting_stack', models.BigIntegerField()),
                    ],
                    options={
                        'verbose_name': 'seat in a hand',
                        'verbose_name_plural': 'seats in hands',
                        'ordering': ['hand', 'number'],
                        'indexes': [models.Index(fields=['player', '-hand'], name='hands_of_player'), models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['player', '-ended_at', '-hand', 'game', 'table', 'currency', 'status', 'net'], name='history_of_player'), models.Index(condition=models.Q(('status', 'finished')), fields=['player', 'currency', 'net'], name='results_of_player'), models.Index(condition=models.Q(('status', 'finished')), fields=['currency', 'net'], name='results_of_all')],
                        'constraints': [models.UniqueConstraint(fields=('hand', 'number'), name='one_seat_a_hand')],
                    },
                ),
                migrations.CreateModel(
                    name='ShoeSeat',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('by_house', models.BooleanField()),
                        ('commit', models.CharField(max_length=64)),
                        ('reveal', models.CharField(blank=True, max_length=64)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('shoe', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.shoe')),
                        ('receipt', models.JSONField(editable=False, null=True)),
                        ('late', models.BooleanField(db_default=False, default=False, editable=False)),
                    ],
                    options={
                        'verbose_name': 'seat of a shoe',
                        'verbose_name_plural': 'seats of a shoe',
                        'ordering': ['number'],
                        'constraints': [models.UniqueConstraint(fields=('shoe', 'number'), name='one_part_a_seat')],
                    },
                ),
                migrations.CreateModel(
                    name='SharedHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('named', models.BooleanField(default=False, verbose_name='by name')),
                        ('made_at', models.DateTimeField(verbose_name='made')),
                        ('revoked_at', models.DateTimeField(null=True, verbose_name='revoked')),
                        ('hand', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shared', to='games.hand')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='revoked by')),
                        ('revoked_why', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                        ('sealed_token', models.TextField(default=games.models.common.new_sealed_token, editable=False)),
                        ('token_digest', wallets.storage.sealed_columns.DigestField(of='sealed_token', unique=True)),
                    ],
                    options={
                        'verbose_name': 'shared hand',
                        'verbose_name_plural': 'shared hands',
                        'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at__isnull', True)), fields=('hand', 'player'), name='one_link_a_player')],
                        'indexes': [models.Index(fields=['player', '-id'], name='links_of_player')],
                        'permissions': [('revoke_sharedhand', 'Can revoke links to hands')],
                    },
                ),
                migrations.CreateModel(
                    name='Anchor',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveBigIntegerField(unique=True)),
                        ('made_at', models.DateTimeField()),
                        ('position', models.BigIntegerField()),
                        ('line', models.TextField()),
                        ('written', models.BooleanField(default=False)),
                    ],
                    options={
                        'verbose_name': 'anchor',
                        'verbose_name_plural': 'anchors',
                        'ordering': ['number'],
                    },
                ),
                migrations.CreateModel(
                    name='AnchoredBook',
                    fields=[
                        ('book', models.CharField(max_length=64, primary_key=True, serialize=False)),
                        ('position', models.BigIntegerField()),
                    ],
                ),
                migrations.CreateModel(
                    name='Reckoning',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40)),
                        ('options', models.JSONField()),
                        ('stack', models.BigIntegerField()),
                        ('seed', models.CharField(max_length=64)),
                        ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'being computed'), ('done', 'computed'), ('failed', 'failed')], default='waiting', max_length=8)),
                        ('wanted', models.PositiveIntegerField()),
                        ('done', models.PositiveIntegerField(default=0)),
                        ('figures', models.JSONField(default=list)),
                        ('error', models.CharField(blank=True, default='', max_length=200)),
                        ('requested_at', models.DateTimeField()),
                        ('seen_at', models.DateTimeField(null=True)),
                        ('ended_at', models.DateTimeField(null=True)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Profile',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=60, unique=True, verbose_name='name')),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40, verbose_name='game')),
                        ('made_at', models.DateTimeField(verbose_name='made')),
                        ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency', verbose_name='currency')),
                    ],
                    options={
                        'verbose_name': 'profile',
                        'verbose_name_plural': 'profiles',
                        'ordering': ['name'],
                        'permissions': [('publish_profile', 'Can draft, propose and approve profiles')],
                        'default_permissions': ('view',),
                    },
                ),
                migrations.CreateModel(
                    name='ProfileVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveIntegerField(verbose_name='number')),
                        ('options', models.JSONField(verbose_name='options')),
                        ('table_settings', models.JSONField(verbose_name='settings of the table')),
                        ('revision', models.PositiveIntegerField(default=1)),
                        ('state', models.CharField(choices=[('draft', 'draft'), ('proposed', 'waits for approval'), ('published', 'published'), ('retired', 'retired'), ('rejected', 'rejected')], default='draft', max_length=10, verbose_name='state')),
                        ('made_at', models.DateTimeField(verbose_name='made')),
                        ('answers', models.JSONField(default=dict)),
                        ('proposal', models.CharField(blank=True, default='', max_length=64)),
                        ('published_from', models.DateTimeField(null=True, verbose_name='published from')),
                        ('based_on', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.profileversion')),
                        ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
                        ('profile', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='games.profile')),
                    ],
                    options={
                        'verbose_name': 'version of a profile',
                        'verbose_name_plural': 'versions of profiles',
                        'ordering': ['profile', '-number'],
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('profile', 'number'), name='one_version_a_number'), models.UniqueConstraint(condition=models.Q(('state__in', ['draft', 'proposed'])), fields=('profile',), name='one_draft_a_profile'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['published', 'retired']), _negated=True), ('published_from__isnull', False), _connector='OR'), name='published_from_some_time')],
                    },
                ),
                migrations.CreateModel(
                    name='HeldCards',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('key', models.CharField(max_length=8)),
                        ('tokens', games.models.hands.TokensField()),
                        ('hand', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='held', to='games.hand')),
                    ],
                    options={
                        'verbose_name': 'cards of a hand',
                        'verbose_name_plural': 'cards of hands',
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('hand', 'number'), name='held_cards_once')],
                    },
                ),
            ],
        ),
        migrations.RunPython(install, remove),
    ]
