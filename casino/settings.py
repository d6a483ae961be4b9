"""Settings, taken from the environment; `docs/operations.md` lists the variables.

The defaults are for a server in front of players: cookies over HTTPS only, no debug pages, no key
in the source. `DEMO=1`, which `make run` sets, is for a server on a developer's own machine.
"""

from logging import DEBUG as DEBUG_LEVEL
from pathlib import Path
from typing import Any

from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from casino.office.frame import theme
from casino.ops import environment, private_files
from casino.ops.databases import databases
from casino.ops.environment import (
    choice,
    contact,
    flag,
    hours,
    number,
    pairs,
    push_key,
    sealing_keys,
    secret,
    signing_keys,
    text,
    witnesses,
    words,
    zone,
)
from casino.ops.log_lines import logging_as
from casino.ops.timetable import TIMETABLE
from casino.optional_apps import brought, with_their_jobs
from casino.web import api_settings as api
from games.rules.catalogue import installed_folders

BASE_DIR = Path(__file__).resolve().parent.parent


def of_installed_games(name: str) -> list[Path]:
    """The folders of this name in installed packages that bring games."""
    return [folder / name for folder in installed_folders().values() if (folder / name).is_dir()]


# Before anything is written.
private_files.begin()

SECRET_KEY = secret("SECRET_KEY")
# Replaced keys, which may still have signed what players hold.
SECRET_KEY_FALLBACKS = words("SECRET_KEY_FALLBACKS")
SEALING_KEYS = sealing_keys()
SIGNING_KEYS = signing_keys()
DEBUG: bool = flag("DEBUG")
DEMO: bool = environment.DEMO
# Whether bots keep a demonstration alive: `casino/office/demonstration`.
DEMO_LIFE: bool = DEMO and flag("DEMO_LIFE", default=True)
ALLOWED_HOSTS = words("ALLOWED_HOSTS") or (["localhost", "127.0.0.1", "[::1]"] if DEMO else [])
CSRF_TRUSTED_ORIGINS = words("TRUSTED_ORIGINS")

# A house runs without any of these, and without all; `LEAVE_OUT` names those that it does without.
OPTIONAL_APPS = [
    app
    for app in (
        "casino.office.integrity",
        "casino.office.payments",
        "casino.office.hooks",
        "casino.community.returning",
        "casino.community.social",
        "casino.community.evenings",
        "casino.community.push",
        "casino.community.promotions",
        "casino.community.messages",
        "casino.office.demonstration",
    )
    if app not in words("LEAVE_OUT")
]
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "casino.office.frame.office_site.OfficeAdmin",
    # Before the app whose command it replaces.
    "casino.ops.commands",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "casino.accounts",
    "casino.office",
    "casino.ops",
    "casino.office.reports",
    "casino.ops.maintenance",
    "casino.office.alarms",
    "casino.office.desk",
    "casino.care",
    "casino.ops.metrics",
    "casino.office.evidence",
    "casino.office.players",
    *OPTIONAL_APPS,
    "wallets",
    "games",
    "games.web",
    "games.chat",
    "tournaments",
    # What a house adds for itself: CONTRIBUTING.md.
    *words("EXTRA_APPS"),
]

MIDDLEWARE = [
    "casino.ops.metrics.counting.requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Pages and fragments; streams do not go through this. Django masks the form token anew each
    # time and pads at random, so no size reveals what a page contains.
    "django.middleware.gzip.GZipMiddleware",
    # Before the session, so that a page about a fault there has its policy too.
    "csp.middleware.CSPMiddleware",
    "casino.middleware.readable",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "casino.middleware.offered_languages",
    "casino.middleware.database_answers",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "casino.middleware.frame",
    "casino.middleware.ended_sessions",
    "casino.web.rate_limits.forms",
    "casino.accounts.idle_sessions.idle_sessions",
    "casino.middleware.presence",
    "casino.accounts.devices.seen",
    "casino.accounts.idle_sessions.StaffSessions",
    "casino.middleware.origin",
    *brought(OPTIONAL_APPS, "traces.origin"),
    "casino.acts.noted",
]

ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
ASGI_APPLICATION = "casino.asgi.application"
# How many pages and actions a web process handles at once, each with a database connection.
WEB_THREADS = number("WEB_THREADS", 8)

TEMPLATE_FOLDERS = [BASE_DIR / "templates", *of_installed_games("templates")]
TEMPLATES: list[dict[str, object]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": TEMPLATE_FOLDERS,
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "casino.office.frame.theme_templates.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "casino.frame.facts",
            ],
            "libraries": {"framed": "casino.frame", "running": "games.lobby.tags"},
        },
    }
]

# Data.

DATA_DIR = Path(text("DATA_DIR") or BASE_DIR / ".run").resolve()
# Signed heads of chain and ledger, out of reach of the database's owner.
ANCHORS_FILE = Path(text("ANCHORS_FILE") or DATA_DIR / "anchors.jsonl").resolve()
# Which code is released: the hash itself, or the file that `manage.py release` writes.
RELEASE_HASH = text("RELEASE_HASH")
RELEASE_FILE = Path(text("RELEASE_FILE") or DATA_DIR / "release.sha256").resolve()
# A copy that follows the database, for reading what is finished, and how old it may be.
HAS_REPLICA: bool = bool(text("REPLICA_URL"))
REPLICA_LAG_SECONDS = number("REPLICA_LAG_SECONDS", 15)
DATABASES: dict[str, Any] = databases(
    text("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'house.sqlite3'}",
    text("REPLICA_URL"),
    number("CONNECTION_SECONDS", 600),
)
DATABASE_ROUTERS = ["casino.ops.databases.Router"] if HAS_REPLICA else []
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Players.

AUTH_USER_MODEL = "players.Player"
AUTHENTICATION_BACKENDS = [
    "casino.accounts.backends.Locks",
    "casino.accounts.backends.PlayersBackend",
]
# Memory-hard, part of Python's standard library, and no slower than the default: docs/decisions.md.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "casino.accounts.names.LengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "django.contrib.auth.password_validation.NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "lobby"
LOGOUT_REDIRECT_URL = "lobby"
# A name is locked together with the address, and a device of its owner apart from both, so no
# player can lock another one out.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = "casino.accounts.sign_ins.locked_by"
AXES_RESET_ON_SUCCESS = True
# The address of the connection, or its /64. Which proxies are trusted to name another is the
# server's matter alone (`casino.ops.server.web`): a header that a browser can send is not trusted.
AXES_CLIENT_IP_CALLABLE = "casino.web.addresses.locked_address"
AXES_USERNAME_CALLABLE = "casino.accounts.backends.name_tried"
AXES_LOCKOUT_CALLABLE = "casino.accounts.views.locked_out"
AXES_ENABLE_ADMIN = False  # Our log shows no passwords that were typed into the wrong field.
AXES_VERBOSE = False
# What a failed sign-in does not store of what was sent: a password may be typed into the field for
# the name, and an invitation is in the address of the page that comes next.
AXES_SENSITIVE_PARAMETERS = ["username", "code", "confirm_code", "next"]
# Staff sign in with a one-time code and their password: docs/compliance.md.
STAFF_CODES: bool = flag("STAFF_CODES", default=not DEMO)
# Whether a passkey may replace password and code.
PASSKEYS: bool = flag("PASSKEYS", default=True)
# Signing staff in by accounts of the company (OpenID Connect): the provider, this house's name and
# secret there, which claim names roles and which role each value is, and
# the methods (`amr`) that count as a second factor.
OIDC_ISSUER = text("OIDC_ISSUER")
OIDC_CLIENT_ID = text("OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = text("OIDC_CLIENT_SECRET")
OIDC_SCOPES = text("OIDC_SCOPES") or "openid profile email"
OIDC_ROLES_CLAIM = text("OIDC_ROLES_CLAIM") or "groups"
OIDC_ROLES = pairs("OIDC_ROLES")
OIDC_AMR = words("OIDC_AMR")
# How many players may sign up from one address a day; each receives the welcome.
SIGN_UPS_A_DAY = number("SIGN_UPS_A_DAY", 10)
# Guests play without an account and count as sign-ups (docs/compliance.md). A guest who has not
# visited for so many days is closed.
GUESTS: bool = flag("GUESTS", default=True)
GUEST_IDLE_DAYS = number("GUEST_IDLE_DAYS", 30)
CSRF_FAILURE_VIEW = "casino.web.errors.csrf_failure"

# How much play money the house gives away, in minor units: for a player's first seat, up to what
# the refill of a day brings a player who has less, to one player in all currencies, and within a
# day to all players who signed up at one address.
PLAY_MONEY_WELCOME = number("PLAY_MONEY_WELCOME", 1_000_000)
PLAY_MONEY_REFILL = number("PLAY_MONEY_REFILL", 200_000)
PLAY_MONEY_A_PLAYER = number("PLAY_MONEY_A_PLAYER", 5_000_000)
PLAY_MONEY_AN_ADDRESS = number("PLAY_MONEY_AN_ADDRESS", 10_000_000)

# How often players are reminded of their time and money at the least, in minutes; 0 leaves it to
# each player.
REALITY_CHECK_MINUTES = number("REALITY_CHECK_MINUTES", 0)

# Daily tasks, days in a row, achievements and leaderboards, for play money alone:
# docs/compliance.md.
RETURNING: bool = flag("RETURNING", default=True)
# Whether a day's tasks bring play money.
TASK_REWARDS: bool = flag("TASK_REWARDS", default=True)

# Whether facts are taken for promotions, and players see them.
PROMOTIONS: bool = flag("PROMOTIONS", default=True)

# Messages to players: an inbox, mails and notifications. Most of them a player gets in a week, for
# how many players one person may send without a second, and the hours in the house in which nothing
# is sent to where it may ring.
MESSAGES: bool = flag("MESSAGES", default=True)
MESSAGES_A_WEEK = number("MESSAGES_A_WEEK", 3)
MESSAGES_FREELY = number("MESSAGES_FREELY", 100)
QUIET_HOURS = hours("QUIET_HOURS", (22, 8))

# Calling players back whose page is closed: the house's key for push services, and where these
# services reach its operator. Without either, no notifications are offered or sent.
PUSH: bool = flag("PUSH", default=True)
PUSH_KEY = push_key()
PUSH_CONTACT = contact("PUSH_CONTACT")
# In tests alone: the certificate of a push service on this machine, which is then the one trusted.
PUSH_TEST_CERTIFICATE = ""

# Payments from outside: the providers by name (`stripe`, `transfer`), without any none; whether
# staff must have checked a player's identity first; and what the providers need.
PAYMENTS = words("PAYMENTS") if "casino.office.payments" in OPTIONAL_APPS else []
PAYMENTS_NEED_IDENTITY: bool = flag("PAYMENTS_NEED_IDENTITY", default=True)
# Where players transfer money to, as they read it.
TRANSFER_ACCOUNT = text("TRANSFER_ACCOUNT")
STRIPE_KEY = text("STRIPE_KEY")
STRIPE_WEBHOOK_SECRET = text("STRIPE_WEBHOOK_SECRET")
# In tests alone: a server on this machine that answers as the provider does.
STRIPE_API = ""

# In tests alone: the certificate of a receiver of webhooks on this machine, which is then trusted.
HOOKS_TEST_CERTIFICATE = ""

# Languages.

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("简体中文")), ("zh-hant", _("繁體中文"))]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = not DEMO
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "casino" / "locale", *of_installed_games("locale")]
FORMAT_MODULE_PATH = ["casino.web.formats"]
USE_I18N = True
USE_TZ = True
# The zone of the house: its days, and every time on its pages. Rows have instants in UTC.
HOUSE_ZONE = TIME_ZONE = zone("HOUSE_ZONE")

# Files of pages.

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", *of_installed_games("static")]
# `collectstatic` sets the rights of its files itself.
FILE_UPLOAD_PERMISSIONS = 0o600
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "casino.web.static_files.CollectedFiles"},
}
WHITENOISE_USE_FINDERS = DEMO

# A page may load only files from this server. `casino.middleware` loosens this for the admin.

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

SECURE_SSL_REDIRECT = not DEMO and flag("SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^(health/|ready/|metrics)$"]
SECURE_HSTS_SECONDS = 0 if DEMO else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEMO
SESSION_ENGINE = "casino.accounts.session_store"
SESSION_COOKIE_AGE = 14 * 24 * 3600
# A player who has done nothing for so many minutes signs in again; with 0, never.
PLAYER_IDLE_MINUTES = number("PLAYER_IDLE_MINUTES", 30)
X_FRAME_OPTIONS = "DENY"
if flag("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# The most that the house puts into a jackpot, seed and reserve together, in whole units.
JACKPOT_SEED_MAX = number("JACKPOT_SEED_MAX", 100_000)

# From these amounts on, in whole units, staff need a colleague's approval; with 0, always. Like the
# limit above they are defaults: two members of staff change them in the back office.
APPROVAL_DEPOSIT = number("APPROVAL_DEPOSIT", 5_000)
APPROVAL_WITHDRAWAL = number("APPROVAL_WITHDRAWAL", 2_000)
APPROVAL_VARIANCE = number("APPROVAL_VARIANCE", 10)
APPROVAL_REVERSAL = number("APPROVAL_REVERSAL", 1_000)
APPROVAL_JACKPOT = number("APPROVAL_JACKPOT", 0)
APPROVAL_TOURNAMENT = number("APPROVAL_TOURNAMENT", 1_000)
# Whether they hold for play money, too: a demonstration can then show the second person.
APPROVAL_PLAY_MONEY: bool = flag("APPROVAL_PLAY_MONEY")
# From this on, in whole units of money, a player's win in one hand raises an alarm.
ALARM_LARGE_WIN = number("ALARM_LARGE_WIN", 1_000)
# The rake, in basis points, from which the proposer of a profile must give a reason.
RAKE_WARNED_BP = number("RAKE_WARNED_BP", 500)
# Processes act by the clock of the database, where it has one of its own.
COMPARE_CLOCKS = True
GAMING_DAY_HOUR = environment.GAMING_DAY_HOUR
# How long a proposal waits for that approval.
PROPOSAL_HOURS = number("PROPOSAL_HOURS", 72)

# Alarms and anchors: whom they reach, and which figures raise an alarm; see `docs/operations.md`.

ALARM_EMAILS = words("ALARM_EMAILS")
ALARM_WEBHOOKS = words("ALARM_WEBHOOKS")
ALARM_WEBHOOK_SECRET = text("ALARM_WEBHOOK_SECRET")
ALARM_LANGUAGE = text("ALARM_LANGUAGE") or "en"
ANCHOR_EMAILS = words("ANCHOR_EMAILS")
ANCHOR_WEBHOOKS = words("ANCHOR_WEBHOOKS")
ANCHOR_WEBHOOK_SECRET = text("ANCHOR_WEBHOOK_SECRET")
# Machines of others that countersign anchors, each as URL#KEY, and how often they get one.
WITNESSES = witnesses("WITNESSES")
WITNESSES_INSIDE = flag("WITNESSES_INSIDE")
ANCHOR_MINUTES = number("ANCHOR_MINUTES", 10 if WITNESSES else 0)
ALARM_FAILED_SIGN_INS = number("ALARM_FAILED_SIGN_INS", 50)
ALARM_DRIFT_MILLISECONDS = number("ALARM_DRIFT_MILLISECONDS", 1_000)
ALARM_DISK_FREE_PERCENT = number("ALARM_DISK_FREE_PERCENT", 10)
ALARM_CONNECTIONS_PERCENT = number("ALARM_CONNECTIONS_PERCENT", 80)
# Whether players may give an e-mail address, and choose a new password by it.
ACCOUNT_EMAILS: bool = flag("ACCOUNT_EMAILS", default=DEMO or bool(text("EMAIL_HOST")))
# A demonstration without a mail server prints its letters.
_PRINTS_LETTERS = DEMO and not text("EMAIL_HOST")
EMAIL_BACKEND = text("EMAIL_BACKEND") or (
    f"django.core.mail.backends.{'console' if _PRINTS_LETTERS else 'smtp'}.EmailBackend"
)
EMAIL_HOST = text("EMAIL_HOST") or "localhost"
EMAIL_PORT = number("EMAIL_PORT", 25)
EMAIL_HOST_USER = text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS: bool = flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = text("EMAIL_FROM") or "card-room@localhost"
# Where links in mails to players lead: without it the house writes none.
MAIL_LINKS_TO: str = next(
    iter(CSRF_TRUSTED_ORIGINS), f"http://localhost:{text('PORT') or 8000}" if DEMO else ""
)

# `/metrics` answers requests with this token; without a token, those from this machine.
METRICS_TOKEN = text("METRICS_TOKEN")

# Where errors and traces go (`casino/ops/telemetry.py`); without an address nothing is loaded.
SENTRY_DSN = text("SENTRY_DSN")
OTLP_ENDPOINT = text("OTLP_ENDPOINT")
if OTLP_ENDPOINT:
    MIDDLEWARE.insert(0, "casino.ops.telemetry.requests")

# Clock and push. If Redis is down, play continues, and updates arrive more slowly.

REDIS_URL = secret("REDIS_URL")
# Tasks go through the same Redis unless another is named: not by `BROKER_URL`, which Celery's
# commands take for their own. Celery has its own scheme for a socket in a folder.
CELERY_BROKER_URL = (text("TASKS_REDIS_URL") or REDIS_URL).replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# Tasks that take minutes of a processor have a worker of their own, so they delay no act.
CELERY_TASK_ROUTES = {
    "games.profiles.tasks.reckon": {"queue": "simulations"},
    "casino.office.tasks.audit_hands": {"queue": "simulations"},
    "tournaments.tasks.rehearse": {"queue": "simulations"},
}
CELERY_TASK_SERIALIZER = "json"
CELERY_TIMEZONE = HOUSE_ZONE
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A broker that answers with an error, as while its disk is full, is asked again.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
# Sending a task never waits for a broker that is down.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    # An idle worker asks its broker again after so many seconds, rather than each second.
    "polling_interval": 4,
    "max_retries": 0,
}
# Nothing consumes the workers' events, and workers need not know of each other.
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A worker prints the letters of a demonstration, which as lines of the log would lose their links.
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BEAT_SCHEDULER = "casino.ops.schedule:Scheduler"
CELERY_BEAT_SCHEDULE = with_their_jobs(TIMETABLE, OPTIONAL_APPS)

# A process's own cache; shared counts are in Redis (`casino.web.rate_limits`).
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
}

REST_FRAMEWORK = api.REST_FRAMEWORK
SPECTACULAR_SETTINGS = api.SPECTACULAR_SETTINGS

# Lines for people, or JSON for programs: docs/operations.md.
LOG_FORMAT = choice("LOG_FORMAT", "line", "json")
LOGGING = logging_as(LOG_FORMAT)
if LOG_FORMAT == "json":
    MIDDLEWARE.insert(0, "casino.ops.request_log.RequestLog")
    # Each request is one line, when it is over, with no player's number and no address.
    DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = DEBUG_LEVEL
    DJANGO_STRUCTLOG_USER_ID_FIELD = ""
    DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False

UNFOLD = theme.UNFOLD
