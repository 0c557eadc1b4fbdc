"""Connections to addresses that people name: to public hosts alone, in time, and with a bounded answer."""

import shutil
import socket
import ssl
import subprocess
import time
from typing import Any

import pytest

from accounts.server.outgoing import (
    AddressRefused,
    Limits,
    NotConnected,
    Place,
    SendingFailed,
    is_global,
    post,
    read_address,
)
from tests.servers import Caller, drip, drip_headers, never_end, serving

LIMITS = Limits(connect=1, total=2, body=64 * 1024)
BRIEF = Limits(connect=1, total=0.4, body=64 * 1024)


@pytest.fixture
def private(settings: Any, socket_enabled: None) -> None:
    settings.WEBHOOKS_REACH_PRIVATE_HOSTS = True


def resolves_to(monkeypatch: pytest.MonkeyPatch, *places: str) -> list[str]:
    """From now on every name has the address that comes next, and the last one for good; gives who was asked for."""
    asked: list[str] = []

    def _resolve(host: str, port: int, **wanted: Any) -> list[Any]:
        place = places[min(len(asked), len(places) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port))]

    monkeypatch.setattr("accounts.server.outgoing.socket.getaddrinfo", _resolve)
    return asked


@pytest.mark.parametrize(
    "place",
    [
        "0.0.0.0",  # noqa: S104  # an address that must be refused
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.170",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "2001::1",
        "2001:db8::1",
        "2002:a00:1::",
        "fc00::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "localhost",
    ],
)
def test_an_address_that_is_no_public_hosts_own_is_not_global(place: str):
    assert not is_global(place)


@pytest.mark.parametrize("place", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1"])
def test_an_address_of_a_public_host_is_global(place: str):
    assert is_global(place)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.org/", "begins with https"),
        ("ftp://example.org/", "begins with https"),
        ("file:///etc/passwd", "begins with https"),
        ("https:///path", "Expected https://host/path"),
        ("https://name:word@example.org/", "without a user name"),
        ("https://example.org:22/", "Port 22"),
        ("https://example.org:8443/", "Its operator allows 443"),
        ("https://example.org:99999/", "no address"),
        ("https://[::1/", "no address"),
        ("https://2130706433/", "is a number"),
        ("https://0x7f.0.0.1/", "is no public host|is a number"),
        ("https://127.1/", "is a number"),
        ("https://017700000001/", "is a number"),
        ("https://example.0x7f/", "is a number"),
    ],
)
def test_an_address_that_names_anything_but_a_host_under_tls_is_refused_before_it_is_looked_for(url, words):
    with pytest.raises(AddressRefused, match=words):
        post(url, b"", {}, LIMITS)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[fe80::1%25eth0]"]
)
def test_an_address_of_a_private_network_is_refused_as_soon_as_it_is_read(host):
    with pytest.raises(AddressRefused, match="is no public host"):
        read_address(f"https://{host}/")


def test_operators_list_other_ports(settings):
    settings.OUTGOING_PORTS = [443, 8443]
    assert read_address("https://example.org:8443/a?b=ü").target == "/a?b=%C3%BC"


def test_a_host_is_refused_if_one_of_its_addresses_is_not_public(monkeypatch):
    def _resolve(host: str, port: int, **wanted: Any) -> list[Any]:
        return [(2, 1, 6, "", (place, port)) for place in ("93.184.216.34", "10.0.0.1")]

    monkeypatch.setattr("accounts.server.outgoing.socket.getaddrinfo", _resolve)
    with pytest.raises(AddressRefused, match=r"example\.org is no public host"):
        post("https://example.org/", b"", {}, LIMITS)


def test_a_name_that_flips_after_it_was_checked_is_not_asked_a_second_time(monkeypatch):
    asked = resolves_to(monkeypatch, "93.184.216.34", "127.0.0.1")
    tried: list[Any] = []

    def _connect(place: Place, seconds: float) -> socket.socket:
        tried.append(place.where)
        raise ConnectionRefusedError

    monkeypatch.setattr("accounts.server.outgoing._opened", _connect)
    with pytest.raises(NotConnected):
        post("https://example.org/", b"", {}, LIMITS)
    assert tried == [("93.184.216.34", 443)]
    assert asked == ["example.org"]


def test_a_resolver_that_does_not_answer_holds_nobody_up(monkeypatch, private):
    def _resolve(*asked: Any, **wanted: Any) -> list[Any]:
        time.sleep(0.5)
        raise OSError

    monkeypatch.setattr("accounts.server.outgoing.socket.getaddrinfo", _resolve)
    with pytest.raises(NotConnected, match="Nobody could say in time where"):
        post("https://example.org/", b"", {}, Limits(connect=0.1, total=1))


def test_what_is_sent_arrives_and_what_is_answered_comes_back(private):
    def _echo(caller: Caller) -> None:
        caller.give(caller.headers["X-Mark"].encode() + caller.body, status=201)

    with serving(_echo) as url:
        reply = post(url, b" of mine", {"X-Mark": "A word"}, LIMITS)
    assert (reply.status, reply.body) == (201, b"A word of mine")


def test_an_answer_in_chunks_is_read(private):
    def _chunks(caller: Caller) -> None:
        caller.wfile.write(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        )

    with serving(_chunks) as url:
        assert post(url, b"", {}, LIMITS).body == b"onetwo"


def test_a_redirect_is_an_answer_and_is_not_followed(private):
    followed = []

    def _redirect(caller: Caller) -> None:
        followed.append(caller.path)
        caller.give(b"", status=302, Location=f"http://127.0.0.1:{caller.server.server_port}/inside")

    with serving(_redirect) as url:
        assert post(url, b"", {}, LIMITS).status == 302
    assert followed == ["/"]


@pytest.mark.parametrize("slow", [drip, drip_headers])
def test_a_slow_drip_ends_when_time_is_over(private, slow):
    with serving(slow) as url, pytest.raises(SendingFailed, match=r"longer than 0\.4 seconds"):
        post(url, b"", {}, BRIEF)


def test_an_endless_answer_is_cut_off(private):
    with serving(never_end) as url, pytest.raises(SendingFailed, match="more than 64 KiB"):
        post(url, b"", {}, LIMITS)


def test_endless_headers_are_cut_off(private):
    def _headers(caller: Caller) -> None:
        caller.wfile.write(b"HTTP/1.1 100 Continue\r\n" + b"X-Again: and again\r\n" * 90 + b"\r\n")
        while not caller.server.over.is_set():
            caller.wfile.write((b"HTTP/1.1 100 Continue\r\n" + b"X-Again: and again\r\n" * 90 + b"\r\n") * 50)

    with serving(_headers) as url, pytest.raises(SendingFailed, match="does not end"):
        post(url, b"", {}, LIMITS)


def test_what_is_answered_is_never_repeated_in_a_message(private):
    def _secret(caller: Caller) -> None:
        caller.wfile.write(b"SECRET metadata\r\n\r\n")

    with serving(_secret) as url, pytest.raises(SendingFailed) as failed:
        post(url, b"", {}, LIMITS)
    assert "SECRET" not in str(failed.value)
    assert failed.value.__suppress_context__


def test_a_port_that_nobody_listens_on_is_no_connection(private):
    with serving(drip) as url:
        pass
    with pytest.raises(NotConnected, match=r"127\.0\.0\.1 could not be reached \(connection refused\)"):
        post(url, b"", {}, LIMITS)


def test_proxies_of_the_environment_are_not_used(private, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    with serving(lambda caller: caller.give(b"here")) as url:
        assert post(url, b"", {}, LIMITS).body == b"here"


def test_a_server_without_tls_is_not_spoken_to_where_tls_was_asked_for(private):
    with serving(drip) as url, pytest.raises(SendingFailed, match=r"does not speak TLS|longer than"):
        post(url.replace("http:", "https:"), b"", {}, BRIEF)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_the_certificate_must_be_of_the_name_that_was_asked_for(private, monkeypatch, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *[
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-subj",
                "/CN=model",
            ],
            *("-addext", "subjectAltName=DNS:model.test", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    resolves_to(monkeypatch, "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with serving(lambda caller: caller.give(b"under TLS"), context=context) as url:
        port = url.split(":")[2]
        assert post(f"https://model.test:{port}", b"", {}, LIMITS).body == b"under TLS"
        with pytest.raises(SendingFailed, match=r"certificate of other\.test is not valid"):
            post(f"https://other.test:{port}", b"", {}, LIMITS)
