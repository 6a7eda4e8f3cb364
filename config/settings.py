"""All settings. What differs between a laptop and a federation comes from the environment.

A wrong value stops the program when it starts.

VAR_DIR         the one folder for data                                     var/
DATABASE_URL    PostgreSQL instead of SQLite in VAR_DIR
REDIS_URL       Redis as broker, cache and live feed, instead of folders in VAR_DIR
HOST, PORT      where the pages are served                                  0.0.0.0, 8000
LIVE_PORT       where the live stream is served                             PORT + 1
LIVE_URL        the live stream's address as browsers see it, behind a proxy
SITE_ADDRESS    the default for the QR codes of every tournament, such as https://play.example.org
HTTPS           1: behind a proxy that terminates TLS and sets X-Forwarded-Proto
TLS_CERT        a certificate (PEM): pages and live stream are served as https, without a proxy
TLS_KEY         its key (PEM, without a password)
TRUSTED_PROXIES comma separated: the addresses or networks of the proxies, as this process sees them, that are believed
                when X-Forwarded-For names the client and X-Forwarded-Proto says https     with HTTPS 127.0.0.1, ::1
ALLOWED_HOSTS   comma separated; required with HTTPS. With * links begin with the machine's own address       *
HSTS_SECONDS    with HTTPS, how long browsers insist on it                  31536000; with TLS_CERT 0
CSRF_TRUSTED_ORIGINS  comma separated, with https://: sites whose pages may send forms and listen to the stream
SECRET_KEY      otherwise made once and kept in VAR_DIR; the links of all draws to come follow from it
SECRET_KEY_FALLBACKS  comma separated: the secrets before it, so that sessions and chains of draws go on
KEEP_ADDRESSES_DAYS   how many days addresses and programs of clients are kept   90
BACKUP_DIR      the folder for backups                                      VAR_DIR/backups
BACKUP_HOURS    how many hours apart they are made, by day at 4 in the morning; 0: none   24
TIME_ZONE       of the hall                                                 Europe/Copenhagen
LOG_LEVEL       DEBUG, INFO, WARNING, ERROR                                 INFO
LOG_FORMAT      fields, or json: each line of the log is an object          fields
ACCESS_LOG      1: one line for each request and each task                  0
METRICS_ALLOWED comma separated: addresses that may read /metrics directly  127.0.0.1, ::1
METRICS_TOKEN   a Bearer token that may read /metrics from anywhere
API_READS, API_WRITES  requests a minute to the API by one user or private link; 0: any number   600, 120
API_READS_BY_ADDRESS, API_WRITES_BY_ADDRESS  the same for all who are not signed in   12000, 1200
CORS_ORIGINS    comma separated, such as https://club.example.org: sites whose pages may use the API   none
PAGE_PROCESSES  processes of config.serve that serve pages                  2, or 1 on one core
WORKER          0: config.serve starts no worker                            1 without Redis
DEMO            0: config.serve leaves an empty database empty              1
DRAND           0: rounds of drand are only typed in; no computer on the internet is asked   1
EMAIL_URL       smtp+tls://user:password@mail.example.org:587; without it no alerts, and other mails to VAR_DIR/mails
EMAIL_FROM      the address that these e-mails come from
PUSH_HOSTS      comma separated: the push services of browsers to which alerts are sent   the known ones
WEBHOOK_HOSTS   comma separated: hosts of a private network that webhooks may go to       none
DEBUG           1: for development only
"""

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from kombu import Exchange, Queue

from config.api import (  # noqa: F401 - settings, which are read by their names
    API_READS,
    API_READS_BY_ADDRESS,
    API_WRITES,
    API_WRITES_BY_ADDRESS,
    CORS_ALLOW_CREDENTIALS,
    CORS_ALLOW_HEADERS,
    CORS_ALLOWED_ORIGINS,
    CORS_EXPOSE_HEADERS,
    CORS_URLS_REGEX,
)
from config.demands import env_proxies, require_strong
from config.environment import (
    UNREACHABLE,
    env_certificate,
    env_choice,
    env_flag,
    env_folder,
    env_int,
    env_list,
    env_networks,
    env_port,
    env_site_address,
    env_token,
    env_zone,
    kept_secret,
    made_folder,
)
from config.logs import logging_config
from config.mail import read_mail
from config.openapi import SPECTACULAR_SETTINGS  # noqa: F401 - read by name
from config.sign_in import APPS, PASSWORD_VALIDATORS, SIGN_IN

BASE_DIR = Path(__file__).resolve().parent.parent

VAR_DIR = env_folder("VAR_DIR", BASE_DIR / "var")
STATIC_ROOT = made_folder(VAR_DIR / "static")

DEBUG = env_flag("DEBUG", False)
DEMO = env_flag("DEMO", True)
DRAND = env_flag("DRAND", True)
HTTPS = env_flag("HTTPS", False)
TLS = env_certificate("TLS_CERT", "TLS_KEY")
HOST = os.environ.get("HOST") or "0.0.0.0"  # noqa: S104 - phones in the hall use the local network
PORT = env_port("PORT", 8000)
LIVE_PORT = env_port("LIVE_PORT", PORT + 1)
if LIVE_PORT == PORT:
    raise ImproperlyConfigured(f"LIVE_PORT must be another port than PORT, not {PORT} too.")
PAGE_PROCESSES = env_int("PAGE_PROCESSES", min(2, os.cpu_count() or 1))
if PAGE_PROCESSES < 1:
    raise ImproperlyConfigured("PAGE_PROCESSES must be at least 1.")
TROUBLES_FILE = VAR_DIR / f"serve-{PORT}.troubles.json"  # from the watcher to the pages
KEEP_ADDRESSES_DAYS = env_int("KEEP_ADDRESSES_DAYS", 90)
SITE_ADDRESS = env_site_address("SITE_ADDRESS")
LIVE_URL = os.environ.get("LIVE_URL", "").strip().rstrip("/")
LIVE_CHANNEL = "sixprime:versions"  # in Redis, from the pages to the live stream
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(VAR_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS", "")
BACKUP_DIR = Path(os.environ.get("BACKUP_DIR") or VAR_DIR / "backups").resolve()
BACKUP_HOURS = env_int("BACKUP_HOURS", 24)

if HTTPS and "*" in env_list("ALLOWED_HOSTS", "*"):
    raise ImproperlyConfigured(
        "With HTTPS=1, ALLOWED_HOSTS must name the hosts that people type, such as play.example.org."
    )
ALLOWED_HOSTS = [*env_list("ALLOWED_HOSTS", "*"), "localhost", "127.0.0.1"]
TRUSTED_PROXIES = env_proxies("TRUSTED_PROXIES", https=HTTPS)
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS", "")

if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(health|ready)z$"]
    SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
elif TLS:
    # Not by default: a browser that insists lets nobody go past a certificate that it does not know.
    SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 0)
if HTTPS or TLS:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # No other host, and no plain http, can set these.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
else:
    # Browsers ignore this header on plain http and complain about it in their console.
    SECURE_CROSS_ORIGIN_OPENER_POLICY = None

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "corsheaders",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    *APPS,
    "players",
    "matches",
    "tournament",
    "config.apps.Wiring",
]

MIDDLEWARE = [
    "config.access.AccessMiddleware",
    "config.security.AddressesOfOurOwn",
    "config.quick.KeepMiddleware",
    "config.compression.CompressionMiddleware",
    "config.preload.PreloadMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.security.ContentSecurityPolicy",
    "config.security.PrivateByDefault",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.nul.CookieMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tournament.pages.language.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.patience.WriterMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournament.roles.devices.DeviceMiddleware",
    "tournament.origin.OriginMiddleware",
    "tournament.pages.zone.ZoneMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tournament.pages.refusals.RefusalMiddleware",
    "config.nul.NulMiddleware",
    "config.moments.MomentMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.security.live_stream",
                "tournament.pages.health.troubles",
            ],
            "libraries": {
                name: f"tournament.pages.tags.{name}"
                for name in (
                    *("alerts", "board", "cards", "career", "desk", "devices", "keeping", "law", "lists"),
                    *("log", "money", "pairings", "paper", "proof", "registry", "reporting", "returning"),
                    *("sharing", "score_sheet", "standings", "titles", "words"),
                )
            },
        },
    },
]

FORM_RENDERER = "tournament.pages.returning.PageRenderer"

SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": VAR_DIR / "sixprime.sqlite3"}
DATABASE_URL = os.environ.get("DATABASE_URL", "")
DATABASES: dict[str, dict] = {"default": dict(dj_database_url.parse(DATABASE_URL)) if DATABASE_URL else SQLITE}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "config.sqlite"
    DATABASES["default"]["TEST"] = {"NAME": ":memory:"}
    # Every thread keeps its connection. A write transaction takes the lock when it begins, so that two writers queue
    # instead of failing, and a result that was shown as saved survives a power cut.
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 600
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # PostgreSQL plans a statement once for each connection, from its fifth time on.
    DATABASES["default"].setdefault("OPTIONS", {}).update(server_side_binding=True, prepare_threshold=5)
    # A server that has gone without a word is given up after seconds, not after minutes.
    DATABASES["default"]["OPTIONS"] = UNREACHABLE | DATABASES["default"]["OPTIONS"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if HTTPS or TLS or DATABASES["default"]["ENGINE"] != "config.sqlite":
    require_strong(SECRET_KEY=SECRET_KEY, SECRET_KEY_FALLBACKS=SECRET_KEY_FALLBACKS)
if DEBUG and (HTTPS or TLS):
    raise ImproperlyConfigured("DEBUG=1 is for development only: leave it out with HTTPS=1 or TLS_CERT.")

REDIS_URL = os.environ.get("REDIS_URL", "").strip()
if REDIS_URL and not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured(f"REDIS_URL must be like redis://localhost:6379/0, not {REDIS_URL!r}.")
if REDIS_URL:
    CACHES: dict[str, dict] = {
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": REDIS_URL,
            # Values are pickled and name their classes: raise the number when such a class moves or changes.
            "KEY_PREFIX": "sixprime-2",
            # While Redis is out of reach or hangs, pages are made without the cache, and each process counts attempts
            # to sign in for itself.
            "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 1},
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "config.cache.ForgetfulFolder",
            "LOCATION": VAR_DIR / "cache",
            "OPTIONS": {"MAX_ENTRIES": 2000},
        }
    }
# What limits count (tournament/roles/counting.py): in a folder of its own, where no page that is kept pushes it out.
CACHES["limits"] = (
    CACHES["default"]
    if REDIS_URL
    else {**CACHES["default"], "LOCATION": VAR_DIR / "limits", "OPTIONS": {"MAX_ENTRIES": 50_000}}
)

# Celery. Every task can safely run twice or be lost: the database shows by its versions what is still to be done, and
# heal asks for it again.
WORKER = env_flag("WORKER", not REDIS_URL)
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
        "visibility_timeout": 300,
        "socket_connect_timeout": 3,
        "socket_timeout": 3,  # a page that asks for a task waits at most three times as long for a Redis that hangs
    }
else:
    QUEUE_DIR = made_folder(VAR_DIR / "queue")
    CELERY_BROKER_URL = "folder://localhost"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "polling_interval": 0.02,
        "data_folder_in": QUEUE_DIR,
        "data_folder_out": QUEUE_DIR,
        "control_folder": QUEUE_DIR,
    }
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1}
# A worker that is told no queues takes from both in turn, and a rating comes in small parts: standings never wait long.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), name) for name in ("celery", "ratings")]
CELERY_TASK_ROUTES = {
    "matches.tasks.*": {"queue": "ratings"},
    "players.tasks.*": {"queue": "ratings"},
    "tournament.tasks.back_up": {"queue": "ratings"},
}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 240  # below the visibility timeout, so that no task runs twice at the same time
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # intervals only: nothing to keep in a file
CELERY_BEAT_REMOTE_CONTROL_MAX_TICK_AGE = 60  # a clock that hangs does not answer: it ticks every 20 seconds
CELERY_BEAT_SCHEDULE = {
    "heal": {
        "task": "tournament.tasks.heal",
        "schedule": 20.0,
    },
    # By the hour of the day and what is in the folder: a machine that slept makes up for it when it wakes.
    "back_up": {
        "task": "tournament.tasks.back_up",
        "schedule": 60.0,
    },
}

AUTH_USER_MODEL = "players.User"
AUTH_PASSWORD_VALIDATORS = PASSWORD_VALIDATORS
globals().update(SIGN_IN)
MAIL = read_mail(os.environ.get("EMAIL_URL", "").strip(), os.environ.get("EMAIL_FROM", "").strip(), VAR_DIR / "mails")
EMAIL_BACKEND, EMAIL_FILE_PATH = MAIL["EMAIL_BACKEND"], MAIL["EMAIL_FILE_PATH"]
EMAIL_HOST, EMAIL_PORT, EMAIL_FROM = str(MAIL["EMAIL_HOST"]), MAIL["EMAIL_PORT"], str(MAIL["EMAIL_FROM"])
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_USER"], MAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL, EMAIL_TIMEOUT = MAIL["EMAIL_USE_TLS"], MAIL["EMAIL_USE_SSL"], MAIL["EMAIL_TIMEOUT"]
DEFAULT_FROM_EMAIL = MAIL["DEFAULT_FROM_EMAIL"]
PUSH_HOSTS = env_list(
    "PUSH_HOSTS",
    "fcm.googleapis.com, jmt17.google.com, .push.services.mozilla.com, .push.apple.com, .notify.windows.com",
)

WEBHOOK_HOSTS = env_list("WEBHOOK_HOSTS", "")

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "tournament.api.operations.ApiSchema",
    "EXCEPTION_HANDLER": "tournament.api.problems.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

# The table of seeds has two fields for each of 1024 entries.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("da", _("Danish")),
    ("sv", _("Swedish")),
    ("nb", _("Norwegian")),
    ("de", _("German")),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = env_zone("TIME_ZONE", "Europe/Copenhagen")
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

LOG_LEVEL = env_choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = env_choice("LOG_FORMAT", "FIELDS", ("FIELDS", "JSON"))
LOGGING = logging_config(LOG_LEVEL, LOG_FORMAT)
ACCESS_LOG = env_flag("ACCESS_LOG", False)
METRICS_ALLOWED = env_networks("METRICS_ALLOWED", "127.0.0.1, ::1")
METRICS_TOKEN = env_token("METRICS_TOKEN")
