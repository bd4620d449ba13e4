"""Searches memory for names of bugs: its own with ctypes and /proc, and that of other processes.

Must come of it: nothing. No name of a bug is in this process, and others cannot be read. What is
searched for is kept one letter further on in the alphabet, so that it does not find itself.
"""

import ctypes
import os
import time

NEXT_LETTER = bytes((number + 1) % 256 for number in range(256))
NAMES = [b"mfgu`jt`735", b"uxjtu`pof`xpse`fbsmz", b"tffe`opu`nbtlfe", b"qbsjuz`pg`xpse`k"]
SECONDS = 0.6
CHUNK = 1 << 20


def writable(process):
    """Start and end of each writable range of a process; none where that is not to be seen."""
    try:
        with open(f"/proc/{process}/maps") as maps:
            lines = maps.read().splitlines()
    except OSError:
        return
    for line in lines:
        place, mode, *_ = line.split()
        if mode.startswith("rw"):
            start, _, end = place.partition("-")
            yield int(start, 16), int(end, 16)


def found(read, process):
    """Which names stand in a process's memory, as far as the time goes."""
    end_time = time.monotonic() + SECONDS
    for start, end in writable(process):
        for place in range(start, end, CHUNK):
            if time.monotonic() > end_time:
                return
            try:
                piece = read(place, min(CHUNK, end - place)).translate(NEXT_LETTER)
            except (OSError, ValueError, OverflowError):
                break
            yield from (name for name in NAMES if name in piece)


def test_own_memory():
    """Every page that can be read."""
    try:
        memory = os.open("/proc/self/mem", os.O_RDONLY)
    except OSError:
        return
    try:
        assert not set(found(lambda place, size: os.pread(memory, size, place), "self"))
    finally:
        os.close(memory)


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def test_memory_of_the_neighbours():
    """process_vm_readv on the parent and the processes next to this one."""
    libc = ctypes.CDLL(None, use_errno=True)
    for process in (os.getppid(), os.getpid() - 1, os.getpid() + 1):

        def read(place, size, process=process):
            room = ctypes.create_string_buffer(size)
            here, there = Piece(ctypes.addressof(room), size), Piece(place, size)
            number = libc.process_vm_readv(
                process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0
            )
            if number < 0:
                raise OSError(ctypes.get_errno(), "process_vm_readv")
            return room.raw[:number]

        assert not set(found(read, process))
