import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('backoffice', '0001_floor'),
        ('games', '0035_options_of_hands'),
    ]

    operations = [
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
    ]
