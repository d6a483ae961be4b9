"""The Celery application. Celery makes the site fast; the database makes it correct."""

import os

from celery import Celery
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

# A worker that loses its broker would return its tasks over a connection that it has already
# forgotten, and die of that with all its timers (celery 5.7). It need not return anything: the
# broker redelivers unacknowledged tasks, and tables do not wait for a broker.
Channel.do_restore = False

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A part of the app `games` with tasks of its own.
app.autodiscover_tasks(["games.profiles"])
