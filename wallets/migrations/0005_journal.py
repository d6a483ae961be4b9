"""The journal of staff, proposals, and limits of the house, with the triggers that guard them."""

from django.db import migrations, models

from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection, guards.STAFF)


class Migration(migrations.Migration):

    dependencies = [
        ('wallets', '0004_post_view'),
    ]

    operations = [
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
                'permissions': [('read_journal', 'Can read the journal of staff')],
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
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
