"""Compare what two versions of the product show of the same demo: pages, exports, mails, API and command line.

    python -m tests.golden 8e16d11            # that commit against the working tree
    python -m tests.golden 8e16d11 HEAD~3     # two commits

The demo of each is built at one instant with all randomness drawn from a seed. A folder of normalised answers is left
for each version, and every difference is printed.
"""

import contextlib
import difflib
import gzip
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any
from urllib.parse import quote, urldefrag, urljoin, urlsplit

SEED = "golden"
INSTANT = "2026-11-18T12:00:00+00:00"  # a Wednesday
HOST = "localhost:8000"
ROOT = Path(__file__).resolve().parent.parent
MOST_OF_A_VIEW = 2  # addresses with a query that differ in values and in numbers only
MOST_OF_A_KIND = (
    40  # addresses that differ in numbers and ids only; of those that anybody may read 3 for the others
)
COMMANDS = (
    ("metrics",),
    ("reproduce", "raft", "7"),
    ("reproduce", "bibi", "3"),
    ("sync_benchmarks", "--check"),
    ("evaluate", "--help"),
    ("load_gold", "--help"),
    ("run_due", "--help"),
    ("make_baselines", "--help"),
    ("draw_round", "--help"),
)
LINK = re.compile(r"""(?:href|src|action|hx-get)="([^"]+)"|"(?:url|next|[a-z_]*_url)": ?"([^"]+)\"""")
UNREPEATABLE = (
    (re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"'), "CSRF"),
    (re.compile(r'"csrfToken": ?"[^"]*"|X-CSRFToken[^,}]*'), "CSRF"),
    (re.compile(r"\?v=[0-9a-f]+"), "?v=VERSION"),
    (re.compile(r"nonce-?=?\"?[A-Za-z0-9+/=_-]{16,}\"?"), "NONCE"),
    (re.compile(r"/static/([^\"?]+?)\.[0-9a-f]{12}\."), r"/static/\1."),
    (re.compile(r"Message-ID: .*|boundary=.*|--=+[0-9]+=+-*"), "MAIL"),
    (re.compile(r"\b[0-9a-f]{7,40}\b(?= \(commit\))"), "COMMIT"),
)
Answer = Callable[[str], tuple[int, str, bytes]]


def main(arguments: list[str]) -> int:
    """Build both demos and print what differs; returns 1 where anything does."""
    if arguments[:1] == ["--snapshot"]:
        _snapshot(Path(arguments[1]))
        return 0
    old, new = map(_resolved, [*arguments, ""][:2])
    folders = []
    for name, commit in (("old", old), ("new", new)):
        folder = Path(tempfile.gettempdir(), "heldout-golden", commit or name)
        if not (folder / "complete").exists() or not commit:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            _build(commit, folder)
            (folder / "complete").touch()
        folders.append(folder / "answers")
    return _compare(*folders)


def _resolved(commit: str) -> str:
    """The digest of a commit, so that what was built of it can be taken again; empty for the working tree."""
    if not commit:
        return ""
    done = subprocess.run(
        ["git", "rev-parse", "--short", commit], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _build(commit: str, folder: Path) -> None:
    checkout = ROOT
    if commit:
        checkout = folder / "checkout"
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, checkout], check=True)
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=checkout, check=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(checkout),
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "HELDOUT_MODE": "demo",
        "HELDOUT_DATA": str(folder / "data"),
        "HELDOUT_SITE_URL": f"http://{HOST}",
        "HELDOUT_SECRET_KEY": SEED * 10,
        "HELDOUT_DEMO_PASSWORD": SEED,
        "HELDOUT_COMMIT": "0" * 40,
        "COLUMNS": "100",
    }
    script = [sys.executable, __file__, "--snapshot", str(folder)]
    subprocess.run(script, cwd=checkout, env=environment, check=True)


def _compare(old: Path, new: Path) -> int:
    names = sorted({path.name for folder in (old, new) for path in folder.iterdir()})
    differing = 0
    for name in names:
        before, after = (
            (side / name).read_bytes() if (side / name).exists() else None for side in (old, new)
        )
        if before == after:
            continue
        differing += 1
        print(f"== {name}{' is new' if before is None else ' is gone' if after is None else ''}")
        if before is not None and after is not None:
            changes = difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=0)
            print("\n".join(line[:300] for line in itertools.islice(changes, 2, 12)))
    print(f"{len(names)} answers compared, {differing} differ")
    return int(differing > 0)


def _lines(body: bytes) -> list[str]:
    return body.decode("utf-8", "replace").replace("><", ">\n<").splitlines()


# --- In the process of one version ----------------------------------------------------------------------------


def _snapshot(folder: Path) -> None:
    sys.path.insert(0, os.getcwd())
    sys.path[:] = [
        path for path in sys.path if Path(path or ".").resolve() != Path(__file__).resolve().parent
    ]
    _draw_from_the_seed()
    import time_machine

    with time_machine.travel(INSTANT, tick=False):
        answers = folder / "answers"
        answers.mkdir()
        _prepare(Path(os.environ["HELDOUT_DATA"]))
        for name, body in _all_answers(folder / "data"):
            (answers / quote(name, safe="")[:200]).write_bytes(_normal(body))


def _draw_from_the_seed() -> None:
    """Every random byte that Python code asks for follows from the seed, and from how often it was asked before."""
    import random
    import uuid

    import nacl.utils
    from django.db.models.functions import Now

    streams: dict[str, Iterator[int]] = {}

    def drawn(stream: str, size: int) -> bytes:
        turn = next(streams.setdefault(stream, itertools.count()))
        return shake_256(f"{SEED} {stream} {turn}".encode()).digest(size)

    os.urandom = lambda size: drawn(f"system {size}", size)
    random._urandom = os.urandom  # type: ignore[attr-defined]  # where SystemRandom, and so `secrets`, draws from
    instant = f"'{INSTANT[:19].replace('T', ' ')}.000000'"
    setattr(Now, "as_sqlite", lambda *_, **__: (instant, []))  # noqa: B010  # patched for this process
    uuid.uuid4 = lambda: uuid.UUID(bytes=drawn("uuid", 16), version=4)
    nacl.utils.random = lambda size=32: drawn("nacl", size)


def _prepare(data: Path) -> None:
    """The data folder with keys of the seed, and the demo told."""
    import django
    from nacl.encoding import RawEncoder
    from nacl.public import PrivateKey

    for name in ("keys", "log", "mail", "uploads", "broker/queue", "broker/control"):
        (data / name).mkdir(parents=True)
    key = PrivateKey(sha256(SEED.encode()).digest(), RawEncoder)
    (data / "keys" / "gold.private").write_text(_text(bytes(key)) + "\n")
    os.environ["HELDOUT_GOLD_PUBLIC_KEY"] = _text(bytes(key.public_key))
    os.environ["HELDOUT_GOLD_PRIVATE_KEY_FILE"] = str(data / "keys" / "gold.private")
    django.setup()
    _run("make_demo_data")
    _run("run_due")


def _text(key: bytes) -> str:
    from base64 import b64encode

    return b64encode(key).decode()


def _run(*command: str) -> str:
    import io

    from django.core.management import CommandError, call_command

    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            call_command(*command, stdout=output, stderr=output, no_color=True)
        except CommandError as error:
            output.write(f"CommandError: {error}")
        except SystemExit as end:
            output.write(f"exit {end.code}")
    return output.getvalue()


def _all_answers(data: Path) -> Iterator[tuple[str, bytes]]:
    from django.contrib.auth import get_user_model

    users = list(get_user_model().objects.order_by("pk"))
    organiser = next(user for user in users if user.is_superuser)
    participant = next(user for user in users if not user.is_superuser and user.has_usable_password())
    starts = ("/", "/api/v1/schema/", "/api/v1/", "/styleguide/", "/nowhere/")
    for who, user in (("anybody", None), ("participant", participant), ("organiser", organiser)):
        also = ("/admin/", "/submit/", "/account/") if user else ()
        yield from _crawl(who, _reader(user), (*starts, *also), most=3 if user else MOST_OF_A_KIND)
    for command in COMMANDS:
        yield f"command {' '.join(command)}", _run(*command).encode()
    yield "client --help", _client_help()
    files = b"".join(path.read_bytes() for path in sorted((data / "mail").iterdir()))
    mails = sorted(re.split(rb"^-{79}$\n", files, flags=re.MULTILINE))
    for subject, alike in itertools.groupby(
        mails, key=lambda mail: re.findall(rb"^(?:Subject|To): .*", mail, re.M)
    ):
        yield f"mail {b' '.join(subject).decode()}", b"\n".join(alike)


def _client_help() -> bytes:
    done = subprocess.run(
        [sys.executable, "-c", "from client.main import app; app()", "--help"],
        capture_output=True,
        check=False,
    )
    return done.stdout + done.stderr


def _reader(user: Any) -> Answer:
    """Ask the whole application, published pages included, as that user."""
    import io

    from django.conf import settings
    from django.test import Client

    from config.wsgi import application

    cookies = ""
    if user:
        browser = Client()
        browser.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
        cookies = f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"

    def read(address: str) -> tuple[int, str, bytes]:
        parts = urlsplit(address)
        from urllib.parse import unquote_to_bytes

        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": unquote_to_bytes(parts.path).decode("latin-1"),
            "QUERY_STRING": parts.query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "HTTP_HOST": HOST,
            "HTTP_COOKIE": cookies,
            "HTTP_ACCEPT": "text/html",
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        started: list[Any] = []
        chunks = application(environ, lambda status, headers, _=None: started.extend((status, headers)))
        body = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        headers = {name.lower(): value for name, value in started[1]}
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return int(started[0][:3]), _headers(headers), body

    return read


def _headers(headers: Mapping[str, str]) -> str:
    told = ("content-type", "content-disposition", "cache-control", "location", "link", "retry-after")
    return "".join(f"{name}: {headers[name]}\n" for name in told if name in headers)


def _crawl(who: str, read: Answer, starts: tuple[str, ...], most: int) -> Iterator[tuple[str, bytes]]:
    """The addresses that links lead to, each with status, headers and body; views are not followed to further views."""
    waiting, known = deque(starts), set(starts)
    kinds: dict[str, int] = {}
    while waiting:
        address = waiting.popleft()
        status, headers, body = read(address)
        is_archive = headers.startswith("content-type: application/zip")
        yield (
            f"{who} {address}",
            f"{status}\n{headers}\n".encode() + (_unzipped(body) if is_archive else body),
        )
        is_text = any(kind in headers for kind in ("text/html", "json", "atom", "openapi"))
        for link in _links(body.decode("utf-8", "replace"), address) if is_text else ():
            kind = _kind(link)
            if link in known or ("?" in link and "?" in address):
                continue
            limit = MOST_OF_A_VIEW if "?" in link else most
            if kinds.get(kind, 0) < limit:
                known.add(link)
                kinds[kind] = kinds.get(kind, 0) + 1
                waiting.append(link)


def _unzipped(body: bytes) -> bytes:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


def _links(text: str, address: str) -> Iterator[str]:
    for found in LINK.findall(text):
        link = urldefrag(
            urljoin(f"http://{HOST}{address}", next(filter(None, found), "").replace("&amp;", "&"))
        ).url
        parts = urlsplit(link)
        if parts.netloc == HOST and not parts.path.startswith("/static/") and "logout" not in parts.path:
            yield parts.path + (f"?{parts.query}" if parts.query else "")


def _kind(link: str) -> str:
    path, _, query = link.partition("?")
    kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "#", path)
    if not query:
        return kind
    names = sorted({part.partition("=")[0] for part in query.split("&")})
    return "/".join(kind.split("/")[:3]) + f"/{kind.count('/')}?{names}"


def _normal(body: bytes) -> bytes:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return sha256(body).hexdigest().encode()
    for pattern, instead in UNREPEATABLE:
        text = pattern.sub(instead, text)
    return text.encode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
