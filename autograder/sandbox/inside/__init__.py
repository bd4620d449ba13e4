"""The only folder of ours that is in view inside the sandbox.

Nothing here imports anything but the standard library (and NumPy, in ``arrays``), because it runs
under ``python -I -S`` beside learner code. The grader shares ``codec``, ``arrays`` and ``channel``.
"""
