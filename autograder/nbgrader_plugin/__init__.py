"""What nbgrader calls: ``score`` in a learner's kernel, and classes that nbgrader_config.py names.

``reader`` takes in submissions however damaged, ``repair`` gives them the released shape, ``marks``
grades out of process and writes the gradebook, ``feedback`` is what people see of a verdict.
Importing this package loads nothing of nbgrader.
"""

from autograder.nbgrader_plugin.live import score

__all__ = ["score"]
