"""The one place from which this server opens connections to addresses that people name: webhooks, models.

Whoever names an address could aim at what only this server reaches. So a name is resolved once, every address that it
has must be global, and the connection goes to one of those very addresses, with the name in TLS. Redirects are not
followed; proxies and credentials of the environment are not known here. However slowly the other side drips, it is cut
off when time is over, and an endless answer where its limit is. No message repeats what the other side said.
"""

import http.client
import io
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from django.conf import settings

HEAD_BYTES = 64 * 1024  # of an answer's status line, headers and the frames around chunks, beside its body

_IN_USE = ipaddress.IPv6Network(
    "2000::/3"
)  # what is handed out of IPv6; mapped, NAT64 and local ones lie outside
_WRAPPED = tuple(
    ipaddress.IPv6Network(net) for net in ("2001::/32", "2002::/16")
)  # hold an IPv4 address: Teredo, 6to4
_RELAYS = ipaddress.IPv4Network("192.88.99.0/24")  # of 6to4
_NUMBER = re.compile(r"(?:\d+|0x[\da-f]*)\Z")
_AS_IT_IS = "/%?:@!$&'()*+,;=~"  # what a path and a query may hold; the rest is escaped


class SendingFailed(Exception):
    """Why no answer came, in words for organisers."""


class AddressRefused(SendingFailed):
    """The address is none that this server connects to."""


class NotConnected(SendingFailed):
    """Nothing was sent, because no connection came about."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds until it is connected and in all, and bytes of an answer's body; with 0, none of it is read."""

    connect: float
    total: float
    body: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the status, 100 to 999, and the body, empty where it was not to be read."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Address:
    """An address that this server may try: its host is looked at once it is resolved."""

    host: str
    port: int
    target: str
    has_tls: bool


class Place(NamedTuple):
    """Where a host is, as the resolver says and `connect` takes it: its IP address and port first."""

    family: int
    where: tuple[Any, ...]


def read_address(url: str) -> Address:
    """The parts of an address, as far as they can be judged without asking for its host. AddressRefused."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise AddressRefused(
            "This is no address that a server can have. Expected https://host/path."
        ) from None
    reaches_private = settings.WEBHOOKS_REACH_PRIVATE_HOSTS
    if parts.scheme != "https" and not (parts.scheme == "http" and reaches_private):
        raise AddressRefused("Expected an address that begins with https.")
    if not host or "@" in parts.netloc:
        raise AddressRefused("Expected https://host/path, without a user name or password.")
    if _NUMBER.match(host.removesuffix(".").rpartition(".")[2]) and not _is_ip(host):
        raise AddressRefused(f"{host} is a number in place of a host's name. Expected a name.")
    if _is_ip(host) and not (reaches_private or is_global(host)):
        raise _not_public(host)
    has_tls = parts.scheme == "https"
    port = port or (443 if has_tls else 80)
    if port not in settings.OUTGOING_PORTS and not reaches_private:
        allowed = ", ".join(str(number) for number in settings.OUTGOING_PORTS)
        raise AddressRefused(
            f"Port {port} is none that this server connects to. Its operator allows {allowed}."
        )
    target = quote(parts.path or "/", safe=_AS_IT_IS) + (
        f"?{quote(parts.query, safe=_AS_IT_IS)}" if parts.query else ""
    )
    return Address(host, port, target, has_tls)


def post(url: str, body: bytes, headers: Mapping[str, str], limits: Limits) -> Reply:
    """Send a body once, and give what is answered, whatever its status is. SendingFailed."""
    address = read_address(url)
    ends_at = time.monotonic() + limits.total
    plain = _connected(address, min(ends_at, time.monotonic() + limits.connect))
    try:
        with _secured(plain, address, ends_at) as secured:
            wire = _Wire(secured, ends_at, HEAD_BYTES + limits.body)
            return _exchanged(wire, address, body, headers, limits)
    except TimeoutError:
        raise SendingFailed(f"It took longer than {limits.total:g} seconds to answer.") from None
    except OSError as error:
        raise SendingFailed(f"The connection broke off ({_cause(error)}).") from None
    except http.client.HTTPException as error:
        raise SendingFailed(f"What it answered is no HTTP ({type(error).__name__}).") from None
    finally:
        plain.close()


def _exchanged(
    wire: "_Wire", address: Address, body: bytes, headers: Mapping[str, str], limits: Limits
) -> Reply:
    host = f"[{address.host}]" if ":" in address.host else address.host
    connection = http.client.HTTPConnection(host, address.port)
    connection.sock = wire  # it has what http.client asks of a socket
    sent = {"User-Agent": "Heldout", "Connection": "close", **headers}
    if address.has_tls and address.port == 443:
        sent["Host"] = host.encode("idna").decode()
    connection.request("POST", address.target, body, sent)
    response = connection.getresponse()
    content = response.read(limits.body + 1) if limits.body else b""
    if len(content) > limits.body:
        raise SendingFailed(f"It answered with more than {limits.body // 1024} KiB.")
    return Reply(response.status, content)


def _connected(address: Address, until: float) -> socket.socket:
    """A connection to one of the very addresses that were checked: a name asked twice may lead elsewhere then."""
    refused = "no address answered"
    for place in _checked(address, until):
        try:
            return _opened(place, _left(until))
        except OSError as error:
            refused = _cause(error)
    raise NotConnected(f"{address.host} could not be reached ({refused}).")


def _opened(place: Place, seconds: float) -> socket.socket:
    plain = socket.socket(place.family, socket.SOCK_STREAM)
    try:
        plain.settimeout(seconds)
        plain.connect(place.where)
    except OSError:
        plain.close()
        raise
    return plain


def _checked(address: Address, until: float) -> list[Place]:
    """All places of a host, resolved once; each must be global, unless this server reaches private hosts."""
    places = _resolved(address, until)
    if not (settings.WEBHOOKS_REACH_PRIVATE_HOSTS or all(is_global(str(place.where[0])) for place in places)):
        raise _not_public(address.host)
    return places


def _not_public(host: str) -> AddressRefused:
    return AddressRefused(f"{host} is no public host. Only public hosts are connected to.")


def _resolved(address: Address, until: float) -> list[Place]:
    """What the resolver says, if it says it in time; it knows no deadline of its own."""
    found: list[Place] = []

    def _resolve() -> None:
        with suppress(OSError, UnicodeError):
            told = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
            found.extend(Place(family, where) for family, _, _, _, where in told)

    asking = threading.Thread(target=_resolve, daemon=True)
    asking.start()
    asking.join(max(0.0, until - time.monotonic()))
    if asking.is_alive():
        raise NotConnected(f"Nobody could say in time where {address.host} is.")
    if not found:
        raise NotConnected(f"No host is called {address.host}.")
    return found


def is_global(place: str) -> bool:
    """Whether an address belongs to one host of the public Internet, and wraps no other address."""
    try:
        ip = ipaddress.ip_address(place)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast and ip not in _RELAYS
    return ip.is_global and ip in _IN_USE and not any(ip in net for net in _WRAPPED)


def _is_ip(host: str) -> bool:
    """Whether it is an IP address as one writes it; resolvers know others, such as 2130706433 and 0x7f.1."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _secured(plain: socket.socket, address: Address, ends_at: float) -> socket.socket:
    if not address.has_tls:
        return plain
    plain.settimeout(_left(ends_at))
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=address.host)
    except ssl.SSLCertVerificationError as error:
        raise SendingFailed(
            f"The certificate of {address.host} is not valid ({error.verify_message})."
        ) from None
    except ssl.SSLError:
        raise SendingFailed(f"{address.host} does not speak TLS on port {address.port}.") from None


def _left(ends_at: float) -> float:
    left = ends_at - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _cause(error: OSError) -> str:
    return (
        (error.strerror or type(error).__name__).lower()
        if not isinstance(error, TimeoutError)
        else "no answer"
    )


class _Wire:
    """A socket, as http.client sees it, that gives up at an instant and after so many bytes."""

    def __init__(self, wire: socket.socket, ends_at: float, most: int) -> None:
        self._wire, self._ends_at, self._most = wire, ends_at, most

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._wire.settimeout(_left(self._ends_at))
            rest = rest[self._wire.send(rest) :]

    def receive_into(self, buffer: memoryview) -> int:
        self._wire.settimeout(_left(self._ends_at))
        count = self._wire.recv_into(buffer)
        self._most -= count
        if self._most < 0:
            raise SendingFailed("Its answer does not end.")
        return count

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self))

    def close(self) -> None:
        """Nothing: an answer is read after http.client has closed its socket; `post` closes it in the end."""


class _Incoming(io.RawIOBase):
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader gives no other
        return self._wire.receive_into(buffer)
