"""The Celery application. Celery makes the house quick; the database makes it correct."""

import os

from celery import Celery

from casino.sweeper import Sweeper

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(Sweeper)
