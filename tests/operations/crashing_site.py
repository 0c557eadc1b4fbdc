"""The web server's application as it ships, with one address that fails while it holds what is nobody else's business.

Run as a program it is asked for that address once.
"""

import io
import logging

from config.wsgi import application

SECRET = "canary"


def crash(request, token):
    password = f"{SECRET}-local-{token}"
    logging.getLogger("heldout.test").error("mail to %s was refused", f"{SECRET}@example.org")
    raise LookupError(f"{SECRET} in words, {len(password)}")


def ask() -> None:
    body = f"{SECRET}=body".encode()
    asked = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": f"/crash/{SECRET}-path/",
        "QUERY_STRING": f"q={SECRET}",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "192.0.2.77",
        "HTTP_COOKIE": f"heldout_session={SECRET}",
        "HTTP_X_REQUEST_ID": "a1b2c3d4e5f6",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
    }
    list(application(asked, lambda status, headers, *_: print(status)))


if __name__ == "__main__":
    import sentry_sdk
    from django.urls import path
    from django.views.decorators.csrf import csrf_exempt

    from config import urls

    urls.urlpatterns.insert(0, path("crash/<str:token>/", csrf_exempt(crash)))
    ask()
    sentry_sdk.flush()
