"""What the programs of the house import, loaded once for all forks of the run."""

from importlib import import_module

import django

django.setup()

# In this order, and only now: they need the models.
for name in (
    "casino.asgi",
    "casino.celery",
    "celery.__main__",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.concurrency.prefork",
    "django.core.management",
):
    import_module(name)
import_module("casino.celery").app.loader.import_default_modules()
