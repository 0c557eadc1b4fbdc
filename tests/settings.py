"""Settings of the test run: a data folder of its own, a cheap password hash, mail kept in memory."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="heldout-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["HELDOUT_MODE"] = "test"
os.environ["HELDOUT_DATA"] = _data

from config.settings import *  # noqa: E402, F403  # the settings under test, with the changes below

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
