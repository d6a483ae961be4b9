"""The WSGI application for pages and actions."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_wsgi_application()

from casino.ops import made_at_start  # noqa: E402 - the apps are loaded only now

made_at_start.build()
