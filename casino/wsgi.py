"""The WSGI application for pages and actions."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_wsgi_application()

from casino.ops import struct_types  # noqa: E402 - the apps are loaded only now

struct_types.build()
