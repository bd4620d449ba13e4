"""Every file in tests/hostile is a submission that attacks; each is run at every level, and by a
grader that is root as well as by one that is an ordinary user. ``test_hostile_class`` has each
graded as a submission. The folder ``own_tests`` holds learners' tests that attack: see test_mutate.

A file's docstring says what it does, what must hold, and which family it belongs to. ``ENDS`` says
how ``attack(world)`` has to end at each level: the name of the exception that arrives, the text
returned, or the type of another value. A level that is not in it does not stop the attack, which
is then not run there; ``NOT_STOPPED_AT_C`` names each. ``DO`` is what a test does with the value.
After each attack nothing may have changed outside: no process more, no file touched, nothing
received; and the next worker answers.

An attack that succeeds must do the machine no harm: bombs are small, signals are 0, loops end.
One grader tries all attacks of a kind of user, one after the other: two to three minutes for each,
seven in all on two processors.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from autograder.sandbox import OPEN_AT_C, Level
from tests import attacks
from tests.attacks import LEVELS, NAMES, ORDINARY, REPOSITORY, ROOT, THROWAWAY, USERS, find

# At level A nobody is given a user of their own, so the third kind has nothing to add there.
GRADERS = [(user, level) for user in USERS for level in LEVELS
           if (user, level) != (THROWAWAY, Level.A)]
SOMEBODY = 54_321  # a user who owns nothing

# What level C cannot stop: it has limits only.
NOT_STOPPED_AT_C = {
    "reading files": {
        "import_by_a_loader", "import_by_another_path", "read_a_system_file",
        "read_around_the_root", "read_other_scratch_folders", "read_the_solutions",
        "read_through_a_link",
    },
    "writing outside its folder": {
        "change_modes_and_times", "flags_of_a_file", "leave_a_memo", "lease_on_a_file",
        "link_out_of_scratch", "plant_files_for_python", "write_outside",
    },
    "the network": {
        "abstract_socket", "open_a_tcp_socket", "open_a_udp_socket", "open_a_unix_socket",
        "open_other_sockets", "resolve_a_name", "send_from_a_datagram_pair",
    },
    "starting processes": {
        "fork", "fork_bomb", "fork_without_python", "make_a_namespace", "outlive_the_parent",
        "set_uid_file", "start_a_program",
    },
    "signals to other processes": {
        "handles_of_processes", "kill_the_parent", "signal_by_ownership", "signal_everyone",
        "steer_the_grader", "trace_the_parent",
    },
    "what the whole machine shares": {
        "memory_outside_the_limit", "queues_by_number", "take_every_slot",
    },
}


def command(python: str) -> tuple[list[str], dict[str, str]]:
    """How ``attacked`` is started with a Python, and with which environment."""
    packages = os.pathsep.join([str(REPOSITORY), str(Path(np.__file__).parent.parent)])
    return [python, "-m", "tests.attacked"], {**os.environ, "PYTHONPATH": packages}


def python_for(user: int) -> str:
    """A Python of this version that ``user`` may start: this one, else the system's."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    system = shutil.which(name, path="/usr/local/bin:/usr/bin")
    for python in filter(None, (sys.executable, system)):
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            subprocess.run(
                [python, "-c", "import tests.attacked"], env=command(python)[1], cwd=REPOSITORY,
                user=user, group=user, extra_groups=[], check=True, capture_output=True,
            )
            return python
    pytest.skip(f"neither this checkout's Python nor the system's {name} is open to other users")


class Grader:
    """A process that tries attacks for us, as one of the kinds of users."""

    def __init__(self, kind: str, home: str) -> None:
        root = os.geteuid() == 0
        if not root and kind != ORDINARY:
            pytest.skip("needs root, and these tests run as an ordinary user")
        os.chmod(home, 0o711)  # a sandbox lies in it, and a throw-away user has to come through
        python, given = sys.executable, {}
        if root and kind != ROOT:
            python = python_for(SOMEBODY)
        if kind == THROWAWAY and python == sys.executable:
            pytest.skip("where all may start this Python, root does so anyway")
        if root and kind == ORDINARY:
            os.chown(home, SOMEBODY, SOMEBODY)
            given = {"user": SOMEBODY, "group": SOMEBODY, "extra_groups": []}
        arguments, environment = command(python)
        self.process = subprocess.Popen(
            arguments, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment | {"HOME": home, "TMPDIR": home}, **given,
        )
        self.levels = self.read()

    def read(self) -> list[str] | dict[str, object]:
        line = self.process.stdout.readline()
        assert line, "the grader died of it"
        return json.loads(line)

    def try_(self, name: str, level: Level) -> dict[str, object]:
        print(name, level, file=self.process.stdin, flush=True)
        return self.read()

    def close(self) -> None:
        self.process.communicate()


@pytest.fixture(scope="module")
def graders() -> Iterator[Callable[[str], Grader]]:
    """One grader for each kind of user; a new one where it died."""
    made: dict[str, Grader] = {}
    with contextlib.ExitStack() as stack:
        def grader(kind: str) -> Grader:
            if kind not in made or made[kind].process.poll() is not None:
                home = stack.enter_context(tempfile.TemporaryDirectory(prefix="ol-hostile-"))
                made[kind] = Grader(kind, home)
                stack.callback(made[kind].close)
            return made[kind]

        yield grader


@pytest.mark.parametrize(("user", "level"), GRADERS)
@pytest.mark.parametrize("name", NAMES)
def test_attack_ends_as_it_must(
    name: str, user: str, level: Level, graders: Callable[[str], Grader]
) -> None:
    """An attack changes nothing but its own mark, and the next worker is none the worse."""
    if sys.platform != "linux":
        pytest.skip("processes are counted in /proc")
    ends = find(name).ends(level)
    if not ends:
        pytest.skip(f"level {level} does not stop this: it has limits only")
    grader = graders(user)
    if level not in grader.levels:
        pytest.skip(f"level {level} does not work on this machine")

    found = grader.try_(name, level)

    assert found["end"] in ends, found["message"]
    assert len(found["message"]) < 3_000
    assert all(character.isprintable() or character == "\n" for character in found["message"])
    assert (found["changed"], found["left"], found["answer"]) == ([], 0, 42)
    assert found["survived"], "the sandbox did not survive"
    if user == THROWAWAY:
        assert found["runs as"] == "a throw-away user"


@pytest.mark.parametrize("name", NAMES)
def test_attack_file_says_what_it_does(name: str) -> None:
    """A submission here says what it tries, what must hold and its family; A and B stop it."""
    attack = find(name)
    assert "ust hold" in attack.says
    assert attack.family in attacks.FAMILIES
    assert {"A", "B"} <= set(attack.levels) <= {"A", "B", "C"}


def test_what_level_c_does_not_stop_is_named() -> None:
    """An attack is not left out at C by oversight."""
    named = [name for names in NOT_STOPPED_AT_C.values() for name in names]

    assert sorted(named) == [name for name in NAMES if "C" not in find(name).levels]
    assert tuple(NOT_STOPPED_AT_C) == OPEN_AT_C
    said = " ".join(attacks.DOCUMENT.read_text(encoding="utf-8").split())
    assert [kind for kind in OPEN_AT_C if kind not in said] == []


def test_every_family_has_attacks() -> None:
    """None of the families is a heading only; 80 attacks at least."""
    assert {find(name).family for name in NAMES} == set(attacks.FAMILIES)
    assert len(NAMES) >= 80


def test_table_in_the_document_is_up_to_date() -> None:
    """The document's table is what ``python -m tests.attacks`` writes."""
    text = attacks.DOCUMENT.read_text(encoding="utf-8")

    assert attacks.BEGIN in text
    assert attacks.document(text) == text, "run 'python -m tests.attacks'"
