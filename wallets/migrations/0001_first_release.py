"""The tables of wallets as the first release has them."""

import django.db.models.deletion
import django.utils.timezone
import wallets.storage.creating_models
from django.db import migrations, models
from wallets.of_record import guards


def install(apps, schema_editor):
    for files in (guards.LEDGER, guards.STAFF, guards.RECORD):
        guards.install(schema_editor.connection, files)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Book',
                    fields=[
                        ('name', models.CharField(max_length=64, primary_key=True, serialize=False, verbose_name='name')),
                        ('position', models.BigIntegerField(default=0, verbose_name='transactions')),
                        ('head', models.CharField(default='0000000000000000000000000000000000000000000000000000000000000000', max_length=64, verbose_name='head')),
                    ],
                    options={
                        'verbose_name': 'book',
                        'verbose_name_plural': 'books',
                    },
                ),
                migrations.CreateModel(
                    name='Closing',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('time', models.DateTimeField(default=django.utils.timezone.now, verbose_name='time')),
                        ('books', models.BigIntegerField(verbose_name='books that moved')),
                        ('previous', models.CharField(max_length=64, verbose_name='previous hash')),
                        ('hash', models.CharField(max_length=64, verbose_name='hash')),
                    ],
                    options={
                        'verbose_name': 'closing',
                        'verbose_name_plural': 'closings',
                        'constraints': [models.UniqueConstraint(fields=('previous',), name='closing_in_line')],
                    },
                ),
                migrations.CreateModel(
                    name='Currency',
                    fields=[
                        ('code', models.CharField(max_length=8, primary_key=True, serialize=False, verbose_name='code')),
                        ('name', models.CharField(max_length=40, verbose_name='name')),
                        ('exponent', models.PositiveSmallIntegerField(default=2, help_text='The number of digits after the decimal point.', verbose_name='exponent')),
                        ('kind', models.CharField(choices=[('money', 'money'), ('play', 'play money'), ('chips', 'tournament chips')], default='money', max_length=8, verbose_name='kind')),
                    ],
                    options={
                        'verbose_name': 'currency',
                        'verbose_name_plural': 'currencies',
                        'ordering': ['code'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('exponent__lte', 8)), name='currency_exponent_small')],
                    },
                ),
                migrations.CreateModel(
                    name='Account',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('player', "player's wallet"), ('stack', 'stack at a table'), ('escrow', 'held in escrow'), ('house', 'house bank'), ('rake', 'rake'), ('jackpot', 'jackpot pool'), ('prize', 'prize pool'), ('fee', 'fees'), ('issue', 'issued money'), ('promotion', 'promotions')], max_length=10, verbose_name='kind')),
                        ('owner', models.CharField(max_length=64, verbose_name='owner')),
                        ('balance', models.BigIntegerField(default=0, verbose_name='balance')),
                        ('currency', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='wallets.currency', verbose_name='currency')),
                    ],
                    options={
                        'verbose_name': 'account',
                        'verbose_name_plural': 'accounts',
                        'constraints': [models.UniqueConstraint(fields=('kind', 'owner', 'currency'), name='account_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['player', 'stack', 'escrow', 'prize']), _negated=True), ('balance__gte', 0), _connector='OR'), name='account_not_overdrawn'), models.CheckConstraint(condition=models.Q(('balance__range', (-1000000000000000000, 1000000000000000000))), name='account_within_bounds')],
                    },
                ),
                migrations.CreateModel(
                    name='Jackpot',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=40, unique=True, verbose_name='name')),
                        ('kind', models.CharField(choices=[('progressive', 'progressive jackpot'), ('mystery', 'mystery prize')], max_length=12, verbose_name='kind')),
                        ('seed', models.BigIntegerField(default=0, help_text='The amount to which the house refills the pool after a hit.', verbose_name='seed')),
                        ('reserve', models.BigIntegerField(default=0, help_text="The pool's reserve beyond the amount shown, for hits at two tables at once.", verbose_name='reserve')),
                        ('share_bp', models.PositiveSmallIntegerField(default=1000, help_text='The share of every bonus bet that goes into the pool, in hundredths of a percent.', verbose_name='share')),
                        ('lowest', models.BigIntegerField(default=10000, verbose_name='lowest prize')),
                        ('highest', models.BigIntegerField(default=50000, verbose_name='highest prize')),
                        ('active', models.BooleanField(default=True, verbose_name='active')),
                        ('pool', models.OneToOneField(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='jackpot', to='wallets.account', verbose_name='pool')),
                    ],
                    options={
                        'verbose_name': 'jackpot',
                        'verbose_name_plural': 'jackpots',
                        'constraints': [models.CheckConstraint(condition=models.Q(('seed__range', (0, 1000000000000000)), ('reserve__range', (0, 1000000000000000))), name='jackpot_seed_and_reserve', violation_error_message='Seed and reserve cannot be negative.'), models.CheckConstraint(condition=models.Q(('share_bp__lte', 10000)), name='jackpot_share', violation_error_message='A share cannot exceed 10,000 hundredths of a percent.'), models.CheckConstraint(condition=models.Q(('highest__lte', 1000000000000000), ('lowest__gte', 1), ('lowest__lte', models.F('highest'))), name='jackpot_prizes_in_order', violation_error_message='The lowest prize cannot exceed the highest.')],
                    },
                ),
                migrations.CreateModel(
                    name='Transaction',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.UUIDField(unique=True, verbose_name='key')),
                        ('kind', models.CharField(max_length=32, verbose_name='kind')),
                        ('position', models.BigIntegerField(verbose_name='position')),
                        ('reference', models.CharField(blank=True, max_length=64, verbose_name='reference')),
                        ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                        ('actor', models.CharField(blank=True, max_length=64, verbose_name='actor')),
                        ('time', models.DateTimeField(verbose_name='time')),
                        ('digest', models.CharField(max_length=64, verbose_name='digest')),
                        ('previous', models.CharField(max_length=64, verbose_name='previous hash')),
                        ('hash', models.CharField(max_length=64, verbose_name='hash')),
                        ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallets.book', verbose_name='book')),
                    ],
                    options={
                        'verbose_name': 'transaction',
                        'verbose_name_plural': 'transactions',
                        'indexes': [models.Index(condition=models.Q(('reference', ''), _negated=True), fields=['reference'], name='transaction_reference')],
                        'constraints': [models.UniqueConstraint(fields=('book', 'position'), name='transaction_in_line')],
                    },
                ),
                migrations.CreateModel(
                    name='Entry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('amount', models.BigIntegerField(verbose_name='amount')),
                        ('balance_after', models.BigIntegerField(verbose_name='balance after')),
                        ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='wallets.account', verbose_name='account')),
                        ('transaction', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='wallets.transaction', verbose_name='transaction')),
                    ],
                    options={
                        'verbose_name': 'entry',
                        'verbose_name_plural': 'entries',
                        'indexes': [models.Index(fields=['account', 'id'], name='entry_of_account')],
                        'constraints': [models.UniqueConstraint(fields=('transaction', 'account'), name='entry_once'), models.CheckConstraint(condition=models.Q(models.Q(('amount', 0), _negated=True), ('amount__range', (-1000000000000000, 1000000000000000))), name='entry_within_bounds')],
                    },
                ),
                migrations.CreateModel(
                    name='Trigger',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveIntegerField(verbose_name='number')),
                        ('published', models.CharField(max_length=128, verbose_name='published hash')),
                        ('sealed', models.TextField(editable=False, verbose_name='sealed secret')),
                        ('opened', models.CharField(blank=True, max_length=200, verbose_name='opened')),
                        ('reference', models.CharField(blank=True, max_length=64, verbose_name='won in')),
                        ('committed_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='committed at')),
                        ('opened_at', models.DateTimeField(null=True, verbose_name='opened at')),
                        ('jackpot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='triggers', to='wallets.jackpot')),
                    ],
                    options={
                        'verbose_name': 'trigger',
                        'verbose_name_plural': 'triggers',
                        'ordering': ['-number'],
                        'constraints': [models.UniqueConstraint(fields=('jackpot', 'number'), name='trigger_in_line'), models.UniqueConstraint(condition=models.Q(('opened_at', None)), fields=('jackpot',), name='trigger_one_closed')],
                    },
                ),
                migrations.CreateModel(
                    name='ClosingHead',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.BigIntegerField()),
                        ('head', models.CharField(max_length=64)),
                        ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallets.book')),
                        ('closing', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='heads', to='wallets.closing')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('book', 'position'), name='closing_head_once')],
                    },
                ),
                migrations.CreateModel(
                    name='HouseLimit',
                    fields=[
                        ('name', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='limit')),
                        ('value', models.BigIntegerField(verbose_name='value')),
                    ],
                    options={
                        'verbose_name': 'limit of the house',
                        'verbose_name_plural': 'limits of the house',
                        'default_permissions': (),
                        'constraints': [models.CheckConstraint(condition=models.Q(('value__range', (0, 1000000000000))), name='house_limit_bounds')],
                    },
                ),
                migrations.CreateModel(
                    name='JournalEntry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.BigIntegerField(unique=True, verbose_name='number')),
                        ('at', models.DateTimeField(db_index=True, verbose_name='time')),
                        ('actor', models.CharField(max_length=64, verbose_name='actor')),
                        ('actor_name', models.CharField(max_length=150, verbose_name='person')),
                        ('origin', models.CharField(max_length=100, verbose_name='from where')),
                        ('verb', models.CharField(max_length=64, verbose_name='what')),
                        ('subject', models.CharField(max_length=64, verbose_name='object')),
                        ('before', models.JSONField(verbose_name='before')),
                        ('after', models.JSONField(verbose_name='after')),
                        ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                        ('cause', models.CharField(blank=True, max_length=64, verbose_name='by proposal')),
                        ('previous', models.CharField(max_length=64, verbose_name='previous hash')),
                        ('hash', models.CharField(max_length=64, verbose_name='hash')),
                    ],
                    options={
                        'verbose_name': 'journal entry',
                        'verbose_name_plural': 'journal',
                        'permissions': [('read_journal', 'Can read the journal of staff'), ('run_command', 'Can run the commands that keep keys, books and code')],
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['actor', 'position'], name='journal_by_actor'), models.Index(fields=['verb', 'position'], name='journal_by_verb'), models.Index(fields=['subject', 'position'], name='journal_by_subject'), models.Index(fields=['actor', 'verb', 'position'], name='journal_by_actor_and_verb')],
                    },
                ),
                migrations.CreateModel(
                    name='Proposal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.UUIDField(unique=True, verbose_name='key')),
                        ('verb', models.CharField(max_length=64, verbose_name='what')),
                        ('subject', models.CharField(max_length=64, verbose_name='object')),
                        ('arguments', models.JSONField(verbose_name='arguments')),
                        ('state', models.JSONField(verbose_name='state')),
                        ('maker', models.CharField(max_length=64, verbose_name='maker')),
                        ('maker_name', models.CharField(max_length=150, verbose_name='proposed by')),
                        ('reason', models.CharField(max_length=200, verbose_name='reason')),
                        ('made_at', models.DateTimeField(verbose_name='proposed at')),
                        ('expires_at', models.DateTimeField(verbose_name='expires at')),
                        ('status', models.CharField(choices=[('proposed', 'waiting'), ('approved', 'approved'), ('rejected', 'rejected'), ('expired', 'expired')], default='proposed', max_length=10, verbose_name='status')),
                        ('checker', models.CharField(blank=True, max_length=64, verbose_name='checker')),
                        ('checker_name', models.CharField(blank=True, max_length=150, verbose_name='decided by')),
                        ('decision', models.CharField(blank=True, max_length=200, verbose_name='reason of the decision')),
                        ('decided_at', models.DateTimeField(null=True, verbose_name='decided at')),
                        ('decided_lines', models.JSONField(null=True, verbose_name='what was decided')),
                    ],
                    options={
                        'verbose_name': 'proposal',
                        'verbose_name_plural': 'proposals',
                        'permissions': [('approve_proposal', 'Can approve what others propose'), ('deposit', 'Can pay money in'), ('withdraw', 'Can pay money out'), ('change_limit', 'Can propose other limits of the house')],
                        'default_permissions': (),
                        'indexes': [models.Index(condition=models.Q(('status', 'proposed')), fields=['expires_at'], name='proposal_waiting')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('checker', models.F('maker')), _negated=True), name='proposal_maker_is_not_checker'), models.CheckConstraint(condition=models.Q(models.Q(('checker', ''), ('decided_at', None), ('status', 'proposed')), models.Q(('checker', ''), ('decided_at__isnull', False), ('status', 'expired')), models.Q(('decided_at__isnull', False), ('status__in', ['approved', 'rejected']), models.Q(('checker', ''), _negated=True)), _connector='OR'), name='proposal_decided_by_somebody'), models.CheckConstraint(condition=models.Q(('maker', ''), _negated=True), name='proposal_made_by_somebody')],
                    },
                ),
                migrations.CreateModel(
                    name='RecordedChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField()),
                        ('table', models.CharField(max_length=63)),
                        ('row', models.CharField(max_length=64)),
                        ('what', models.CharField(choices=[('insert', 'Insert'), ('update', 'Update'), ('delete', 'Delete'), ('declared', 'Declared'), ('baseline', 'Baseline')], max_length=8)),
                        ('before', models.TextField(null=True)),
                        ('after', models.TextField(null=True)),
                        ('verb', models.CharField(blank=True, max_length=100)),
                        ('position', models.BigIntegerField(null=True, unique=True)),
                        ('hash', models.CharField(blank=True, db_default='', max_length=64)),
                    ],
                    options={
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['table', 'row', 'id'], name='recorded_of_row'), models.Index(models.F('id'), condition=models.Q(('position__isnull', True)), name='recorded_unlinked')],
                    },
                ),
                migrations.CreateModel(
                    name='ClosingDigest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('table', models.CharField(max_length=63)),
                        ('position', models.BigIntegerField()),
                        ('rows', models.BigIntegerField()),
                        ('total', models.TextField()),
                        ('digest', models.CharField(max_length=64)),
                        ('closing', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='digests', to='wallets.closing')),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('table', 'position'), name='closing_digest_once')],
                    },
                ),
            ],
        ),
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
