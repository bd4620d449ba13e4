"""A seccomp filter that refuses the system calls no exercise needs. x86_64 and aarch64.

Refused: new processes and programs, sockets (connected stream pairs stay), signals to others,
reading or steering other processes, mounts, namespaces, kernel facilities, IPC that outlives a
process, and whatever is newer than Linux 6.10. Threads stay. Calls that change a file's mode,
owner, times or attributes are answered with success and not done: Landlock does not govern them,
and programs take them for granted. It is not a list of what is allowed: most of the kernel stays in
reach.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

from . import linux

__all__ = ["install"]

# name: its number on x86_64 and on aarch64; -1 where the call does not exist.
_REFUSED = {
    # processes and programs
    "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281),
    # the network
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "setpgid": (109, 154),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "statmount": (457, 457), "listmount": (458, 458),
    # kernel facilities
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "seccomp": (317, 277), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "syslog": (103, 116), "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "iopl": (172, -1), "ioperm": (173, -1),
    "modify_ldt": (154, -1), "personality": (135, 92), "vhangup": (153, 58),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    "inotify_add_watch": (254, 27),
    # memory and messages outside this process's limits; truncate by path, Landlock's from ABI 3
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "truncate": (76, 45), "io_setup": (206, 0),
    # what others made of these: a number is enough, and numbers can be guessed
    "shmctl": (31, 195), "semctl": (66, 191), "semop": (65, 193), "semtimedop": (220, 192),
    "msgctl": (71, 187), "msgsnd": (69, 189), "msgrcv": (70, 188),
}
_PRETENDED = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54),
    "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
}
_NEWEST = 462  # mseal, Linux 6.10
_CLONE3 = (435, 435)
_CLONE, _SOCKETPAIR = (56, 220), (53, 199)
_KILL, _TGKILL, _PRLIMIT = (62, 129), (234, 131), (302, 261)
_FCNTL, _IOCTL, _PRCTL = (72, 25), (16, 29), (157, 167)

_CLONE_THREAD = 0x10000
_SOCK_STREAM, _SOCKET_KIND = 1, 0xF
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE = 8, 10, 15, 1024
_FIOSETOWN, _SIOCSPGRP, _TIOCSTI = 0x8901, 0x8902, 0x5412
_FS_IOC_SETFLAGS, _FS_IOC_FSSETXATTR, _FS_IOC_ENABLE_VERITY = 0x40086602, 0x401C5820, 0x40806685

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_LOAD, _AND, _EQUAL, _GREATER, _BITS, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_REFUSE, _UNKNOWN = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

Step = tuple[int, int, int, int]  # code, skip if true, skip if false, constant


def install() -> None:
    """Filter this process from here on, for good. Raises OSError where it cannot be done."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no seccomp table for {machine}")
    steps = _program(*_ARCHITECTURES[machine], os.getpid())
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(steps), ctypes.addressof(buffer))
    linux.prctl(_PR_SET_SECCOMP, _MODE_FILTER, head)


def _argument(place: int) -> int:
    """Where the low half of a call's argument lies; both architectures are little-endian."""
    return 16 + 8 * place


def _answer(number: int, action: int) -> list[Step]:
    return [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, action)]


def _only_if(number: int, *test: Step) -> list[Step]:
    """Allow call ``number`` where ``test``, whose last step compares, is true; else refuse it."""
    checks = [*test[:-1], (test[-1][0], 0, 1, test[-1][3]), (_RETURN, 0, 0, _ALLOW)]
    body = [*checks, (_RETURN, 0, 0, _REFUSE)]
    return [(_EQUAL, 0, len(body), number), *body]


def _unless(number: int, place: int, *values: int) -> list[Step]:
    """Refuse call ``number`` where its argument is one of ``values``; else allow it."""
    body: list[Step] = [(_LOAD, 0, 0, _argument(place))]
    for value in values:
        body += _answer(value, _REFUSE)
    body.append((_RETURN, 0, 0, _ALLOW))
    return [(_EQUAL, 0, len(body), number), *body]


def _program(column: int, architecture: int, pid: int) -> list[Step]:
    def load(place: int) -> Step:
        return (_LOAD, 0, 0, _argument(place))

    steps: list[Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_GREATER, 0, 1, _NEWEST),
        (_RETURN, 0, 0, _UNKNOWN),
        # clone3 hides its flags behind a pointer; told it is unknown, the C library takes clone.
        *_answer(_CLONE3[column], _UNKNOWN),
        *_only_if(_CLONE[column], load(0), (_BITS, 0, 0, _CLONE_THREAD)),
        *_only_if(_KILL[column], load(0), (_EQUAL, 0, 0, pid)),
        *_only_if(_TGKILL[column], load(0), (_EQUAL, 0, 0, pid)),
        *_only_if(_PRLIMIT[column], load(0), (_EQUAL, 0, 0, 0)),
        # A datagram pair could still be sent to a path or an abstract name.
        *_only_if(
            _SOCKETPAIR[column], load(1), (_AND, 0, 0, _SOCKET_KIND), (_EQUAL, 0, 0, _SOCK_STREAM)
        ),
        # A file's owner gets its signals, and any signal can be chosen: a kill by another name. A
        # lease makes others wait who open the file; it and flags take no right to write.
        *_unless(_FCNTL[column], 1, _F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE),
        *_unless(
            _IOCTL[column], 1, _FIOSETOWN, _SIOCSPGRP, _TIOCSTI, _FS_IOC_SETFLAGS,
            _FS_IOC_FSSETXATTR, _FS_IOC_ENABLE_VERITY,
        ),
        # A worker dies with the zygote even where the zygote is killed.
        *_unless(_PRCTL[column], 0, linux.PR_SET_PDEATHSIG),
    ]
    for table, action in ((_REFUSED, _REFUSE), (_PRETENDED, _ERRNO)):
        for numbers in table.values():
            if numbers[column] >= 0:
                steps += _answer(numbers[column], action)
    return [*steps, (_RETURN, 0, 0, _ALLOW)]
