"""Everything the house serves, at one origin."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_asgi_application()
