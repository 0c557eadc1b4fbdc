"""End connections of this process that nothing comes of; the web server has no deadline for bodies."""

import os
import socket
import struct
from contextlib import suppress

_FOLDER = "/proc/self/fd"
_INFO_SIZE = 104
_LAST_DATA_RECEIVED = 52  # tcp_info.tcpi_last_data_recv in Linux's <linux/tcp.h>, in milliseconds


def hang_up(address: str, port: int, silence: float) -> None:
    """Take no more from that address at our port where nothing has come for `silence` seconds. Linux only.

    A thread that waits for the rest of a body then sees its end, and can still answer.
    """
    if not os.path.isdir(_FOLDER):
        return
    for name in os.listdir(_FOLDER):
        with suppress(OSError), socket.socket(fileno=os.dup(int(name))) as one:
            if one.family in (socket.AF_INET, socket.AF_INET6) and one.getsockname()[1] == port:
                peer = one.getpeername()[0].removeprefix("::ffff:")
                if peer == address.removeprefix("::ffff:") and _silent_for(one) >= silence:
                    one.shutdown(socket.SHUT_RD)


def _silent_for(one: socket.socket) -> float:
    info = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_SIZE)
    return float(struct.unpack_from("I", info, _LAST_DATA_RECEIVED)[0]) / 1000
