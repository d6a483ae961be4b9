"""The tables of webhooks."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, unique=True, verbose_name='name')),
                ('address', models.CharField(max_length=500, verbose_name='address')),
                ('kinds', models.JSONField(verbose_name='events')),
                ('sealed_secret', models.TextField(editable=False, verbose_name='secret')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ['pk'],
                'permissions': [('see_hooks', 'Can see webhooks and what was sent'), ('manage_hooks', 'Can add webhooks, end them and send again')],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Found',
            fields=[
                ('kind', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Happening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.UUIDField(unique=True)),
                ('kind', models.CharField(max_length=40, verbose_name='event')),
                ('key', models.CharField(max_length=100)),
                ('data', models.JSONField(verbose_name='what it says')),
                ('at', models.DateTimeField(verbose_name='time')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ['-pk'],
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='happening_once')],
            },
        ),
        migrations.CreateModel(
            name='Sending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('next_at', models.DateTimeField(null=True, verbose_name='next attempt')),
                ('delivered_at', models.DateTimeField(null=True, verbose_name='delivered')),
                ('status', models.PositiveSmallIntegerField(default=0, verbose_name='answer')),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sendings', to='hooks.endpoint')),
                ('happening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sendings', to='hooks.happening')),
            ],
            options={
                'verbose_name': 'delivery',
                'verbose_name_plural': 'deliveries',
                'ordering': ['-pk'],
                'default_permissions': (),
                'indexes': [models.Index(models.F('next_at'), condition=models.Q(('next_at__isnull', False)), name='sending_due')],
                'constraints': [models.UniqueConstraint(fields=('endpoint', 'happening'), name='sending_once')],
            },
        ),
    ]
