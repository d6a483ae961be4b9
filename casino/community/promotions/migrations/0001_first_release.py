"""The tables of promotions."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
        ('wallets', '0004_bonus_accounts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PromotionsHidden',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Promotion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True, verbose_name='name')),
                ('made_at', models.DateTimeField(verbose_name='made')),
            ],
            options={
                'verbose_name': 'promotion',
                'verbose_name_plural': 'promotions',
                'permissions': [('publish_promotion', 'Can draft and publish promotions')],
                'default_permissions': ('view',),
            },
        ),
        migrations.CreateModel(
            name='Taking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='PromotionVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('proposed', 'proposed'), ('published', 'published'), ('rejected', 'rejected')], default='draft', max_length=10, verbose_name='state')),
                ('terms', models.JSONField(verbose_name='terms')),
                ('revision', models.PositiveIntegerField(default=1)),
                ('answer', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('published_from', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('stopped_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
                ('promotion', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='promotions.promotion')),
            ],
            options={
                'verbose_name': 'version of a promotion',
                'verbose_name_plural': 'versions of promotions',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='PromotionProgress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('window', models.CharField(blank=True, max_length=40)),
                ('entry', models.CharField(blank=True, max_length=40)),
                ('points', models.BigIntegerField()),
                ('hands', models.IntegerField()),
                ('reached_at', models.DateTimeField(null=True)),
                ('is_closed', models.BooleanField(default=False)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='progress', to='promotions.promotionversion')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='PromotionAward',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fact', models.CharField(max_length=40)),
                ('cause', models.CharField(max_length=40)),
                ('amount', models.BigIntegerField(verbose_name='amount')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('day', models.DateField(verbose_name='day')),
                ('state', models.CharField(choices=[('paid', 'paid'), ('held', 'to be wagered'), ('released', 'released'), ('expired', 'expired'), ('forfeited', 'given up'), ('returned', 'taken back')], max_length=10, verbose_name='state')),
                ('to_wager', models.BigIntegerField(default=0)),
                ('wagered', models.BigIntegerField(default=0)),
                ('expires_at', models.DateTimeField(null=True)),
                ('is_debt', models.BooleanField(default=False)),
                ('forfeited_at', models.DateTimeField(null=True)),
                ('is_posted', models.BooleanField(default=False)),
                ('is_ended', models.BooleanField(default=False)),
                ('currency', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='promotions.promotionversion')),
            ],
            options={
                'verbose_name': 'award',
                'verbose_name_plural': 'awards',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Preview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('asked_at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='waiting', max_length=8)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('result', models.JSONField(default=dict)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='previews', to='promotions.promotionversion')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='EarnerChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('why', models.CharField(blank=True, max_length=40)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('player', 'since'), name='earner_once')],
            },
        ),
        migrations.CreateModel(
            name='PointsMonth',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('month', models.DateField()),
                ('kept', models.BigIntegerField()),
                ('currency', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('player', 'currency', 'month'), name='points_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='promotionversion',
            constraint=models.UniqueConstraint(fields=('promotion', 'number'), name='promotion_version_once'),
        ),
        migrations.AddConstraint(
            model_name='promotionversion',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('draft', 'proposed'))), fields=('promotion',), name='one_open_promotion_version'),
        ),
        migrations.AddConstraint(
            model_name='promotionversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'published'), _negated=True), ('published_from__isnull', False), _connector='OR'), name='promotion_published_from'),
        ),
        migrations.AddIndex(
            model_name='promotionprogress',
            index=models.Index(fields=['player', 'version'], name='progress_of_player'),
        ),
        migrations.AddConstraint(
            model_name='promotionprogress',
            constraint=models.UniqueConstraint(fields=('version', 'window', 'player', 'entry'), name='progress_once'),
        ),
        migrations.AddIndex(
            model_name='promotionaward',
            index=models.Index(fields=['player', '-at'], name='awards_of_player'),
        ),
        migrations.AddIndex(
            model_name='promotionaward',
            index=models.Index(condition=models.Q(('is_posted', False)), fields=['id'], name='awards_to_post'),
        ),
        migrations.AddConstraint(
            model_name='promotionaward',
            constraint=models.UniqueConstraint(fields=('version', 'player', 'fact'), name='awarded_once'),
        ),
        migrations.AddConstraint(
            model_name='promotionaward',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gte', 1)), name='award_amount'),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('friend', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('inviter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='ShopOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(editable=False, unique=True)),
                ('event', models.CharField(max_length=80, verbose_name='event')),
                ('worth', models.BigIntegerField(verbose_name='worth')),
                ('points', models.PositiveIntegerField(verbose_name='points')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('currency', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
            ],
            options={
                'verbose_name': 'offer of the shop',
                'verbose_name_plural': 'offers of the shop',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='ShopPurchase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(editable=False, unique=True)),
                ('points', models.PositiveIntegerField(verbose_name='points')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('offer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='purchases', to='promotions.shopoffer')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.AddConstraint(
            model_name='shopoffer',
            constraint=models.CheckConstraint(condition=models.Q(('points__gte', 1), ('worth__gte', 1)), name='shop_offer'),
        ),
        migrations.CreateModel(
            name='LevelShown',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'default_permissions': (),
            },
        ),
    ]
