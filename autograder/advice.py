"""One next step for each way a test can fail, in words for the person who wrote the code.

Cards, the terminal and class feedback all take their sentence from here. What went wrong is the
verdict's to say; this module only says what to try.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograder.verdict import Reason

__all__ = ["next_step"]

STEPS: Mapping[Reason, str] = {
    Reason.WRONG: "Follow the given call by hand, line by line, up to the first value that differs "
                  "from yours.",
    Reason.ERROR: "Look at the values that the failing line works on: in the notebook, %debug in "
                  "a new cell right after the check, or after the hand example, stops there.",
    Reason.UNWRITTEN: "Put your code in place of the line 'raise NotImplementedError', run the "
                      "cell, and check again.",
    Reason.MISSING: "Define it under exactly this name and run its cell, then check again; the "
                    "released notebook still has the stub.",
    Reason.SIGNATURE: "Give the function the parameters that the stub has, in the same order.",
    Reason.TIMEOUT: "Look for a loop whose condition never changes, or for work repeated at every "
                    "step; try the smallest input first.",
    Reason.MEMORY: "Look for a list or an array that grows at every step; print its size before "
                   "you make it.",
    Reason.EXITED: "Take out exit(), quit() and sys.exit(): return a value, or raise an error.",
    Reason.CRASHED: "Look for a recursion without an end, or a library called with the wrong type; "
                    "try the given call alone in a new cell.",
    Reason.ALIVE: "Write a test that fails for a slip of the chapter's tables that none of yours "
                  "notices yet; 'ol mutate' or check_tests() shows which bugs live.",
    Reason.REJECTS: "Test what the chapter promises and nothing else: mend this test, or take it "
                    "out; 'ol mutate' or check_tests() says what it rejects.",
}


def next_step(reason: Reason) -> str:
    """What to try after a failure of this kind."""
    return STEPS[reason]
