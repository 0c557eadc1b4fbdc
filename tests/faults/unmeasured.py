"""A request over HTTP/2 whose head says nothing of a body, and a body after it all the same."""

import ssl
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEAD, SETTINGS, WINDOW_UPDATE = 0, 1, 4, 8
END_OF_HEAD = 4
FIRST_WINDOW = 65_535  # bytes that may be sent before the other side asks for more
STREAM = 1
LONGEST = 16_384  # bytes of a frame


def answer_to_unmeasured(connection: ssl.SSLSocket, method: str, path: str, body: bytes) -> bytes:
    """The head of the answer, packed as HTTP/2 packs it; the body is sent as far as it is taken."""
    fields = ((":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"))
    packed = b"".join(b"\0" + _text(name) + _text(value) for name, value in fields)
    connection.sendall(PREFACE + _frame(SETTINGS, 0, 0, b"") + _frame(HEAD, END_OF_HEAD, STREAM, packed))
    room = {0: FIRST_WINDOW, STREAM: FIRST_WINDOW}
    sent = 0
    while True:
        while sent < len(body) and (count := min(*room.values(), LONGEST, len(body) - sent)):
            connection.sendall(_frame(DATA, 0, STREAM, body[sent : sent + count]))
            sent += count
            room = {window: left - count for window, left in room.items()}
        kind, stream, payload = _read(connection)
        if kind == HEAD:
            return payload
        if kind == WINDOW_UPDATE:
            room[stream] += struct.unpack(">I", payload)[0]


def _text(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _read(connection: ssl.SSLSocket) -> tuple[int, int, bytes]:
    head = _exactly(connection, 9)
    kind, _flags, stream = struct.unpack(">BBI", head[3:])
    return kind, stream, _exactly(connection, int.from_bytes(head[:3]))


def _exactly(connection: ssl.SSLSocket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        more = connection.recv(count - len(found))
        if not more:
            raise ConnectionError("The server has hung up.")
        found += more
    return found
