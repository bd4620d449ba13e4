"""A PostgreSQL server for tests: one database on a socket in a temporary folder, no port."""

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from importlib import util
from pathlib import Path

BINARIES = Path("/usr/lib/postgresql")  # where Debian has them, not on the path


def _binaries():
    """The folder of the newest server that there is."""
    found = sorted(BINARIES.glob("*/bin/pg_ctl"), key=lambda path: float(path.parts[-3]))
    path = found[-1] if found else shutil.which("pg_ctl")
    return Path(path).parent if path else None


def missing():
    """What a test on PostgreSQL needs and this machine lacks; empty where it can run."""
    if util.find_spec("psycopg") is None:
        return "extra 'postgresql' not installed"
    if _binaries() is None:
        return "no PostgreSQL server on this machine"
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        return "PostgreSQL refuses to run as root, and there is no runuser"
    return ""


def _ordinary_user():
    """What goes before a command that root must not run, and who runs it then."""
    if os.geteuid() != 0:
        return [], None
    names = {user.pw_name for user in pwd.getpwall()}
    user = "postgres" if "postgres" in names else "nobody"
    return ["runuser", "-u", user, "--"], user


@contextmanager
def running_server():
    """Gives the ``db_url`` of an empty database. A socket's path must be short, so the folder is
    not one of pytest's; and its owner must be the server's."""
    before, user = _ordinary_user()
    binaries = _binaries()
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        if user:
            shutil.chown(folder, user)

        def run(program, *arguments):
            command = [*before, str(binaries / program), "-D", f"{folder}/data", *arguments]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

        run("initdb", "--username=teacher", "--auth=trust", "--encoding=UTF8", "--no-locale",
            "--no-sync")
        run("pg_ctl", "start", "--wait", f"--log={folder}/log",
            f"--options=-k {folder} -c listen_addresses='' -c fsync=off")
        try:
            yield f"postgresql+psycopg://teacher@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "--wait", "--mode=immediate")
