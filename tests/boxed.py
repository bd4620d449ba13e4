"""What tests of the sandbox share: learner modules from a few lines of source, and loading them."""

import textwrap

from autograder.sandbox import Cell, Limits, Module

RAND = "llmdata.rand"
PATIENT = Limits(test_seconds=30.0, total_seconds=600.0, message_bytes=1 << 20)


def module(*sources, name=RAND):
    """A module of one cell for each source, called cell 1, cell 2..."""
    cells = [Cell(f"cell {number}", textwrap.dedent(s)) for number, s in enumerate(sources, 1)]
    return Module(name, tuple(cells))


def run(box, *sources, **arguments):
    """What f(), of the last source, returns in a fresh worker."""
    with box.worker([module(*sources)]) as worker:
        return worker.get(RAND, "f")(**arguments)
