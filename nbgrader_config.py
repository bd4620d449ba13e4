"""nbgrader on this repository: its folders are ours, and a few of its steps are replaced.

Read by every nbgrader command that starts here, and by formgrader. docs/for-teachers.md says what
each step does.
"""

import warnings

# nbgrader's own use of SQLAlchemy causes nine lines of these for every submission.
warnings.filterwarnings("ignore", message="Object of type <Submitted.*> not in session")

c = get_config()  # noqa: F821  (traitlets defines it while it runs this file)

c.CourseDirectory.course_id = "bytes-to-batches"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
# The first four are nbgrader's own; a .py beside a solution would be copied into the release.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.py"]

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}

c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.InstantiateTests",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
    "autograder.normalize.NormalizeRelease",
]

c.Autograde.pre_convert_hook = "autograder.nbgrader_plugin.reader.drop_links"
c.Autograde.exporter_class = "autograder.nbgrader_plugin.reader.SubmissionExporter"
c.Autograde.sanitize_preprocessors = [
    "autograder.nbgrader_plugin.repair.RepairSubmission",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "autograder.nbgrader_plugin.marks.GradeOutOfProcess",
    "autograder.nbgrader_plugin.marks.SaveVerdictGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
