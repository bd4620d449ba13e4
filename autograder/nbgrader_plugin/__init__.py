"""What nbgrader calls: ``score`` and ``score_tests`` in a learner's kernel, and the classes that
nbgrader_config.py names.

``reader`` takes in submissions however damaged, ``repair`` gives them the released shape, ``marks``
grades out of process and writes the gradebook, ``feedback`` is what people see of a verdict.
Importing this package loads nothing of nbgrader.
"""

from autograder.nbgrader_plugin.live import score, score_tests

__all__ = ["score", "score_tests"]
