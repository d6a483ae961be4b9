"""The site: settings, URLs, servers, and the Celery application."""

from casino.celery import app as celery_app

__all__ = ["celery_app"]
