"""Learner code in a process of its own, kept in as well as the machine allows.

A :class:`Box` holds one submission; each test takes a fresh :class:`Worker` from it and calls
the learner's functions through :class:`Proxy` objects. Only plain values cross. What runs on the
other side is in ``inside/``.
"""

from .box import Box
from .errors import (
    Crashed,
    Exited,
    GraderFault,
    LearnerError,
    LearnerStop,
    Missing,
    OutOfMemory,
    TimedOut,
    Unwritten,
)
from .isolation import OPEN_AT_C, Level
from .probe import available, explain, strongest
from .proxy import Proxy
from .records import Cell, Limits, Module, Outcome, Problem, Suite, SuiteRun, TestRun
from .tester import Tester
from .worker import Worker

__all__ = [
    "OPEN_AT_C", "Box", "Cell", "Crashed", "Exited", "GraderFault", "LearnerError", "LearnerStop",
    "Level", "Limits", "Missing", "Module", "OutOfMemory", "Outcome", "Problem", "Proxy", "Suite",
    "SuiteRun", "TestRun", "Tester", "TimedOut", "Unwritten", "Worker", "available", "explain",
    "strongest",
]
