"""The isolation that somebody insists on: a machine that offers less grades nothing.

Which levels there are is the sandbox's; who insists is the command's, or nbgrader's configuration.
"""

from __future__ import annotations

from autograder.course import CourseError
from autograder.sandbox import Level, strongest

__all__ = ["strong_enough"]


def strong_enough(required: Level) -> Level:
    """The strongest level that works here.

    Raises:
        CourseError: it is weaker than ``required``.
    """
    offered = strongest()
    if offered > required:
        raise CourseError(
            f"level {required} is required, and this machine offers {offered}; "
            "'ol doctor' says what is missing"
        )
    return offered
