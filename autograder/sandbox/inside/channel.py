"""Frames over a stream socket: four bytes of length, then that many bytes.

The length is checked before anything is allocated. What the bytes mean is ``codec``'s business.
"""

from __future__ import annotations

import select
import socket
import struct
import time

from .codec import Refused

__all__ = ["Channel", "Closed"]

_LENGTH = struct.Struct("<I")
_CHUNK = 1 << 16


class Closed(Exception):
    """The other side is gone."""


class Channel:
    """One end of a socket, for frames of at most ``limit`` bytes.

    ``deadline`` (of ``time.monotonic``) bounds every wait; None waits for ever.
    """

    def __init__(self, sock: socket.socket, limit: int) -> None:
        sock.setblocking(False)
        self.deadline: float | None = None
        self.received = 0  # bytes, ever
        self._sock = sock
        self._limit = limit
        self._pending = bytearray()

    @property
    def pending(self) -> bool:
        """Whether more has come than has been received."""
        return bool(self._pending)

    def send(self, payload: bytes) -> None:
        """Raises Closed or TimeoutError."""
        rest = memoryview(_LENGTH.pack(len(payload)) + payload)
        while rest:
            try:
                rest = rest[self._sock.send(rest) :]
            except BlockingIOError:
                self._wait(select.POLLOUT)
            except (BrokenPipeError, ConnectionResetError) as error:
                raise Closed from error

    def receive(self) -> bytes:
        """The next frame. Raises Closed, TimeoutError, or Refused for a length over the limit."""
        self._fill(_LENGTH.size)
        (size,) = _LENGTH.unpack_from(self._pending)
        if size > self._limit:
            raise Refused(f"a frame of {size} bytes")
        end = _LENGTH.size + size
        self._fill(end)
        payload = bytes(self._pending[_LENGTH.size : end])
        del self._pending[:end]
        return payload

    def close(self) -> None:
        self._sock.close()

    def _fill(self, size: int) -> None:
        while len(self._pending) < size:
            self._wait(select.POLLIN)
            try:
                chunk = self._sock.recv(_CHUNK)
            except ConnectionResetError as error:
                raise Closed from error
            if not chunk:
                raise Closed
            self._pending += chunk
            self.received += len(chunk)

    def _wait(self, event: int) -> None:
        left = None if self.deadline is None else 1000 * (self.deadline - time.monotonic())
        if left is not None and left <= 0:
            raise TimeoutError
        poller = select.poll()
        poller.register(self._sock, event)
        if not poller.poll(left):
            raise TimeoutError
