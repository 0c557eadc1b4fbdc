"""An application for Granian that says how long a body was; where nothing comes for a second, it is given up."""

from collections.abc import Iterable

from config.http.gate import Environ, StartResponse
from config.http.request_bodies import ReadBodies


def _length(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    body = str(len(environ["wsgi.input"].read())).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


application = ReadBodies(_length, 1_000_000, lambda environ: "HTTP_COOKIE" in environ, silence=1.0)
