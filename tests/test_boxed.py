"""Workers made ready ahead of time: still a fresh one for each test, and none left behind."""

import os
import sys
import threading

import numpy as np
import pytest

from autograder.boxed import Boxed
from autograder.sandbox import Box, Cell, Limits, Module, TimedOut

COUNTER = "seen = []\ndef count():\n    seen.append(1)\n    return len(seen)"


def module(source):
    return Module("llmdata.rand", (Cell("cell 1", source),))


def test_each_test_gets_a_fresh_worker():
    """What one test changes in a module, the next does not see."""
    with Box([module(COUNTER)]) as box, Boxed(box, "llmdata.rand") as subject:
        for _ in range(3):
            with subject.open() as source:
                count = source.get("count")

                assert source.repeat(count, 2) == [1, 2]


@pytest.mark.parametrize(("change", "wanted"), [
    ("numbers[0] = 7", ("float32", [7.0, 0.0])),
    ("numbers.resize(1, refcheck=False)", ("float32", [0.0])),
])
def test_an_array_is_changed_where_the_code_is(change, wanted):
    """A copy goes to the worker, and a copy of what became of it comes back."""
    code, sent = module(f"def change(numbers):\n    {change}"), np.zeros(2, dtype=np.float32)
    with Box([code]) as box, Boxed(box, "llmdata.rand") as subject, subject.open() as source:
        kept = source.put(sent)
        source.get("change")(kept)
        found = source.fetch(kept)

    assert (found.dtype.name, found.tolist()) == wanted
    assert sent.tolist() == [0, 0]


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels tell no process's time")
@pytest.mark.parametrize(("wait", "least", "most"), [
    ("while time.process_time() < begin + 0.3: pass", 0.3, 0.4),
    ("time.sleep(0.3)", 0.0, 0.1),
    ("time.process_time = lambda: begin\n    time.sleep(0.3)", 0.0, 0.1),
])
def test_processor_time_is_what_the_kernel_counts(wait, least, most):
    """Work counts and waiting does not, whatever the worker's own clock is made to say."""
    code = module(f"import time\ndef spend():\n    begin = time.process_time()\n    {wait}")
    with Box([code]) as box, Boxed(box, "llmdata.rand") as subject, subject.open() as source:
        before = source.processor_time()
        source.get("spend")()

        assert least <= source.processor_time() - before < most


def test_other_modules_can_be_loaded():
    """A planted bug runs in the box of the reference."""
    bug = module("def count():\n    return 0")
    with Box([module(COUNTER)]) as box, Boxed(box, "llmdata.rand", [bug]) as subject:
        with subject.open() as source:
            assert source.get("count")() == 0


def test_a_worker_that_never_comes_up_fails_its_own_test():
    """A cell that loops stops the test that needed it; leaving raises nothing."""
    limits = Limits(test_seconds=0.3)
    with Box([module("while True: pass")], limits=limits) as box:
        with Boxed(box, "llmdata.rand") as subject:
            with pytest.raises(TimedOut), subject.open():
                pass


def test_nothing_is_left_behind():
    """Neither the thread nor a process of the sandbox outlives the box."""
    threads = threading.active_count()
    with Box([module(COUNTER)]) as box, Boxed(box, "llmdata.rand") as subject:
        with subject.open() as source:
            source.get("count")()
        group = box._host._process.pid

    assert threading.active_count() == threads
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)
