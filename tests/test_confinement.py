"""What a worker can reach, how much of it, for how long, and what is left afterwards.

Run at every level that this machine offers. Attacks are in test_hostile.
"""

import contextlib
import errno
import functools
import math
import os
import platform
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder import sandbox
from autograder.sandbox import Box, Level, Limits, host, isolation, probe
from autograder.sandbox.inside import landlock
from tests import boxed
from tests.boxed import PATIENT, RAND, module

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module", params=sandbox.available(), ids=str)
def box(request):
    with Box([], level=request.param, limits=PATIENT) as made:
        yield made


@pytest.fixture
def run(box):
    return functools.partial(boxed.run, box)


# Fresh state, and what is in view

def test_each_worker_starts_afresh(box):
    """Neither names, nor files, nor the states of random generators go from test to test."""
    source = module("""
        import os, random
        import numpy as np
        def f():
            seen = os.listdir()
            open("memo", "w").close()
            return seen, random.random(), np.random.random()
    """)
    results = []
    for _ in range(3):
        with box.worker([source]) as worker:
            results.append(worker.get(RAND, "f")())
    assert [seen for seen, _, _ in results] == [[]] * 3
    assert len({drawn for _, drawn, _ in results}) == len({drawn for _, _, drawn in results}) == 3


def test_files_are_deleted_with_their_worker(box):
    """Each worker has the whole room for itself: three times two thirds of it do not fill it."""
    write = module("open('x', 'wb').write(bytes(4_000_000))")
    with Box([write], level=box.level, limits=Limits(scratch_bytes=6_000_000)) as own:
        for _ in range(3):
            with own.worker() as worker:
                assert worker.problems == ()
        if box.level is not Level.A:  # where the folder is the sandbox's own
            own.worker().close()
            left = os.listdir(f"{own._host._folder}/scratch")
            assert len(left) <= 1  # the last one's, for a moment


def test_printing_and_warning_do_no_harm(run):
    """Output goes nowhere, input is empty, and a warning is no error."""
    assert run("import sys, warnings\nimport numpy as np", """
        def f():
            print("x" * 100_000)
            warnings.warn("careful")
            np.float32(1) / np.float32(0)
            return sys.stdin.read()
    """) == ""


def test_scratch_folder_can_be_used(run):
    """Files can be written, renamed, read and removed; tempfile finds the folder."""
    assert run("import os, tempfile", """
        def f():
            os.makedirs("one/two")
            with open("one/two/x", "w") as file:
                file.write("text")
            os.rename("one/two/x", "y")
            with tempfile.NamedTemporaryFile("w+") as file:
                inside = os.path.dirname(file.name) == os.getcwd()
            text = open("y").read()
            os.remove("y")
            return text, inside, open(os.devnull, "w").write("x")
    """) == ("text", True, 1)


def test_standard_library_works(run):
    """Threads, event loops, compression, SQLite and late imports of NumPy's are all there."""
    imports = "import asyncio, sqlite3, zlib\nimport numpy as np\nfrom concurrent import futures"
    assert run(imports, """
        async def later(): return 1
        def f():
            with futures.ThreadPoolExecutor(2) as pool:
                total = sum(pool.map(abs, [-1, -2]))
            found = sqlite3.connect(":memory:").execute("select 4").fetchone()[0]
            solved = float(np.linalg.solve(np.eye(2), np.ones(2))[0]) + abs(np.fft.fft([1.0])[0])
            return total, asyncio.run(later()), found, solved, len(zlib.compress(b"x")) > 0
    """) == (3, 1, 4, 2.0, True)


@pytest.mark.parametrize("level", sandbox.available(), ids=str)
def test_parquet_works(level):
    """Arrow writes and reads a file of many row groups, and one thread does all of it."""
    source = module("""
        import pyarrow as pa
        import pyarrow.parquet as pq
        def f():
            pq.write_table(pa.table({"text": ["é" * 1000] * 1000}), "a.parquet", row_group_size=10)
            return pq.read_table("a.parquet").num_rows, pa.cpu_count(), pa.io_thread_count()
    """)
    with Box([source], packages=["numpy", "pyarrow"], level=level) as own, own.worker() as worker:
        assert worker.get(RAND, "f")() == (1000, 1, 1)


@pytest.mark.parametrize("level", sandbox.available())
def test_only_allowed_packages_can_be_imported(level):
    """Without NumPy among them there is no NumPy, and plain values cross all the same."""
    with Box([module("import numpy", "x = [1, 2.5]")], packages=(), level=level) as box:
        with box.worker() as worker:
            assert [problem.kind for problem in worker.problems] == ["ModuleNotFoundError"]
            assert worker.get(RAND, "x") == [1, 2.5]


def test_view_holds_python_and_the_allowed_packages_only(tmp_path):
    """No site-packages folder is in view as a whole, and the base Python's own is masked."""
    view = isolation.build_view(tmp_path, ["numpy"])
    assert {link.name for link in tmp_path.iterdir()} >= {"inside", "numpy"}
    assert not [path for path in view.reads if path.endswith("-packages")]
    base = os.path.dirname(os.path.realpath(os.__file__)) + "/site-packages"
    assert (base in view.masked) == os.path.isdir(base)


def test_environment_holds_only_what_packages_need(box, monkeypatch):
    """BLAS and Arrow run in one thread each; what tunes BLAS is passed on when set."""
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("SECRET", "x")
    with Box([module("import os\nfound = sorted(os.environ)")], level=box.level) as own:
        with own.worker() as worker:
            found = set(worker.get(RAND, "found"))
    found -= {"HOME", "TMPDIR"}  # the scratch folder
    found -= {"PWD", "LC_CTYPE"}  # set by bubblewrap, and by Python
    assert found - {"OPENBLAS_L2_SIZE"} == {
        "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "ARROW_IO_THREADS",
        "ARROW_DEFAULT_MEMORY_POOL",
    }


def test_interpreter_is_isolated(run):
    """Neither the current folder nor site-packages is on the path; our own folder is."""
    isolated, no_site, path = run("""
        import sys
        def f(): return sys.flags.isolated, sys.flags.no_site, sys.path
    """)
    assert (isolated, no_site) == (1, 1)
    assert "" not in path
    assert not [folder for folder in path if folder.endswith("-packages")]


def test_limits_hold_soft_and_hard(box):
    """No core files, few open files, bounded files and memory; CPU time is the clock's backstop."""
    limits = Limits(test_seconds=1.5, memory_bytes=1 << 29, scratch_bytes=8 << 20)
    with Box([module("""
        import os, resource
        def f():
            names = ("CORE", "NOFILE", "FSIZE", "AS", "CPU")
            room = os.statvfs(".")
            return {n: resource.getrlimit(getattr(resource, f"RLIMIT_{n}")) for n in names}, (
                room.f_blocks * room.f_frsize)
    """)], level=box.level, limits=limits) as own, own.worker() as worker:
        found, room = worker.get(RAND, "f")()
    seconds = math.ceil(1.5 * os.cpu_count()) + 1
    assert found == {
        "CORE": (0, 0), "NOFILE": (64, 64), "FSIZE": (8 << 20,) * 2, "AS": (1 << 29,) * 2,
        "CPU": (seconds, seconds + 1),
    }
    assert room == 8 << 20 or box.level is not Level.A


# Their numbers on x86_64, from the kernel's header asm/unistd_64.h.
REFUSED = {
    "vfork": 58, "execve": 59, "ptrace": 101, "personality": 135, "pivot_root": 155, "chroot": 161,
    "mount": 165, "umount2": 166, "init_module": 175, "sched_setaffinity": 203,
    "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251,
    "inotify_add_watch": 254,
    "migrate_pages": 256, "unshare": 272, "move_pages": 279, "perf_event_open": 298,
    "fanotify_init": 300, "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308,
    "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "seccomp": 317, "bpf": 321,
    "execveat": 322, "userfaultfd": 323, "pidfd_send_signal": 424, "io_uring_setup": 425,
    "open_tree": 428, "fsopen": 430, "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440,
    "mount_setattr": 442, "memfd_secret": 447, "process_mrelease": 448,
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are those of x86_64")
def test_filter_refuses_each_call_by_number(box):
    """The answer is EPERM before any argument is looked at; what is newer than 6.10 is unknown."""
    if box.level is Level.C:
        pytest.skip("level C has no filter")
    with box.worker([module("""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        def f(numbers):
            me, answers = os.getpid(), []
            for number in numbers:
                result = libc.syscall(*[ctypes.c_long(n) for n in (number, -1, -1, -1, -1, -1, -1)])
                if os.getpid() != me:
                    os._exit(0)
                answers.append(ctypes.get_errno() if result == -1 else 0)
            return answers
    """)]) as worker:
        f = worker.get(RAND, "f")
        assert dict(zip(REFUSED, f(list(REFUSED.values())), strict=True)) == (
            dict.fromkeys(REFUSED, errno.EPERM))
        assert f([463, 467, 999]) == [errno.ENOSYS] * 3


@pytest.mark.skipif(Level.A not in sandbox.available(), reason="bubblewrap does not work here")
def test_level_a_has_namespaces_of_its_own():
    """Network, processes, mounts, IPC, host name and users are all apart from the grader's."""
    with Box([], level=Level.A) as box, box.worker():
        pid = box._host._process.pid
        while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            pid = int(children[0])
        for kind in ("net", "pid", "mnt", "ipc", "uts", "user"):
            assert os.readlink(f"/proc/{pid}/ns/{kind}") != os.readlink(f"/proc/self/ns/{kind}")


# Limits

@pytest.fixture
def brief():
    """A box whose workers have half a second each, and little more altogether."""
    loop = module("def f():\n    while True: pass", "def g(): return 1")
    with Box([loop], limits=Limits(test_seconds=0.5, total_seconds=1.2)) as made:
        yield made


def test_time_of_a_test_and_of_all_tests(brief):
    """A call that takes too long ends its worker; when all time is used up there are no more."""
    for _ in range(2):
        with brief.worker() as worker:
            assert worker.get(RAND, "g")() == 1
            with pytest.raises(sandbox.TimedOut, match=r"longer than 0\.5 s"):
                worker.get(RAND, "f")()
    used_up = r"the submission's 1\.2 s are used up"
    with brief.worker() as worker, pytest.raises(sandbox.TimedOut, match=used_up):
        worker.get(RAND, "f")()
    with pytest.raises(sandbox.TimedOut, match=used_up):
        brief.worker()


def test_calls_of_one_worker_share_its_time():
    """The limit is on a test, not on a call."""
    sleep = module("import time\ndef f(): time.sleep(1.2)")
    with Box([sleep], limits=Limits(test_seconds=2.0)) as box:
        with box.worker() as worker:
            worker.get(RAND, "f")()
            with pytest.raises(sandbox.TimedOut):
                worker.get(RAND, "f")()


def test_total_time_ends_a_call_before_its_own_time_does(box):
    """A call gets no more than what all tests have left."""
    limits = Limits(test_seconds=20.0, total_seconds=0.3)
    with Box([module("def f():\n    while True: pass")], level=box.level, limits=limits) as own:
        with own.worker() as worker, pytest.raises(sandbox.TimedOut, match="are used up"):
            worker.get(RAND, "f")()
        assert own._purse.seconds > -10


def test_the_graders_own_time_does_not_count(brief):
    """A test may take its time between calls."""
    with brief.worker() as worker:
        time.sleep(1.3)
        assert worker.get(RAND, "g")() == 1


def test_cell_that_never_ends_is_named(box):
    """The clock runs while cells do."""
    with Box([], level=box.level, limits=Limits(test_seconds=0.3)) as own:
        with pytest.raises(sandbox.TimedOut) as caught:
            own.worker([module("x = 1", "while True: pass")])
    assert caught.value.learner_where == "cell 2"


# The sandbox itself

@pytest.mark.parametrize("level", sandbox.available())
def test_sandbox_that_died_is_started_again(level):
    """Killed between tests or during one, the next worker comes from a new sandbox."""
    with Box([module("import time\ndef f(): time.sleep(60)")], level=level) as box:
        with box.worker() as worker:
            kill(box)
            with pytest.raises(sandbox.Crashed, match="whole sandbox down"):
                worker.get(RAND, "f")()
        box.worker().close()
        kill(box)
        box.worker().close()


@pytest.mark.parametrize("level", sandbox.available())
def test_worker_of_a_dead_sandbox_does_not_disturb_the_next(level):
    """A pid means something in its own sandbox only."""
    with Box([module("def f(): return 1")], level=level) as box:
        old = box.worker()
        kill(box)
        with box.worker() as worker:
            host = box._host
            old.close()
            assert worker.get(RAND, "f")() == 1
        box.worker().close()
        assert box._host is host


def test_threads_can_share_a_box():
    """Each takes workers of its own; the sandbox is started once."""
    def call(number):
        with box.worker() as worker:
            return worker.get(RAND, "f")(number), box._host

    with Box([module("def f(number): return -number")]) as box:
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(call, range(16)))
    assert [value for value, _ in results] == [-number for number in range(16)]
    assert len({host for _, host in results}) == 1


def kill(box):
    box._host._process.kill()
    box._host._process.wait()


@pytest.mark.parametrize("level", sandbox.available())
def test_close_leaves_nothing(level, tmp_path, monkeypatch):
    """No process and no file remain, and a closed box can be used again."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    box = Box([module("x = 1")], level=level)
    for _ in range(2):
        worker = box.worker()
        process, folder = box._host._process, box._host._folder
        assert Path(folder).parent == tmp_path
        box.close()
        assert process.returncode is not None
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(sandbox.Crashed, match="whole sandbox"):
            worker.get(RAND, "x")
    assert processes_of(folder) == []


def test_sandbox_that_does_not_end_is_killed():
    """A zygote that is stopped, and hears nothing, goes like any other."""
    box = Box([module("x = 1")], level=Level.C)
    box.worker().close()
    process = box._host._process
    os.kill(process.pid, signal.SIGSTOP)
    box.close()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("level", sandbox.available())
def test_killed_grader_leaves_no_process(level):
    """Whatever a worker is doing, it ends with the grader."""
    script = textwrap.dedent(f"""
        from autograder.sandbox import Box, Cell, Level, Module
        source = "def f():\\n    while True: pass"
        with Box([Module("m", (Cell("c", source),))], level=Level("{level}")) as box:
            worker = box.worker()
            f = worker.get("m", "f")
            print(box._host._folder, flush=True)
            f()
    """)
    grader = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    with grader:
        folder = grader.stdout.readline().strip()
        assert processes_of(folder)
        grader.kill()
    deadline = time.monotonic() + 10
    while processes_of(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of(folder) == []
    shutil.rmtree(folder)


def processes_of(folder):
    """Processes of a sandbox are told by its folder in their command line."""
    found = subprocess.run(["pgrep", "-f", folder], capture_output=True, text=True, check=False)
    return found.stdout.split()


def test_package_that_is_not_installed_is_a_fault():
    """The chapter's list is wrong, or the environment; either way no learner pays for it."""
    with Box([], packages=["no_such_package"], level=Level.C) as box:
        with pytest.raises(sandbox.GraderFault, match=r"'no_such_package' .* is not installed"):
            box.start()


def test_sandbox_that_does_not_start_is_a_fault(monkeypatch):
    """What the process said before it ended is in the message."""
    command = ["sh", "-c", "echo the reason >&2; exit 1"]
    monkeypatch.setattr(host, "python_command", lambda: command)
    with Box([], level=Level.C) as box, pytest.raises(sandbox.GraderFault, match="the reason"):
        box.worker()


@pytest.mark.parametrize("level", sandbox.available())
def test_worker_that_cannot_be_confined_is_a_fault(level):
    """A limit that the kernel refuses is reported; the worker never runs with less."""
    with Box([module("x = 1")], level=level, limits=Limits(memory_bytes=1 << 99)) as box:
        with pytest.raises(sandbox.GraderFault, match=f"cannot be confined at level {level}"):
            box.worker()


def landlock_works():
    try:
        return landlock.abi() > 0
    except OSError:
        return False


def test_levels_are_found_by_trying(monkeypatch):
    """Without bubblewrap there is no level A, the next one is taken, and the reason is told."""
    assert sandbox.available()[-1] is Level.C
    assert Level.B in sandbox.available() or not landlock_works()
    assert Box([]).level is sandbox.available()[0]
    probe._try.cache_clear()
    monkeypatch.setenv("PATH", "/nonexistent")
    try:
        assert Level.A not in sandbox.available()
        assert Box([]).level is sandbox.available()[0]
        assert any("bubblewrap (bwrap) is not installed" in line for line in sandbox.explain())
    finally:
        probe._try.cache_clear()


def test_start_does_not_wait():
    """The sandbox gets ready while the grader does something else."""
    with contextlib.closing(Box([module("x = 1")])) as box:
        box.start()
        assert box._host._ready is False
        with box.worker() as worker:
            assert isinstance(worker.get(RAND, "x"), int)
            assert box._host._ready is True
