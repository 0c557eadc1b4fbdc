"""One settings module. What differs between machines comes from HELDOUT_* variables (docs/operations.md)."""

import datetime as dt
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from config.admin_site import UNFOLD as ADMIN_LOOK
from config.database import Process, database_of, postgres_options
from config.env import (
    BASE_DIR,
    DATA_DIR,
    IS_PRODUCTION,
    MODE,
    PASSWORDS,
    Mode,
    broker_address,
    env,
    folder_digest,
    is_on,
    one_of,
    port_numbers,
    secret,
    site_address,
    understood,
    upload_rate,
    whole_number,
)
from config.providers import half_set_providers, roles_of_groups, sign_in_providers
from config.uploads import upload_storages

VERSION = "0.1.0"
SYNTHETIC_DEMO = MODE is Mode.DEMO

# --- Secrets -------------------------------------------------------------------------------------------------

SECRET_KEY = secret("HELDOUT_SECRET_KEY") or ("only-for-tests" if MODE is Mode.TEST else "")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "HELDOUT_SECRET_KEY is not set. To try Heldout, run `make demo`; "
        "for a server of your own see docs/operations.md."
    )

# Keys of before: what they have signed holds as long as they stand here, and nothing is signed with them any more.
SECRET_KEY_FALLBACKS = secret("HELDOUT_SECRET_KEY_FALLBACKS").split()

# Gold labels are sealed to this key. Only processes that score are given the private one (scoring/gold/keys.py).
GOLD_PUBLIC_KEY = secret("HELDOUT_GOLD_PUBLIC_KEY")
GOLD_PRIVATE_KEY_FILE = env.str("HELDOUT_GOLD_PRIVATE_KEY_FILE", default="")
GOLD_KEY_RING = env.str("HELDOUT_GOLD_KEY_RING", default="")

# Checkpoints of the log are signed where workers run, receipts of uploads where the web server does. Everybody is told
# the public keys (transparency/keys.py).
LOG_PUBLIC_KEY = secret("HELDOUT_LOG_PUBLIC_KEY")
LOG_KEY_FILE = env.str("HELDOUT_LOG_KEY_FILE", default="")
RECEIPT_PUBLIC_KEY = secret("HELDOUT_RECEIPT_PUBLIC_KEY")
RECEIPT_KEY_FILE = env.str("HELDOUT_RECEIPT_KEY_FILE", default="")

# Which commit of the code runs here, for the provenance of scores; empty in a checkout, which knows it by itself.
CODE_COMMIT = env.str("HELDOUT_COMMIT", default="")

# --- The web -------------------------------------------------------------------------------------------------

DEBUG = False
# Without it nothing is published. A demo notes its own address in its environment file.
SITE_URL = site_address(
    env.str("HELDOUT_SITE_URL", default="") or ("http://localhost:8000" if MODE is Mode.TEST else "")
)
ALLOWED_HOSTS = env.list(
    "HELDOUT_ALLOWED_HOSTS",
    default=[] if IS_PRODUCTION else ["localhost", "127.0.0.1", "[::1]", "testserver"],
)
CSRF_TRUSTED_ORIGINS = env.list("HELDOUT_CSRF_TRUSTED_ORIGINS", default=[])
# How many proxies add to X-Forwarded-For; what else stands there is the client's own word, and is not believed.
PROXIES = whole_number("HELDOUT_PROXIES", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.orcid",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "accounts",
    "handbook",
    "transparency",
    "benchmarks",
    "submissions",
    "scoring",
    "labelling",
    "breaking",
    "leaderboard",
    "operations",
    "demo",
]

MIDDLEWARE = [
    "operations.logs.middleware.NoteRoute",
    "django.middleware.security.SecurityMiddleware",
    "config.http.static_files.StaticFilesMiddleware",
    "config.http.middleware.OneReaderMiddleware",
    "config.http.middleware.UploadSizeMiddleware",
    "config.http.middleware.NulMiddleware",
    "accounts.server.middleware.ArrivalMiddleware",
    "config.http.middleware.SignedInMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sign_in.staff_sessions.StaffSessionMiddleware",
    "accounts.server.middleware.TimeZoneMiddleware",
    "config.http.visibility.VisibilityMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.sign_in.second_factor.SecondFactorMiddleware",
    "config.http.middleware.PolicyMiddleware",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context_processors.site",
            ],
            "libraries": {"admin_head": "config.admin_sidebar"},
        },
    },
]

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_DIGEST = folder_digest(BASE_DIR / "static")  # part of addresses that browsers may keep for ever
STATIC_ROOT = (
    env.str("HELDOUT_STATIC_ROOT", default=str(DATA_DIR / "static") if IS_PRODUCTION else "") or None
)
WHITENOISE_USE_FINDERS = not IS_PRODUCTION  # a demo or a test serves static files without collecting them

# --- Uploads -------------------------------------------------------------------------------------------------

MAX_UPLOAD_BYTES = 100 * 1024 * 1024
# Uploads stay in memory until they are judged: gold labels must never touch the web server's disk unsealed.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_UPLOAD_BYTES + 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
MEDIA_ROOT = DATA_DIR / "uploads"
# Repaired uploads, for an hour each; where uploads are in a bucket, repairs are too.
REPAIRS_DIR = DATA_DIR / "repairs"
STORAGES = {
    **upload_storages(secret("HELDOUT_UPLOADS_URL")),
    # Compressed once, when collected. Names carry no hash: the pages of old releases must find them for ever.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}

# --- Database ------------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {
    "default": database_of(secret("HELDOUT_DATABASE_URL") or f"sqlite:///{DATA_DIR / 'heldout.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A write transaction takes its lock when it begins, so that two writers wait for each other and never deadlock.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        # FULL: 201 is answered only after the row has reached the disk.
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;",
    }
else:
    _patience = postgres_options(Process(one_of("HELDOUT_PROCESS", [*Process], Process.COMMAND)))
    DATABASES["default"]["OPTIONS"] = _patience | DATABASES["default"].get("OPTIONS", {})
# Kept by every thread of the web server, connections would be more than PostgreSQL takes: a thread's own ends with the
# request, and a few go on from thread to thread (config/http/held_connections.py).
DATABASES["default"].setdefault("CONN_MAX_AGE", 0)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

Env.CACHE_SCHEMES["dbcache"] = "accounts.sign_in.shared_counts.SharedCounts"
CACHES: dict[str, dict[str, Any]] = {
    # Counts that limit attempts, shared by all processes: by default in the database, which every server has.
    "default": understood(
        "HELDOUT_CACHE_URL",
        env.str("HELDOUT_CACHE_URL", default="") or "dbcache://accounts_sharedcount?max_entries=20000",
        Env.cache_url_config,
        "an address as django-environ writes it, such as rediscache://host:6379/1",
    ),
    # What a process can make again by itself.
    "samples": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "samples"},
}

# --- Accounts ------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "accounts.sign_in.password_changes.EndsAccess"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "submissions:mine"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_ADAPTER = "accounts.sign_in.addresses.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.sign_in.sign_up.SignUpForm"
ACCOUNT_FORMS = {
    "login": "accounts.sign_in.unconfirmed.SignInForm",
    "signup": "accounts.sign_in.unconfirmed.NewAccountForm",
    "add_email": "accounts.sign_in.unconfirmed.FurtherAddressForm",
    "reset_password": "accounts.sign_in.unconfirmed.ForgottenPasswordForm",
    "reset_password_from_key": "accounts.sign_in.unconfirmed.NewPasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = one_of(
    "HELDOUT_EMAIL_VERIFICATION",
    ("mandatory", "optional", "none"),
    default="mandatory" if IS_PRODUCTION else "optional",
)
# Whoever opens the link in the browser that they signed up with is signed in, and goes on where they wanted to go.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Heldout: "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_PRODUCTION else "http"
# Who runs benchmarks or the site signs in with a second factor, and shows again who they are before gold labels are
# loaded or opened, tokens made and addresses or the password changed, unless they have in the last five minutes.
STAFF_MFA = is_on("HELDOUT_STAFF_MFA", default=IS_PRODUCTION)
STAFF_ARE_ALSO = "benchmarks.people.rights.holds_a_role"
STAFF_SESSION_AGE = 12 * 3600  # seconds after signing in; everybody else's last two weeks
STAFF_IDLE = 60 * whole_number(
    "HELDOUT_STAFF_IDLE_MINUTES", default=60 if IS_PRODUCTION else 0
)  # 0: as long as it lasts
ACCOUNT_REAUTHENTICATION_REQUIRED = is_on("HELDOUT_REAUTHENTICATION", default=IS_PRODUCTION)
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1  # clocks of telephones may be half a minute off
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_PRODUCTION
MFA_FORMS = {
    "authenticate": "accounts.sign_in.second_factor.SignInCodeForm",
    "reauthenticate": "accounts.sign_in.second_factor.ConfirmCodeForm",
}
SOCIALACCOUNT_PROVIDERS = sign_in_providers(secret)
HALF_SET_PROVIDERS = half_set_providers(secret)
# What people may do by their groups at the OpenID Connect provider, given and taken whenever they sign in over it.
GROUPS_CLAIM = env.str("HELDOUT_OIDC_GROUPS_CLAIM", default="groups")
GROUP_ROLES = roles_of_groups(env.str("HELDOUT_OIDC_GROUPS", default=""))
GROUP_ROLES_IN_BENCHMARKS = "benchmarks.people.provider_roles"
SOCIALACCOUNT_ADAPTER = "accounts.sign_in.providers.ProviderAdapter"
# Whoever has confirmed an address to the provider signs in to the account of that address. One that the provider
# has not confirmed signs in to nothing: its owner gets a mail that says what to do.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True

# Who runs this site and how they are reached, for the page about privacy.
OPERATOR = env.str("HELDOUT_OPERATOR", default="")
OPERATOR_CONTACT = env.str("HELDOUT_OPERATOR_CONTACT", default="")

# --- Fair play: how many rows and slots of the quota one person can come to ------------------------------------

MOST_TEAMS = whole_number("HELDOUT_TEAMS_PER_PERSON", default=3)  # that a person founds
# For closed networks and tests: else a webhook or a model could reach what only this server reaches.
WEBHOOKS_REACH_PRIVATE_HOSTS = is_on("HELDOUT_WEBHOOKS_REACH_PRIVATE_HOSTS", default=False)
# Hosts whose models may be asked in campaigns: an operator lists them, an organiser names an address at one of them.
MODEL_HOSTS = env.list("HELDOUT_MODEL_HOSTS", default=[])
# To which ports of addresses that people name this server connects, where it does not reach private hosts.
OUTGOING_PORTS = port_numbers("HELDOUT_OUTGOING_PORTS", env.list("HELDOUT_OUTGOING_PORTS", default=["443"]))
MOST_DRAFTS = whole_number(
    "HELDOUT_DRAFTS_PER_PERSON", default=3
)  # that a person begins and nobody has opened
MOST_SYSTEMS = whole_number(
    "HELDOUT_SYSTEMS_PER_TEAM", default=20
)  # that a team takes part in a benchmark with

# --- API -----------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": [
        "config.api.parsing.JSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "config.api.paging.Paging",
    "EXCEPTION_HANDLER": "config.api.errors.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.ScopedRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {
        "uploads": upload_rate(env.str("HELDOUT_UPLOAD_RATE", default="")) if IS_PRODUCTION else None,
    },
    "NUM_PROXIES": PROXIES,
}
REST_KNOX = {"TOKEN_TTL": dt.timedelta(days=180), "AUTH_HEADER_PREFIX": "Token"}
KNOX_TOKEN_MODEL = "accounts.ApiToken"  # noqa: S105  # no secret, but a name
# Which benchmarks a token of somebody may be limited to: accounts know none by themselves.
TOKEN_BENCHMARKS = "benchmarks.querysets.id_and_title_of_those_offered_to"  # noqa: S105  # the name of a function
SPECTACULAR_SETTINGS = {
    "TITLE": "Heldout API",
    "DESCRIPTION": "Submit predictions, follow submissions, read releases.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.documented_errors.add_errors",
    ],
    "ENUM_NAME_OVERRIDES": {
        "SubmissionStatusEnum": "submissions.models.Submission.Status",
        "PairFileStatusEnum": "breaking.models.PairFile.Status",
    },
}

# --- Background work -----------------------------------------------------------------------------------------

BROKER_DIR = DATA_DIR / "broker"
CELERY_BROKER_URL = broker_address(secret("HELDOUT_BROKER_URL"))
BROKER_IS_A_FOLDER = CELERY_BROKER_URL.startswith("filesystem:")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.05,
    }
    if BROKER_IS_A_FOLDER
    else {}
)
if BROKER_IS_A_FOLDER:
    CELERY_BROKER_TRANSPORT = "config.processes.folder_broker:Transport"
# Over files the children of a worker share one lock; one that is killed while it waits takes the lock with it,
# and the worker would hang for good. Without children there is only a process that anyone can start again.
CELERY_WORKER_POOL = "solo" if BROKER_IS_A_FOLDER else "prefork"

# How long a worker may hold a submission before another may take it; scoring one takes milliseconds.
SCORING_LEASE = dt.timedelta(seconds=whole_number("HELDOUT_LEASE_SECONDS", default=90, least=1))
# Seconds after which scoring one is broken off, before its lease ends; ten more, and its process is ended.
SCORING_SECONDS = whole_number("HELDOUT_SCORING_SECONDS", default=int(SCORING_LEASE.total_seconds() * 2 / 3))
# Megabytes of memory that a process of a worker may take; 0: as many as there are.
MEMORY_MB = whole_number("HELDOUT_MEMORY_MB", default=0)

# --- Watching ------------------------------------------------------------------------------------------------

# Whoever sends it reads /metrics from anywhere; without it only this machine does.
METRICS_TOKEN = secret("HELDOUT_METRICS_TOKEN")
# Fetched once an hour while all is well, so that somebody outside notices when it is not; empty: nobody is told.
PING_URL = secret("HELDOUT_PING_URL")
# Where errors are reported by Sentry's protocol; empty: nowhere (operations/logs/error_reports.py).
SENTRY_DSN = secret("HELDOUT_SENTRY_DSN")
# The certificate that the proxy shows, for a worker that looks how long it holds; empty: nobody looks.
TLS_CERTIFICATE = env.str("HELDOUT_TLS_CERTIFICATE", default="")

# --- Backups -------------------------------------------------------------------------------------------------

# Workers make a backup a day in this folder, and rehearse restoring the newest each week; empty: nobody does.
BACKUPS = env.str("HELDOUT_BACKUPS", default="")
BACKUPS_KEPT = whole_number("HELDOUT_BACKUPS_KEPT", default=35)
# Where pg_dump and pg_restore are; empty: where shells find programs.
POSTGRES_PROGRAMS = env.str("HELDOUT_POSTGRES_PROGRAMS", default="")

# --- Mail ----------------------------------------------------------------------------------------------------

EMAIL_TIMEOUT = 20  # seconds; a mail server that does not answer must not keep the sweeps waiting
if IS_PRODUCTION:
    mail_settings = understood(
        "HELDOUT_EMAIL_URL",
        secret("HELDOUT_EMAIL_URL") or "consolemail://",
        Env.email_url_config,
        f"smtp+tls://user:password@host:587{PASSWORDS}",
    )
    if mail_settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend":
        mail_settings["EMAIL_BACKEND"] = "accounts.mail.smtp.SmtpBackend"
    vars().update(mail_settings)
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = str(DATA_DIR / "mail")
DEFAULT_FROM_EMAIL = env.str("HELDOUT_MAIL_FROM", default="heldout@localhost")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# --- Security ------------------------------------------------------------------------------------------------

# A demo answers over plain HTTP on this machine; everything else is behind TLS.
OVER_TLS = IS_PRODUCTION and is_on("HELDOUT_TLS", default=True)
SECURE_SSL_REDIRECT = OVER_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if OVER_TLS else None
SECURE_HSTS_SECONDS = 31_536_000 if OVER_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = OVER_TLS
SECURE_HSTS_PRELOAD = OVER_TLS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = OVER_TLS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_NAME = "__Host-session" if OVER_TLS else "heldout_session"
CSRF_COOKIE_NAME = "__Host-csrf" if OVER_TLS else "heldout_csrf"
SIGNED_IN_COOKIE_NAME = "heldout_signed_in"  # static/heldout.js reads it
X_FRAME_OPTIONS = "DENY"
# Also sent with published pages, which never come to Django's middleware (leaderboard/serving/page_server.py).
CSP_DIRECTIVES = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
CONTENT_SECURITY_POLICY: dict[str, Any] = {"DIRECTIVES": CSP_DIRECTIVES}

# --- Time, numbers, logs ------------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"  # the site's one language (docs/adr/0029); this says how it writes times and numbers
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = ["config.formats"]

# Lines of JSON are for programs that collect logs; repeated faults are left out of them (operations/logs).
LOG_AS_JSON = (
    one_of("HELDOUT_LOG_FORMAT", ("json", "plain"), default="json" if IS_PRODUCTION else "plain") == "json"
)
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {"()": "operations.logs.formatting.LogLines"},
    },
    "filters": {"once_per_hour": {"()": "operations.logs.collapsing.OncePerHour"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_AS_JSON else "plain",
            "filters": ["once_per_hour"] if LOG_AS_JSON else [],
        }
    },
    "root": {"handlers": ["console"], "level": one_of("HELDOUT_LOG_LEVEL", LOG_LEVELS, default="INFO")},
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        # A line for each request; and none for each of the questions that workers are asked twice a second.
        "heldout.access": {"level": "INFO" if LOG_AS_JSON else "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.worker.request": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}

UNFOLD = ADMIN_LOOK
