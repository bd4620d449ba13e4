"""The grader of Bytes to Batches: what a learner, a teacher, an author and CI run.

``course`` knows the paths, ``build`` makes the notebooks, ``reading`` and ``export`` take a
submission apart, ``sandbox`` runs it, ``grade`` judges it, ``verdict`` is what comes out; ``learn``
is for notebooks, ``cli`` for terminals and ``nbgrader_plugin`` for nbgrader.
"""
