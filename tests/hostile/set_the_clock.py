"""Sets the machine's clock, and bends its pace.

Must hold at every level: the clock is not a worker's to set.

Family: clocks.
"""

import ctypes
import time

ENDS = {"A": "refused", "B": "refused", "C": "refused"}


LIBC = ctypes.CDLL(None, use_errno=True)


def attack(world):
    done = []
    for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC):
        try:
            time.clock_settime(clock, time.clock_gettime(clock))
            done.append(clock)
        except OSError:
            pass
    setting = (ctypes.c_long * 2)(int(time.time()), 0)
    if LIBC.settimeofday(setting, None) == 0:
        done.append("settimeofday")
    pace = (ctypes.c_byte * 512)()
    pace[0] = 0x02  # the frequency, set to 0
    if LIBC.adjtimex(pace) >= 0:
        done.append("adjtimex")
    return str(done) if done else "refused"
