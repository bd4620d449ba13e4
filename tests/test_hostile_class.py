"""Every file in tests/hostile, handed in as a notebook and graded at the strongest level that works
here: it gets one verdict, and no point that its honest code doesn't earn.

``hostile_class`` grades; ``test_hostile`` runs the same files in the bare sandbox, at every level
and for every kind of user.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile

import pytest

from autograder.sandbox import strongest
from autograder.verdict import Reason, Status
from tests.attacks import NAMES, REPOSITORY, find

# Those that never come to the end of their cell: nothing of their module is there to be graded.
STATUS = {"endless_loop_in_a_cell": Status.TIMEOUT, "exit_in_a_cell": Status.CRASHED}
STOPS = {
    "Crashed": Reason.CRASHED, "Exited": Reason.EXITED, "OutOfMemory": Reason.MEMORY,
    "TimedOut": Reason.TIMEOUT,
}
SECRETS = ("the grader's own", "a hidden test's own", "the reference's own")


@pytest.fixture(scope="module")
def grade():
    """Have an attack graded by a process that grades one after the other; by a new one where it
    died."""
    if sys.platform != "linux":
        pytest.skip("processes are counted in /proc")
    running = []
    with contextlib.ExitStack() as stack:
        def graded(name):
            if not running or running[-1].poll() is not None:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ol-hostile-"))
                os.chmod(folder, 0o711)  # a throw-away user has to come through
                command = [sys.executable, "-m", "tests.hostile_class", folder]
                running.append(subprocess.Popen(
                    command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    text=True))
                stack.callback(running[-1].communicate)
            print(name, file=running[-1].stdin, flush=True)
            line = running[-1].stdout.readline()
            assert line, "the grader died of it"
            return json.loads(line)

        yield graded


def fits(failure, end):
    """Whether a test that failed met what the attack says it comes to."""
    match Reason(failure["reason"]):
        case Reason.WRONG:
            return failure["got"] == repr(end) or end in ("list", "tuple")
        case Reason.ERROR:
            return end.endswith(("Error", "Exception"))
    return STOPS.get(end) == failure["reason"]


@pytest.mark.parametrize("name", NAMES)
def test_attack_earns_nothing(name, grade):
    """One status; nothing for the function it attacks, everything for the honest one beside it;
    the verdict tells what happened and no secret, and nothing is left or changed."""
    ends, status = find(name).ends(strongest()), STATUS.get(name, Status.GRADED)
    if not ends:
        pytest.skip("this machine has level C only, which does not stop this")
    found = grade(name)
    verdict = found["verdict"]
    attack, honest = verdict["functions"]

    assert verdict["status"] == status
    assert (attack["passed"], attack["counted"]) == (0, 2)
    assert (honest["passed"], honest["counted"]) == (status is Status.GRADED, 1)
    assert verdict["earned"] == honest["points"] * honest["passed"]
    assert (found["changed"], found["left"]) == ([], 0)
    first = attack["tests"][0]["failure"]
    assert any(fits(first, end) for end in ends), first
    text = json.dumps(verdict, ensure_ascii=False)
    assert [secret for secret in SECRETS if secret in text] == []
    assert text.isprintable()
