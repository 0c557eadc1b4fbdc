"""Settings of the test run: a data folder of its own, a cheap password hash, mail and counts kept in memory."""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="heldout-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["HELDOUT_MODE"] = "test"
os.environ["HELDOUT_DATA"] = _data

from config.settings import *  # noqa: E402, F403  # the settings under test, with the changes below

# A test is one process, and many ask nothing of a database.
SHIPPED_COUNTS = CACHES["default"]  # noqa: F405  # from config.settings
CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}  # noqa: F405  # from config.settings
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# A test client is a server of its own, and would go through the folders of static files before its first answer.
WHITENOISE_AUTOREFRESH = True
if template := os.environ.get("TESTS_TEMPLATE"):
    # A database of PostgreSQL that has all tables: to make them anew in each worker takes half a minute.
    DATABASES["default"]["TEST"] = {"TEMPLATE": template}  # noqa: F405  # from config.settings
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":  # noqa: F405  # from config.settings
    # A file, as servers have it: a database in memory locks otherwise, and concurrency is what many tests are
    # about. It lives for one test run and need not survive a power cut.
    DATABASES["default"]["TEST"] = {"NAME": f"{_data}/test.sqlite3"}  # noqa: F405  # as above
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"  # noqa: F405  # as above
