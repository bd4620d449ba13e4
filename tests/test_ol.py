"""The script ``./ol``: sets up once, tries again after a failure, then stays out of the way.

Installers are stand-ins here, so that no network is needed; the real set-up is what the continuous
integration does before these tests.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VENV_PYTHON = """#!/bin/sh
case "$*" in
*"pip install"*) echo "pip $*" >>"$LOG"; exit "${FAIL:-0}" ;;
esac
echo "ran $*"
"""
UV = """#!/bin/sh
echo "uv $*" >>"$LOG"
[ "$1" = venv ] && for last; do :; done && mkdir -p "$last/bin" && cp "$STAND_IN" "$last/bin/python"
exit "${FAIL:-0}"
"""
PYTHON = """#!/bin/sh
case "$*" in
*"-m venv"*) for last; do :; done; mkdir -p "$last/bin"; cp "$STAND_IN" "$last/bin/python" ;;
*"-c"*) exit "${TOO_OLD:-0}" ;;
esac
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def ol(tmp_path):
    """A checkout whose folder has a space, and stand-ins for python3 and, where asked for, uv."""
    checkout, programs = tmp_path / "a checkout", tmp_path / "bin"
    checkout.mkdir()
    programs.mkdir()
    shutil.copy(ROOT / "ol", checkout)
    (checkout / "requirements.lock").write_text("click==8.1\n")
    script(tmp_path / "stand-in", VENV_PYTHON)
    script(programs / "python3", PYTHON)
    for tool in ("cat", "cmp", "cp", "mkdir", "mv", "dirname", "rm"):
        (programs / tool).symlink_to(shutil.which(tool))

    def run(*arguments, uv=False, **environment):
        if uv:
            script(programs / "uv", UV)
        done = subprocess.run(
            [checkout / "ol", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={
                "PATH": str(programs),
                "LOG": str(tmp_path / "log"),
                "STAND_IN": str(tmp_path / "stand-in"),
                **environment,
            },
        )
        return done.returncode, done.stdout, done.stderr

    run.checkout = checkout
    run.log = lambda: (tmp_path / "log").read_text() if (tmp_path / "log").exists() else ""
    return run


@pytest.mark.parametrize(
    ("uv", "installer"), [(True, "uv pip install"), (False, "pip -m pip install")]
)
def test_first_use_installs_the_lock_and_the_second_does_not(ol, uv, installer):
    """The locked versions are installed once, with uv where there is one, else with pip."""
    first = ol("check", "ch04", uv=uv)
    installed = ol.log()
    second = ol("check", "ch04", uv=uv)

    assert installer in installed
    assert "requirements.lock" in installed
    assert (first[0], first[1]) == (0, "ran -P -m autograder check ch04\n")
    assert "first use" in first[2]
    assert second == (0, first[1], "")
    assert ol.log() == installed


def test_failed_installation_is_said_and_tried_again(ol):
    """Without a network the first use ends with 2 and a way on; the next use carries on."""
    code, printed, said = ol("doctor", FAIL="1")
    assert (code, printed) == (2, "")
    assert "run the same command again" in said

    assert ol("doctor")[:2] == (0, "ran -P -m autograder doctor\n")


def test_new_lock_is_installed(ol):
    """After the lock changes, the next use installs again."""
    ol("doctor")
    (ol.checkout / "requirements.lock").write_text("click==8.2\n")

    assert "first use" in ol("doctor")[2]


def test_moved_checkout_is_set_up_again(ol, tmp_path):
    """The environment names its checkout by an absolute path, so a moved one is set up anew."""
    ol("doctor")
    moved = ol.checkout.rename(tmp_path / "moved")
    done = subprocess.run(
        [moved / "ol", "doctor"],
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": str(tmp_path / "bin"),
            "LOG": str(tmp_path / "log"),
            "STAND_IN": str(tmp_path / "stand-in"),
        },
    )

    assert "first use" in done.stderr


def test_no_python_says_which_are_needed(ol):
    """A Python that is too old is no Python."""
    code, _, said = ol("doctor", TOO_OLD="1")

    assert code == 2
    assert "3.11, 3.12 or 3.13" in said


def test_words_with_spaces_arrive_whole(ol):
    """Arguments reach the command as they were typed, and so does the exit code."""
    assert ol("check", "a b.ipynb")[1] == "ran -P -m autograder check a b.ipynb\n"


def test_this_environment_is_what_ol_would_make():
    """The tests run in the environment of the lock: 'ol doctor' has nothing to say against it."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "autograder", "doctor"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "200"},
    )

    assert done.returncode == 0, done.stdout
